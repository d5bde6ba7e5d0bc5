package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/text/unicode/norm"
)

// testScope is what the templates of these tests see.
func testScope() scope {
	return scope{
		variables: map[string]cty.Value{
			"provider": cty.StringVal("codex"),
			"var": cty.ObjectVal(map[string]cty.Value{
				"org": cty.StringVal("Example"), "n": cty.NumberIntVal(3), "on": cty.True, "none": cty.NullVal(cty.DynamicPseudoType),
				"list": cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b"), cty.StringVal("c")}),
				"map":  cty.ObjectVal(map[string]cty.Value{"k1": cty.StringVal("v1"), "k2": cty.StringVal("v2")}),
				"text": cty.StringVal("e\u0301"),
			}),
		},
		functions: map[string]function.Function{"tool": toolFunction(func(v Verb) []string {
			return map[Verb][]string{Edit: {"Edit", "Write"}, Shell: {"Bash"}}[v]
		})},
	}
}

func textOf(s string) *Node { return &Node{Kind: String, Str: s, Range: hcl.Range{Filename: "m.yml"}} }

func expectText(t *testing.T, template, want string) {
	t.Helper()
	got, diags := expandText(textOf(template), testScope())
	if len(diags) > 0 || got != want {
		t.Errorf("%q comes to %q, want %q: %v", template, got, want, diags)
	}
}

func TestTemplates(t *testing.T) {
	for template, want := range map[string]string{
		"":                            "",
		"plain\n":                     "plain\n",
		"${var.org}":                  "Example",
		"a ${ var.org } b":            "a Example b",
		"${var.n} ${var.on}":          "3 true",
		"${1 + 2} ${!var.on}":         "3 false",
		"${var.list[1]}":              "b",
		"${var.map[\"k1\"]}":          "v1",
		"${var.map.k2}":               "v2",
		"${join(\",\", var.list)}":    "a,b,c",
		"${join(\"-\", var.list[*])}": "a-b-c",
		"${join(\" \", [for x in var.list : upper(x) if x != \"b\"])}":                               "A C",
		"${jsonencode({for k, v in var.map : v => k})}":                                              `{"v1":"k1","v2":"k2"}`,
		"${provider == \"codex\" ? \"yes\" : \"no\"}":                                                "yes",
		"%{ if provider == \"codex\" }C%{ endif }D":                                                  "CD",
		"%{if provider == \"claude\"}C%{else}E%{endif}":                                              "E",
		"%{if var.on}%{if !var.on}a%{else}b%{endif}%{endif}":                                         "b",
		"%{for x in var.list}<${x}>%{endfor}":                                                        "<a><b><c>",
		"%{ for k, v in var.map }${k}=${v};%{ endfor }":                                              "k1=v1;k2=v2;",
		"%{for i, x in var.list}${i}${x}%{endfor}":                                                   "0a1b2c",
		"%{for x in []}a%{endfor}b":                                                                  "b",
		"%{for x in var.list}%{if x == \"b\"}%{for y in var.list}${x}${y}%{endfor}%{endif}%{endfor}": "babbbc",
		"${tool(\"edit\")} ${tool(\"shell\")} ${tool(\"todo\")}":                                     "Edit, Write Bash todo",
		"$${x} %%{y} $$ %% $x %y $ %":                                                                "${x} %{y} $$ %% $x %y $ %",
		"$$${var.org}":                                                                               "$${var.org}",
		"{{ x }} {% y %} \\n \" ' `":                                                                 "{{ x }} {% y %} \\n \" ' `",
		"${\"in ${\"deep ${var.org}\"} \"}":                                                          "in deep Example ",
		"${\n  var.org\n}":                                                                           "Example",
		"${\"}\"}${\"%{if true}a%{endif}\"}":                                                         "}a",
		"${<<EOT\nx\nEOT\n}":                                                                         "x\n",
	} {
		expectText(t, template, want)
	}
}

