package opencode

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// SameRules says whether two permissions decide everything alike. The last match
// wins, so that the order counts between rules that can match the same tool, and
// between the patterns of one; between others it does not.
func SameRules(a, b *schema.Node) bool {
	a, b = spelledOut(a), spelledOut(b)
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for _, f := range a.Fields {
		if other := b.Get(f.Key); other == nil || !sameRule(f.Value, other) {
			return false
		}
	}
	index := func(n *schema.Node, key string) int {
		return slices.IndexFunc(n.Fields, func(f schema.Field) bool { return f.Key == key })
	}
	for i, first := range a.Fields {
		for _, second := range a.Fields[i+1:] {
			if meet(first.Key, second.Key) && index(b, first.Key) > index(b, second.Key) {
				return false
			}
		}
	}
	return true
}

// spelledOut gives one action for everything as a mapping.
func spelledOut(n *schema.Node) *schema.Node {
	if n == nil || n.Kind != schema.String {
		if n == nil {
			return &schema.Node{Kind: schema.Map}
		}
		return n
	}
	return &schema.Node{Kind: schema.Map, Fields: []schema.Field{{Key: all, Value: n}}}
}

// sameRule compares the actions for one key; the order of patterns counts.
func sameRule(a, b *schema.Node) bool {
	if a.Kind != schema.Map || b.Kind != schema.Map {
		return a.Kind == b.Kind && a.Str == b.Str
	}
	return slices.EqualFunc(a.Fields, b.Fields, func(x, y schema.Field) bool { return x.Key == y.Key && x.Value.Str == y.Value.Str })
}

// meet says whether a tool can match both keys: two with wildcards may.
func meet(a, b string) bool {
	wildA, wildB := strings.ContainsAny(a, "*?"), strings.ContainsAny(b, "*?")
	return wildA && wildB || wildA && matches(a, b) || wildB && matches(b, a)
}
