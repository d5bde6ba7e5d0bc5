package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
)

// A Misfit is a part of a native value that has no place in the block of its
// host.
type Misfit struct {
	At  hcl.Range
	Why string // "there is no key \"x\"", for people
}

// BlockValue turns the value of a native file into the value of a key of the
// host's block. The keys of objects that the block types are written in
// snake_case, as the block has them; the keys of maps, and values that the tool
// passes on, stay as they are. What does not fit is left out and given back:
// an unknown key alone, else the smallest item of a list or map around it. The
// value is nil if nothing fits.
func BlockValue(id ProviderID, key string, native *Node) (*Node, []Misfit) {
	f := shapeOf(reflect.TypeOf(newBlock(id)).Elem()).fields[key]
	if f == nil {
		return nil, []Misfit{{native.Range, fmt.Sprintf("there is no key %q", key)}}
	}
	var r refit
	v := r.value(f.shape, f.rule, native)
	return v, r.misfits
}

// A refit collects what does not fit.
type refit struct{ misfits []Misfit }

func (r *refit) miss(at hcl.Range, format string, args ...any) *Node {
	r.misfits = append(r.misfits, Misfit{at, fmt.Sprintf(format, args...)})
	return nil
}

func (r *refit) value(s *shape, rule tagRule, n *Node) *Node {
	switch {
	case s.custom != nil:
		return r.custom(s.custom, n)
	case s.kind == reflect.Slice && n.Kind == List:
		return r.list(s, rule, n)
	case s.kind == reflect.Map && n.Kind == Map:
		return r.dictionary(s, n)
	case s.kind == reflect.Struct && n.Kind == Map:
		return r.object(s, n)
	case s.kind == reflect.Interface && n.Kind == Map:
		if null := firstNull(n); null != nil {
			return r.miss(null.Range, "a null in it")
		}
		return n
	case !s.admitsUnder(n, rule):
		return r.miss(n.Range, "%s", rule.wants(s, n))
	}
	return n
}

// wants says what would fit instead of a value.
func (r *tagRule) wants(s *shape, n *Node) string {
	switch {
	case r.enum != nil:
		return fmt.Sprintf("%q is none of %s", n.Brief(), strings.Join(r.enum, ", "))
	case s.kind == reflect.String && n.Kind != String:
		return fmt.Sprintf("text is needed, not %s", n.Kind)
	case s.kind == reflect.Bool:
		return fmt.Sprintf("true or false is needed, not %s", n.Kind)
	case s.kind == reflect.Int && n.Kind != Int, s.kind == reflect.Float64:
		return fmt.Sprintf("a number is needed, not %s", n.Kind)
	case s.kind == reflect.Slice:
		return fmt.Sprintf("a list is needed, not %s", n.Kind)
	case s.kind == reflect.Map, s.kind == reflect.Struct, s.kind == reflect.Interface:
		return fmt.Sprintf("a mapping is needed, not %s", n.Kind)
	}
	return fmt.Sprintf("%q is no value for it", n.Brief())
}

func (r *refit) list(s *shape, rule tagRule, n *Node) *Node {
	out := &Node{Kind: List, Items: []*Node{}, Range: n.Range}
	seen := map[string]bool{}
	for _, item := range n.Items {
		v := r.value(s.elem, rule, item)
		switch {
		case v == nil:
		case rule.unique && seen[v.Str]:
			r.miss(item.Range, "%q stands twice", v.Brief())
		default:
			seen[v.Str] = true
			out.Items = append(out.Items, v)
		}
	}
	if len(out.Items) < rule.minItems || len(out.Items) == 0 && len(n.Items) > 0 {
		return nil
	}
	return out
}

func (r *refit) dictionary(s *shape, n *Node) *Node {
	out := &Node{Kind: Map, Range: n.Range}
	for _, f := range n.Fields {
		if v := r.value(s.elem, tagRule{}, f.Value); v != nil {
			out.Fields = append(out.Fields, Field{f.Key, f.Range, v})
		}
	}
	if len(out.Fields) == 0 && len(n.Fields) > 0 {
		return nil
	}
	return out
}

