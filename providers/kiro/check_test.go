package kiro

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

func TestProblems(t *testing.T) {
	for _, test := range []struct {
		keys string
		want []string
		line int    // of the first problem; the keys start on line 5
		says string // in its detail
	}{
		{"slug: release-workflow", []string{"reserved-name"}, 2, "slug"},
		{"providers: {kiro: {model: sonnet}}", []string{"foreign-model"}, 5, "claude-sonnet-4.5"},
		{"providers: {kiro: {model: 'OPUS[1m]'}}", []string{"foreign-model"}, 5, "auto"},
		{"providers: {kiro: {model: claude-sonnet-4}}", []string{}, 0, ""},
		{"access: read-only\nproviders:\n  kiro:\n    tools: [read, write]", []string{"policy-tool-conflict"}, 8, "workspace-write"},
		{"access: read-only\nproviders:\n  kiro:\n    tools: ['*']", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    tools: ['@builtin']", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    tools: [fs_read, execute_bash]", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    tools: [mystery]", []string{"unknown-native-tool?", "policy-tool-conflict"}, 8, "case-sensitive"},
		{"access: read-only\nproviders:\n  kiro:\n    allowed_tools: ['fs_*']", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    tool_aliases: {shell: read}", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    permissions: {rules: [{capability: fs_write, effect: ask}]}", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nproviders:\n  kiro:\n    permissions: {rules: [{capability: fs_write, effect: deny}]}", []string{}, 0, ""},
		{"access: read-only\nproviders:\n  kiro:\n    permissions: {rules: [], policies: [dev-shell]}", []string{"policy-tool-conflict"}, 8, ""},
		{"access: read-only\nallow_read_only_shell: true\nproviders: {kiro: {permissions: {rules: [{capability: shell, effect: allow}], policies: [read-only-shell]}}}", []string{}, 0, ""},
		{"delegates: []\nproviders:\n  kiro:\n    tools: [read, subagent, '*']", []string{"policy-tool-conflict", "policy-tool-conflict"}, 8, "delegates"},
		{"providers:\n  kiro:\n    tools: [Read, Bash, mcp__gh__find]", []string{"unknown-native-tool?", "unknown-native-tool?", "unknown-native-tool?"}, 7, "Did you mean read?"},
		{"providers:\n  kiro:\n    tools: [Bash]", []string{"unknown-native-tool?"}, 7, "Did you mean shell?"},
		{"providers: {kiro: {tools: [read, write], allowed_tools: ['*', shell, fs_read, '@x*']}}", []string{"no-effect?", "no-effect?"}, 5, "@builtin"},
		{"providers: {kiro: {tools_settings: {Bash: {}}}}", []string{"unknown-native-tool?"}, 5, "shell"},
		{"providers: {kiro: {excluded_tools: [Task], tool_aliases: {Edit: e}}}", []string{"unknown-native-tool?", "unknown-native-tool?"}, 5, "subagent"},
		{"mcp: [builtin]", []string{"reserved-mcp-server"}, 5, "another name"},
		{"mcp: ['gh/*']", []string{"reserved-mcp-server"}, 5, "alone"},
		{"providers: {kiro: {mcp_servers: {powers: {command: x}}}}", []string{"reserved-mcp-server"}, 5, ""},
		{"providers: {kiro: {mcp_servers: {x: {}}}}", []string{"bad-mcp-server"}, 5, "command"},
		{"providers: {kiro: {mcp_servers: {x: {type: http}}}}", []string{"bad-mcp-server"}, 5, "url"},
		{"providers: {kiro: {mcp_servers: {x: {type: stdio, url: y}}}}", []string{"bad-mcp-server"}, 5, "command"},
		{"providers: {kiro: {mcp_servers: {x: {command: y, url: z}}}}", []string{"bad-mcp-server"}, 5, "Keep"},
		{"providers: {kiro: {mcp_servers: {x: {disabled: true}, y: {type: registry}}}}", []string{}, 0, ""},
		{"tools: [read]\nproviders:\n  kiro:\n    mcp_servers:\n      x: {command: y}", []string{"no-effect?"}, 9, "@x"},
		{"providers:\n  kiro:\n    hooks:\n      agentStop: [{command: x}]", []string{"unknown-hook-event"}, 8, "agentSpawn, "},
		{"providers: {kiro: {hooks: {SessionStart: []}}}", []string{"unknown-hook-event"}, 5, "stop"},
		{"providers: {kiro: {tools_settings: {shell: {a: [null]}}}}", []string{"null-value"}, 5, "out"},
		{"providers: {kiro: {mcp_servers: {x: {url: y, oauth: {a: null}}}}}", []string{"null-value"}, 5, ""},
		{"providers: {kiro: {extra: {a: {b: null}}}}", []string{"null-value"}, 5, ""},
		{"providers: {kiro: {extra: {systemPrompt: x}}}", []string{"extra-collision"}, 5, ""},
		{"providers: {kiro: {extra: {effortLevel: high}}}", []string{"extra-collision"}, 5, ""},
	} {
		a := entry(t, test.keys)
		agenttest.Refusal{Keys: test.keys, Codes: test.want, Line: test.line, Says: test.says}.Check(t, Provider{}, &providers.Agent{Agent: a, Body: a.Instructions, HostTool: otherHosts})
	}
}

// A prompt in JSON that starts like an address names a file.
func TestPromptThatLooksLikeAnAddress(t *testing.T) {
	for _, test := range []struct {
		body, format string
		want         []string
	}{
		{"file://x.md", "json", []string{"prompt-is-address"}},
		{"\n  FILE://x.md is the file.", "both", []string{"prompt-is-address"}},
		{"file://x.md", "markdown", []string{}},
		{"See file://x.md", "json", []string{}},
		{"file:/x.md", "json", []string{}},
	} {
		a := agenttest.Texts(t, schema.KiroID, "Probes.", test.body, map[string]any{"providers": map[string]any{"kiro": map[string]any{"format": test.format}}})
		_, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
		if diff := cmp.Diff(test.want, agenttest.Codes(diags)); diff != "" {
			t.Errorf("%q: %s", test.body, diff)
		}
	}
}

// K48: no tier of the manifest becomes a model unless a table names it.
func TestModels(t *testing.T) {
	manifest := func(models, keys string) *schema.Agent {
		return agenttest.Resolve(t, schema.KiroID, "defaults:\n  providers: {kiro: {models: "+models+"}}\nsubagents:\n  - {name: probe, description: Probes., instructions: Look., "+keys+"}\n")
	}
	for _, test := range []struct{ models, keys, model, fact string }{
		{"{deep: claude-opus-5}", "tier: deep", "claude-opus-5", ""},
		{"{deep: claude-opus-5}", "tier: light", "", "tier#no-model"},
		{"{}", "tier: light", "", "tier#no-model"},
		{"{deep: claude-opus-5}", "tier: deep, providers: {kiro: {model: auto}}", "auto", ""},
		{"{deep: {model: claude-opus-5, effort: xhigh}}", "tier: deep", "claude-opus-5", "tier#json"},
		{"{}", "effort: low", "", "effort#json"},
		{"{}", "providers: {kiro: {effort_level: low}}", "", "kiro.effort_level#json"},
	} {
		out := encode(t, manifest(test.models, test.keys))
		keys, _ := readJSON(t, doc(t, out, asJSON))
		if got, _ := keys["model"].(string); got != test.model {
			t.Errorf("%s: model %q", test.keys, got)
		}
		if _, ok := keys["effortLevel"]; ok {
			t.Errorf("%s: effortLevel in JSON", test.keys)
		}
		for _, fact := range []string{"tier#no-model", "tier#json", "effort#json", "kiro.effort_level#json"} {
			if used(out, fact) != (fact == test.fact) {
				t.Errorf("%s: %s noted %v", test.keys, fact, used(out, fact))
			}
		}
	}
	a := manifest("{deep: opus}", "tier: deep")
	_, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diff := cmp.Diff([]string{"foreign-model"}, agenttest.Codes(diags)); diff != "" {
		t.Error(diff)
	}
}

// otherHosts stands in for the tables of the other hosts.
func otherHosts(native string) (schema.Verb, bool) {
	verb, ok := map[string]schema.Verb{"Bash": schema.Shell, "Edit": schema.Edit, "Task": schema.Delegate}[native]
	return verb, ok
}

// Every key of the block and every neutral key has a row, and every row says
// that it was not observed or is a rule of this program.
func TestTable(t *testing.T) {
	var settings []string
	for _, key := range keysOf(reflect.TypeFor[schema.Neutral]()) {
		if _, own := providers.OwnKeys()[key]; !own {
			settings = append(settings, key)
		}
	}
	for _, key := range keysOf(reflect.TypeFor[schema.Kiro]()) {
		settings = append(settings, "kiro."+key)
	}
	for _, setting := range append(settings, "skills#preload") {
		if _, ok := facts.Level(setting, "", ""); !ok {
			t.Errorf("no row for %s", setting)
		}
	}
	for _, c := range capabilities {
		if c.Source != rule && !strings.Contains(c.Source, "not observed") {
			t.Errorf("%s: the source %q claims more than there is", c.Setting, c.Source)
		}
		if c.Why == "" || !slices.Contains(providers.Levels(), c.Level) {
			t.Errorf("%s: %+v", c.Setting, c)
		}
		universal := []string{"kiro.model", "kiro.tools"}
		if strings.HasPrefix(c.Setting, "kiro.") && !slices.Contains(universal, c.Setting) && c.Code == "" {
			t.Errorf("%s: no note", c.Setting)
		}
	}
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			keys = append(keys, name)
		}
	}
	return keys
}

