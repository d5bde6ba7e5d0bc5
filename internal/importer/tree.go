package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A candidate is a group of neutral keys that stands for one setting of a host.
type candidate []schema.Field

// sameNeutral compares neutral values; the order of lists of tools has a meaning
// on some hosts only, and is proven afterwards.
func sameNeutral(a, b *schema.Node) bool {
	if a.Kind != schema.List || b.Kind != schema.List {
		return equal(a, b)
	}
	x, _ := providers.Texts(a)
	y, _ := providers.Texts(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// candidates lists the neutral keys that the readings of the hosts offer. Of
// several values of one key only the first is among them, and none where the
// file itself has another.
func (e *entry) candidates() []candidate {
	var list []candidate
	chosen := e.neutral
	for _, id := range schema.ProviderIDs() {
		if e.hosts[id] == nil {
			continue
		}
		for _, r := range e.hosts[id].Readings {
			if len(r.Neutral) == 0 || slices.ContainsFunc(r.Neutral, func(f schema.Field) bool { return contradicts(chosen, f) }) {
				continue
			}
			list = append(list, r.Neutral)
			chosen = with(chosen, r.Neutral)
		}
	}
	return list
}

// contradicts says whether a key has another value among fields.
func contradicts(fields []schema.Field, f schema.Field) bool {
	return slices.ContainsFunc(fields, func(old schema.Field) bool { return old.Key == f.Key && !sameNeutral(old.Value, f.Value) })
}

// with adds the keys that are not among fields yet.
func with(fields, more []schema.Field) []schema.Field {
	out := slices.Clone(fields)
	for _, f := range more {
		if !slices.ContainsFunc(out, func(old schema.Field) bool { return old.Key == f.Key }) {
			out = append(out, f)
		}
	}
	return out
}

// covers says whether the candidates together say what a reading does.
func covers(neutral []candidate, r providers.Reading) bool {
	return len(r.Neutral) > 0 && !slices.ContainsFunc(r.Neutral, func(f schema.Field) bool {
		return !slices.ContainsFunc(neutral, func(c candidate) bool {
			return slices.ContainsFunc(c, func(n schema.Field) bool { return n.Key == f.Key && sameNeutral(n.Value, f.Value) })
		})
	})
}

// order is that of the keys of an entry.
var order = []string{
	"name", "title", "description", "role", "kind", "version", "tags", "targets", "access", "allow_read_only_shell", "tools", "mcp", "tier", "effort", "skills",
	"delegates", "isolation", "result", "origin", "instructions", "providers",
}

// tree writes an entry with some of the neutral keys that its hosts offer; the
// rest of what they read stands in their blocks.
func (e *entry) tree(neutral []candidate, targets []schema.ProviderID) *schema.Node {
	n := &schema.Node{Kind: schema.Map}
	add := func(fields ...schema.Field) { n.Fields = append(n.Fields, fields...) }
	nowhere := hcl.Range{}
	add(providers.TextField("name", e.name, nowhere), providers.TextField("description", e.description, nowhere))
	own := e.neutral
	for _, c := range neutral {
		own = with(own, c)
	}
	add(own...)
	if n.Get("access").Text() == "read-only" && slices.ContainsFunc(n.Get("tools").List(), func(v *schema.Node) bool { return v.Str == string(schema.Shell) }) {
		// What one host has as a read-only sandbox, another has as a list with
		// the shell in it.
		add(schema.Field{Key: "allow_read_only_shell", Value: providers.BoolNode(true, nowhere)})
	}
	if e.contract != "" {
		add(providers.TextField("result", contractID, nowhere))
	}
	if n.Get("origin") == nil {
		add(schema.Field{Key: "origin", Value: &schema.Node{Kind: schema.Map, Fields: []schema.Field{
			providers.TextField("kind", "imported", nowhere), providers.TextField("source", e.sources(), nowhere),
		}}})
	}
	add(providers.TextField("instructions", e.body, nowhere))
	blocks := &schema.Node{Kind: schema.Map}
	for _, id := range targets {
		if block := e.block(id, neutral); len(block.Fields) > 0 {
			blocks.Fields = append(blocks.Fields, schema.Field{Key: string(id), Value: block})
		}
	}
	if len(blocks.Fields) > 0 {
		add(schema.Field{Key: "providers", Value: blocks})
	}
	sortFields(n)
	return n
}

// sortFields puts the keys of an entry in their order.
func sortFields(n *schema.Node) {
	slices.SortStableFunc(n.Fields, func(a, b schema.Field) int {
		return cmp.Compare(slices.Index(order, a.Key), slices.Index(order, b.Key))
	})
}

// block gives what of a host's reading no neutral key says.
func (e *entry) block(id schema.ProviderID, neutral []candidate) *schema.Node {
	n := &schema.Node{Kind: schema.Map}
	if e.hosts[id] == nil {
		return n
	}
	var extra []schema.Field
	for _, r := range e.hosts[id].Readings {
		if covers(neutral, r) {
			continue
		}
		for _, f := range r.Block {
			if f.Key == "extra" {
				extra = append(extra, f)
			} else {
				n.Fields = append(n.Fields, f)
			}
		}
	}
	n.Fields = append(n.Fields, extra...)
	return n
}

// sources names where an entry comes from, as one id.
func (e *entry) sources() string {
	var ids []string
	for _, d := range e.parts {
		if !slices.Contains(ids, d.source) {
			ids = append(ids, d.source)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, ".")
}
