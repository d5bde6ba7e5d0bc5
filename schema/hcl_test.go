package schema

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/text/unicode/norm"
)

func TestHCLPlaces(t *testing.T) {
	places{
		{"no HCL", "a = «]»\n", []Code{CodeSyntax}},
		{"a character that is none", "a = «\x00»\n", []Code{CodeSyntax}},
		{"a quote left open", "preamble = \"abc«»\n", []Code{CodeSyntax}},
		{"a text of two lines", "preamble = \"abc«»\ndef\"\n", []Code{CodeSyntax}},
		{"an escape that is none", "preamble = \"a«\\q»b\"\n", []Code{CodeSyntax}},
		{"a variable", "preamble = «foo»\n", []Code{CodeSyntax}},
		{"a call", "preamble = «upper(\"a\")»\n", []Code{CodeSyntax}},
		{"a sum", "version = «1 + 1»\n", []Code{CodeSyntax}},
		{"a negative text", "version = «-\"1\"»\n", []Code{CodeSyntax}},
		{"a loop", "targets = «[for x in [1] : x]»\n", []Code{CodeSyntax}},
		{"an interpolation", "preamble = \"a ${«var.x»}\"\n", []Code{CodeSyntax}},
		{"only an interpolation", "preamble = \"${«var.x»}\"\n", []Code{CodeSyntax}},
		{"an interpolation in a heredoc", "preamble = <<EOT\nä ${«var.x»}\nEOT\n", []Code{CodeSyntax}},
		{"an interpolation deep down", "defaults {\n  provider \"claude\" {\n    hooks = { Stop = [{ hooks = [{ type = \"command\", command = \"a ${«b»}\" }] }] }\n  }\n}\n", []Code{CodeSyntax}},
		{"an interpolation in a key", "vars = { «\"a${b}\"» = 1 }\n", []Code{CodeSyntax}},
		{"a number for a key", "vars = { «1» = 1, «(x)» = 2, a-b = 3, \"c d\" : 4 }\n", []Code{CodeSyntax, CodeSyntax}},
		{"numbers", "vars = { a = «9223372036854775808», b = «1e400», c = - 5, d = 9223372036854775807 }\n", []Code{CodeSyntax, CodeSyntax}},
		{"a key twice", "vars = { a = 1, b = 2, «a» = 3, «\"b\"» = 4 }\n", []Code{CodeDuplicateKey, CodeDuplicateKey}},
		{"an attribute twice", "defaults {\n  tier = \"deep\"\n}\nsubagent \"aa\" {\n  description = \"Use it when needed.\"\n  instructions = <<EOT\na\nb\nEOT\n  tier = \"deep\"\n  «tier» = \"light\"\n}\n", []Code{CodeDuplicateKey}},
		{"a block twice", "defaults {\n}\n«defaults» {\n}\n", []Code{CodeDuplicateKey}},
		{"a provider twice", "subagent \"aa\" {\n  description = \"Use it when needed.\"\n  instructions = \"x\"\n  provider \"claude\" {\n  }\n  provider «\"claude\"» {\n  }\n}\n", []Code{CodeDuplicateKey}},
		{"a skill twice", "skill \"a\" {\n}\nskill «\"a\"» {\n}\n", []Code{CodeDuplicateKey}},
		{"a list after blocks", "subagent \"aa\" {\n  description = \"Use it when needed.\"\n  instructions = \"x\"\n}\n«subagents» = []\n", []Code{CodeDuplicateKey}},
		{"a block on a value", "defaults {\n  providers = «1»\n  provider \"claude\" {\n  }\n}\n", []Code{CodeWrongType}},
		{"no name", "«provider» {\n}\n«skill» {\n}\n«subagent» \"a\" \"b\" {\n}\n", []Code{CodeSyntax, CodeSyntax, CodeSyntax}},
		{"a name too many", "defaults «\"x\"» {\n}\n", []Code{CodeSyntax}},
		{"a name inside", "subagent \"aa\" {\n  «name» = \"bb\"\n  description = \"Use it when needed.\"\n  instructions = \"x\"\n}\n", []Code{CodeDuplicateKey}},
		{"a bad name", "subagent «\"Aa\"» {\n  description = \"Use it when needed.\"\n  instructions = \"x\"\n}\n", []Code{CodeBadName}},
		{"a block that is no key", "«agent» {\n}\n«colour» = 1\n", []Code{CodeUnknownKey, CodeUnknownKey}},
		{"a block of a list in an entry", "subagent \"aa\" {\n  description = \"Use it when needed.\"\n  instructions = \"x\"\n  «skill» \"one\" {\n  }\n}\n", []Code{CodeWrongType}},
	}.run(t, "m.hcl")
}