// object fits the keys of an object. A required key that is missing or does not
// fit makes the whole unfit, as does any value of the wrong kind: a host that
// meets one drops the object rather than the key.
func (r *refit) object(s *shape, n *Node) *Node {
	out := &Node{Kind: Map, Range: n.Range}
	for _, f := range n.Fields {
		name := f.Key
		if s.fields[name] == nil {
			name = Snake(name)
		}
		known := s.fields[name]
		switch {
		case known == nil:
			r.miss(f.Range, "there is no key %q", f.Key)
			continue
		case out.Get(name) != nil:
			r.miss(f.Range, "%q stands twice", name)
			continue
		case f.Value.Kind == Null && !known.required:
			continue
		}
		v := r.value(known.shape, known.rule, f.Value)
		if v == nil {
			return nil
		}
		out.Fields = append(out.Fields, Field{name, f.Range, v})
	}
	for _, name := range s.needs {
		if out.Get(name) == nil {
			return r.miss(n.Range, "%q is missing", name)
		}
	}
	return out
}

// custom fits the values that have more than one spelling.
func (r *refit) custom(t reflect.Type, n *Node) *Node {
	switch {
	case t == reflect.TypeFor[ClaudeMCP]() && n.Kind == Map:
		if len(n.Fields) != 1 {
			return r.miss(n.Range, "a server is {NAME: configuration}")
		}
		config := r.value(shapeOf(reflect.TypeFor[ClaudeMCPConfig]()), tagRule{}, n.Fields[0].Value)
		if config == nil {
			return nil
		}
		return &Node{Kind: Map, Range: n.Range, Fields: []Field{{n.Fields[0].Key, n.Fields[0].Range, config}}}
	case t == reflect.TypeFor[CodexApproval]():
		return r.approval(n)
	case t == reflect.TypeFor[KiroResource]():
		return r.resource(n)
	case reflect.Zero(t).Interface().(conformer).conforms(n):
		return n
	}
	return r.miss(n.Range, "%q is no value for it", n.Brief())
}

var (
	approvalWords   = []string{"untrusted", "on-failure", "on-request", "never"}
	resourceSchemes = []string{"file://", "skill://"}
)

func (r *refit) approval(n *Node) *Node {
	if n.Kind != Map {
		if n.Kind == String && slices.Contains(approvalWords, n.Str) {
			return n
		}
		return r.miss(n.Range, "%q is none of %s", n.Brief(), strings.Join(approvalWords, ", "))
	}
	granular := n.Field("granular")
	if granular == nil || len(n.Fields) != 1 {
		return r.miss(n.Range, "a table needs granular and nothing else")
	}
	v := r.value(shapeOf(reflect.TypeFor[CodexGranular]()), tagRule{}, granular.Value)
	if v == nil {
		return nil
	}
	return &Node{Kind: Map, Range: n.Range, Fields: []Field{{"granular", granular.Range, v}}}
}

func (r *refit) resource(n *Node) *Node {
	if n.Kind == Map {
		return r.value(shapeOf(reflect.TypeFor[KiroKnowledge]()), tagRule{}, n)
	}
	if n.Kind == String && slices.ContainsFunc(resourceSchemes, func(s string) bool { return strings.HasPrefix(n.Str, s) }) {
		return n
	}
	return r.miss(n.Range, "%q is no %s address", n.Brief(), strings.Join(resourceSchemes, " or "))
}

// firstNull finds a null in a value.
func firstNull(n *Node) *Node {
	if n.Kind == Null {
		return n
	}
	for _, item := range n.Items {
		if null := firstNull(item); null != nil {
			return null
		}
	}
	for _, f := range n.Fields {
		if null := firstNull(f.Value); null != nil {
			return null
		}
	}
	return nil
}

// Snake writes a camelCase key in snake_case, as the blocks spell theirs.
func Snake(key string) string {
	var b strings.Builder
	lower := false // the letter before was one
	for _, r := range key {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