// Every fact that the encoder notes is in the table.
func TestUsesHaveRows(t *testing.T) {
	agents := []*schema.Agent{
		entry(t, everyKey),
		entry(t, "delegates: []\nmcp: [gh]\ntier: deep\neffort: low\nproviders: {kiro: {format: both}}"),
		entry(t, "providers: {kiro: {format: both, allowed_tools: [], effort_level: low}}"),
	}
	seen := 0
	for _, a := range agents {
		for _, u := range encode(t, a).Uses {
			seen++
			if len(facts.Rows(u.Setting, u.Value, "")) == 0 {
				t.Errorf("no row for %s", u.Setting)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d facts", seen)
	}
}

func TestPlaces(t *testing.T) {
	for format, ext := range map[string]string{asJSON: "json", asMarkdown: "md"} {
		for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
			place, ok := facts.Place(scope, format)
			if want := fmt.Sprintf(".kiro/agents/probe.%s", ext); !ok || place.Path("probe") != want {
				t.Errorf("%s %s: %s", scope, format, place.Path("probe"))
			}
		}
	}
	place, _ := facts.Place(schema.UserScope, asJSON)
	if got := place.Root("/home/x", func(string) string { return " /k/ " }); got != "/k" {
		t.Errorf("KIRO_HOME: %s", got)
	}
}
