package schema

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

func str(s string) *Node        { return textNode(hcl.Range{}, s) }
func boolean(b bool) *Node      { return boolNode(hcl.Range{}, b) }
func list(items ...*Node) *Node { return &Node{Kind: List, Items: items} }
func obj(fields ...Field) *Node { return mapNode(hcl.Range{}, fields...) }
func kv(key string, v *Node) Field {
	return Field{Key: key, Value: v}
}

func number(literal string) *Node {
	n := &Node{}
	if err := n.setNumber(literal); err != nil {
		panic(err)
	}
	return n
}

// samples are values of every kind, right for some keys and wrong for others.
func samples(rule tagRule) []*Node {
	nodes := []*Node{
		{Kind: Null},
		boolean(true), boolean(false),
		number("0"), number("1"), number("-1"), number("3"), number("100000"), number("0.5"), number("2.0"), number("1e3"),
		list(), obj(), list(&Node{Kind: Null}), list(list()), list(number("1")), list(boolean(true)), list(obj()),
		obj(kv("k", str("v"))), obj(kv("k", &Node{Kind: Null})), obj(kv("k", number("1"))), obj(kv("k", boolean(true))),
		obj(kv("k", obj())), obj(kv("k", list())), obj(kv("k", list(str("v")))), obj(kv("text", str("x"))), obj(kv("text", str(" "))),
		obj(kv("*", str("allow")), kv("bash", obj(kv("git *", str("ask"))))), obj(kv("bash", obj(kv("git *", str("maybe"))))),
		obj(kv("id", str("s")), kv("preload", boolean(true))), obj(kv("model", str("m")), kv("effort", str("e"))), obj(kv("model", str(""))),
		obj(kv("server", obj(kv("command", str("c"))))), obj(kv("server", obj(kv("cmd", str("c"))))), obj(kv("a", obj()), kv("b", obj())),
		obj(kv("granular", obj(kv("sandbox_approval", boolean(true)), kv("rules", boolean(true)), kv("mcp_elicitations", boolean(true))))),
		obj(kv("type", str("knowledgeBase")), kv("source", str("file://x")), kv("name", str("n"))),
		list(str("never")), list(obj(kv("server", obj()))), list(obj(kv("server", str("x")))), list(obj(kv("server", obj()), kv("other", obj()))),
	}
	texts := []string{"", " ", "a", "aa", "default", "allow", "never", "always", strings.Repeat("a", 65)}
	if rule.pattern != nil {
		texts = append(texts, patterned...)
	}
	items := []string{"aa", "file://x"}
	if n := len(rule.enum); n > 0 {
		texts = append(texts, rule.enum[0], rule.enum[n-1], strings.ToUpper(rule.enum[0]))
		items = append(items, rule.enum[0])
	}
	for _, s := range texts {
		nodes = append(nodes, str(s))
	}
	for _, s := range items {
		nodes = append(nodes, list(str(s)), list(str(s), str(s)))
	}
	return append(nodes, list(str("")), list(str("a"), str("b")))
}

// patterned are texts that fit the patterns of some keys.
var patterned = []string{
	"A", "a-b", "a--b", "-a", "a b", "a\nb", "ä", "${x}", "1", "1.0.0", "01.0.0", "1.0.0-rc.1+7", "server/tool", "a/b/c",
	"anthropic/m", "#ffffff", "#fff", "primary", "file://x", "ctrl+a", "alt+a", "a:b", "a:b:c",
}

// everyStruct calls visit for each struct type that a manifest can have, with
// what makes a whole manifest of a value of it.
func everyStruct(visit func(path string, t reflect.Type, manifest func(*Node) *Node)) {
	seen := map[reflect.Type]bool{valueType: true, reflect.TypeFor[Guard](): true, reflect.TypeFor[OpenCodePermission](): true}
	var walk func(path string, t reflect.Type, wrap func(*Node) *Node)
	walk = func(path string, t reflect.Type, wrap func(*Node) *Node) {
		if inner, ok := unions[t]; ok {
			outer := wrap
			wrap = func(n *Node) *Node { return outer(inner.wrap(n)) }
			t = inner.t
		}
		switch t.Kind() {
		case reflect.Pointer:
			walk(path, t.Elem(), wrap)
		case reflect.Slice:
			walk(path+"[]", t.Elem(), func(n *Node) *Node { return wrap(list(n)) })
		case reflect.Map:
			walk(path+".*", t.Elem(), func(n *Node) *Node { return wrap(obj(kv("k", n))) })
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			visit(path, t, wrap)
			for name, f := range keysOf(t) {
				walk(path+"."+name, f.Type, func(n *Node) *Node { return wrap(minimal(t, kv(name, n))) })
			}
		}
	}
	walk("", reflect.TypeFor[Document](), same)
}

// keysOf goes through the keys of a struct, those of embedded structs included.
func keysOf(t reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			tag, ok := f.Tag.Lookup("json")
			name, _, _ := strings.Cut(tag, ",")
			if ok && name != "-" && !yield(name, f) {
				return
			}
		}
	}
}

