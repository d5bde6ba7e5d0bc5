package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

// mustParse reads a text that must have no problem.
func mustParse(t *testing.T, name, text string) *Node {
	t.Helper()
	root, diags := parse(NewSource(name, []byte(text)))
	if root == nil || len(diags) > 0 {
		t.Fatalf("%v in\n%s", diags, text)
	}
	return root
}

func TestTOMLPlaces(t *testing.T) {
	places{
		{"no TOML", "a = 1\nb = «»\n", []Code{CodeSyntax}},
		{"a word", "a = «y»es\n", []Code{CodeSyntax}},
		{"a quote left open", "a = 1\nb = \"abc«»\nc = 2\n", []Code{CodeSyntax}},
		{"leading zero", "a = 1\nb = «01»\n", []Code{CodeSyntax}},
		{"a NUL", "preamble = \"a«\x00»b\"\n", []Code{CodeSyntax}},
		{"a lone carriage return", "a = 1«\r»b = 2\n", []Code{CodeSyntax}},
		{"infinite", "vars = {a = «inf», b = «-inf», c = «nan», d = «+nan»}\n", []Code{CodeSyntax, CodeSyntax, CodeSyntax, CodeSyntax}},
		{"too large numbers", "vars = {a = «9223372036854775808», b = «1e400», c = 9223372036854775807}\n", []Code{CodeSyntax, CodeSyntax}},
		{"dates that are none", "vars = {a = «2024-13-01», b = «25:00:00», c = 2024-02-29T23:59:59Z, d = 1979-05-27 07:32:00.5}\n", []Code{CodeSyntax, CodeSyntax}},
		{"a date is text", "subagents = [{name = «2024-01-01», description = 2024-01-01, instructions = 07:32:00}]\n", []Code{CodeBadName}},
		{"a key twice", "preamble = \"a\"\n«preamble» = \"b\"\n«\"preamble\"» = \"c\"\n", []Code{CodeDuplicateKey, CodeDuplicateKey}},
		{"a table twice", "[vars]\na = 1\n[«vars»]\nb = 1\n", []Code{CodeDuplicateKey}},
		{"a table on a value", "preamble = \"a\"\n[«preamble»]\nb = 1\n", []Code{CodeDuplicateKey}},
		{"a table through a value", "version = 1\n[«version».b]\nb = 1\n", []Code{CodeDuplicateKey}},
		{"a list on a table", "[vars]\na = 1\n[[«vars»]]\nb = 1\n", []Code{CodeDuplicateKey}},
		{"a table on a list", "[[packs]]\nid = \"go\"\nstability = \"stable\"\n[«packs»]\n", []Code{CodeDuplicateKey}},
		{"a list on a written list", "packs = []\n[[«packs»]]\nid = \"go\"\n", []Code{CodeDuplicateKey}},
		{"a table through a written list", "packs = []\n[«packs».a]\nid = \"go\"\n", []Code{CodeDuplicateKey}},
		{"a table in braces is closed", "vars = {a = 1}\n[«vars».b]\nc = 1\n", []Code{CodeDuplicateKey}},
		{"a table in braces is closed to dots", "[vars]\na = {b = 1}\n«a».c = 1\n", []Code{CodeDuplicateKey}},
		{"dots into a table with a header", "[vars.a]\nb = 1\n[vars]\n«a».c = 1\n", []Code{CodeDuplicateKey}},
		{"a header on a table of dots", "[vars]\na.b = 1\n[vars.«a»]\nc = 1\n", []Code{CodeDuplicateKey}},
		{"twice in braces", "vars = {a = 1, «a» = 2, b.c = 1, b.d = 2, «b» = 3}\n", []Code{CodeDuplicateKey, CodeDuplicateKey}},
		{"what follows a table that is one too many is not told again", "[vars]\na = 1\n[«vars»]\na = 1\nb.c = 1\n[vars.d]\n", []Code{CodeDuplicateKey}},
		{"set and unset", "[defaults]\ntier = \"deep\"\nunset = [«\"tier\"», \"effort\", «\"effort\"», «1»]\n", []Code{CodeDuplicateKey, CodeDuplicateKey, CodeWrongType}},
		{"unset where nothing lies beneath", "[vars]\nunset = [\"a\"]\n[[packs]]\nid = \"go\"\nstability = \"stable\"\n«unset» = [\"vars\"]\n", []Code{CodeUnknownKey}},
		{"unset at the root and among blocks", "unset = [\"preamble\", «\"preambel\"»]\n[defaults.providers]\nunset = [\"claude\", «\"cluade\"»]\n", []Code{CodeUnknownKey, CodeUnknownKey}},
		{"unset is no list", "[defaults]\n«unset» = \"tier\"\n", []Code{CodeUnknownKey}},
		{"unset names no key", "[defaults]\nunset = [«\"teir\"»]\n", []Code{CodeUnknownKey}},
		{"a bracket behind comments", "policies = [ # here, [not here\n  # {nor here\n  «{ # one }»\n    name = \"aa\" },\n]\n", []Code{CodeMissingKey}},
		{"lists in lists", "vars = {a = [[1], [«inf»]]}\n", []Code{CodeSyntax}},
	}.run(t, "m.toml")
}

