package schema

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
)

// settle merges the root values of a layer with those of the layers beneath it.
func (l *layer) settle(below *layer) {
	l.merged = &Node{Kind: Map, Range: l.root.Range}
	for _, f := range l.root.Fields {
		if f.Key != "include" && f.Key != "subagents" {
			l.merged.Fields = append(l.merged.Fields, f)
		}
	}
	if below != nil {
		l.merged = mergeMaps(l.merged, below.merged, mergeValue)
	}
	l.doc = new(Document)
	decode(l.merged, l.doc)
	l.vars = sync.OnceValue(func() variables { return variablesOf(l.doc.Vars.Node) })
}

// mergeValue lays a root value of one layer over that of another: tables of
// named things and defaults are merged by name, anything else is replaced.
func mergeValue(key string, above, below *Node) *Node {
	switch key {
	case "results", "skills", "vars", "risk_classes":
		return mergeMaps(above, below, nil)
	case "packs":
		return mergeLists(above, below, "id")
	case "policies":
		return mergeLists(above, below, "name")
	case "defaults":
		return mergeMaps(above, below, func(key string, above, below *Node) *Node {
			if key != "providers" {
				return above
			}
			return mergeMaps(above, below, func(_ string, above, below *Node) *Node {
				return mergeMaps(above, below, func(key string, above, below *Node) *Node {
					if key == "models" && above.Kind == Map && len(above.Fields) > 0 {
						return mergeMaps(above, below, nil)
					}
					return above
				})
			})
		})
	}
	return above
}

// mergeMaps lays one map over another; each merges the values of a key that
// both have, nil takes the upper one.
func mergeMaps(above, below *Node, each func(key string, above, below *Node) *Node) *Node {
	if above.Kind != Map || below.Kind != Map {
		return above
	}
	out, keys := &Node{Kind: Map, Range: above.Range}, keyIndex{}
	for _, f := range above.Fields {
		if low := keys.find(below, f.Key); low != nil && each != nil {
			f.Value = each(f.Key, f.Value, low.Value)
		}
		out.Fields = append(out.Fields, f)
	}
	for _, f := range below.Fields {
		if keys.find(above, f.Key) == nil {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// mergeLists lays a list of named maps over another: an item of a known name
// takes the place of the one beneath, a new one follows.
func mergeLists(above, below *Node, id string) *Node {
	if above.Kind != List || below.Kind != List {
		return above
	}
	out := &Node{Kind: List, Range: above.Range, Items: slices.Clone(below.Items)}
	places := make(map[string]int, len(below.Items))
	for i, item := range below.Items {
		places[item.Get(id).Text()] = i
	}
	for _, item := range above.Items {
		if at, known := places[item.Get(id).Text()]; known {
			out.Items[at] = item
			continue
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// builder makes the entries of a manifest from its layers, the lowest first.
type builder struct {
	m      *Manifest
	top    *layer
	bodies map[*Node]place
	byName map[string]int // name → index among the entries
	layers []*layer       // of the entries, by index
	diags  hcl.Diagnostics
}

// layer adds the entries of a layer, over those beneath.
func (b *builder) layer(this *layer) {
	list := this.root.Get("subagents")
	seen := map[string]*Entry{}
	for _, item := range list.List() {
		if this.only != nil && !this.only[item.Get("name").Text()] {
			continue
		}
		for _, e := range b.expand(this, item) {
			e.files = b.bodies[list]
			e.legacy = this.legacy
			if first := seen[e.Name]; first != nil && e.Name != "" {
				b.diags = append(b.diags, duplicateName(e.Name, e.At, first))
				b.append(this, e) // its other mistakes are told in the same run
				continue
			}
			seen[e.Name] = e
			b.place(this, e)
		}
	}
}

func duplicateName(name string, at hcl.Range, first *Entry) *hcl.Diagnostic {
	where := fmt.Sprintf("line %d", first.At.Start.Line)
	if first.At.Filename != at.Filename {
		where = fmt.Sprintf("%s, line %d", first.At.Filename, first.At.Start.Line)
	}
	return Problemf(CodeDuplicateName, at, "Rename or remove one of the two.", "%q is already the name of the subagent on %s", name, where)
}

// place puts an entry where the one of its name stands in a lower layer, or at
// the end.
func (b *builder) place(this *layer, e *Entry) {
	at, known := b.byName[e.Name]
	if !known || e.Name == "" {
		b.byName[e.Name] = len(b.m.entries)
		b.append(this, e)
		return
	}
	e.Layer = this.src.Name
	below := b.m.entries[at]
	if below.lockedIn(b.layers[at]) {
		b.diags = append(b.diags, Problemf(CodeLocked, e.At, "Remove it, or give it another name.",
			"%q is locked in %s, line %d, and may not be replaced", e.Name, below.At.Filename, below.At.Start.Line))
		return
	}
	below.OverriddenBy = e
	b.m.overridden = append(b.m.overridden, below)
	b.m.entries[at], b.layers[at] = e, this
}

// append adds an entry behind the others.
func (b *builder) append(this *layer, e *Entry) {
	e.Layer = this.src.Name
	b.m.entries = append(b.m.entries, e)
	b.layers = append(b.layers, this)
}

// lockedIn says whether an entry is locked, by itself or by the defaults of its
// own layer.
func (e *Entry) lockedIn(this *layer) bool {
	if own := e.Node.Get("locked"); own != nil {
		return own.Bool
	}
	locked := this.root.At("defaults", "locked")
	return locked != nil && locked.Bool
}

// settle gives every entry the root values that hold for it: those of all
// layers, or, for a locked entry, those of its own layer and of the ones
// beneath, so that no later layer changes it through the defaults either.
func (b *builder) settle() {
	for i, e := range b.m.entries {
		e.base = b.top
		if e.lockedIn(b.layers[i]) {
			e.base = b.layers[i]
		}
		e.settle(e.base.merged.Get("defaults"))
		if body := e.Node.Get("instructions"); body != nil && body.interpolation != nil && !e.usesTemplate() {
			b.diags = append(b.diags, interpolated(*body.interpolation))
		}
	}
}

// adopt types an entry and notes where it stands.
func adopt(item *Node) *Entry {
	e := &Entry{Node: item, At: item.Range}
	decode(item, e)
	if name := item.Get("name"); name != nil {
		e.At = name.Range
	}
	return e
}