// White space next to a tilde goes, up to the end of its line on the right and
// from its start on the left.
func TestTemplateTrimming(t *testing.T) {
	for template, want := range map[string]string{
		"a ${~ var.org ~} b":                                  "aExampleb",
		"a\n  ${~var.org~}  \n  b":                            "a\nExample  b",
		"a \u2003${~var.org~}\u2003 b":                        "aExampleb",
		"%{ for x in var.list ~}\n- ${x}\n%{ endfor ~}\nend":  "- a\n- b\n- c\nend",
		"%{ if true ~}\n  a\n%{~ else ~}\nb\n%{~ endif ~}\nc": "  ac",
		"a ${~\"\"~} ${~\"\"~} b":                             "ab",
		"a${~\"\"}b${\"\"~}c":                                 "abc",
		"e\u0301 ${~ var.org ~} \u2126 x":                     "e\u0301Example\u2126 x",
		"e\u0301\n\n${~ var.org ~}\n\n\u2126":                 "e\u0301\nExample\n\u2126",
	} {
		expectText(t, template, want)
	}
}

// What a template says literally comes out byte for byte; what it interpolates
// is in Unicode normal form C.
func TestTemplateBytes(t *testing.T) {
	literal := "e\u0301 \u2126 \u212b\r\n\ttab \u00a0\u2028\ufeff\x00\x7f 😀  \r\n\n\n  "
	expectText(t, literal, literal)
	expectText(t, literal+"${var.org}"+literal, literal+"Example"+literal)
	expectText(t, "%{if true}"+literal+"%{endif}%{for x in var.list}"+literal+"%{endfor}", strings.Repeat(literal, 4))
	expectText(t, "${var.text} ${\"e\u0301\"}", "\u00e9 \u00e9")
	expectText(t, "${var.org}\u0301", "Example\u0301")
}

// Every function, with what it comes to.
func TestTemplateFunctions(t *testing.T) {
	calls := map[string][2]string{
		"upper": {`upper("aé")`, "AÉ"}, "lower": {`lower("AÉ")`, "aé"}, "title": {`title("ab cd")`, "Ab Cd"},
		"trim": {`trim("xxaxx", "x")`, "a"}, "trimspace": {`trimspace(" a ")`, "a"}, "trimprefix": {`trimprefix("ab", "a")`, "b"},
		"trimsuffix": {`trimsuffix("ab", "b")`, "a"}, "chomp": {`chomp("a\n")`, "a"}, "replace": {`replace("aba", "a", "cc")`, "ccbcc"},
		"split": {`split(",", "a,b")[1]`, "b"}, "join": {`join("+", ["a"], ["b", "c"])`, "a+b+c"}, "strlen": {`strlen("aé😀")`, "3"},
		"substr": {`substr("abcd", 1, 2)`, "bc"}, "sort": {`join("", sort(["b", "a"]))`, "ab"}, "reverse": {`join("", reverse(["b", "a"]))`, "ab"},
		"length": {`length([1, 2])`, "2"}, "contains": {`contains(["a"], "a")`, "true"}, "concat": {`length(concat([1], [2, 3]))`, "3"},
		"distinct": {`join("", distinct(["a", "b", "a"]))`, "ab"}, "compact": {`join("", compact(["a", "", "b"]))`, "ab"},
		"coalesce": {`coalesce(null, "a")`, "a"}, "element": {`element(["a", "b"], 3)`, "b"}, "keys": {`join("", keys({b = 1, a = 2}))`, "ab"},
		"values": {`join("", values({b = "1", a = "2"}))`, "21"}, "lookup": {`lookup({a = "1"}, "b", "2")`, "2"},
		"merge": {`join("", values(merge({a = "1"}, {a = "2", b = "3"})))`, "23"}, "jsonencode": {`jsonencode({a = [1, true, null, "x"]})`, `{"a":[1,true,null,"x"]}`},
		"jsondecode": {`jsondecode("{\"a\":[1]}").a[0]`, "1"},
	}
	for name := range functions {
		call, ok := calls[name]
		if !ok {
			t.Errorf("%s is not tested", name)
			continue
		}
		for range 2 { // the second time as the first: it is a function of its arguments
			expectText(t, "${"+call[0]+"}", call[1])
		}
	}
	if len(calls) != len(functions) {
		t.Errorf("%d functions, %d tested", len(functions), len(calls))
	}
}

