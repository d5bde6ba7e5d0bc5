package yamltext

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/schema"
)

// texts that careless writers of blocks damage.
var tricky = []string{
	"a\nb", "a\nb\n", "a\nb\n\n\n", "\na\nb\n", "\n\n  a\nb", "  a\n b\n", "\ta\nb", "a\n  \nb", "   \na\nb", "a\n\tb \n", "a # b\nc: d", "---\na\n---\n", "...\na",
	"- a\n- b\n", "\n\n", "\n", "a\r\nb\r\n", "a\u0085b\nc", "a\u2028\nb", "\ufeffa\nb", "\x07\nb", "é 👩‍💻\nb", "a\n \n", "a\nb\n ", "# a\n# b", "|\n>", "%YAML\nx", "\n \na\n",
	"yes", "null", "~", "1.5", "0x1F", "2024-01-01", "", " ", "a: b", "a #b", "[a]", "{a}", "*a", "&a", "!a", "@a", "`a", "'a'", "\"a\"", "a,b", "a:", ":a", "-", "- a", "?", "? a", "<<", "=", "a  b", "a ", "y", "No", "a\\nb", "\\",
}

func roundTrip(t *testing.T, s string) {
	t.Helper()
	node := func(s string) *schema.Node { return &schema.Node{Kind: schema.String, Str: s} }
	inner := &schema.Node{Kind: schema.Map, Fields: []schema.Field{{Key: "text", Value: node(s)}, {Key: "list", Value: &schema.Node{Kind: schema.List, Items: []*schema.Node{node(s), node("x")}}}, {Key: "z", Value: node("end")}}}
	if s != "" && s != "<<" {
		inner.Fields = append(inner.Fields, schema.Field{Key: "k" + s, Value: node("v")})
	}
	root := &schema.Node{Kind: schema.Map, Fields: []schema.Field{{Key: "items", Value: &schema.Node{Kind: schema.List, Items: []*schema.Node{inner, inner}}}}}
	var w Writer
	w.Fields(root, 0)
	got, diags := schema.ParseYAML(schema.NewSource("x.yml", []byte(w.String())), false)
	if diags.HasErrors() {
		t.Fatalf("%q: %v\n%s", s, diags, w.String())
	}
	if !reflect.DeepEqual(root.Interface(), got.Interface()) {
		t.Errorf("%q came back otherwise:\n%s", s, w.String())
	}
}

func TestWriterKeepsTexts(t *testing.T) {
	for _, s := range tricky {
		roundTrip(t, s)
	}
}

func FuzzWriter(f *testing.F) {
	for _, s := range tricky {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 500 {
			roundTrip(t, strings.ToValidUTF8(s, "?"))
		}
	})
}

// The YAML is the one that people would write.
func TestWriterIsReadable(t *testing.T) {
	text := "name: a\ntools: [read, list]\nprovider:\n  claude:\n    model: opus\n    nested:\n      - a: 1\n        b: true\n      - plain words (with) signs\n    empty: []\ninstructions: |\n\n  First.\n\n    Deep.\ncut: |-\n  a\n  b\nplain: \"a: b\"\n"
	n, diags := schema.ParseYAML(schema.NewSource("x.yml", []byte(text)), false)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var w Writer
	w.Fields(n, 0)
	if w.String() != text {
		t.Errorf("got\n%s", w.String())
	}
}

// What goes in between other lines takes none of them in: no block that keeps the
// empty lines behind it.
func TestInsertedTakesNothingIn(t *testing.T) {
	for _, s := range tricky {
		w := Writer{Inserted: true}
		w.Item(&schema.Node{Kind: schema.Map, Fields: []schema.Field{{Key: "k", Value: &schema.Node{Kind: schema.String, Str: s}}}}, 2)
		got, diags := schema.ParseYAML(schema.NewSource("x.yml", []byte("list:\n"+w.String()+"\n\n\nend: 1\n")), false)
		if diags.HasErrors() {
			t.Fatalf("%q: %v", s, diags)
		}
		if text := got.Get("list").Items[0].Get("k"); text.Str != s {
			t.Errorf("%q became %q", s, text.Str)
		}
	}
}
