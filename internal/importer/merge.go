package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// An entry is a subagent of the manifest to be, put together from definitions.
type entry struct {
	definition
	parts []*definition
	// formats holds the readings of a host's two formats, where it has both.
	formats map[string]*providers.Decoded
	// contract is the end of the body that is a report contract.
	contract string
}

// files lists the files that an entry comes from.
func (e *entry) files() []string {
	var names []string
	for _, d := range e.parts {
		if !slices.Contains(names, d.file.shown) {
			names = append(names, d.file.shown)
		}
	}
	return names
}

// merge puts definitions of one name into one entry where they agree. One with
// other texts becomes an entry of its own, under the name with the host behind
// it; one that says something else for the same host is skipped.
func (im *importer) merge() []*entry {
	sortByName(im.found)
	var entries []*entry
	taken := map[string]bool{}
	im.names = taken
	for _, d := range im.found {
		taken[d.name] = true
	}
	for len(im.found) > 0 {
		first := im.found[0]
		n := 1
		for n < len(im.found) && im.found[n].name == first.name {
			n++
		}
		entries = append(entries, im.group(im.found[:n], taken)...)
		im.found = im.found[n:]
	}
	slices.SortStableFunc(entries, func(a, b *entry) int { return strings.Compare(a.name, b.name) })
	return entries
}

// group merges the definitions of one name. The texts that most files have keep
// the name; of as many the first.
func (im *importer) group(same []*definition, taken map[string]bool) []*entry {
	var entries []*entry
	for _, d := range same {
		i := slices.IndexFunc(entries, func(e *entry) bool { return e.textsDiffer(d) == "" })
		if i < 0 {
			entries = append(entries, newEntry(d))
		} else {
			im.join(entries[i], d)
		}
	}
	entries = im.fold(entries)
	slices.SortStableFunc(entries, func(a, b *entry) int { return len(b.parts) - len(a.parts) })
	for _, e := range entries[1:] {
		im.apart(entries[0], e, taken)
	}
	return entries
}

func newEntry(d *definition) *entry {
	e := &entry{definition: *d, parts: []*definition{d}}
	e.hosts = map[schema.ProviderID]*providers.Decoded{}
	for id, read := range d.hosts {
		e.hosts[id] = read
	}
	return e
}

// textsDiffer says which text keeps a definition from being part of an entry, ""
// for none. White space around a text does not count: most hosts cut it.
func (e *entry) textsDiffer(d *definition) string {
	switch {
	case strings.TrimSpace(e.description) != strings.TrimSpace(d.description):
		return "description"
	case strings.TrimSpace(e.body) != strings.TrimSpace(d.body):
		return "instructions"
	}
	return ""
}

// join adds a definition with the same texts to an entry.
func (im *importer) join(e *entry, d *definition) {
	for _, id := range d.reads() {
		old := e.hosts[id]
		if old == nil {
			e.hosts[id] = d.hosts[id]
			continue
		}
		if e.twoFormats(id, old, d.hosts[id]) {
			continue
		}
		if key := Differs(id, old, d.hosts[id]); key != "" {
			im.conflict(e, d, key, "")
			return
		}
	}
	if d.hosts[schema.CodexID] != nil {
		// The one host that does not cut white space around the body.
		e.body = d.body
	}
	e.neutral = im.joinNeutral(e, d)
	if e.targets == nil || d.targets == nil {
		e.targets = nil
	} else {
		e.targets = append(e.targets, d.targets...)
	}
	e.parts = append(e.parts, d)
}

// joinNeutral adds the neutral keys of a definition; of two different values the
// first stays.
func (im *importer) joinNeutral(e *entry, d *definition) []schema.Field {
	keys := &schema.Node{Kind: schema.Map, Fields: e.neutral}
	for _, f := range d.neutral {
		switch old := keys.Get(f.Key); {
		case old == nil:
			keys.Fields = append(keys.Fields, f)
		case old.Brief() != f.Value.Brief():
			im.warn(CodeConflict, f.Range, "The first value is "+old.Brief()+".", "%s of %q differs from the one in %s, and is left out", f.Key, d.name, e.parts[0].file.shown)
		}
	}
	return keys.Fields
}

// apart gives an entry with other texts a name of its own.
func (im *importer) apart(first, e *entry, taken map[string]bool) {
	d := e.parts[0]
	suffix := d.source
	if ids := d.reads(); len(ids) > 0 {
		suffix = string(ids[0])
	}
	name := providers.ManifestName(d.name + "-" + suffix)
	for n := 2; taken[name]; n++ {
		name = providers.ManifestName(d.name + "-" + suffix + "-" + strconv.Itoa(n))
	}
	taken[name] = true
	im.conflict(first, d, first.textsDiffer(d), name)
	e.name = name
}

// conflict tells of a definition that does not agree with an entry. Without a
// name of its own it is skipped.
func (im *importer) conflict(e *entry, d *definition, key, as string) {
	im.result.Conflicts = append(im.result.Conflicts, Conflict{Name: d.name, Key: key, Files: []string{e.parts[0].file.shown, d.file.shown}, As: as})
	if as == "" {
		im.skip(d.file, schema.Problemf(CodeConflict, d.at, "Import one of the two.",
			"%q is defined in %s for the same host already, with another %s", d.name, e.parts[0].file.shown, key))
		return
	}
	im.warn(CodeConflict, d.at, "It becomes "+as+". Make the texts the same, or keep two subagents.",
		"the %s of %q differs from the one in %s", key, d.name, e.parts[0].file.shown)
}

// place gives the place of a definition for problems about the whole of it.
func (e *entry) place() hcl.Range { return e.parts[0].at }
