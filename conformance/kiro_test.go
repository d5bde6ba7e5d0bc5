//go:build conformance

package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/conformance/kirorules"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// kiroDirectory is the rendered agents directory of Kiro.
func kiroDirectory(result *render.Result) fstest.MapFS {
	dir := fstest.MapFS{}
	for _, file := range result.Files {
		if file.Provider == schema.KiroID {
			dir[strings.TrimPrefix(file.Path, ".kiro/agents/")] = &fstest.MapFile{Data: file.Data}
		}
	}
	return dir
}

// holdKiro checks the files by the rules and reads name, description and prompt back. uneven lists the rules that the
// manifest breaks knowingly, with keys that not every build treats alike.
func holdKiro(t *testing.T, result *render.Result, uneven ...string) {
	t.Helper()
	promised := map[string]render.Rendered{}
	for _, r := range result.Agents {
		if r.Provider == schema.KiroID && len(r.Files) > 0 {
			promised[r.Agent.Slug] = r
		}
	}
	agents, problems, err := kirorules.Check(kiroDirectory(result))
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]bool{}
	for _, p := range problems {
		if p.Level == kirorules.Uneven && slices.Contains(uneven, p.Rule) {
			continue
		}
		wrong[p.File] = true
		t.Error(p)
	}
	if len(agents) != len(kiroDirectory(result)) || len(agents) < len(promised) {
		t.Errorf("%d files are agents, of %d", len(agents), len(kiroDirectory(result)))
	}
	for _, agent := range agents {
		r, ok := promised[agent.Name]
		switch {
		case !ok:
			t.Errorf("%s is called %q, as no sub-agent is", agent.File, agent.Name)
		case agent.Description != r.Agent.Description:
			t.Errorf("%s: description %.100q", agent.File, agent.Description)
		case !holds(agent.Prompt, r.Agent):
			t.Errorf("%s: the prompt lacks the instructions: %.100q", agent.File, agent.Prompt)
		default:
			continue
		}
		wrong[agent.File] = true
	}
	suite.CountRules("kiro", len(agents), len(wrong))
}

// kiroFormats are what a block's format can say.
var kiroFormats = []string{"json", "markdown", "both"}

// unevenIn adds what the format both breaks by being both.
func unevenIn(format string, rules ...string) []string {
	if format == "both" {
		rules = append(rules, "both-formats")
	}
	return rules
}

// The files keep the rules that the loaders publish, in each format. A72.
func TestKiroCatalogue(t *testing.T) {
	for _, format := range kiroFormats {
		from, to := []byte("\ndefaults:\n"), fmt.Appendf(nil, "\ndefaults:\n  providers: {kiro: {format: %s}}\n", format)
		if bytes.Count(subagents.Catalogue, from) != 1 {
			t.Fatal("the catalogue has no defaults to add to")
		}
		uneven := unevenIn(format)
		if format != "json" {
			uneven = append(uneven, "version-dependent") // effort, which JSON leaves out
		}
		holdKiro(t, renderedManifest(t, "subagents.yml", bytes.Replace(subagents.Catalogue, from, to, 1)), uneven...)
	}
}

func TestKiroAdversarial(t *testing.T) {
	for _, format := range kiroFormats {
		defaults := map[string]any{"providers": map[string]any{"kiro": map[string]any{"format": format}}}
		holdKiro(t, renderedManifest(t, "adversarial.json", adversarialManifest(defaults)), unevenIn(format)...)
	}
}

func TestKiroEveryKey(t *testing.T) {
	for _, format := range kiroFormats {
		holdKiro(t, renderedManifest(t, "every-key.yml", everyKey(t, "/server", format)), unevenIn(format, "version-dependent")...)
	}
}

// Broken files are seen as such.
func TestKiroMutations(t *testing.T) {
	for _, m := range []struct {
		name, entry, from, to, rule string
	}{
		{"unknown-key", "", `"name"`, `"color": "red", "name"`, "unknown-key"},
		{"no-tools", "tools: [read]", "[\n    \"read\"\n  ]", `[]`, "tools-missing"},
		{"tools-as-text", "tools: [read]", "[\n    \"read\"\n  ]", `"read"`, "type"},
		{"claude-tool", "tools: [read]", `"read"`, `"Read"`, "tool-unknown"},
		{"model-alias", "providers: {kiro: {model: auto}}", `"auto"`, `"sonnet"`, "model-alias"},
		{"null", "", `"description": "d"`, `"description": null`, "null"},
		{"trailing-comma", "", "\n}\n", ",\n}\n", "json-syntax"},
		{"name-other", "", `"name": "row-name-other-mutant"`, `"name": "other"`, "name-stem"},
		{"permissions-missing", "providers: {kiro: {allowed_tools: [read]}}", "\"permissions\": {\n    \"rules\": []\n  }", `"welcomeMessage": "x"`, "skipped-by-v3"},
		{"markdown-colon", "description: 'Use when: asked'\nproviders: {kiro: {format: markdown}}", `"Use when: asked"`, "Use when: asked", "yaml"},
		{"markdown-fence", "providers: {kiro: {format: markdown}}", "\n---\n", "\n", "front-matter"},
	} {
		t.Run(m.name, func(t *testing.T) {
			result, err := mutation{name: m.name, entry: m.entry}.showing().result(schema.KiroID, true)
			if err != nil {
				t.Fatal(err)
			}
			data := result.Files[0].Data
			if _, before, _ := kirorules.Check(kiroDirectory(result)); slices.ContainsFunc(before, func(p kirorules.Problem) bool { return p.Rule == m.rule }) {
				t.Fatalf("the sound file breaks %s too", m.rule)
			}
			if !bytes.Contains(data, []byte(m.from)) {
				t.Fatalf("the rendered file does not hold %q:\n%s", m.from, data)
			}
			result.Files[0].Data = bytes.Replace(data, []byte(m.from), []byte(m.to), 1)
			_, problems, err := kirorules.Check(kiroDirectory(result))
			if err != nil || !slices.ContainsFunc(problems, func(p kirorules.Problem) bool { return p.Rule == m.rule && p.Level == kirorules.Broken }) {
				t.Fatalf("want %s, got %v, %v", m.rule, problems, err)
			}
			suite.CountMutation("kiro", ByRules, false)
		})
	}
}
