package manifestfmt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// texts are what writers stumble over.
var texts = []string{
	"", " ", "a", "a b", "true", "no", "~", "null", "1", "1.5", "-", "- a", "#", "a # b", "a: b", "a:", "'", `"`, `'''`, `"""`, `\`, `\n`, "a\\\nb\n",
	"\n", "\n\n", "a\n", "a\nb", "a\n\n\nb\n", "  a\n b\n", "\ta\n", "\n a\n", "a\n  \n b\n", "a \nb  \n", "a\n\n\n", "```\ncode\n```\n", "EOT\n EOT\nEOT1\n",
	"${x}", "$${x}", "$$${x}", "%{x}", "%%{if", "${", "$", "$$", "{{ x }}", "a ${b} c\n$${d}\n", "a\rb", "a\r\nb\r\n", "\x00", "\x7f\x1b[0m", "\u0085\u2028\u2029", "\ufeff",
	"e\u0301 \u2126", "e\u0301\nf\u0301\n", "é 日本 😀", "\U0010ffff\ufffd", strings.Repeat("long ", 200), "a\"\"\"\nb'''\n\\\n", "a'", "b\"\n\"", "---\nx\n---\n", "key: value\n", "=", "<<EOT", "a,b", "[a]", "{a}", "\u00a0a\n", "2024-01-01", "0x1F", ".inf", "yes\n",
}

// words are keys of free maps.
var words = append([]string{"k", "key", "a_b", "a-b", "x1", "B", "for", "null", "true", "in", "provider", "skill", "unset", "git *", "*", "a.b", "", "ä", "${x}", "a\nb", "1"}, "subagent")

// maker makes random trees.
type maker struct{ *rand.Rand }

func (m maker) text() *schema.Node {
	return &schema.Node{Kind: schema.String, Str: texts[m.IntN(len(texts))] + []string{"", "", texts[m.IntN(len(texts))]}[m.IntN(3)]}
}

func (m maker) scalar() *schema.Node {
	switch m.IntN(6) {
	case 0:
		n := m.Int64() - m.Int64()
		return &schema.Node{Kind: schema.Int, Int: n, Float: float64(n), Str: fmt.Sprint(n)}
	case 1:
		f := []float64{0, 1.5, -2e-9, 1e300, 3, 1234567.25}[m.IntN(6)]
		return &schema.Node{Kind: schema.Float, Float: f}
	case 2:
		b := m.IntN(2) == 0
		return &schema.Node{Kind: schema.Bool, Bool: b, Str: fmt.Sprint(b)}
	}
	return m.text()
}

// node makes a value of a shape; identifiers limits keys to those that HCL takes
// everywhere.
func (m maker) node(s *shape, depth int) *schema.Node {
	switch {
	case s.isObject() && depth > 0:
		n := &schema.Node{Kind: schema.Map}
		for _, key := range s.keys {
			if m.IntN(4) == 0 && key != legacyKey {
				n.Fields = append(n.Fields, schema.Field{Key: key, Value: m.node(s.child(key), depth-1)})
			}
		}
		m.Shuffle(len(n.Fields), func(i, j int) { n.Fields[i], n.Fields[j] = n.Fields[j], n.Fields[i] })
		return n
	case depth <= 0 || m.IntN(3) == 0:
		return m.scalar()
	case m.IntN(2) == 0:
		n := &schema.Node{Kind: schema.List, Items: []*schema.Node{}}
		for range m.IntN(4) {
			n.Items = append(n.Items, m.node(s.item(), depth-1))
		}
		return n
	}
	n := &schema.Node{Kind: schema.Map}
	for _, i := range m.Perm(len(words))[:m.IntN(4)] {
		n.Fields = append(n.Fields, schema.Field{Key: words[i], Value: m.node(s.item(), depth-1)})
	}
	return n
}

func manifestOf(seed uint64) *schema.Node {
	m := maker{rand.New(rand.NewPCG(seed, 1))}
	root := m.node(documentShape(), 6)
	root.Fields = slices.DeleteFunc(root.Fields, func(f schema.Field) bool { return f.Key == "defaults" && f.Value.Get("template") != nil })
	entry := m.node(documentShape().child("subagents").item(), 5)
	entry.Fields = slices.DeleteFunc(entry.Fields, func(f schema.Field) bool { return f.Key == "for_each" || f.Key == "template" })
	list := &schema.Node{Kind: schema.List, Items: []*schema.Node{entry}}
	root.Fields = slices.DeleteFunc(root.Fields, func(f schema.Field) bool { return f.Key == "subagents" })
	root.Fields = append(root.Fields, schema.Field{Key: "subagents", Value: list})
	return root
}

// Whatever the tree, each spelling holds it, or says with a place what it cannot
// hold: Write reads every result again.
func TestWriteAnyTree(t *testing.T) {
	refused := 0
	for seed := range uint64(150) {
		root := manifestOf(seed)
		for _, spelling := range schema.Spellings() {
			data, diags, err := Write(root, spelling, Options{})
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, spelling, err, data)
			}
			if diags.HasErrors() {
				refused++
				continue
			}
			again, _ := schema.OwnTree(schema.NewSource("manifest."+spelling, data))
			twice, _, err := Write(again, spelling, Options{})
			if err != nil || !bytes.Equal(data, twice) {
				t.Fatalf("seed %d, %s is not written the same again: %v\n%s", seed, spelling, err, cmp.Diff(string(data), string(twice)))
			}
		}
	}
	if refused > 75 {
		t.Errorf("%d of 600 were refused", refused)
	}
}

func FuzzWrite(f *testing.F) {
	f.Add(uint64(1), "text")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		if !strings.Contains(strings.ToValidUTF8(text, "\x01"), "\x01") {
			texts = append(texts[:60:60], text)
		}
		root := manifestOf(seed)
		for _, spelling := range schema.Spellings() {
			if data, _, err := Write(root, spelling, Options{}); err != nil {
				t.Fatalf("%s: %v\n%s", spelling, err, data)
			}
		}
	})
}

// fixtures are the manifests of the repository, which stand in one file each.
func fixtures(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"../../subagents.yml", "../cli/starter.yml", "../../testdata/*.yml", "../../testdata/manifests/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = data
		}
	}
	return files
}

// rendered gives the files that a manifest renders to, and its problems.
func rendered(t *testing.T, name string, data []byte) (map[string]string, *schema.Manifest) {
	t.Helper()
	m, diags := schema.Load(schema.NewSource(name, data), schema.Options{})
	files := map[string]string{}
	for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
		result, more := render.Render(m, render.Options{Scope: scope})
		diags = append(diags, more...)
		for _, f := range result.Files {
			files[string(scope)+" "+f.Path] = string(f.Data)
		}
	}
	if diags.HasErrors() {
		t.Errorf("%s: %v", name, diags)
	}
	return files, m
}

// A manifest in every spelling is the same manifest, and renders to the same
// files.
func TestRoundTrips(t *testing.T) {
	for name, data := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, _ := rendered(t, name, data)
			if len(want) == 0 {
				t.Fatal("renders to nothing")
			}
			root, diags := schema.OwnTree(schema.NewSource(name, data))
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			for _, first := range schema.Spellings() {
				text, diags, err := Write(root, first, Options{})
				if err != nil || diags.HasErrors() {
					t.Fatal(first, err, diags)
				}
				got, _ := rendered(t, "m."+first, text)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("as %s, want -, got +:\n%s", first, diff)
				}
				other, _ := schema.OwnTree(schema.NewSource("m."+first, text))
				for _, second := range schema.Spellings() {
					if _, diags, err := Write(other, second, Options{}); err != nil || diags.HasErrors() {
						t.Errorf("%s to %s: %v %v", first, second, err, diags)
					}
				}
			}
		})
	}
}

// A template is written as one: in HCL it stands there with its own escapes, and
// other texts get some.
func TestWriteTemplates(t *testing.T) {
	const text = `
vars: {org: Example}
packs: [{id: go, stability: stable, vars: {build: go build}}]
subagents:
  - {name: plain, description: "${x} %{y} $${z}", instructions: "${x} %{y} $${z}\n"}
  - name: block
    description: Use it when needed.
    template: true
    instructions: |
      ${provider} $${literal} %{ if provider == "claude" ~}
      "quoted" \n ${replace("a\nb", "\n", "-")}
      %{ endif ~}
      end
  - {name: line, description: Use it when needed., template: true, instructions: "a \"q\" \\ ${upper(\"x\\ny\")}\tb $${z}"}
  - {name: "${pack.id}-a", for_each: packs, description: "$${x} ${pack.id}", title: "${pack.vars.build}", instructions: "Run ${pack.vars.build}."}
`
	want, _ := rendered(t, "m.yml", []byte(text))
	root, _ := schema.OwnTree(schema.NewSource("m.yml", []byte(text)))
	for _, first := range schema.Spellings() {
		one, diags, err := Write(root, first, Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(first, err, diags)
		}
		got, _ := rendered(t, "m."+first, one)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("as %s, want -, got +:\n%s", first, diff)
		}
		other, _ := schema.OwnTree(schema.NewSource("m."+first, one))
		for _, second := range schema.Spellings() {
			two, diags, err := Write(other, second, Options{})
			if err != nil || diags.HasErrors() {
				t.Fatal(second, err, diags)
			}
			got, _ := rendered(t, "m."+second, two)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s, want -, got +:\n%s", first, second, diff)
			}
		}
	}
	broken, _ := schema.OwnTree(schema.NewSource("m.yml", []byte("subagents:\n  - {name: aa, description: d, template: true, instructions: \"a ${\"}\n")))
	if _, diags, _ := Write(broken, "hcl", Options{}); len(diags) != 1 || diags[0].Subject.Start.Line != 2 {
		t.Errorf("what is no template: %v", diags)
	}
}

// What a spelling cannot hold is told with its place.
func TestWriteRefuses(t *testing.T) {
	root, _ := schema.OwnTree(schema.NewSource("m.yml", []byte("vars:\n  b: null\n  a: [1, null]\ndefaults: {tier: null}\nsubagents: [{name: aa, tier: null, \"b c\": 1}]\n")))
	for spelling, want := range map[string][]string{"yaml": nil, "json": nil, "toml": {"2:6", "3:10"}, "hcl": {"5:36"}} {
		_, diags, err := Write(root, spelling, Options{})
		if err != nil {
			t.Fatal(spelling, err)
		}
		var got []string
		for _, d := range diags {
			got = append(got, fmt.Sprintf("%d:%d", d.Subject.Start.Line, d.Subject.Start.Column))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", spelling, diff)
		}
	}
}
