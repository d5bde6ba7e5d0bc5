package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
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
		if key := differs(id, old, d.hosts[id]); key != "" {
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

// fold puts entries of one name together that differ in their instructions, if
// neutral keys account for the difference: hosts that do not enforce what an
// entry may start are told so in the body.
func (im *importer) fold(entries []*entry) []*entry {
	slices.SortStableFunc(entries, func(a, b *entry) int { return len(a.body) - len(b.body) })
	for i := 0; i < len(entries); i++ {
		for j := i + 1; j < len(entries); j++ {
			if both, ok := im.folded(entries[i], entries[j]); ok {
				entries[i] = both
				entries = slices.Delete(entries, j, j+1)
				j = i // what did not fold before may now
			}
		}
	}
	return entries
}

// folded puts two entries together and proves that nothing changes by it.
func (im *importer) folded(a, b *entry) (*entry, bool) {
	clash := slices.ContainsFunc(b.reads(), func(id schema.ProviderID) bool { return a.hosts[id] != nil })
	if clash || a.targets == nil || b.targets == nil || a.textsDiffer(&b.definition) != "instructions" {
		return nil, false
	}
	both := newEntry(&a.definition)
	both.formats, both.parts = a.formats, slices.Concat(a.parts, b.parts)
	if b.formats != nil {
		both.formats = b.formats
	}
	for id, read := range b.hosts {
		both.hosts[id] = read
	}
	both.targets = slices.Concat(a.targets, b.targets)
	both.neutral = im.joinNeutral(both, &b.definition)
	if a.contract != "" && b.contract != "" && a.contract != b.contract {
		return nil, false
	}
	both.contract = a.contract
	targets := both.hostsOf()
	exact := func() bool {
		plain := both.tree(nil, targets)
		_, o := im.promote(both, plain, im.verify(both, plain, targets), targets)
		return o.invalid == nil && len(o.refused) == 0 && len(o.changed) == 0
	}
	if exact() {
		return both, true
	}
	if both.contract == "" {
		both.body, both.contract = split(a.body, b.body)
	}
	return both, both.contract != "" && exact()
}

// split cuts a body at the empty line before the place where another one has
// more. What hosts are told stands before the report contract.
func split(body, longer string) (instructions, contract string) {
	same := 0
	for same < len(body) && same < len(longer) && body[same] == longer[same] {
		same++
	}
	at := strings.LastIndex(body[:same], "\n\n")
	if at < 0 || strings.TrimSpace(body[:at]) == "" {
		return body, ""
	}
	return body[:at+1], body[at+2:]
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

// twoFormats puts two readings of one host together that stand in two formats,
// where they agree in what both say. Each format has keys that the other cannot
// have.
func (e *entry) twoFormats(id schema.ProviderID, a, b *providers.Decoded) bool {
	const markdown = "markdown"
	x, y := a.Block(), b.Block()
	if id != schema.KiroID || (x.Get("format").Text() == markdown) == (y.Get("format").Text() == markdown) {
		return false
	}
	for _, f := range x.Fields {
		if other := y.Get(f.Key); f.Key != "format" && other != nil && !sameValue(id, f.Key, f.Value, other) {
			return false
		}
	}
	both := *without(a, "format")
	for _, r := range without(b, "format").Readings {
		if !slices.ContainsFunc(r.Block, func(f schema.Field) bool { return x.Get(f.Key) != nil }) {
			both.Readings = append(both.Readings, r)
		}
	}
	both.Readings = append(both.Readings, providers.Reading{Block: []schema.Field{providers.TextField("format", "both", a.At)}})
	e.hosts[id] = &both
	e.formats = map[string]*providers.Decoded{x.Get("format").Text(): a, y.Get("format").Text(): b}
	return true
}

// without gives a reading without a key of its block.
func without(d *providers.Decoded, key string) *providers.Decoded {
	out := *d
	out.Readings = nil
	for _, r := range d.Readings {
		if !slices.ContainsFunc(r.Block, func(f schema.Field) bool { return f.Key == key }) {
			out.Readings = append(out.Readings, r)
		}
	}
	return &out
}

// differs gives the first thing in which two readings of one host differ, ""
// for none. White space that the host cuts does not count.
func differs(id schema.ProviderID, a, b *providers.Decoded) string {
	observe := all.Get(id).Facts().Observe
	trim := func(s string, cut bool) string {
		if cut {
			return strings.TrimSpace(s)
		}
		return s
	}
	switch {
	case providers.ManifestName(a.Name) != providers.ManifestName(b.Name):
		return "name"
	case trim(a.Description, observe.TrimDescription) != trim(b.Description, observe.TrimDescription):
		return "description"
	case trim(a.Body, observe.TrimBody) != trim(b.Body, observe.TrimBody):
		return "instructions"
	}
	x, y := a.Block(), b.Block()
	for _, f := range x.Fields {
		if !sameValue(id, f.Key, f.Value, y.Get(f.Key)) {
			return string(id) + "." + f.Key
		}
	}
	for _, f := range y.Fields {
		if x.Get(f.Key) == nil {
			return string(id) + "." + f.Key
		}
	}
	return ""
}

// sameValue compares two values. The order of keys counts in permissions alone.
func sameValue(id schema.ProviderID, key string, a, b *schema.Node) bool {
	ordered := id == schema.OpenCodeID && key == "permission"
	return equal(a, b, ordered)
}

func equal(a, b *schema.Node, ordered bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch {
	case a.Kind == schema.List && b.Kind == schema.List:
		return slices.EqualFunc(a.Items, b.Items, func(x, y *schema.Node) bool { return equal(x, y, ordered) })
	case a.Kind == schema.Map && b.Kind == schema.Map:
		if len(a.Fields) != len(b.Fields) {
			return false
		}
		for i, f := range a.Fields {
			if ordered && b.Fields[i].Key != f.Key || !equal(f.Value, b.Get(f.Key), ordered) {
				return false
			}
		}
		return true
	case number(a) && number(b):
		return a.Float == b.Float
	}
	return a.Kind == b.Kind && a.Bool == b.Bool && a.Str == b.Str
}

func number(n *schema.Node) bool { return n.Kind == schema.Int || n.Kind == schema.Float }

// place gives the place of a definition for problems about the whole of it.
func (e *entry) place() hcl.Range { return e.parts[0].at }
