package schema

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// conforms says whether a tree surely meets the JSON Schema. It reads the same
// struct tags that the schema is generated from, and costs next to nothing;
// compiling the schema costs more than rendering a catalogue does. A false
// decides nothing: the schema has the last word, and the messages. A fuzz test
// holds the two together.
func conforms(root *Node) bool { return shapeOf(reflect.TypeFor[Document]()).admits(root) }

// A shape is what a type of the manifest admits.
type shape struct {
	kind   reflect.Kind
	custom reflect.Type // decides itself, through conformer
	elem   *shape       // of lists and maps
	fields map[string]*field
	needs  []string // required keys
}

type field struct {
	shape    *shape
	rule     tagRule
	required bool
}

// tagRule holds the constraints of one struct tag.
type tagRule struct {
	enum      []string
	pattern   *regexp.Regexp
	minLength int
	maxLength int
	minimum   *int64
	minItems  int
	unique    bool
}

// conformer is a type with a spelling of its own; n is not null.
type conformer interface{ conforms(n *Node) bool }

var (
	conformerType = reflect.TypeFor[conformer]()
	shapes        sync.Map // reflect.Type → *shape
)

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{kind: t.Kind()}
	switch {
	case t == valueType:
		s.kind = reflect.Interface
	case t.Kind() == reflect.Pointer:
		s = shapeOf(t.Elem())
	case t.Implements(conformerType):
		s.custom = t
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		s.elem = shapeOf(t.Elem())
	case t.Kind() == reflect.Struct:
		s.fields = map[string]*field{}
		for _, f := range reflect.VisibleFields(t) {
			tag, ok := f.Tag.Lookup("json")
			name, _, _ := strings.Cut(tag, ",")
			if !ok || name == "-" {
				continue
			}
			rule, required := parseTag(f.Tag.Get("jsonschema"))
			s.fields[name] = &field{shapeOf(f.Type), rule, required}
			if required {
				s.needs = append(s.needs, name)
			}
		}
	}
	shapes.Store(t, s)
	return s
}

func parseTag(tag string) (r tagRule, required bool) {
	for _, part := range strings.Split(tag, ",") {
		key, value, _ := strings.Cut(part, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "required":
			required = true
		case "enum":
			r.enum = append(r.enum, value)
		case "pattern":
			r.pattern = regexp.MustCompile(value)
		case "minLength":
			r.minLength = n
		case "maxLength":
			r.maxLength = n
		case "minimum":
			r.minimum = new(int64(n))
		case "minItems":
			r.minItems = n
		case "uniqueItems":
			r.unique = true
		}
	}
	return r, required
}

func (s *shape) admits(n *Node) bool { return s.admitsUnder(n, tagRule{}) }

// admitsUnder checks a node against a shape and the tag of the field it stands
// in; of a list of scalars the tag is about the items.
func (s *shape) admitsUnder(n *Node, rule tagRule) bool {
	if s.custom != nil {
		return reflect.Zero(s.custom).Interface().(conformer).conforms(n)
	}
	switch s.kind {
	case reflect.Interface:
		return n.Kind == Map
	case reflect.String:
		return n.Kind == String && rule.admitsText(n.Str)
	case reflect.Bool:
		return n.Kind == Bool
	case reflect.Int:
		return n.Kind == Int && (rule.minimum == nil || n.Int >= *rule.minimum) && (rule.enum == nil || slices.Contains(rule.enum, strconv.FormatInt(n.Int, 10)))
	case reflect.Float64:
		return n.Kind == Int || n.Kind == Float
	case reflect.Slice:
		return s.admitsList(n, rule)
	case reflect.Map:
		if n.Kind != Map {
			return false
		}
		for _, f := range n.Fields {
			if !s.elem.admits(f.Value) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return s.admitsObject(n)
	}
	return false
}

func (s *shape) admitsList(n *Node, rule tagRule) bool {
	if n.Kind != List || len(n.Items) < rule.minItems {
		return false
	}
	var seen map[string]bool
	if rule.unique {
		seen = make(map[string]bool, len(n.Items))
	}
	for _, item := range n.Items {
		if !s.elem.admitsUnder(item, rule) || seen[item.Str] {
			return false
		}
		if rule.unique {
			seen[item.Str] = true
		}
	}
	return true
}

func (s *shape) admitsObject(n *Node) bool {
	if n.Kind != Map {
		return false
	}
	for _, name := range s.needs {
		if n.Field(name) == nil {
			return false
		}
	}
	for i := range n.Fields {
		f, ok := s.fields[n.Fields[i].Key]
		if !ok {
			return false
		}
		value := n.Fields[i].Value
		if value.Kind == Null && !f.required {
			continue
		}
		if !f.shape.admitsUnder(value, f.rule) {
			return false
		}
	}
	return true
}

func (r *tagRule) admitsText(s string) bool {
	if r.enum != nil && !slices.Contains(r.enum, s) {
		return false
	}
	if r.pattern != nil && !r.pattern.MatchString(s) {
		return false
	}
	if r.minLength > 0 || r.maxLength > 0 {
		n := utf8.RuneCountInString(s)
		return n >= r.minLength && (r.maxLength == 0 || n <= r.maxLength)
	}
	return true
}

func (Guard) conforms(n *Node) bool {
	if n.Kind == Map {
		text := n.Get("text")
		return len(n.Fields) == 1 && text != nil && text.Kind == String && strings.TrimSpace(text.Str) != ""
	}
	return n.Kind == String && (n.Str == "default" || n.Str == "none")
}

func (SkillRef) conforms(n *Node) bool {
	type plain SkillRef
	if n.Kind != String {
		return shapeOf(reflect.TypeFor[plain]()).admits(n)
	}
	f := shapeOf(reflect.TypeFor[plain]()).fields["id"]
	return f.shape.admitsUnder(n, f.rule)
}

func (ModelChoice) conforms(n *Node) bool {
	type plain ModelChoice
	return n.Kind == String && n.Str != "" || shapeOf(reflect.TypeFor[plain]()).admits(n)
}

func (ClaudeMCP) conforms(n *Node) bool {
	if n.Kind == Map {
		return len(n.Fields) == 1 && shapeOf(reflect.TypeFor[ClaudeMCPConfig]()).admits(n.Fields[0].Value)
	}
	return n.Kind == String && n.Str != ""
}

func (CodexApproval) conforms(n *Node) bool {
	if n.Kind == Map {
		granular := n.Get("granular")
		return len(n.Fields) == 1 && granular != nil && shapeOf(reflect.TypeFor[CodexGranular]()).admits(granular)
	}
	return n.Kind == String && slices.Contains([]string{"untrusted", "on-failure", "on-request", "never"}, n.Str)
}

func (KiroResource) conforms(n *Node) bool {
	if n.Kind == Map {
		return shapeOf(reflect.TypeFor[KiroKnowledge]()).admits(n)
	}
	return n.Kind == String && (strings.HasPrefix(n.Str, "file://") || strings.HasPrefix(n.Str, "skill://"))
}

func (OpenCodePermission) conforms(n *Node) bool {
	action := func(n *Node) bool {
		return n.Kind == String && (n.Str == "allow" || n.Str == "ask" || n.Str == "deny")
	}
	if n.Kind != Map {
		return action(n)
	}
	for _, f := range n.Fields {
		if action(f.Value) {
			continue
		}
		if f.Value.Kind != Map || slices.ContainsFunc(f.Value.Fields, func(p Field) bool { return !action(p.Value) }) {
			return false
		}
	}
	return true
}