// No function reads a file, the clock, the environment or anything else outside.
func TestTemplatesReadNothing(t *testing.T) {
	t.Setenv("SECRET", "x")
	for _, call := range []string{
		`file("/etc/hostname")`, `fileexists("/")`, `templatefile("x", {})`, `timestamp()`, `env("SECRET")`, `uuid()`, `abspath(".")`, `pathexpand("~")`,
		`bcrypt("x")`, `formatdate("YYYY", "2024-01-01T00:00:00Z")`, `range(1000000000)`, `format("%1000000000d", 1)`, `path.module`, `self.x`, `each.key`,
	} {
		_, diags := expandText(textOf("${"+call+"}"), testScope())
		if len(diags) == 0 || CodeOf(diags[0]) != CodeTemplate {
			t.Errorf("%s: %v", call, diags)
		}
	}
	for name := range functions {
		switch {
		case strings.Contains(name, "file"), strings.Contains(name, "time"), strings.Contains(name, "env"), strings.Contains(name, "uuid"):
			t.Errorf("is %s pure?", name)
		}
	}
}

// Problems stand where they are in the text.
func TestTemplateProblems(t *testing.T) {
	for _, marked := range []string{
		"a ${«nope»}", "a ${upper(«)»}", "x\nä ${var«.nope»}", "${var.list«[7]»}", "${«upper»}", "${«uper»(\"a\")}",
		"${upper(«[]»)}", "${1 + «\"a\"»}", "${«var.list»}", "${«var.none»}", "${«{}»}", "%{if «\"maybe\"»}a%{endif}", "%{if «var.none»}a%{endif}",
		"%{for x in «3»}a%{endfor}", "%{for x in «var.none»}a%{endfor}", "%{for x in «nope»}a%{endfor}", "«${»var.org", "«%{»if true", "a «${»\"${x\"}",
		"«%{if true}»a", "«%{for x in var.list}»a", "a«%{endif}»", "a«%{endfor}»", "a«%{else}»", "%{for x in var.list}a«%{endif}»",
		"%{if true}a%{else}b«%{else}»c%{endif}", "«%{unless true}»a", "«%{ x y }»", "«%{}»", "%{if true}a«%{endif now}»", "«%{for in var.list}»%{endfor}",
		"«%{for x y in var.list}»%{endfor}", "«%{for a, b, c in var.list}»%{endfor}", "«%{for x of var.list}»%{endfor}", "«%{for 1 in var.list}»%{endfor}",
		"${tool(\"«Bash»\")}", "${var.org «x»}", "${«»}", "%{if«»}a%{endif}", "${var.org.«»}", "${\"a«\n»\"}", "${«agent»}",
	} {
		text, spots := unmark(t, "m.yml", marked)
		src := NewSource("m.yml", []byte("preamble: |\n  "+strings.ReplaceAll(text, "\n", "\n  ")+"\n"))
		n := mustParse(t, "m.yml", string(src.Bytes)).Get("preamble")
		_, diags := expandText(n, testScope())
		if len(diags) == 0 {
			t.Errorf("%q has no problem", marked)
			continue
		}
		at, got := spots[0], *diags[0].Subject
		if got.Start.Line != at.Start.Line+1 || got.Start.Column != at.Start.Column+2 {
			t.Errorf("%q: got %v, want line %d, column %d: %v", marked, got, at.Start.Line+1, at.Start.Column+2, diags)
		}
		if CodeOf(diags[0]) != CodeTemplate || diags[0].Detail == "" || strings.Contains(diags[0].Detail, "m.yml") {
			t.Errorf("%q: %v", marked, diags[0])
		}
	}
}

