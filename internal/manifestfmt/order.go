package manifestfmt

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seed-337579fc/subagents/schema"
)

// A shape says how the keys of a map are ordered, and of which shape its values
// are. nil is a map of free keys, whose order is the author's.
type shape struct {
	keys   []string // of an object, in their order
	fields map[string]*shape
	elem   *shape // of the items of a list, or of the values of a map
}

// documentShape is that of a manifest, made when it is first asked for.
var documentShape = sync.OnceValue(func() *shape {
	s := shapeOf(reflect.TypeFor[schema.Document](), map[reflect.Type]*shape{})
	s.keys = append(s.keys, legacyKey)
	s.fields[legacyKey] = s.fields["subagents"]
	return s
})

// legacyKey is the root key of the agent_tools_subagents spelling.
const legacyKey = "agent_tools_subagents"

// first and last are keys that stand elsewhere than the types have them, for
// people who read an entry from the top: what it is, what it may, what it is told,
// and what only one host understands.
var (
	first = []string{"name", "slug", "title", "description", "state", "for_each"}
	last  = []string{"instructions", "instructions_file", "providers"}
)

// shapeOf reflects a type of the manifest.
func shapeOf(t reflect.Type, known map[reflect.Type]*shape) *shape {
	if s, ok := known[t]; ok {
		return s
	}
	s := &shape{}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem(), known)
	case reflect.Slice, reflect.Map:
		known[t] = s
		s.elem = shapeOf(t.Elem(), known)
	case reflect.Struct:
		known[t] = s
		s.fields = map[string]*shape{}
		for _, f := range reflect.VisibleFields(t) {
			tag, ok := f.Tag.Lookup("json")
			if name, _, _ := strings.Cut(tag, ","); ok && name != "-" {
				s.keys = append(s.keys, name)
				s.fields[name] = shapeOf(f.Type, known)
			}
		}
		switch {
		case slices.Contains(s.keys, "instructions"):
			s.keys = reordered(s.keys, first, last)
		case slices.Contains(s.keys, "enabled") && slices.Contains(s.keys, "extra"): // a block of a host
			s.keys = reordered(s.keys, nil, []string{"extra"})
		}
	}
	return s
}

func reordered(keys, first, last []string) []string {
	middle := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return slices.Contains(first, k) || slices.Contains(last, k) })
	return slices.Concat(first, middle, last)
}

// child gives the shape of the value of a key.
func (s *shape) child(key string) *shape {
	switch {
	case s == nil:
		return nil
	case s.fields != nil:
		return s.fields[key]
	}
	return s.elem
}

// item gives the shape of the items of a list.
func (s *shape) item() *shape {
	if s == nil {
		return nil
	}
	return s.elem
}

// isObject says whether the order of the keys means nothing.
func (s *shape) isObject() bool { return s != nil && len(s.keys) > 0 }

// rank gives the place of a key; unknown ones come behind all others.
func (s *shape) rank(key string) int {
	if i := slices.Index(s.keys, key); i >= 0 {
		return i
	}
	return len(s.keys)
}

// order gives the indexes of keys in the order in which they are to stand.
func (s *shape) order(keys []string) []int {
	places := make([]int, len(keys))
	for i := range places {
		places[i] = i
	}
	if s.isObject() {
		slices.SortStableFunc(places, func(a, b int) int { return s.rank(keys[a]) - s.rank(keys[b]) })
	}
	return places
}

// sorted gives a tree with the keys of its objects in order.
func sorted(n *schema.Node, s *shape) *schema.Node {
	out := *n
	out.Items, out.Fields = slices.Clone(n.Items), slices.Clone(n.Fields)
	for i, item := range out.Items {
		out.Items[i] = sorted(item, s.item())
	}
	for i, f := range out.Fields {
		out.Fields[i].Value = sorted(f.Value, s.child(f.Key))
	}
	if s.isObject() {
		slices.SortStableFunc(out.Fields, func(a, b schema.Field) int { return s.rank(a.Key) - s.rank(b.Key) })
	}
	return &out
}
