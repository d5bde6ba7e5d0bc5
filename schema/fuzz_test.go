package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// everything makes a right value that has every key of its type, and of the
// types below it.
func everything(t reflect.Type, rule tagRule) *Node {
	if inner, ok := unions[t]; ok {
		return inner.wrap(everything(inner.t, tagRule{}))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return everything(t.Elem(), rule)
	case reflect.Slice:
		return list(everything(t.Elem(), rule))
	case reflect.Map:
		return obj(kv("k", everything(t.Elem(), tagRule{})))
	case reflect.Struct:
		n := obj()
		for name, f := range keysOf(t) {
			rule, _ := parseTag(f.Tag.Get("jsonschema"))
			n.Fields = append(n.Fields, kv(name, everything(f.Type, rule)))
		}
		if len(n.Fields) > 0 {
			return n
		}
	}
	return minimalValue(t, rule)
}

func everyKeyManifest() *Node { return everything(reflect.TypeFor[Document](), tagRule{}) }

func TestEveryKeyAtOnce(t *testing.T) {
	root := everyKeyManifest()
	if err := valid(root); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(root.Interface())
	if err != nil {
		t.Fatal(err)
	}
	m, diags := Load(NewSource("m.json", data), Options{})
	for _, d := range diags { // the rules have much to say about such a manifest, the schema has nothing
		if slices.Contains([]Code{CodeUnknownKey, CodeMissingKey, CodeWrongType, CodeNullValue, CodeBadValue, CodeSyntax}, CodeOf(d)) {
			t.Error(d)
		}
	}
	exercise(m)
}

// mutate changes a tree in place as the bytes say: each three of them replace,
// remove, repeat or rename one node.
func mutate(root *Node, ops []byte) {
	values := samples(tagRule{pattern: plainName})
	for len(ops) >= 3 {
		var nodes []*Node
		collect(root, &nodes)
		n := nodes[(int(ops[0])<<8|int(ops[1]))%len(nodes)]
		op := int(ops[2])
		ops = ops[3:]
		switch {
		case op < len(values):
			*n = *clone(values[op])
		case op%5 == 0 && len(n.Fields) > 0:
			n.Fields = slices.Delete(n.Fields, op%len(n.Fields), op%len(n.Fields)+1)
		case op%5 == 1 && len(n.Fields) > 0:
			n.Fields[op%len(n.Fields)].Key += "x"
		case op%5 == 2 && len(n.Items) > 0:
			n.Items = append(n.Items, clone(n.Items[0]))
		case op%5 == 3:
			n.Items = nil
		case op%5 == 4:
			*n = *clone(nodes[op*7%len(nodes)])
		}
	}
}

func collect(n *Node, into *[]*Node) {
	*into = append(*into, n)
	for _, item := range n.Items {
		collect(item, into)
	}
	for _, f := range n.Fields {
		collect(f.Value, into)
	}
}

func clone(n *Node) *Node {
	c := *n
	c.Items, c.Fields = slices.Clone(n.Items), slices.Clone(n.Fields)
	for i := range c.Items {
		c.Items[i] = clone(c.Items[i])
	}
	for i := range c.Fields {
		c.Fields[i].Value = clone(c.Fields[i].Value)
	}
	return &c
}

// What conforms takes, the schema takes: nothing that is wrong goes by without
// a message because the schema was not asked.
func FuzzConform(f *testing.F) {
	f.Add([]byte{})
	for i := range 255 {
		f.Add([]byte{byte(i / 8), byte(i * 37), byte(i), 0, byte(i), byte(255 - i)})
	}
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 60 {
			return
		}
		root := everyKeyManifest()
		mutate(root, ops)
		if !conforms(root) {
			return
		}
		if err := valid(root); err != nil {
			t.Fatalf("conforms takes what the schema does not: %v", err)
		}
	})
}

func FuzzLoadYAML(f *testing.F) {
	for _, name := range seedFiles(f) {
		f.Add(read(f, name))
	}
	for _, s := range []string{
		one, "", "---\n", "a: &a [*a]\n", "<<: 1\n", "? [a]\n: b\n", "!!bool x\n", "\ufeffa: |\n  b\n", "- a\n- {b: c}\n", "a: >2\n\n    x\n",
		bomb(3, 3, true), "agent_tools_subagents:\n  - name: x\n    providers: {claude: {enabled: true, extra_frontmatter: {color: 7}}}\n",
		"include: [\"builtin:*\", x.yml]\n" + one, one + "    for_each: packs\npacks: [{id: go, stability: stable}]\n",
		one + "    template: true\n    role: ${var.x}\n", strings.ReplaceAll(one, "aa", "\"${pack.id}-a\""),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { loadAnything(t, "m.yml", data) })
}

