package goose_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/goose"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

var decode = goose.Provider{}.Decode

const recipeHead = "title: probe\ndescription: Looks. Use when asked.\n"

// K3: agent files carry a name, a description, a model and a body.
func TestDecodeAgent(t *testing.T) {
	for _, c := range []struct{ name, file, description, body, block, codes string }{
		{"plain", "---\nname: a\ndescription: d\nmodel: m1\n---\n\nB\n", "d", "\nB\n", `{"model":"m1"}`, ""},
		{"text before the front matter", "\n\nx\n---\nname: a\ndescription: d\n---\nB", "d", "B", `{}`, ""},
		{"byte order mark and DOS lines", "\ufeff---\r\nname: a\r\ndescription: d\r\n---\r\nB\r\n", "d", "B\r\n", `{}`, ""},
		{"a fence in a value cuts", "---\nname: a\ndescription: foo --- bar\n---\nB", "foo", " bar\n---\nB", `{}`, "head-cut?"},
		{"no description", "---\nname: a\nmodel: m1\n---\nB", "Agent (m1)", "B", `{"model":"m1"}`, "no-description?"},
		{"a null for a description", "---\nname: a\ndescription:\n---\nB", "Agent", "B", `{}`, "no-description?"},
		{"a number is the text that it looks like", "---\nname: a\ndescription: 08\n---\nB", "08", "B", `{}`, ""},
		{"keys without effect", "---\nname: a\ndescription: d\ntools: Read\nprovider: x\n---\nB", "d", "B", `{}`, "dropped? dropped?"},
		{"models that are none", "---\nname: a\ndescription: d\nmodel: inherit\n---\nB", "d", "B", `{}`, "dropped?"},
		{"template characters", "---\nname: a\ndescription: d\n---\n{{ x }}", "d", "{{ x }}", `{}`, "read-as?"},
		{"an escape of somebody else stays", "---\nname: a\ndescription: d\n---\n{{ '{{' }} x }}", "d", "{{ '{{' }} x }}", `{}`, "read-as?"},
		{"our own escape is undone", "---\n# " + providers.Marker + "\nname: a\ndescription: d\n---\n{{ '{{' }} x }} {{ '{%' }}", "d", "{{ x }} {%", `{}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, decode, ".goose/agents/x.md", c.file)
			got := []string{d.Name, d.Description, d.Body, decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{"a", c.description, c.body, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	decodetest.Same(t, schema.GooseID, decode, "x.md", "---\nname: probe\ndescription: d\nmodel: m1\n---\n\n{{ x }} {% y %}\n")
}

func recipe(keys string) string { return recipeHead + "instructions: Look.\n" + keys }

// K3: what the fields of a recipe become, and that it is the same recipe again
// by meaning.
func TestDecodeRecipe(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"no more than it needs", "", `{}`, `{"format":"recipe"}`, ""},
		{"a prompt", "prompt: Go.\n", `{}`, `{"format":"recipe","prompt":"Go."}`, ""},
		{"a version", "version: 1.2.0\n", `{"version":"1.2.0"}`, `{"format":"recipe","version":"1.2.0"}`, ""},
		{"a version that is none", "version: 1.2\n", `{}`, `{"format":"recipe","version":"1.2"}`, ""},
		{
			"settings", "settings: {goose_provider: openai, goose_model: m, temperature: 0.2, max_turns: 5, other: x}\n", `{}`,
			`{"format":"recipe","model":"m","provider":"openai","settings":{"max_turns":5,"temperature":0.2}}`, "dropped?",
		},
		{"no extensions are none", "extensions: []\n", `{}`, `{"extensions":[],"format":"recipe"}`, ""},
		{"null is like no key", "extensions:\nretry:\n", `{}`, `{"format":"recipe"}`, ""},
		{
			"extensions", "extensions:\n  - {type: builtin, name: developer, available_tools: [shell], cmd: x}\n  - {type: stdio, name: s, cmd: npx, args: [], envs: {A: b}, env: {C: d}}\n", `{}`,
			`{"extensions":[{"available_tools":["shell"],"name":"developer","type":"builtin"},{"args":[],"cmd":"npx","envs":{"A":"b"},"name":"s","type":"stdio"}],"format":"recipe"}`, "dropped? dropped?",
		},
		{"an empty list of tools means all", "extensions:\n  - {type: platform, name: summon, available_tools: []}\n", `{}`, `{"extensions":[{"available_tools":[],"name":"summon","type":"platform"}],"format":"recipe"}`, ""},
		{
			"parameters", "prompt: Do {{issue}} in {{ lang }}.\nparameters:\n  - {key: issue, input_type: string, requirement: required, description: d}\n  - {key: lang, input_type: select, requirement: optional, description: d, default: 5, options: [5, go]}\n", `{}`,
			`{"format":"recipe","parameters":[{"description":"d","input_type":"string","key":"issue","requirement":"required"},{"default":"5","description":"d","input_type":"select","key":"lang","options":["5","go"],"requirement":"optional"}],"prompt":"Do {{ issue }} in {{ lang }}."}`, "",
		},
		{
			"answers, retries, others", "response: {json_schema: {type: object}}\nretry: {max_retries: 2, checks: [{type: shell, command: x}]}\nactivities: [a]\nauthor: {contact: me}\nsub_recipes:\n  - {name: a, path: b.yaml, values: {n: 5, l: [1]}}\n", `{}`,
			`{"activities":["a"],"extra":{"author":{"contact":"me"}},"format":"recipe","response":{"json_schema":{"type":"object"}},"retry":{"checks":[{"command":"x","type":"shell"}],"max_retries":2},"sub_recipes":[{"name":"a","path":"b.yaml","values":{"l":"[1]","n":"5"}}]}`, "",
		},
		{"no fields of a recipe", "name: x\ntools: [a]\n", `{}`, `{"format":"recipe"}`, "dropped? dropped?"},
		{"quoted braces", "prompt: \"a {{ '{{' }} b }} {{'{{ c }}'}}\"\n", `{}`, `{"format":"recipe","prompt":"a {{ b }} {{ c }}"}`, ""},
		{"braces that stand for themselves", "prompt: \"{{ a b }} {{ .V.x }} {{{ y }}} }}\"\n", `{}`, `{"format":"recipe","prompt":"{{ a b }} {{ .V.x }} {{{ y }}} }}"}`, ""},
		{"template code", "prompt: \"{% if a %}x{% endif %}\"\n", `{}`, `{"format":"recipe","prompt":"{% if a %}x{% endif %}"}`, "read-as?"},
		{"a filter", "prompt: \"{{ a | upper }}\"\n", `{}`, `{"format":"recipe","prompt":"{{ a | upper }}"}`, "read-as?"},
		{"what is built in", "prompt: \"{{ recipe_dir }}\"\n", `{}`, `{"format":"recipe","prompt":"{{ recipe_dir }}"}`, "read-as?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, decode, ".goose/recipes/probe.yaml", recipe(c.keys))
			got := []string{d.Name, d.Body, decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{"probe", "Look.", c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			decodetest.Same(t, schema.GooseID, decode, "probe.yaml", recipe(c.keys))
		})
	}
}

func TestDecodeRecipeTexts(t *testing.T) {
	d, codes := decodetest.One(t, decode, "probe.yaml", "title: Probe it\ndescription: 5\nprompt: |\n  Go.\n")
	if d.Body != "Go.\n" || d.Description != "5" || decodetest.Neutral(t, d) != `{"title":"Probe it"}` || strings.Join(codes, " ") != "read-as?" {
		t.Errorf("%+v %v", d, codes)
	}
	d, codes = decodetest.One(t, decode, "probe.json", `{"title": "probe", "description": "d", "instructions": "B"}`)
	if d.Name != "probe" || d.Body != "B" || len(codes) > 0 {
		t.Errorf("%+v %v", d, codes)
	}
	d, codes = decodetest.One(t, decode, "probe.yaml", "recipe:\n  title: probe\n  description: d\n  instructions: B\ntitle: x\n")
	if d.Body != "B" || strings.Join(codes, " ") != "read-as?" {
		t.Errorf("%+v %v", d, codes)
	}
}

// What the client skips is no subagent.
func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ file, text, codes string }{
		"no front matter":                      {"a.md", "text", "no-front-matter"},
		"a fence of four hyphens":              {"a.md", "----\nname: a\n----\nB", "syntax"},
		"no name":                              {"a.md", "---\ndescription: d\n---\nB", "not-loaded"},
		"an empty name":                        {"a.md", "---\nname:\ndescription: d\n---\nB", "not-loaded"},
		"a colon without quotes":               {"a.md", "---\nname: a\ndescription: Use: x\n---\nB", "syntax"},
		"a key twice":                          {"a.md", "---\nname: a\nname: b\n---\nB", "duplicate-key"},
		"a description that is a list":         {"a.md", "---\nname: a\ndescription: [x]\n---\nB", "not-loaded"},
		"no body":                              {"a.md", "---\nname: a\ndescription: d\n---\n", "no-body"},
		"no title":                             {"a.yaml", "description: d\ninstructions: B\n", "not-loaded"},
		"no text (headless)":                   {"a.yaml", "title: a\ndescription: d\n", "not-loaded"},
		"a parameter that nothing uses":        {"a.yaml", recipe("parameters: [{key: k, input_type: string, requirement: required, description: d}]\n"), "not-loaded"},
		"a use without a parameter (2423)":     {"a.yaml", recipe("prompt: \"{{args}}\"\n"), "not-loaded"},
		"an extension without a name (1675)":   {"a.yaml", recipe("extensions: [{type: stdio, cmd: x, args: []}]\n"), "not-loaded"},
		"an extension without args":            {"a.yaml", recipe("extensions: [{type: stdio, name: a, cmd: x}]\n"), "not-loaded"},
		"an extension of a type that is gone":  {"a.yaml", recipe("extensions: [{type: sse, name: a, uri: x}]\n"), "not-loaded"},
		"numbers in an extension":              {"a.yaml", recipe("extensions: [{type: stdio, name: a, cmd: x, args: [1]}]\n"), "not-loaded"},
		"available_tools: null":                {"a.yaml", recipe("extensions: [{type: builtin, name: developer, available_tools: }]\n"), "not-loaded"},
		"extensions as a mapping":              {"a.yaml", recipe("extensions: {a: b}\n"), "not-loaded"},
		"a quoted number in settings":          {"a.yaml", recipe("settings: {temperature: \"0.2\"}\n"), "not-loaded"},
		"an author that is a text":             {"a.yaml", recipe("author: me\n"), "not-loaded"},
		"a title that is a template (PR 2612)": {"a.yaml", "title: {{ project }} x\ndescription: d\ninstructions: B\n", "syntax"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(decodetest.None(t, decode, c.file, c.text), " "); got != c.codes {
				t.Errorf("got %s, want %s", got, c.codes)
			}
		})
	}
}

func own(t testing.TB, body, keys string) []render.File {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [goose]\nguard: none\nsubagents:\n- name: probe\n  description: 'Looks {{ at }}. Use when asked.'\n  instructions: "+body+"\n"+keys)), schema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	result, diags := render.Render(m, render.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return result.Files
}

// What this program writes comes back as the same bytes, braces and all.
func TestDecodeIdentity(t *testing.T) {
	const braces = `"{{ x }} {{ '{{' }} {% y %} {# z #} {{{ k }}} {{ k }} \\{{"`
	for _, keys := range []string{
		"", "  title: A probe\n  version: 1.0.0\n",
		"  providers: {goose: {model: m1}}\n",
		"  providers: {goose: {format: recipe}}\n",
		"  providers: {goose: {format: recipe, prompt: 'Go {{ y }}.'}}\n",
		"  providers: {goose: {format: recipe, parameters: [{key: k, input_type: string, requirement: required, description: 'd {{ q }}'}]}}\n",
		"  providers: {goose: {format: recipe, prompt: 'Go {{k}} {{{k}}.', parameters: [{key: k, input_type: string, requirement: required, description: d}]}}\n",
		"  title: T\n  providers:\n    goose:\n      format: recipe\n      model: m\n      provider: p\n      version: x\n      settings: {temperature: 0.5, max_turns: 3}\n      activities: ['{{ a }}']\n" +
			"      extensions: [{type: builtin, name: developer}, {type: stdio, name: s, cmd: c, args: ['{{ b }}'], envs: {A: b}}]\n      sub_recipes: [{name: a, path: b.yaml, values: {k: v}}]\n" +
			"      response: {json_schema: {type: object, properties: {b: {type: string}, a: {type: number}}}}\n      retry: {max_retries: 1, checks: [{type: shell, command: 'echo {{ c }}'}]}\n      extra: {author: {contact: me}}\n",
	} {
		decodetest.Identity(t, schema.GooseID, decode, own(t, braces, keys))
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"---\nname: a\ndescription: d\n---\nB {{ x }}", recipe("prompt: \"{{ '{{' }}\"\nextensions: [{type: stdio}]\n"), "recipe: {}\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.md", "a.yaml"} {
			got, diags := decode(providers.Native{Name: name, Data: data})
			if (len(got) == 0) != diags.HasErrors() {
				t.Fatalf("%d subagents, %v", len(got), diags)
			}
			decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
		}
	})
}
