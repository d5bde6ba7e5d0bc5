package codex

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// problems encodes a subagent and lists its diagnostics: LINE:COLUMN CODE.
func problems(t testing.TB, a *schema.Agent) (hcl.Diagnostics, []string) {
	t.Helper()
	return agenttest.Placed(t, Provider{}, a)
}

// The keys of the block start on line 7, column 9.
func TestProblems(t *testing.T) {
	for keys, want := range map[string][]string{
		"model: sonnet":                                {"7:16 foreign-model"},
		"model: Claude-Opus-4-5":                       {"7:16 foreign-model"},
		"model: inherit":                               {"7:16 foreign-model"},
		"model: us.anthropic.claude-sonnet-4-5":        {"7:16 foreign-model"},
		"{model: gpt-5.5, reasoning_effort: max}":      {"7:44 unsupported-effort?"},
		"{model: gpt-6-luna, reasoning_effort: ultra}": {"7:47 unsupported-effort?"},
		"{model: gpt-6-luna, reasoning_effort: max}":   {},
		"{model: gpt-6.1-sol, reasoning_effort: none}": {"7:48 unsupported-effort?"},
		"{model: ours, reasoning_effort: minimal}":     {},
		"reasoning_effort: minimal":                    {"7:27 unsupported-effort?"},
		"reasoning_effort: max":                        {"7:27 unsupported-effort?"},
		"reasoning_effort: xhigh":                      {},
		`nickname_candidates: [Ada, " Ada"]`:           {"7:36 bad-value"},

		"mcp_servers: {}":                                      {"7:22 bad-mcp-server"},
		"mcp_servers: {s: {enabled: false}}":                   {"7:23 bad-mcp-server"},
		"mcp_servers: {s: {command: a, url: b}}":               {"7:23 bad-mcp-server"},
		"mcp_servers: {s: {command: a, http_headers: {}}}":     {"7:39 bad-mcp-server"},
		"mcp_servers: {s: {url: a, args: []}}":                 {"7:35 bad-mcp-server"},
		"mcp_servers: {s: {url: a, args: null}}":               {},
		"mcp_servers: {s: {command: a, tool_timeout_sec: -1}}": {"7:57 bad-value"},

		"skills: {config: [{enabled: false}]}":                         {"7:27 bad-skill"},
		"skills: {config: [{name: a, path: /a, enabled: false}]}":      {"7:27 bad-skill"},
		"extra: {sandbox_mode: read-only}":                             {"7:17 extra-collision"},
		"extra: {developer_instructions: x}":                           {"7:17 extra-collision"},
		"extra: {color: red}":                                          {"7:17 unknown-native-key"},
		"extra: {zsh_path: /bin/zsh}":                                  {"7:17 unknown-native-key"},
		"extra: {agents: {max_depth: 1}}":                              {"7:17 unknown-native-key"},
		"extra: {personality: null}":                                   {"7:30 null-value"},
		"extra: {personality: cheerful}":                               {"7:30 bad-native-value"},
		"extra: {tools: [read, grep]}":                                 {"7:24 bad-native-value"},
		"extra: {hide_agent_reasoning: 1}":                             {"7:39 bad-native-value"},
		"extra: {project_doc_max_bytes: -1}":                           {"7:40 bad-native-value"},
		"extra: {mcp_oauth_callback_port: 70000}":                      {"7:42 bad-native-value"},
		"extra: {notify: [1]}":                                         {"7:25 bad-native-value"},
		"extra: {profiles: {p: x}}":                                    {"7:27 bad-native-value"},
		`extra: {plan_mode_reasoning_effort: ""}`:                      {"7:45 bad-native-value"},
		"extra: {model_providers: {openai: {name: x}}}":                {"7:35 bad-native-value"},
		"extra: {model_providers: {x: {}}}":                            {"7:35 bad-native-value"},
		"extra: {model_providers: {x: {name: x, wire_api: chat}}}":     {"7:35 bad-native-value"},
		"extra: {model_providers: {x: {name: x}}, log_dir: /l}":        {},
		"{sandbox_mode: danger-full-access, extra: {permissions: {}}}": {},
	} {
		if _, got := problems(t, block(t, keys)); cmp.Diff(want, got) != "" {
			t.Errorf("%s: want %v, got %v", keys, want, got)
		}
	}
}

