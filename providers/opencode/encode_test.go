package opencode

import (
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
func encode(t testing.TB, a *schema.Agent) providers.Output {
	t.Helper()
	out, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(out.Docs) != 1 {
		t.Fatalf("%d files", len(out.Docs))
	}
	return out
}

func entry(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return agenttest.Entry(t, schema.OpenCodeID, keys)
}

// used says whether a fact came into play.
func used(out providers.Output, setting string) bool {
	for _, u := range out.Uses {
		if u.Setting == setting {
			return true
		}
	}
	return false
}

func TestBytes(t *testing.T) {
	for _, test := range []struct{ keys, want string }{
		{"", "mode: \"subagent\"\n"},
		{`tier: deep
delegates: []
providers:
  opencode:
    mode: all
    model: local/qwen3:4b
    variant: high
    temperature: 0.2
    top_p: 1
    steps: 8
    color: "#ff0000"
    hidden: true
    permission:
      bash:
        "*": ask
        "git *": allow
      webfetch: deny
      lsp: {}
    options: {b: 1, a: {"x y": [true]}}
    extra: {zeta: 1, reasoningEffort: high}
`, `mode: "all"
model: "local/qwen3:4b"
variant: "high"
temperature: 0.2
top_p: 1
steps: 8
color: "#ff0000"
hidden: true
permission:
  "task": "deny"
  "bash":
    "*": "ask"
    "git *": "allow"
  "webfetch": "deny"
  "lsp": {}
options: {"a":{"x y":[true]},"b":1}
reasoningEffort: "high"
zeta: 1
`},
		{"tools: [read, list, search]\nmcp: ['gh', 'context 7/resolve.id']", `mode: "subagent"
permission:
  "*_*": "deny"
  "gh_*": "allow"
  "context_7_resolve_id": "allow"
  "edit": "deny"
  "bash": "deny"
  "task": "deny"
  "webfetch": "deny"
  "websearch": "deny"
  "todowrite": "deny"
  "skill": "deny"
  "lsp": "deny"
  "question": "deny"
`},
	} {
		want := "---\n# " + providers.Marker + "\ndescription: \"Probes. Use when testing.\"\n" + test.want + "---\nLook."
		if diff := cmp.Diff(want, string(encode(t, entry(t, test.keys)).Docs[0].Data)); diff != "" {
			t.Errorf("%s: %s", test.keys, diff)
		}
	}
}

// The client reads its front matter with a YAML 1.1 reader: what is text must be
// tagged as text, numbers and booleans as such, and the keys that would rename
// or empty the agent must not be there.
func TestScalarsAreWhatTheyAre(t *testing.T) {
	a := entry(t, "providers: {opencode: {model: a/b, variant: 'no', temperature: 1, top_p: 0.5, steps: 3, color: '#123456', hidden: false, extra: {yes: 'on', '1': '2024-01-01'}}}")
	keys, head, _ := agenttest.FrontMatter(t, encode(t, a).Docs[0].Data)
	tags := map[string]string{}
	for i := 0; i < len(head.Content); i += 2 {
		if head.Content[i].ShortTag() != "!!str" {
			t.Errorf("the key %s is %s", head.Content[i].Value, head.Content[i].ShortTag())
		}
		tags[head.Content[i].Value] = head.Content[i+1].ShortTag()
		if style := head.Content[i+1].Style; head.Content[i+1].ShortTag() == "!!str" && style != yaml.DoubleQuotedStyle {
			t.Errorf("%s is not quoted", head.Content[i].Value)
		}
	}
	want := map[string]string{
		"description": "!!str", "mode": "!!str", "model": "!!str", "variant": "!!str", "temperature": "!!int", "top_p": "!!float", "steps": "!!int",
		"color": "!!str", "hidden": "!!bool", "yes": "!!str", "1": "!!str",
	}
	if diff := cmp.Diff(want, tags); diff != "" {
		t.Error(diff)
	}
	if keys["variant"] != "no" || keys["yes"] != "on" {
		t.Error(keys)
	}
}

func TestModels(t *testing.T) {
	manifest := func(models, keys string) *schema.Agent {
		return agenttest.Resolve(t, schema.OpenCodeID, "defaults:\n  providers: {opencode: {models: "+models+"}}\nsubagents:\n  - {name: probe, description: Probes., instructions: Look., "+keys+"}\n")
	}
	const table = "{deep: {model: a/deep, effort: max}, light: a/light}"
	for _, test := range []struct{ models, keys, model, variant, fact string }{
		{table, "tier: deep", "a/deep", "max", ""},
		{table, "tier: light", "a/light", "", ""},
		{table, "tier: standard", "", "", "tier#no-model"},
		{"{}", "tier: deep", "", "", "tier#no-model"},
		{table, "tier: deep, effort: low", "a/deep", "max", ""},
		{table, "effort: low", "", "", ""},
		{table, "tier: deep, providers: {opencode: {model: b/c}}", "b/c", "", ""},
		{table, "tier: deep, providers: {opencode: {variant: low}}", "a/deep", "low", ""},
		{table, "tier: deep, providers: {opencode: {variant: null}}", "a/deep", "max", ""},
		{table, "providers: {opencode: {variant: low}}", "", "low", "opencode.variant#no-model"},
	} {
		out := encode(t, manifest(test.models, test.keys))
		keys, _, _ := agenttest.FrontMatter(t, out.Docs[0].Data)
		model, _ := keys["model"].(string)
		variant, _ := keys["variant"].(string)
		if model != test.model || variant != test.variant {
			t.Errorf("%s: model %q, variant %q", test.keys, model, variant)
		}
		for _, fact := range []string{"tier#no-model", "opencode.variant#no-model"} {
			if used(out, fact) != (fact == test.fact) {
				t.Errorf("%s: %s noted %v", test.keys, fact, used(out, fact))
			}
		}
	}
	for model, want := range map[string]string{"sonnet": "foreign-model", "inherit": "foreign-model", "a/": "foreign-model", "a/b#high": "model-variant"} {
		a := manifest("{deep: "+model+"}", "tier: deep")
		_, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
		if diff := cmp.Diff([]string{want}, agenttest.Codes(diags)); diff != "" {
			t.Errorf("%s: %s", model, diff)
		}
	}
}

func roundTrip(t testing.TB, description, body string) {
	t.Helper()
	a := agenttest.Texts(t, schema.OpenCodeID, description, body, map[string]any{
		"access": "read-only", "providers": map[string]any{"opencode": map[string]any{"variant": description}},
	})
	data := encode(t, a).Docs[0].Data
	keys, head, after := agenttest.FrontMatter(t, data)
	if keys["description"] != description || keys["variant"] != description || after != body {
		t.Errorf("description %q, body %q", keys["description"], after)
	}
	// The client's reader cuts the head off at the first line that starts ---,
	// without parsing it.
	text := string(data)[len("---"):]
	if cut := strings.Index(text, "\n---"); text[cut:] != "\n---\n"+body {
		t.Errorf("the front matter ends at %d", cut)
	}
	if len(head.Content) != 8 {
		t.Errorf("%d nodes in the head", len(head.Content))
	}
}

func TestTextsRoundTrip(t *testing.T) {
	for _, text := range agenttest.Nasty() {
		roundTrip(t, text, text)
	}
}

func FuzzTextsRoundTrip(f *testing.F) {
	for _, text := range agenttest.Nasty() {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, description, body string) {
		blank := strings.TrimSpace(body) == "" || !strings.ContainsFunc(description, visible)
		if blank || !utf8.ValidString(description) || !utf8.ValidString(body) {
			t.Skip()
		}
		roundTrip(t, description, body)
	})
}

// visible is what the schema's \S takes for a character that is not blank.
func visible(r rune) bool { return !strings.ContainsRune(" \t\n\v\f\r", r) }