// Several problems of one template are told at once.
func TestTemplateProblemsAtOnce(t *testing.T) {
	_, diags := expandText(textOf("${a b} %{if} ${c d} %{endif} %{ foo }"), testScope())
	if len(diags) != 4 {
		t.Errorf("%d problems: %v", len(diags), diags)
	}
}

// A problem points into the body's own line, wherever the body is written.
func TestTemplateProblemsInBodies(t *testing.T) {
	for name, marked := range map[string]string{
		"m.yml":      "subagents:\n  - name: aa\n    description: Use it when needed.\n    template: true\n    instructions: |\n      One $${x}.\n      ä $${y} ${«nope»} x\n",
		"folded.yml": "subagents:\n  - name: aa\n    description: Use it when needed.\n    template: true\n    instructions: «\"a\\n${nope}\"»\n",
		"m.json":     "{\"subagents\": [{\"name\": \"aa\", \"description\": \"Use it when needed.\", \"template\": true,\n\"instructions\": «\"One.\\n${nope}\"»}]}\n",
		"m.toml":     "[[subagents]]\nname = \"aa\"\ndescription = \"Use it when needed.\"\ntemplate = true\ninstructions = \"\"\"\nOne $${x}.\nä $${y} ${«nope»} x\n\"\"\"\n",
		"lit.toml":   "[[subagents]]\nname = \"aa\"\ndescription = \"Use it when needed.\"\ntemplate = true\ninstructions = '''\nOne \\d.\nä $${y} ${«nope»} x\n'''\n",
		"m.hcl":      "subagent \"aa\" {\n  description = \"Use it when needed.\"\n  template = true\n  instructions = <<-EOT\n    One $${x}.\n      ä $${y} ${«nope»} x\n  EOT\n}\n",
		"quoted.hcl": "subagent \"aa\" {\n  description = \"Use it when needed.\"\n  template = true\n  instructions = «\"One\\n${nope}\"»\n}\n",
		"crlf.hcl":   "subagent \"aa\" {\r\n  description = \"Use it when needed.\"\r\n  template = true\r\n  instructions = <<EOT\r\nOne.\r\n${«nope»} x\r\nEOT\r\n}\r\n",
	} {
		text, spots := unmark(t, name, marked)
		m, diags := Load(NewSource(name, []byte(text)), Options{})
		if len(diags) > 0 {
			t.Fatal(name, diags)
		}
		_, diags = m.Resolve(m.Entry("aa"), ClaudeID).Expand(nil)
		if len(diags) != 1 || *diags[0].Subject != spots[0] {
			t.Errorf("%s: want %v, got %v", name, spots[0], diags)
		}
	}
	// K3: the file of a body may have front matter, whose lines count.
	body, spots := unmark(t, "sub/body.md", "---\ntitle: x\n---\nOne.\nä ${«nope»} x\n")
	folder(t, map[string]string{
		"m.yml":       "subagents:\n  - {name: aa, description: Use it when needed., template: true, instructions_file: sub/body.md}\n",
		"sub/body.md": body,
	})
	m, diags, err := LoadFiles([]string{"m.yml"}, Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	_, diags = m.Resolve(m.Entry("aa"), ClaudeID).Expand(nil)
	if len(diags) != 1 || *diags[0].Subject != spots[0] {
		t.Errorf("want %v, got %v", spots[0], diags)
	}
	if m.Files()["sub/body.md"] == nil {
		t.Error("the file of the body is not among the sources")
	}
}

// A body is a template only if the entry or its defaults say so; in HCL the
// same body is then literal, or a mistake.
func TestTemplateFlag(t *testing.T) {
	for _, tt := range []struct {
		name, file, text, want string
	}{
		{"no flag", "m.yml", "preamble: ${x}\nsubagents:\n  - {name: aa, description: \"${y}\", instructions: \"${provider} {{z}}\"}\n", "${provider} {{z}}"},
		{"flag", "m.yml", "subagents:\n  - {name: aa, description: \"${y}\", template: true, instructions: \"${provider} {{z}}\"}\n", "claude {{z}}"},
		{"defaults", "m.yml", "defaults: {template: true}\nsubagents:\n  - {name: aa, description: \"${y}\", instructions: \"${provider} {{z}}\"}\n", "claude {{z}}"},
		{"defaults, HCL", "m.hcl", "defaults {\n  template = true\n}\nsubagent \"aa\" {\n  description = \"x\"\n  instructions = \"${provider} {{z}}\"\n}\n", "claude {{z}}"},
		{"taken back", "m.yml", "defaults: {template: true}\nsubagents:\n  - {name: aa, description: \"${y}\", template: false, instructions: \"${provider} {{z}}\"}\n", "${provider} {{z}}"},
		{"HCL", "m.hcl", "subagent \"aa\" {\n  description = \"$${y}\"\n  instructions = \"$${provider} {{z}}\"\n}\n", "${provider} {{z}}"},
		{"HCL, flag", "m.hcl", "subagent \"aa\" {\n  description = \"$${y}\"\n  template = true\n  instructions = \"a\\t$${x} ${replace(\"a\\nb\", \"\\n\", \"-\")}\\n\"\n}\n", "a\t${x} a-b\n"},
		{"TOML", "m.toml", "[[subagents]]\nname = \"aa\"\ndescription = \"${y}\"\ntemplate = true\ninstructions = '${provider} $${x}'\n", "claude ${x}"},
	} {
		m, diags := Load(NewSource(tt.file, []byte(tt.text)), Options{})
		if len(diags) > 0 {
			t.Fatal(tt.name, diags)
		}
		if got, diags := m.Resolve(m.Entry("aa"), ClaudeID).Expand(nil); len(diags) > 0 || got != tt.want {
			t.Errorf("%s: %q, want %q: %v", tt.name, got, tt.want, diags)
		}
	}
	expectPlaces(t, "m.hcl", "defaults {\n  template = true\n}\nsubagent \"aa\" {\n  description = \"x\"\n  template = false\n  instructions = \"a ${«provider»}\"\n}\n", CodeSyntax)
	expectPlaces(t, "m.hcl", "subagent \"aa\" {\n  description = \"a ${«provider»}\"\n  template = true\n  instructions = \"x\"\n}\n", CodeSyntax)
}

// What a body sees of the manifest and of its own entry.
func TestTemplateVariables(t *testing.T) {
	text := `
vars: {org: Example, deep: {list: [1, two, {three: 3}]}, nothing: null}
subagents:
  - name: aa
    slug: bb
    title: Title
    description: Use it when needed.
    role: A role.
    kind: reviewer
    access: read-only
    tier: deep
    effort: high
    template: true
    instructions: |-
      ${provider} ${agent.name} ${agent.slug} ${agent.title} ${agent.description} ${agent.role} ${agent.kind} ${agent.access} ${agent.tier} ${agent.effort}
      ${var.org} ${var.deep.list[0]} ${var.deep.list[2].three} ${jsonencode(var.deep)} ${var.nothing == null}
  - {name: cc, description: Use it when needed., template: true, instructions: "[${agent.title}${agent.tier}]"}
`
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for name, want := range map[string]string{
		"aa": "kiro aa bb Title Use it when needed. A role. reviewer read-only deep high\nExample 1 3 " + `{"list":[1,"two",{"three":3}]}` + " true",
		"cc": "[]",
	} {
		if got, diags := m.Resolve(m.Entry(name), KiroID).Expand(nil); got != want || len(diags) > 0 {
			t.Errorf("%q, want %q: %v", got, want, diags)
		}
	}
}

// What multiplies is bounded: nested loops, in directives and in expressions,
// and functions and operators that make much of little.
func TestTemplateBounds(t *testing.T) {
	large(t)
	s := testScope()
	numbers := make([]cty.Value, 2000)
	for i := range numbers {
		numbers[i] = cty.NumberIntVal(int64(i))
	}
	s.variables["many"] = cty.TupleVal(numbers)
	s.variables["long"] = cty.StringVal(strings.Repeat("a", 1<<20))
	grow := `"aaaaaaaaaa"`
	for range 12 {
		grow = fmt.Sprintf(`replace(%s, "a", "aaaaaaaaaa")`, grow)
	}
	quote := `"\""`
	for range 40 {
		quote = "jsonencode(" + quote + ")"
	}
	double := "many"
	for range 40 {
		double = "concat(" + double + ", many)"
	}
	for name, text := range map[string]string{
		"loops in directives":  strings.Repeat("%{for x in many}", 3) + "a" + strings.Repeat("%{endfor}", 3),
		"loops in expressions": "${length([for a in many : [for b in many : [for c in many : a + b + c]]])}",
		"two loops":            "${length([for a in many : [for b in many : a + b]])}",
		"a loop in a loop":     "%{for a in many}${length([for b in many : b])}%{endfor}",
		"conditions":           "${length([for a in many : a if length([for b in many : b if b > a]) > 5])}",
		"keys":                 "${length({for a in many : \"${length([for b in many : b])}-${a}\" => a})}",
		"splats":               "${length([for a in many : many[*]])}",
		"replace":              "${strlen(" + grow + ")}",
		"join":                 "${strlen(join(long, many))}",
		"quoting":              "${strlen(" + quote + ")}",
		"texts":                "${length([for a in many : \"${long}${long}\"])}",
		"literal texts":        "${length([for a in many : \"" + strings.Repeat("abc", 100_000) + "\"])}",
		"comparisons":          "${length([for a in many : long == \"${long}b\"])}",
		"comparing over again": "${" + strings.Repeat("long == long && ", 200) + "true}",
		"concat":               "${length(" + double + ")}",
		"distinct":             "${length(distinct(concat(many, many, many)))}",
		"functions":            "%{for a in many}${strlen(upper(long))}%{endfor}",
		"output":               "%{for a in many}${long}%{endfor}",
		"literal output":       "%{for a in many}" + strings.Repeat("x", 1<<20) + "%{endfor}",
	} {
		t.Run(name, func(t *testing.T) {
			var diags hcl.Diagnostics
			used := allocated(func() { _, diags = expandText(textOf(text), s) })
			if len(diags) == 0 || CodeOf(diags[0]) != CodeTemplate {
				t.Errorf("%v", diags)
			}
			if used > 300<<20 {
				t.Errorf("%d MiB", used>>20)
			}
		})
	}
	// What people do stays far from the bounds.
	s.variables["list"] = cty.TupleVal(numbers[:300])
	work := "%{for x in list}${upper(\"line ${x}\")}: ${join(\", \", [for y in var.list : \"${y}${x}\"])}\n%{endfor}"
	if text, diags := expandText(textOf(work), s); len(diags) > 0 || strings.Count(text, "\n") != 300 {
		t.Errorf("%v", diags)
	}
	m, diags := Load(NewSource("m.yml", []byte("vars: {a: "+strings.Repeat("a", maxWork)+"}\nsubagents:\n"+plain("aa", "template: true"))), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if _, diags := m.Resolve(m.Entry("aa"), ClaudeID).Expand(nil); len(diags) != 1 || !strings.Contains(diags[0].Summary, "too much") {
		t.Errorf("huge variables: %v", diags)
	}
}

// A template that nests without end is refused before it is parsed.
func TestTemplateNesting(t *testing.T) {
	large(t)
	const many = 100_000
	for name, text := range map[string]string{
		"brackets":    "${" + strings.Repeat("[", many),
		"texts":       strings.Repeat("${\"", many),
		"parentheses": "${" + strings.Repeat("(", many) + "1" + strings.Repeat(")", many) + "}",
		"minuses":     "${" + strings.Repeat("-", many) + "1}",
		"sums":        "${1" + strings.Repeat("+1", many) + "}",
		"conditions":  "${true" + strings.Repeat("?true:true", many) + "}",
		"directives":  strings.Repeat("%{if true}", many) + strings.Repeat("%{endif}", many),
		"loops":       strings.Repeat("%{for a in b}", many),
		"dollars":     "${\"" + strings.Repeat("$a", many) + "\"}",
		"heredoc":     "${<<E\n" + strings.Repeat("a\n", many) + "E\n}",
		"words":       strings.Repeat("${", maxWords),
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := expandText(textOf(text), testScope())
			if len(diags) != 1 || CodeOf(diags[0]) != CodeTemplate || !strings.Contains(diags[0].Summary, "parts") {
				t.Errorf("%v", diags)
			}
		})
	}
	flat := strings.Repeat("${var.org} %{if true}a%{endif}\n", 3000)
	if text, diags := expandText(textOf(flat), testScope()); len(diags) > 0 || len(text) != len("Example a\n")*3000 {
		t.Errorf("many sequences, one behind the other: %v", diags)
	}
}

