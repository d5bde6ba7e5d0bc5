package goose

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// encode renders a resolved subagent, which must be free of errors.
func encode(t testing.TB, a *schema.Agent) (string, providers.Output) {
	t.Helper()
	out, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(out.Docs) != 1 {
		t.Fatalf("not one file: %v", out.Docs)
	}
	return string(out.Docs[0].Data), out
}

func entry(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return agenttest.Entry(t, schema.GooseID, keys)
}

// block is [entry] with keys of the block alone, at the margin.
func block(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return entry(t, "providers:\n  goose:\n    "+strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    "))
}

// texts resolves an entry with any texts, and a block.
func texts(t testing.TB, description, body string, block map[string]any) *schema.Agent {
	t.Helper()
	return agenttest.Texts(t, schema.GooseID, description, body, map[string]any{"providers": map[string]any{"goose": block}})
}

// used lists the facts that came into play, with their values.
func used(out providers.Output) []string {
	list := []string{}
	for _, u := range out.Uses {
		list = append(list, strings.TrimSuffix(u.Setting+"="+u.Value, "="))
	}
	return list
}

// cut takes an agent file apart as goose does: at the first two ---, wherever
// they stand.
func cut(t testing.TB, data string) (keys map[string]any, body string) {
	t.Helper()
	parts := strings.SplitN(data, "---", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatalf("not an agent file:\n%s", data)
	}
	if err := yaml.Unmarshal([]byte(parts[1]), &keys); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	body, ok := strings.CutPrefix(parts[2], "\n")
	if !ok {
		t.Fatalf("the front matter does not end with a line:\n%s", data)
	}
	return keys, body
}

// load reads a recipe as goose does: unrendered first, then rendered with the
// values of its parameters.
func load(t testing.TB, data string, values map[string]string) map[string]any {
	t.Helper()
	var keys, rendered map[string]any
	if err := yaml.Unmarshal([]byte(data), &keys); err != nil {
		t.Fatalf("unrendered: %v\n%.2000s", err, data)
	}
	if err := yaml.Unmarshal([]byte(evaluate(t, data, values)), &rendered); err != nil {
		t.Fatalf("rendered: %v\n%.2000s", err, data)
	}
	if keys["description"] != rendered["description"] || keys["title"] != rendered["title"] {
		t.Fatalf("the rendering changes what lists show:\n%.2000s", data)
	}
	return rendered
}

func TestAgentBytes(t *testing.T) {
	data, out := encode(t, entry(t, `
tools: [read]
providers:
  goose:
    model: gpt-x
    extra: {avatar: a.png, "b c": [1, {d: e}]}
`))
	want := `---
# Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file.
name: "probe"
description: "Probes. Use when testing."
model: "gpt-x"
avatar: "a.png"
"b c": [1,{"d":"e"}]
---
Look.`
	if diff := cmp.Diff(want, data); diff != "" {
		t.Error(diff)
	}
	if out.Docs[0].Format != "agent" {
		t.Errorf("format %q", out.Docs[0].Format)
	}
}

func TestRecipeBytes(t *testing.T) {
	data, out := encode(t, entry(t, `
title: Probe
version: 1.2.0
providers:
  goose:
    format: recipe
    model: gpt-x
    provider: openai
    title: The probe
    prompt: "Look at {{ path }}."
    parameters:
      - {key: path, input_type: file, requirement: required, description: "Where {{ to }} look."}
      - {key: depth, input_type: select, requirement: optional, description: How deep., default: "1", options: ["1", "2"]}
    activities: ["depth {{depth}}"]
    settings: {temperature: 0.5, max_turns: 7}
    extensions:
      - {type: stdio, name: s, cmd: serve, envs: {B: "2", A: "1"}}
      - {type: platform, name: summon, available_tools: [load]}
      - {type: streamable_http, name: h, uri: "https://example.test", headers: {A: "{{ depth }}"}, timeout: 5}
    sub_recipes: [{name: other, path: other.yaml, values: {q: "{{ path }}"}, sequential_when_repeated: true}]
    response: {json_schema: {type: object, properties: {zed: {type: string}, alpha: {type: integer, minimum: 1}}, required: [zed]}}
    retry: {max_retries: 2, checks: [{type: shell, command: "test ${#a} = 0"}], timeout_seconds: 9}
    extra: {author: {contact: me}}
`))
	want := `# Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file.
version: "1.2.0"
title: "The probe"
description: "Probes. Use when testing."
instructions: "Look."
prompt: "Look at {{ path }}."
parameters: [{"key":"path","input_type":"file","requirement":"required","description":"Where \u007b{ to }} look."},{"key":"depth","input_type":"select","requirement":"optional","description":"How deep.","default":"1","options":["1","2"]}]
activities: ["depth {{depth}}"]
settings: {"goose_provider":"openai","goose_model":"gpt-x","temperature":0.5,"max_turns":7}
extensions: [{"type":"stdio","name":"s","cmd":"serve","args":[],"envs":{"A":"1","B":"2"}},{"type":"platform","name":"summon","available_tools":["load"]},{"type":"streamable_http","name":"h","uri":"https://example.test","headers":{"A":"{{ depth }}"},"timeout":5}]
sub_recipes: [{"name":"other","path":"other.yaml","values":{"q":"{{ path }}"},"sequential_when_repeated":true}]
response: {"json_schema":{"type":"object","properties":{"zed":{"type":"string"},"alpha":{"type":"integer","minimum":1}},"required":["zed"]}}
retry: {"max_retries":2,"checks":[{"type":"shell","command":"test $\u007b#a} = 0"}],"timeout_seconds":9}
author: {"contact":"me"}
`
	if diff := cmp.Diff(want, data); diff != "" {
		t.Error(diff)
	}
	if out.Docs[0].Format != "recipe" {
		t.Errorf("format %q", out.Docs[0].Format)
	}
	keys := load(t, data, map[string]string{"path": "a/b", "depth": "2"})
	if got := keys["prompt"]; got != "Look at a/b." {
		t.Errorf("prompt %q", got)
	}
}

// M56: an absent key means the session's extensions, an empty list none.
func TestAbsentIsNotEmpty(t *testing.T) {
	for block, want := range map[string]any{
		"{format: recipe}":                   nil,
		"{format: recipe, extensions: null}": nil,
		"{format: recipe, extensions: []}":   []any{},
	} {
		data, _ := encode(t, entry(t, "providers: {goose: "+block+"}"))
		keys := load(t, data, nil)
		got, there := keys["extensions"]
		if diff := cmp.Diff(want, got); diff != "" || there != (want != nil) {
			t.Errorf("%s: %v %s", block, there, diff)
		}
	}
	// Nothing else appears that nobody set.
	data, _ := encode(t, entry(t, "providers: {goose: {format: recipe}}"))
	want := map[string]any{"title": "probe", "description": "Probes. Use when testing.", "instructions": "Look."}
	if diff := cmp.Diff(want, load(t, data, nil)); diff != "" {
		t.Error(diff)
	}
}

// nasty adds what is special to goose to the texts of all hosts.
func nasty() []string {
	return append(agenttest.Nasty(), "{{ .Values.x }}", "${{ secrets.T }}", "a {# x #} b", "{% raw %}{{ .V }}{% endraw %}", "{{{{{%{{#{",
		`{{ '{{' }} {{ "a" }}`, "x: {{{ y }}} }}", "${#a[@]} {% if x %}", "{{", "{", "{%-", "\\{{ a }}\\", "{{ '{%' }}{%{{'", `{"a":{"b":1}}`, "\\frac{{a}}{{b}}\n{{\nx\n}}",
		"foo --- bar", "a---b", strings.Repeat("é{{", 8_000))
}

func TestAgentTextsAreExact(t *testing.T) {
	for _, text := range nasty() {
		data, _ := encode(t, texts(t, text, text, nil))
		keys, body := cut(t, data)
		if diff := cmp.Diff(map[string]any{"name": "probe", "description": text}, keys); diff != "" {
			t.Error(diff)
		}
		if got := evaluate(t, body, nil); got != text {
			t.Errorf("body: want %.300q, got %.300q", text, got)
		}
	}
}

// Ruling 1: the text is right after the two renderings of a delegation, and
// with a prompt after the one of goose run.
func TestRecipeTextsAreExact(t *testing.T) {
	for _, text := range nasty() {
		data, _ := encode(t, texts(t, text, text, map[string]any{"format": "recipe"}))
		keys := load(t, data, nil)
		if got := evaluate(t, keys["instructions"].(string), nil); got != text || keys["description"] != text {
			t.Errorf("delegated: want %.300q, got %.300q and %.300q", text, got, keys["description"])
		}
		key := text[:min(len(text), 200)] // YAML has a limit for keys
		data, _ = encode(t, texts(t, text, text, map[string]any{
			"format": "recipe", "prompt": text, "title": text, "activities": []any{text}, "extra": map[string]any{key: text},
			"response": map[string]any{"json_schema": map[string]any{"properties": map[string]any{key: map[string]any{"description": text}}}},
		}))
		keys = load(t, data, nil)
		want := map[string]any{
			"title": text, "description": text, "instructions": text, "prompt": text, "activities": []any{text}, key: text,
			"response": map[string]any{"json_schema": map[string]any{"properties": map[string]any{key: map[string]any{"description": text}}}},
		}
		if diff := cmp.Diff(want, keys); diff != "" {
			t.Errorf("%.80q: %s", text, diff)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, text := range nasty() {
		if len(text) < 1000 {
			f.Add(text, text)
		}
	}
	f.Fuzz(func(t *testing.T, description, body string) {
		if !utf8.ValidString(description) || !utf8.ValidString(body) || strings.TrimSpace(description) == "" || strings.TrimSpace(body) == "" {
			t.Skip()
		}
		node := &schema.Node{Kind: schema.Map, Fields: []schema.Field{{Key: "description", Value: &schema.Node{}}, {Key: "instructions", Value: &schema.Node{}}}}
		a := &schema.Agent{Entry: &schema.Entry{Node: node}, Provider: schema.GooseID, Name: "probe", Slug: "probe", Description: description, Instructions: body, Block: &schema.Goose{}}
		data, _ := encode(t, a)
		keys, got := cut(t, data)
		if got = evaluate(t, got, nil); keys["description"] != description || got != body {
			t.Fatalf("agent: %q and %q became %q and %q", description, body, keys["description"], got)
		}
		a.Block = &schema.Goose{Format: "recipe"}
		data, _ = encode(t, a)
		keys = load(t, data, nil)
		if got = evaluate(t, keys["instructions"].(string), nil); keys["description"] != description || got != body {
			t.Fatalf("delegated: %q and %q became %q and %q", description, body, keys["description"], got)
		}
		a.Block = &schema.Goose{Format: "recipe", Prompt: body}
		data, _ = encode(t, a)
		keys = load(t, data, nil)
		if keys["description"] != description || keys["instructions"] != body || keys["prompt"] != body {
			t.Fatalf("run: %q and %q became %q, %q and %q", description, body, keys["description"], keys["instructions"], keys["prompt"])
		}
	})
}

func TestModel(t *testing.T) {
	const models = "defaults:\n  providers:\n    goose:\n      models: {light: small, deep: {model: big, effort: high}}\n"
	for name, c := range map[string]struct{ head, keys, model, uses string }{
		"nothing":            {"", "", "", ""},
		"block":              {"", "providers: {goose: {model: sonnet}}", "sonnet", ""},
		"tier":               {models, "tier: light", "small", ""},
		"tier with effort":   {models, "tier: deep", "big", "effort=high"},
		"block above tier":   {models, "tier: deep\nproviders: {goose: {model: m}}", "m", ""},
		"tier without model": {models, "tier: standard", "", "tier#no-model=standard"},
		"null in the block":  {strings.Replace(models, "models:", "model: own\n      models:", 1), "providers: {goose: {model: null}}", "", ""},
		"null leaves a tier": {strings.Replace(models, "models:", "model: own\n      models:", 1), "tier: light\nproviders: {goose: {model: null}}", "small", ""},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := c.head + "subagents:\n  - name: probe\n    description: Use it.\n    instructions: Look.\n    " + strings.ReplaceAll(c.keys, "\n", "\n    ") + "\n"
			data, out := encode(t, agenttest.Resolve(t, schema.GooseID, manifest))
			keys, _ := cut(t, data)
			model, _ := keys["model"].(string)
			if diff := cmp.Diff([]string{c.model, c.uses}, []string{model, strings.Join(used(out), " ")}); diff != "" {
				t.Errorf("%s\n%s", diff, data)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	for keys, want := range map[string]any{
		"":             nil,
		"model: m":     map[string]any{"goose_model": "m"},
		"provider: p":  map[string]any{"goose_provider": "p"},
		"settings: {}": map[string]any{},
		"settings: {goose_model: m, max_turns: 1}":             map[string]any{"goose_model": "m", "max_turns": 1},
		"model: m, settings: {goose_model: m, temperature: 1}": map[string]any{"goose_model": "m", "temperature": 1},
	} {
		data, _ := encode(t, entry(t, "providers: {goose: {format: recipe, "+keys+"}}"))
		if diff := cmp.Diff(want, load(t, data, nil)["settings"]); diff != "" {
			t.Errorf("%s: %s", keys, diff)
		}
	}
	// What ranks higher wins.
	data, _ := encode(t, agenttest.Resolve(t, schema.GooseID, `
defaults: {providers: {goose: {format: recipe, model: low, settings: {goose_provider: p, goose_model: lower}}}}
subagents:
  - {name: probe, description: Use it., instructions: Look., providers: {goose: {model: high}}}
`))
	if diff := cmp.Diff(map[string]any{"goose_provider": "p", "goose_model": "high"}, load(t, data, nil)["settings"]); diff != "" {
		t.Error(diff)
	}
}

func TestTitleAndVersion(t *testing.T) {
	for keys, want := range map[string][2]any{
		"":                         {"probe", nil},
		"title: T\nversion: 1.0.0": {"T", "1.0.0"},
		"title: T\nversion: 1.0.0\nproviders: {goose: {title: B, version: v2}}": {"B", "v2"},
		"title: null\nproviders: {goose: {title: null}}":                        {"probe", nil},
	} {
		data, _ := encode(t, agenttest.Resolve(t, schema.GooseID, "defaults: {providers: {goose: {format: recipe, title: D}}}\nsubagents:\n  - name: probe\n    description: Use it.\n    instructions: Look.\n    "+
			strings.ReplaceAll(keys, "\n", "\n    ")+"\n"))
		loaded := load(t, data, nil)
		if keys == "" {
			want[0] = "D"
		}
		if got := [2]any{loaded["title"], loaded["version"]}; got != want {
			t.Errorf("%q: want %v, got %v", keys, want, got)
		}
	}
}

func TestFacts(t *testing.T) {
	long := strings.Repeat("é", 161)
	for keys, want := range map[string]string{
		"":                                    "",
		"title: T\nversion: 1.0.0":            "title#agent=T version#agent=1.0.0",
		"skills: [{id: a, preload: true}, b]": "skills#preload=a",
		"providers: {goose: {format: recipe, extensions: [{type: builtin, name: memory, available_tools: []}]}}": "goose.extensions#all-tools=memory",
		"providers: {goose: {format: recipe, sub_recipes: [{name: a, path: a.yaml}]}}":                           "goose.sub_recipes#without-extensions",
		"providers: {goose: {format: recipe, sub_recipes: [], extensions: []}}":                                  "",
	} {
		if _, out := encode(t, entry(t, keys)); strings.Join(used(out), " ") != want {
			t.Errorf("%s: want %q, got %q", keys, want, used(out))
		}
	}
	for name, c := range map[string]struct {
		description, body string
		block             map[string]any
		want              string
	}{
		"description at the limit":     {long[:320], "b", nil, ""},
		"description beyond the limit": {long, "b", nil, "description#cut"},
		"braces in a description":      {"{{ x }}", "b", nil, ""},
		"indent":                       {"d", "\n    code", nil, "instructions#indent"},
		"no indent":                    {"d", "\n\ncode", nil, ""},
		"agent":                        {"d", "{{ x }}", nil, "instructions#template-in-agent"},
		"lone braces":                  {"d", "{ x } }}", nil, ""},
		"recipe to delegate to":        {"d", "{% x %}", map[string]any{"format": "recipe"}, "instructions#template-delegated"},
		"recipe to run":                {"d", "{# x #}", map[string]any{"format": "recipe", "prompt": "go"}, "instructions#template-run"},
		"recipe without braces":        {"d", "x", map[string]any{"format": "recipe"}, ""},
		"a parameter alone is no template": {"d", "{{ k }}", map[string]any{"format": "recipe", "parameters": []any{
			map[string]any{"key": "k", "input_type": "string", "requirement": "required", "description": ""},
		}}, "goose.parameters#in-text"},
	} {
		if _, out := encode(t, texts(t, c.description, c.body, c.block)); strings.Join(used(out), " ") != c.want {
			t.Errorf("%s: want %q, got %q", name, c.want, used(out))
		}
	}
}

// What defaults are made for recipes with is left out of an agent file, with a note.
func TestAgentAmongRecipes(t *testing.T) {
	a := agenttest.Resolve(t, schema.GooseID, `
defaults: {providers: {goose: {format: recipe, settings: {max_turns: 5}, provider: p, prompt: go}}}
subagents:
  - {name: probe, description: Use it., instructions: Look., providers: {goose: {format: agent, prompt: null}}}
`)
	data, out := encode(t, a)
	if diff := cmp.Diff([]string{"goose.provider#agent", "goose.settings#agent"}, used(out)); diff != "" {
		t.Error(diff)
	}
	if keys, _ := cut(t, data); len(keys) != 2 {
		t.Errorf("further keys: %v", keys)
	}
}

// K38: verbs that the defaults list are told for a read-only entry.
func TestStrippedVerbs(t *testing.T) {
	_, out := encode(t, agenttest.Resolve(t, schema.GooseID, `
defaults: {tools: [read, edit]}
subagents:
  - {name: probe, description: Use it., instructions: Look., access: read-only}
`))
	if diff := cmp.Diff([]string{"tools#stripped=edit"}, used(out)); diff != "" {
		t.Error(diff)
	}
}

// T49, ruling 5: the variables of goose, in their order.
func TestRoots(t *testing.T) {
	home := filepath.FromSlash("/home/me")
	for _, format := range []string{asAgent, asRecipe} {
		place, ok := facts.Place(schema.UserScope, format)
		if !ok {
			t.Fatal(format)
		}
		for want, env := range map[string]map[string]string{
			"/home/me/.config/goose": {},
			"/x/goose":               {"XDG_CONFIG_HOME": "/x/"},
			"/r/config":              {"XDG_CONFIG_HOME": "/x", "GOOSE_PATH_ROOT": " /r "},
			"/y/goose":               {"XDG_CONFIG_HOME": "/y", "GOOSE_PATH_ROOT": "relative"},
		} {
			if got := place.Root(home, func(name string) string { return env[name] }); got != filepath.FromSlash(want) {
				t.Errorf("%v: want %s, got %s", env, want, got)
			}
		}
	}
}
