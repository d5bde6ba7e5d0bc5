package importer

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/providers/opencode"
	"github.com/seed-337579fc/subagents/schema"
)

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

// Differs gives the first thing in which two readings of one host differ, ""
// for none. White space that the host cuts does not count.
func Differs(id schema.ProviderID, a, b *providers.Decoded) string {
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
	if id == schema.OpenCodeID && key == "permission" && a != nil && b != nil {
		return opencode.SameRules(a, b)
	}
	return equal(a, b)
}

func equal(a, b *schema.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch {
	case a.Kind == schema.List && b.Kind == schema.List:
		return slices.EqualFunc(a.Items, b.Items, equal)
	case a.Kind == schema.Map && b.Kind == schema.Map:
		if len(a.Fields) != len(b.Fields) {
			return false
		}
		for _, f := range a.Fields {
			if !equal(f.Value, b.Get(f.Key)) {
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