// A long body that is a template costs no more than its length.
func TestLongTemplate(t *testing.T) {
	body := strings.Repeat("An ordinary line of a long body, e\u0301.\n", 50_000) + "${var.org}\n"
	var text string
	used := allocated(func() { text, _ = expandText(textOf(body), testScope()) })
	if !strings.HasSuffix(text, "\nExample\n") || len(text) != len(body)-len("${var.org}")+len("Example") {
		t.Errorf("%d bytes", len(text))
	}
	if used > 400<<20 {
		t.Errorf("allocated %d MiB", used>>20)
	}
}

// A template comes to what the library makes of it, but for the normal form of
// literal text. It never panics, and comes to the same each time.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"a ${var.org} b", "%{if var.on}a%{else}b%{endif}", "%{for k, v in var.map}${k}%{endfor}", "a ${~var.n~} b\n%{~ if true ~}\n c %{~ endif ~} d", "$${x} %%{y} $$${z}",
		"${upper(\"a\")} ${[for x in var.list : x][0]}", "${", "%{", "%{if", "${\"${\"${1}\"}\"}", "e\u0301${var.text}\u0301", "%{ for x in var.list }\n%{ endfor }", "${<<E\na\nE\n}",
		"%{if true}%{for x in []}%{endfor}%{endif}", "$", "%", "$$", "${}", "~}", "a}b", "\r\n${var.org}\r\n", "%{if true~}\r\n\r\n a%{~endif}", "${jsonencode(var)}", "${tool(\"edit\")}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 5000 {
			return
		}
		got, diags := expandText(textOf(text), testScope())
		again, more := expandText(textOf(text), testScope())
		if got != again || diags.Error() != more.Error() {
			t.Fatalf("%q, then %q", got, again)
		}
		for _, d := range diags {
			if CodeOf(d) != CodeTemplate || d.Summary == "" {
				t.Fatalf("%v", d)
			}
		}
		want, ok := library(text)
		if !ok || strings.Contains(text, "<<") {
			return
		}
		if len(diags) > 0 {
			t.Fatalf("the library makes %q of %q, we say %v", want, text, diags)
		}
		if norm.NFC.String(got) != norm.NFC.String(want) {
			t.Fatalf("%q comes to %q, the library makes %q of it", text, got, want)
		}
	})
}

// library evaluates a template with the library's own reader.
func library(text string) (string, bool) {
	expr, diags := hclsyntax.ParseTemplate([]byte(text), "m.yml", hcl.InitialPos)
	if diags.HasErrors() {
		return "", false
	}
	s := testScope()
	ctx := &hcl.EvalContext{Variables: s.variables, Functions: s.functions}
	for name, fn := range functions {
		ctx.Functions[name] = fn
	}
	v, diags := expr.Value(ctx)
	if diags.HasErrors() || v.IsNull() {
		return "", false
	}
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