// What a later part of a file says is told as well as what is said first.
func TestHCLBlocks(t *testing.T) {
	text := `
version = 1
skill "one" {
  description = "x"
}
pack "go" {
  stability = "stable"
  vars = { build = "go build ./..." }
}
policy "no secrets" {
  condition = "true"
}
policy {
  name      = "two"
  condition = "true"
}
defaults {
  tier = "deep"
  provider "claude" {
    models = { light = "haiku" }
  }
  providers = { codex = {} }
}
subagents = [{ name = "aa", description = "Use it when needed.", instructions = "x" }]
subagent "bb" {
  description = "Use it when needed."
  instructions = "x"
  provider "goose" {
    format = "recipe"
  }
  provider kiro {
    enabled = false
  }
}
`
	_, diags := Load(NewSource("m.hcl", []byte(text)), Options{})
	if len(diags) != 1 || CodeOf(diags[0]) != CodeDuplicateKey || diags[0].Subject.Start.Line != 22 {
		t.Fatalf("blocks and then an attribute of that name: %v", diags)
	}
	text = strings.Replace(text, "  providers = { codex = {} }\n", "", 1)
	m, diags := Load(NewSource("m.hcl", []byte(text)), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	want := map[string]any{
		"version": int64(1),
		"skills":  map[string]any{"one": map[string]any{"description": "x"}},
		"packs":   []any{map[string]any{"id": "go", "stability": "stable", "vars": map[string]any{"build": "go build ./..."}}},
		"policies": []any{
			map[string]any{"name": "no secrets", "condition": "true"}, map[string]any{"name": "two", "condition": "true"},
		},
		"defaults": map[string]any{"tier": "deep", "providers": map[string]any{"claude": map[string]any{"models": map[string]any{"light": "haiku"}}}},
	}
	if diff := cmp.Diff(want, m.Root.Interface()); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if len(m.Entries()) != 2 || m.Entry("bb").Node.At("providers", "kiro", "enabled") == nil {
		t.Error("an entry or a block is missing")
	}
}

// Keys stand in the order of the file, blocks and attributes alike.
func TestHCLOrder(t *testing.T) {
	root := mustParse(t, "m.hcl", "preamble = \"a\"\nskill \"s\" {\n}\nversion = 1\nresults = { b = \"x\", a = \"y\" }\nskill \"r\" {\n}\nguard = \"none\"\n")
	var keys []string
	for _, f := range root.Fields {
		keys = append(keys, f.Key)
		for _, inner := range f.Value.Fields {
			keys = append(keys, "."+inner.Key)
		}
	}
	if got, want := strings.Join(keys, " "), "preamble skills .s .r version results .b .a guard"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHCLTexts(t *testing.T) {
	for text, want := range map[string]string{
		`"a\n\r\t\"\\\u00e9\U0001F600b"`:              "a\n\r\t\"\\é😀b",
		`"$${a} %%{b} $$ %% $a %a $ %"`:               "${a} %{b} $$ %% $a %a $ %",
		`"$$${a}"`:                                    "$${a}",
		"\"e\u0301 \u2126 $${\u212b}\"":               "e\u0301 \u2126 ${\u212b}", // not in normal form C
		`"e\u0301"`:                                   "e\u0301",
		"<<EOT\nEOT":                                  "",
		"<<EOT\n\n\nEOT":                              "\n\n",
		"<<EOT\n  a\n    b\nEOT":                      "  a\n    b\n",
		"<<EOT\na \\n \"q\" $${x} %%{y} $5 100%\nEOT": "a \\n \"q\" ${x} %{y} $5 100%\n",
		"<<EOT\n  a\n  EOT":                           "  a\n",
		"<<-EOT\n    a\n      b\n\n   \n    c\n  EOT": "a\n  b\n\n   \nc\n",
		"<<-EOT\n\t\ta\n\t  b\n  EOT":                 "a\n b\n",
		"<<-EOT\na\n  b\n  EOT":                       "a\n  b\n",
		"<<-EOT\n  e\u0301\n    \u2126\n  EOT":        "e\u0301\n  \u2126\n",
		"<<EOT\na\r\nb\r\nEOT":                        "a\r\nb\r\n",
		"<<-EOT\r\n  a\r\n    b\r\n  EOT":             "a\r\n  b\r\n",
		"<<EOT\nEOT x\n EOTA\nEOT":                    "EOT x\n EOTA\n",
		"<<A-b_1\nx\nA-b_1":                           "x\n",
	} {
		n := mustParse(t, "m.hcl", "preamble = "+text+"\n").Get("preamble")
		if n.Str != want {
			t.Errorf("%s is %q, want %q", text, n.Str, want)
		}
		if got, diags := expandText(n, scope{}); got != want || len(diags) > 0 {
			t.Errorf("as a template, %s is %q, want %q: %v", text, got, want, diags)
		}
	}
}

// A file with CRLF is read like any other; the texts of heredocs keep theirs.
func TestHCLCarriageReturns(t *testing.T) {
	text := "# ours\r\nsubagent \"aa\" {\r\n  description = \"Use it when needed.\"\r\n  tier = «\"huge\"»\r\n  instructions = <<-EOT\r\n    a\r\n    b\r\n  EOT\r\n}\r\n"
	expectPlaces(t, "m.hcl", text, CodeBadValue)
	plain, _ := unmark(t, "m.hcl", text)
	m, _ := Load(NewSource("m.hcl", []byte(plain)), Options{})
	if got := m.Entry("aa").Body; got != "a\r\nb\r\n" {
		t.Errorf("body %q", got)
	}
}

// Places in a heredoc, whose lines the file spells with a margin and with the
// escapes of templates.
func TestHCLPlacesInHeredocs(t *testing.T) {
	for name, marked := range map[string]string{
		"plain":     "preamble = <<EOT\n  one\n  two «needle» x\nEOT\n",
		"indented":  "preamble = <<-EOT\n    one\n      ä «needle»\n\n    x\n  EOT\n",
		"CRLF":      "preamble = <<-EOT\r\n    one\r\n    «needle»\r\n  EOT\r\n",
		"quoted":    "preamble = «\"a needle\"»\n",
		"long":      "preamble = <<EOT\n" + strings.Repeat("a\n", 5000) + "«needle»\nEOT\n",
		"an escape": "preamble = <<EOT\n$${x}\n«needle»\nEOT\n",
	} {
		text, spots := unmark(t, "m.hcl", marked)
		n := mustParse(t, "m.hcl", text).Get("preamble")
		at := strings.Index(n.Str, "needle")
		if got := n.PosIn(at, at+len("needle")); got != spots[0] {
			t.Errorf("%s: got %v, want %v", name, got, spots[0])
		}
	}
}

func TestHCLDepth(t *testing.T) {
	nested := func(levels int, inner string) string { // two levels: the root and vars
		return "vars = {a = " + strings.Repeat("[", levels-2) + inner + strings.Repeat("]", levels-2) + "}\n"
	}
	for _, inner := range []string{"", "1", "(1)"} {
		mustParse(t, "m.hcl", nested(maxDepth, inner))
		if _, diags := Load(NewSource("m.hcl", []byte(nested(maxDepth+1, inner))), Options{}); len(diags) != 1 || CodeOf(diags[0]) != CodeTooDeep {
			t.Errorf("%d levels around %q: %v", maxDepth+1, inner, diags)
		}
	}
	blocks := strings.Repeat("b {\n", 70) + strings.Repeat("}\n", 70)
	if _, diags := parse(NewSource("m.hcl", []byte(blocks))); len(diags) != 1 || CodeOf(diags[0]) != CodeTooDeep {
		t.Errorf("blocks: %v", diags)
	}
	const many = 40_000
	for name, text := range map[string]string{
		"brackets":           "a = " + strings.Repeat("[", many),
		"hidden brackets":    "a = " + strings.Repeat("[\"}])\",", many),
		"braces":             "a = " + strings.Repeat("{a=", many),
		"parentheses":        "a = " + strings.Repeat("(", many),
		"blocks":             strings.Repeat("b {\n", many),
		"templates":          "a = " + strings.Repeat("\"${", many),
		"heredocs":           "a = " + strings.Repeat("<<E\n${\n", many),
		"minuses":            "a = " + strings.Repeat("-", many) + "1\n",
		"negations":          "a = " + strings.Repeat("!", many) + "true\n",
		"sums":               "a = 1" + strings.Repeat("+1", many) + "\n",
		"conditions":         "a = 1" + strings.Repeat("?1:1", many) + "\n",
		"splats":             "a = b" + strings.Repeat("[*]", many) + "\n",
		"directives":         "a = <<E\n" + strings.Repeat("%{if true}", many) + "\nE\n",
		"directives, quoted": "a = \"" + strings.Repeat("%{for a in b}", many) + "\"\n",
	} {
		t.Run(name, func(t *testing.T) { onlyCode(t, "m.hcl", text, CodeTooDeep) })
	}
}

// What a large document takes is in proportion to it: a long heredoc, many keys
// and blocks, many dollar signs.
func TestHCLSize(t *testing.T) {
	large(t)
	var attributes, blocks strings.Builder
	for i := range 20_000 {
		n := "k" + letters(i)
		attributes.WriteString("  " + n + " = 1\n")
		blocks.WriteString("skill \"" + n + "\" {\n}\n")
	}
	lines := strings.Repeat("A line of a body, as they are.\n", 30_000)
	for name, text := range map[string]string{
		"heredoc":          "preamble = <<EOT\n" + lines + "EOT\n",
		"indented heredoc": "preamble = <<-EOT\n" + strings.ReplaceAll(lines, "A", "  A") + "  EOT\n",
		"attributes":       "vars {\n" + attributes.String() + "}\n",
		"keys":             "vars = {\n" + attributes.String() + "}\n",
		"blocks":           blocks.String(),
		"dollars":          "preamble = \"" + strings.Repeat("$a", 50_000) + "\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			var root *Node
			used := allocated(func() { root = mustParse(t, "m.hcl", text) })
			if limit := uint64(1000 * len(text)); used > limit+64<<20 {
				t.Errorf("%d MiB for %d KiB", used>>20, len(text)>>10)
			}
			if n := root.Get("preamble"); n != nil && len(n.Str) < len(text)-100_000 {
				t.Errorf("%d bytes of %d", len(n.Str), len(text))
			}
		})
	}
	onlyCode(t, "m.hcl", "a = ["+strings.Repeat("1,", maxWords/2+1)+"]\n", CodeTooLarge)
	if !testing.Short() {
		onlyCode(t, "m.hcl", "a = ["+strings.Repeat("1,", maxValues+1)+"]\n", CodeTooLarge)
	}
	onlyCode(t, "m.hcl", "preamble = <<EOT\n"+strings.Repeat("\n", maxWords+1)+"EOT\n", CodeTooLarge)
	body := strings.Repeat("An ordinary sentence, of some length, about what is to be done here.\n", 4<<20/69)
	if root := mustParse(t, "m.hcl", "preamble = <<EOT\n"+body+"EOT\n"); root.Get("preamble").Str != body {
		t.Error("4 MiB of prose are not what they were")
	}
}