// Ruling 7: nothing in the block makes a read-only entry wider.
func TestReadOnlyStaysReadOnly(t *testing.T) {
	for _, keys := range []string{
		"sandbox_mode: workspace-write", "sandbox_mode: danger-full-access", "extra: {permissions: {}}",
		"extra: {default_permissions: \":danger\"}", "extra: {sandbox_workspace_write: {network_access: true}}", "extra: {profile: x}",
	} {
		_, got := problems(t, entry(t, "access: read-only\nproviders:\n  codex:\n    "+keys))
		if len(got) != 1 || !strings.HasSuffix(got[0], " policy-tool-conflict") {
			t.Errorf("%s: %v", keys, got)
		}
	}
}

func TestForeignModelOfTier(t *testing.T) {
	for model, code := range map[string]string{"haiku": "foreign-model", "{model: m, effort: loud}": "bad-value"} {
		a := agenttest.Resolve(t, schema.CodexID, `
defaults: {providers: {codex: {models: {deep: `+model+`}}}}
subagents:
  - {name: probe, description: Use it., instructions: Look., tier: deep}
`)
		if _, got := problems(t, a); len(got) != 1 || got[0] != "4:68 "+code {
			t.Errorf("%s: %v", model, got)
		}
	}
}

// §2.5: an agent_tools_subagents manifest lives on what the client ignores.
func TestCompat(t *testing.T) {
	a := agenttest.Resolve(t, schema.CodexID, `
agent_tools_subagents:
  - name: probe
    description: Use it.
    instructions: Look.
    providers:
      codex:
        enabled: true
        nickname_candidates: [Ada, "Ada "]
        mcp_servers: {bad: {enabled: true}, good: {command: serve}}
        skills: {config: [{enabled: false}]}
        extra: {color: red, personality: none}
`)
	_, got := problems(t, a)
	want := []string{"9:36 compat-dropped?", "12:17 compat-dropped?", "11:27 compat-dropped?", "10:23 compat-dropped?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	data, _ := encode(t, a)
	keys := read(t, data)
	wantKeys := map[string]any{
		"name": "probe", "description": "Use it.", "developer_instructions": "Look.", "personality": "none",
		"mcp_servers": map[string]any{"good": map[string]any{"command": "serve"}},
	}
	if diff := cmp.Diff(wantKeys, keys); diff != "" {
		t.Error(diff)
	}
}

func TestHints(t *testing.T) {
	for key, want := range map[string]string{
		"personalty":         `Did you mean "personality"?`,
		"effort":             "Set effort on the entry, or codex.reasoning_effort.",
		"qqqq":               "extra takes the top-level keys of config.toml.",
		"commit_attribution": "It was a key of older clients.",
	} {
		if got := hint(key); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
}

// Every key that extra takes is written so that a TOML parser gives the value back.
func TestExtraRoundTrip(t *testing.T) {
	samples := map[kind]any{
		text: "a\"b", filled: "x", flag: true, whole: -5, count: 0, port: 65535, texts: []any{"a", "b"}, textList: []any{},
		mapping: map[string]any{"b": 1.5, "a": []any{}, "c": map[string]any{"d e": false}}, tables: map[string]any{"x": map[string]any{"name": "y"}},
	}
	extra := map[string]any{}
	for _, k := range configKeys {
		extra[k.name] = samples[k.takes]
		if k.words != nil {
			extra[k.name] = k.words[0]
		}
	}
	a := agenttest.Texts(t, schema.CodexID, "d", "b", map[string]any{"providers": map[string]any{"codex": map[string]any{"extra": extra}}})
	data, _ := encode(t, a)
	keys := read(t, data)
	if got := keys["model_auto_compact_token_limit"]; got != int64(-5) {
		t.Errorf("an integer came back as %v", got)
	}
	if diff := cmp.Diff(map[string]any{"b": 1.5, "a": []any{}, "c": map[string]any{"d e": false}}, keys["tui"]); diff != "" {
		t.Error(diff)
	}
	for _, k := range configKeys {
		if _, ok := keys[k.name]; !ok {
			t.Errorf("%s is not in the file", k.name)
		}
	}
}

func TestTablesOfKeys(t *testing.T) {
	names := make([]string, len(configKeys))
	for i, k := range configKeys {
		names[i] = k.name
		if slices.Contains(nativeKeys, k.name) || refused[k.name] != "" {
			t.Errorf("%s stands in two tables", k.name)
		}
	}
	if !slices.IsSorted(names) {
		t.Error("configKeys is not sorted")
	}
}