// M55 and others: TOML has no null; unset = [...] says what null says elsewhere.
func TestTOMLUnset(t *testing.T) {
	text := `
[defaults]
tier = "deep"
tools = ["read"]
unset = ["effort"]
[defaults.providers.claude]
model = "opus"
color = "red"

[[subagents]]
name = "aa"
description = "Use it when needed."
instructions = "x"
unset = ["tier", "tools"]
[subagents.providers.claude]
unset = ["model"]
[subagents.providers.codex]
unset = []
`
	m, diags := Load(NewSource("m.toml", []byte(text)), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	a := m.Resolve(m.Entry("aa"), ClaudeID)
	if b := a.Block.(*Claude); a.Tier != "" || a.Tools != nil || b.Model != "" || b.Color != "red" {
		t.Errorf("tier %q, tools %v, model %q, color %q", a.Tier, a.Tools, b.Model, b.Color)
	}
	if s, ok := a.Setting("claude.model"); !ok || s.Value.Kind != Null || s.At().Start.Line != 16 || s.At().Start.Column != 10 {
		t.Errorf("the null stands at %v", s.At())
	}
}

func TestTOMLTexts(t *testing.T) {
	for text, want := range map[string]string{
		`"a\tb\u00e9\U0001F600\"\\"`:     "a\tbé😀\"\\",
		`'a\tb"'`:                        `a\tb"`,
		"\"\"\"\na\n  b\\\n   c\n\"\"\"": "a\n  bc\n",
		"'''\n\na'b''c\n'''":             "\na'b''c\n",
		"'''a\nb'''":                     "a\nb",
		`"e\u0301"`:                      "e\u0301",
		"\"e\u0301 \u2126\"":             "e\u0301 \u2126", // not in normal form C
		"'''\ne\u0301\r\nf\r\n'''":       "e\u0301\r\nf\r\n",
		"\"\u0085\u2028\ufeff\"":         "\u0085\u2028\ufeff",
	} {
		if got := mustParse(t, "m.toml", "preamble = "+text+"\n").Get("preamble").Str; got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

// Places in a text that the file spells line by line.
func TestTOMLBlocks(t *testing.T) {
	for name, marked := range map[string]string{
		"literal":          "preamble = '''\none\n  two «needle» x\n'''\n",
		"in double quotes": "preamble = \"\"\"\none\nä «needle»\n\"\"\"\n",
		"CRLF":             "preamble = '''\r\none\r\n«needle»\r\n'''\r\n",
		"with an escape":   "preamble = «\"\"\"»\none\\t\nneedle\n\"\"\"\n",
		"on one line":      "preamble = «\"a needle\"»\n",
		"first line":       "preamble = «'''a needle»\nb'''\n",
	} {
		text, spots := unmark(t, "m.toml", marked)
		n := mustParse(t, "m.toml", text).Get("preamble")
		at := strings.Index(n.Str, "needle")
		if got := n.PosIn(at, at+len("needle")); got != spots[0] {
			t.Errorf("%s: got %v, want %v", name, got, spots[0])
		}
	}
}

func TestTOMLDepth(t *testing.T) {
	nested := func(levels int, inner string) string { // two levels: the root and vars
		return "vars = {a = " + strings.Repeat("[", levels-2) + inner + strings.Repeat("]", levels-2) + "}\n"
	}
	for _, inner := range []string{"", "1"} {
		mustParse(t, "m.toml", nested(maxDepth, inner))
		onlyCode(t, "m.toml", nested(maxDepth+1, inner), CodeTooDeep)
	}
	onlyCode(t, "m.toml", strings.Repeat("a.", maxDepth)+"a = 1\n", CodeTooDeep)
	onlyCode(t, "m.toml", "["+strings.Repeat("a.", maxDepth-1)+"a]\n", CodeTooDeep)
	onlyCode(t, "m.toml", "["+strings.Repeat("a.", 100_000)+"a]\n", CodeTooDeep)
	onlyCode(t, "m.toml", "a = {"+strings.Repeat("a.", 100_000)+"a = 1}\n", CodeTooDeep)
	onlyCode(t, "m.toml", "a = "+strings.Repeat("[", 1<<20), CodeSyntax) // the parser's own bound
}

// However many keys a table has, each costs the same, and there is an end to
// what is read.
func TestTOMLSize(t *testing.T) {
	large(t)
	var keys, tables strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&keys, "k%d = 1\n", i)
		fmt.Fprintf(&tables, "[t%d]\n", i)
	}
	for _, text := range []string{keys.String(), tables.String(), "a = {" + strings.TrimSuffix(strings.ReplaceAll(keys.String(), "\n", ","), ",") + "}\n"} {
		mustParse(t, "m.toml", text)
	}
	onlyCode(t, "m.toml", "a = ["+strings.Repeat("1,", maxValues)+"]\n", CodeTooLarge)
	onlyCode(t, "m.toml", strings.Repeat("[[a]]\n", maxValues+1), CodeTooLarge)
}

// plainTOML gives a tree as the decoder of the library gives it, for comparison.
func plainTOML(n *Node) any {
	switch n.Kind {
	case List:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = plainTOML(item)
		}
		return items
	case Map:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = plainTOML(f.Value)
		}
		return m
	case Float:
		return n.Float
	}
	return n.Interface()
}