// unions are the types that read themselves, with the struct that one of their
// spellings holds and where it stands in them.
var unions = map[reflect.Type]struct {
	t    reflect.Type
	wrap func(*Node) *Node
}{
	reflect.TypeFor[SkillRef]():      {reflect.TypeFor[skillRefFields](), same},
	reflect.TypeFor[ModelChoice]():   {reflect.TypeFor[modelChoiceFields](), same},
	reflect.TypeFor[ClaudeMCP]():     {reflect.TypeFor[ClaudeMCPConfig](), func(n *Node) *Node { return obj(kv("server", n)) }},
	reflect.TypeFor[CodexApproval](): {reflect.TypeFor[CodexGranular](), func(n *Node) *Node { return obj(kv("granular", n)) }},
	reflect.TypeFor[KiroResource]():  {reflect.TypeFor[KiroKnowledge](), same},
}

type (
	skillRefFields    SkillRef
	modelChoiceFields ModelChoice
)

func same(n *Node) *Node { return n }

// minimal makes a value of a struct with its required keys and those given.
func minimal(t reflect.Type, given ...Field) *Node {
	required, ok := requiredKeys[t]
	if !ok {
		for name, f := range keysOf(t) {
			if rule, needed := parseTag(f.Tag.Get("jsonschema")); needed {
				required = append(required, kv(name, minimalValue(f.Type, rule)))
			}
		}
		requiredKeys[t] = required
	}
	n := obj(given...)
	for _, f := range required {
		if n.Field(f.Key) == nil {
			n.Fields = append(n.Fields, f)
		}
	}
	return n
}

var requiredKeys = map[reflect.Type][]Field{}

func minimalValue(t reflect.Type, rule tagRule) *Node {
	switch t.Kind() {
	case reflect.Pointer:
		return minimalValue(t.Elem(), rule)
	case reflect.Bool:
		return boolean(true)
	case reflect.Int:
		if rule.minimum != nil {
			return number(strconv.FormatInt(*rule.minimum, 10))
		}
		return number("1")
	case reflect.Float64:
		return number("0.5")
	case reflect.Slice:
		return list(minimalValue(t.Elem(), rule))
	case reflect.Map:
		return obj(kv("k", minimalValue(t.Elem(), tagRule{})))
	case reflect.Struct:
		switch inner, union := unions[t]; {
		case t == reflect.TypeFor[Guard]():
			return str("none")
		case t == reflect.TypeFor[OpenCodePermission]():
			return str("ask")
		case union:
			return inner.wrap(minimal(inner.t))
		case t == valueType:
			return obj()
		}
		return minimal(t)
	}
	for _, s := range slices.Concat(rule.enum, []string{"aa"}, patterned) {
		if rule.admitsText(s) {
			return str(s)
		}
	}
	panic("no value for the pattern " + rule.pattern.String())
}

func valid(root *Node) error { return compileSchema().schema.Validate(root.Interface()) }

// leftToSchema says whether conforms deliberately does not decide a value that
// the schema takes: a whole number written as 2.0.
func leftToSchema(f reflect.StructField, v *Node) bool {
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return v.Kind == Float && t.Kind() == reflect.Int
}

// conforms and the schema read the same tags, each in its own way. For every
// key, with right and with wrong values, the two agree.
func TestConformsAgreesWithTheSchema(t *testing.T) {
	keys := 0
	everyStruct(func(path string, of reflect.Type, manifest func(*Node) *Node) {
		for name, f := range keysOf(of) {
			keys++
			path := path + "." + name
			rule, _ := parseTag(f.Tag.Get("jsonschema"))
			var right, wrong int
			for _, v := range append(samples(rule), minimalValue(f.Type, rule)) {
				root := manifest(minimal(of, kv(name, v)))
				fast, err := conforms(root), valid(root)
				switch {
				case err != nil:
					wrong++
				case v.Kind != Null:
					right++
				}
				switch {
				case fast && err != nil:
					t.Errorf("%s: conforms takes %s, the schema does not: %v", path, show(v), err)
				case !fast && err == nil && !leftToSchema(f, v):
					t.Errorf("%s: the schema takes %s, conforms does not", path, show(v))
				}
			}
			if right == 0 || wrong == 0 {
				t.Errorf("%s: of the samples %d are right and %d wrong; add some to samples()", path, right, wrong)
			}
		}
	})
	if keys < 250 {
		t.Errorf("only %d keys were found", keys)
	}
}

// An unknown key is wrong in every map of the manifest, and a required key may
// not be missing.
func TestClosedObjects(t *testing.T) {
	everyStruct(func(path string, of reflect.Type, manifest func(*Node) *Node) {
		whole := minimal(of)
		if err := valid(manifest(whole)); err != nil {
			t.Fatalf("%s: the least value is wrong: %v", path, err)
		}
		faults := map[string]*Node{"with an unknown key": minimal(of, kv("no_such_key", str("x")))}
		for i, f := range whole.Fields {
			less := obj(slices.Delete(slices.Clone(whole.Fields), i, i+1)...)
			faults["without "+f.Key] = less
		}
		for what, n := range faults {
			if root := manifest(n); conforms(root) || valid(root) == nil {
				t.Errorf("%s %s is taken: conforms %v", path, what, conforms(root))
			}
		}
	})
}

func show(n *Node) string { return fmt.Sprintf("%v %#v", n.Kind, n.Interface()) }
