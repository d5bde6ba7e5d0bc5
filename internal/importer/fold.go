package importer

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

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
		return o.exact()
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