// decodedTOML brings what the library decoded into the form of a tree: dates
// are texts.
func decodedTOML(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = decodedTOML(v[i])
		}
		return v
	case map[string]any:
		for key := range v {
			v[key] = decodedTOML(v[key])
		}
		return v
	case string, bool, int64, float64:
		return v
	}
	return "date"
}

// The tables that are read here are those that the library's decoder reads: it
// takes what we take, refuses what we refuse, and finds the same values.
func FuzzTOMLAgainstLibrary(f *testing.F) {
	for _, text := range []string{
		"", "a = 1", "[a]\nb.c = 'x'\nb.d = \"y\"\n[a.e]\n[[f]]\nx = 1\n[[f]]\n[f.g]\n[[f.h]]\n", "a = {b = [1, {c = true}], d.e = 2.5}",
		"[a]\n[a]\n", "a.b = 1\n[a]\n", "[a.b]\n[a]\nc = 1\n", "[[a]]\n[a]\n", "a = []\n[[a]]\n", "a = {}\n[a.b]\n", "[a]\nb = {c = 1}\nb.d = 1\n",
		"[a.b.c]\n[a]\nb.d = 1\n", "[[a.b]]\n[a]\n[a.c]\n", "[[a]]\nb.c = 1\n[a.b]\n", "a = '''\nx\n'''\nb = \"\"\"\\\n  y\"\"\"\n", "a = 1979-05-27\nb = 07:32:00\n",
		"[defaults]\nunset = ['tier']\n[[subagents]]\nname = 'aa'\nunset = ['tools']\nproviders = {claude = {unset = ['model']}}\n",
		"\"\" = 1\n'a b'.c = 2\n", "a = 0x1F\nb = 1_000\nc = -1e-3\n", "a = [ # x\n1, # y\n]\n", "[a.b]\n[a.b.c]\n[a]\n[a.b]\n", "a.b.c = 1\na.b.d = 2\na.b = 3\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := NewSource("m.toml", data)
		root, diags := parse(src)
		again, _ := parse(src)
		if diff := cmp.Diff(plain2(root), plain2(again)); diff != "" {
			t.Fatalf("two readings differ: %s", diff)
		}
		for _, d := range diags {
			if r := d.Subject; r.Start.Byte > r.End.Byte || r.End.Byte > len(src.Bytes) || r.Start.Line != r.End.Line {
				t.Fatalf("the place %v of %v", r, d)
			}
		}
		if len(diags) == 1 && CodeOf(diags[0]) == CodeEmpty || bytes.Contains(data, []byte("unset")) {
			return
		}
		var want map[string]any
		err := toml.Unmarshal(src.Bytes, &want)
		limited := false
		for _, d := range diags {
			limited = limited || CodeOf(d) == CodeTooDeep || CodeOf(d) == CodeTooLarge || strings.Contains(d.Detail, "finite") || strings.Contains(d.Summary, "UTF-8")
		}
		switch {
		case limited:
		case err != nil && len(diags) == 0:
			t.Fatalf("the library says %v", err)
		case err == nil && len(diags) > 0:
			t.Fatalf("the library takes it, we say %v", diags)
		case err == nil:
			got, _ := json.Marshal(plainTOML(root))
			decoded, _ := json.Marshal(decodedTOML(want))
			if !strings.Contains(string(decoded), `"date"`) && string(got) != string(decoded) {
				t.Fatalf("read %s, the library %s", got, decoded)
			}
		}
	})
}

func plain2(n *Node) any {
	if n == nil {
		return nil
	}
	return plainTOML(n)
}