// letters spells a number in letters.
func letters(n int) string {
	var b []byte
	for n++; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// An escape that is no escape is found however long the text is.
func TestHCLEscapesInLongTexts(t *testing.T) {
	text := "preamble = \"" + strings.Repeat("$a", 1000) + "\\q\"\n"
	onlyCode(t, "m.hcl", text, CodeSyntax)
}

// A text is what the library says it is, but for the normal form.
func FuzzHCLTexts(f *testing.F) {
	for _, s := range []string{
		`"a"`, `"$${a}$$b %%{c} $5 %d"`, `"\u00e9\n\\"`, "<<E\na\n  b\nE", "<<-E\n  a\n    b\n\n  c\n  E", "<<-E\n\ta\n  E", "<<E\n$${a} $$${b}\nE",
		"\"e\u0301\"", "<<-E\n \u2003a\n \u2003\u2003b\n E", "<<E\r\na\r\nE", `"$$$${"`, "<<-E\n  $${a}\n  E", "<<-E\n  a${\"x\"}\n    b\n  E", "\"a${\"b\\n\"}c\\n\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte("preamble = " + text + "\n")
		file, problems := hclsyntax.ParseConfig(src, "m.hcl", hcl.InitialPos)
		attributes, _ := file.Body.(*hclsyntax.Body)
		root, diags := parse(NewSource("m.hcl", src))
		if problems.HasErrors() || bytes.HasPrefix(src, []byte("\ufeff")) || len(text) > 10_000 {
			if root != nil && problems.HasErrors() && !strings.Contains(problems.Error(), "redefined") {
				t.Fatalf("the library says %v", problems)
			}
			return
		}
		a := attributes.Attributes["preamble"]
		if a == nil || len(attributes.Attributes) != 1 || len(attributes.Blocks) > 0 {
			return
		}
		value, more := a.Expr.Value(nil)
		switch a.Expr.(type) {
		case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		default:
			return
		}
		if more.HasErrors() || value.IsNull() || value.Type() != cty.String || root == nil {
			return
		}
		n := root.Get("preamble")
		if n.interpolation == nil {
			if got := norm.NFC.String(n.Str); got != value.AsString() {
				t.Fatalf("%q is %q, the library says %q", text, got, value.AsString())
			}
			if len(diags) > 0 {
				t.Fatalf("%q: %v", text, diags)
			}
		}
		expanded, diags := expandText(n, scope{})
		if got := norm.NFC.String(expanded); len(diags) == 0 && got != value.AsString() && !strings.Contains(text, "~") && !strings.HasPrefix(text, "<<-") {
			t.Fatalf("%q comes to %q, the library says %q", text, got, value.AsString())
		}
	})
}
