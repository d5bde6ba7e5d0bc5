package schema

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// nodeDecoder is a type that reads itself from a node.
type nodeDecoder interface{ decodeNode(n *Node) }

// decode fills a value from a node. It is lenient: what does not fit has been
// reported by the JSON Schema check, and is left out here. A null is like an
// absent key; an empty list is not.
func decode(n *Node, into any) {
	decodeValue(n, reflect.ValueOf(into).Elem())
}

var valueType = reflect.TypeFor[Value]()

func decodeValue(n *Node, v reflect.Value) {
	if n == nil || n.Kind == Null {
		return
	}
	if v.Type() == valueType {
		v.Set(reflect.ValueOf(Value{n}))
		return
	}
	if d, ok := v.Addr().Interface().(nodeDecoder); ok {
		d.decodeNode(n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		if fits(n, p.Elem().Kind()) {
			decodeValue(n, p.Elem())
			v.Set(p)
		}
	case reflect.String:
		if n.Kind == String {
			v.SetString(n.Str)
		}
	case reflect.Bool:
		v.SetBool(n.Kind == Bool && n.Bool)
	case reflect.Int:
		if i, ok := n.whole(); ok {
			v.SetInt(i)
		}
	case reflect.Float64:
		if n.Kind == Int || n.Kind == Float {
			v.SetFloat(n.Float)
		}
	case reflect.Slice:
		if n.Kind == List {
			s := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
			for i, item := range n.Items {
				decodeValue(item, s.Index(i))
			}
			v.Set(s)
		}
	case reflect.Map:
		if n.Kind == Map {
			m := reflect.MakeMapWithSize(v.Type(), len(n.Fields))
			for _, f := range n.Fields {
				item := reflect.New(v.Type().Elem()).Elem()
				decodeValue(f.Value, item)
				m.SetMapIndex(reflect.ValueOf(f.Key), item)
			}
			v.Set(m)
		}
	case reflect.Struct:
		for _, f := range n.Fields {
			if known, ok := fieldsOf(v.Type())[f.Key]; ok && known.takes(f.Value) {
				decodeValue(f.Value, v.FieldByIndex(known.index))
			}
		}
	}
}

// fits says whether a scalar can go behind a pointer; a wrong one must leave
// the pointer nil.
func fits(n *Node, k reflect.Kind) bool {
	switch k {
	case reflect.Bool:
		return n.Kind == Bool
	case reflect.Int:
		_, ok := n.whole()
		return ok
	case reflect.Float64:
		return n.Kind == Int || n.Kind == Float
	case reflect.String:
		return n.Kind == String
	}
	return true
}

// A typedField is a field of a struct by its key.
type typedField struct {
	index []int
	words []string // of a text: the values that it can have, where they are listed
}

// takes says whether a value is not a text that the field cannot have.
func (f *typedField) takes(n *Node) bool {
	return f.words == nil || n.Kind != String || slices.Contains(f.words, n.Str)
}

var fieldCache sync.Map // reflect.Type → map[string]*typedField

// fieldsOf maps the keys of a struct, those of embedded structs included, to
// their fields.
func fieldsOf(t reflect.Type) map[string]*typedField {
	if m, ok := fieldCache.Load(t); ok {
		return m.(map[string]*typedField)
	}
	m := map[string]*typedField{}
	for _, f := range reflect.VisibleFields(t) {
		tag, ok := f.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		if !ok || name == "-" {
			continue
		}
		field := &typedField{index: f.Index}
		if f.Type.Kind() == reflect.String {
			rule, _ := parseTag(f.Tag.Get("jsonschema"))
			field.words = rule.enum
		}
		m[name] = field
	}
	fieldCache.Store(t, m)
	return m
}

func (g *Guard) decodeNode(n *Node) {
	g.Off = n.Str == "none"
	if n.Kind == Map {
		g.Text = n.Get("text").Text()
	}
}

func (s *SkillRef) decodeNode(n *Node) {
	if n.Kind == String {
		s.ID = n.Str
		return
	}
	type plain SkillRef
	decode(n, (*plain)(s))
}

func (c *ModelChoice) decodeNode(n *Node) {
	if n.Kind == String {
		c.Model = n.Str
		return
	}
	type plain ModelChoice
	decode(n, (*plain)(c))
}

func (c *ClaudeMCP) decodeNode(n *Node) {
	c.Name = n.Str
	if n.Kind == Map && len(n.Fields) > 0 {
		c.Name, c.Config = n.Fields[0].Key, new(ClaudeMCPConfig)
		decode(n.Fields[0].Value, c.Config)
	}
}

func (c *CodexApproval) decodeNode(n *Node) {
	if n.Kind == String {
		c.Word = n.Str
		return
	}
	c.Granular = new(CodexGranular)
	decode(n.Get("granular"), c.Granular)
}

func (r *KiroResource) decodeNode(n *Node) {
	if n.Kind == String {
		r.Address = n.Str
		return
	}
	r.Knowledge = new(KiroKnowledge)
	decode(n, r.Knowledge)
}

func (p *OpenCodePermission) decodeNode(n *Node) {
	if n.Kind == String {
		p.Action = n.Str
		return
	}
	p.Rules = []OpenCodeRule{}
	for _, f := range n.Fields {
		rule := OpenCodeRule{Tool: f.Key}
		if f.Value.Kind == String {
			rule.Action = f.Value.Str
		}
		for _, pattern := range f.Value.Fields {
			rule.Patterns = append(rule.Patterns, OpenCodePattern{pattern.Key, pattern.Value.Text()})
		}
		p.Rules = append(p.Rules, rule)
	}
}