func FuzzLoadJSON(f *testing.F) {
	data, err := json.Marshal(everyKeyManifest().Interface())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, s := range []string{with(``), with(`,"delegates":["aa"],"tools":["edit"],"access":"read-only"`), `{"a":"\ud83d"}`, `[[[`, `{"a":1,}`, `1e999`, "\ufeff{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { loadAnything(t, "m.json", data) })
}

func FuzzLoadTOML(f *testing.F) {
	for _, s := range []string{
		"version = 1\n[[subagents]]\nname = \"aa\"\ndescription = \"Use it when.\"\ninstructions = '''\nDo it.\n'''\nunset = [\"tier\"]\n[subagents.providers.claude]\nmodel = \"opus\"\n",
		"a.b.c = 1\n[a.d]\n[[e.f]]\n[e.f.g]\n", "x = [1, 2.5, {a = \"\\u00e9\"}, 1979-05-27]\n", "defaults.tier = \"deep\"\n", "subagents = [{name=\"aa\"}]\n",
		"a = 1\na = 2\n", "subagents = 1\n", "[subagents]\nname = 1\n", "\"\" = 1\n", "v = inf\nw = 0x1F\nu=1_000\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { loadAnything(t, "m.toml", data) })
}

func FuzzLoadHCL(f *testing.F) {
	for _, s := range []string{
		"subagent \"aa\" {\n  description = \"Use it when.\"\n  instructions = <<-EOT\n    Do it.\n    ${x}\n  EOT\n  provider \"claude\" {\n    model = \"opus\"\n  }\n}\n",
		"defaults {\n tier = \"deep\"\n provider \"codex\" { models = {deep = \"x\"} }\n}\n", "vars = {a = [1, 2, null, true, -1.5e3]}\n", "a = 1\na = 2\n",
		"x \"y\" \"z\" {}\n", "subagent \"aa\" {}\nsubagent \"aa\" {}\n", "preamble = \"é\\u0301${\"x\"}%{if true}a%{endif}\"\n", "a = b.c[0]\n",
		"subagents = [{name = \"aa\"}]\n", "provider \"x\" {}\n", "pack \"go\" { stability = \"stable\" }\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { loadAnything(t, "m.hcl", data) })
}

// seedFiles lists the manifests that are in the repository.
func seedFiles(t testing.TB) []string {
	names, err := filepath.Glob("../testdata/manifests/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	return append(names, "../subagents.yml")
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// loadAnything holds loading to what it promises for any bytes: it does not
// panic, it says the same each time, every problem has a code, a summary, a
// detail and a place in the file, and the later stages take what it gives.
func loadAnything(t *testing.T, name string, data []byte) {
	t.Helper()
	if len(data) > 64<<10 {
		return
	}
	builtin := NewSource("builtin.yml", []byte(one))
	src := NewSource(name, data)
	m, diags := Load(src, Options{Builtin: builtin})
	for _, d := range diags {
		checkProblem(t, d, map[string]*Source{name: src, builtin.Name: builtin})
	}
	if m == nil && !diags.HasErrors() {
		t.Error("there is no manifest and no reason")
	}
	if m != nil {
		exercise(m)
	}
	again, more := Load(NewSource(name, data), Options{Builtin: builtin})
	if (again == nil) != (m == nil) || !slices.EqualFunc(diags, more, func(a, b *hcl.Diagnostic) bool {
		return a.Error() == b.Error() && a.Severity == b.Severity && CodeOf(a) == CodeOf(b)
	}) {
		t.Errorf("loading twice gives\n%v\n%v", diags, more)
	}
}

func checkProblem(t *testing.T, d *hcl.Diagnostic, files map[string]*Source) {
	t.Helper()
	switch {
	case CodeOf(d) == "" || d.Summary == "" || d.Detail == "":
		t.Errorf("%v has the code %q, the detail %q", d, CodeOf(d), d.Detail)
	case !utf8.ValidString(d.Summary) || !utf8.ValidString(d.Detail) || len(d.Summary) > 1000:
		t.Errorf("%q is no message for people", d.Summary)
	case d.Subject == nil:
		t.Errorf("%v has no place", d)
	case files[d.Subject.Filename] == nil:
		t.Errorf("%v is in no file that was loaded", d)
	default:
		src, at := files[d.Subject.Filename], *d.Subject
		if at.Start.Byte > at.End.Byte || at.Start != src.Pos(at.Start.Byte) || at.End != src.Pos(at.End.Byte) {
			t.Errorf("%v: the place does not agree with the file", d)
		}
		if at.Start.Line != at.End.Line {
			t.Errorf("%v spans lines", d)
		}
	}
}

// exercise runs what comes after loading over every entry and host.
func exercise(m *Manifest) {
	if diags := m.Lint(); diags.HasErrors() {
		panic(diags) // it only warns
	}
	m.Files()
	for _, e := range m.Entries() {
		m.Targets(e)
		e.InferredKind()
		e.Present()
		for _, id := range ProviderIDs() {
			m.BlockScope(e, id)
			a := m.Resolve(e, id)
			a.Block.Common()
			a.ReadOnly()
			if _, diags := a.Expand(func(v Verb) []string { return []string{string(v)} }); diags.HasErrors() {
				continue
			}
			for _, s := range a.Settings() {
				s.Value.Brief()
				a.At(s.Key)
			}
		}
	}
}
