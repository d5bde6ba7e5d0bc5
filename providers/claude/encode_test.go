package claude_test

import (
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// file renders a manifest for Claude Code and gives its one file.
func file(t *testing.T, manifest string) (*render.Result, string) {
	t.Helper()
	result, problems := try(t, manifest)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	if len(result.Files) != 1 {
		t.Fatalf("%d files", len(result.Files))
	}
	return result, string(result.Files[0].Data)
}

// try renders a manifest and gives the codes of its errors.
func try(t *testing.T, manifest string) (*render.Result, []schema.Code) {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [claude]\nguard: none\n"+manifest)), schema.Options{})
	if diags.HasErrors() {
		t.Fatalf("loading: %v", diags)
	}
	result, diags := render.Render(m, render.Options{})
	var codes []schema.Code
	for _, d := range diags {
		codes = append(codes, schema.CodeOf(d))
	}
	return result, codes
}

// parsed reads an agent file as the client does: cut at the first three hyphens
// after the opening line, then YAML.
func parsed(t *testing.T, data string) (map[string]any, string) {
	t.Helper()
	rest, ok := strings.CutPrefix(data, "---\n")
	front, body, closed := strings.Cut(rest, "---")
	var keys map[string]any
	if err := yaml.Unmarshal([]byte(front), &keys); err != nil || !ok || !closed {
		t.Fatalf("front matter: %v\n%s", err, data)
	}
	return keys, strings.TrimPrefix(body, "\n")
}

const head = "subagents:\n- name: probe\n  description: Looks. Use when asked.\n  instructions: Look.\n"

// K30, K32, K33, K38, K40, M51, A5, A14: what stands in the lists of tools.
func TestTools(t *testing.T) {
	for _, c := range []struct{ name, keys, tools, denied string }{
		{"nothing set: everything is inherited", "", "-", ""},
		{"empty list: the read baseline, never everything", "  tools: []\n", "Read, Grep, Glob", ""},
		{"a list that maps to nothing: the baseline", "  tools: [todo]\n", "Read, Grep, Glob", ""},
		{"declared order is kept", "  tools: [shell, read, edit]\n", "Bash, Read, Edit, Write", ""},
		{"read-only without tools: the baseline", "  access: read-only\n", "Read, Grep, Glob", ""},
		{"workspace-write alone restricts nothing", "  access: workspace-write\n", "-", ""},
		{"read-only with an allowed shell", "  access: read-only\n  allow_read_only_shell: true\n  tools: [read, shell]\n", "Read, Bash", ""},
		{"delegates add to a list", "  tools: [read]\n  delegates: [other]\n", "Read, Agent", ""},
		{"delegates make no list", "  delegates: [other]\n", "-", ""},
		{"no delegates at all", "  tools: [read, delegate]\n  delegates: []\n", "Read", "Agent"},
		{"skills add the tool that loads them, read-only too", "  access: read-only\n  skills: [tidy]\n", "Read, Grep, Glob, Skill", ""},
		{"servers join a list", "  tools: [read]\n  mcp: [\"gh.x\", \"db/run query\"]\n", "Read, mcp__gh_x, mcp__db__run_query", ""},
		{"the block's list is verbatim", "  tools: [read]\n  providers: {claude: {tools: [\"Bash(git:*)\", mcp__a]}}\n", "Bash(git:*), mcp__a", ""},
		{"an empty list of the block is none", "  providers: {claude: {tools: []}}\n", "", ""},
		{"memory does not widen a list", "  tools: [read]\n  providers: {claude: {memory: project}}\n", "Read", "Write, Edit"},
		{"memory beside edit stays as it is", "  tools: [read, edit]\n  providers: {claude: {memory: project}}\n", "Read, Edit, Write", ""},
		{"a server of the block does not widen a list", "  tools: [read]\n  providers: {claude: {mcp_servers: [{db: {command: db}}]}}\n", "Read", "mcp__db"},
		{"a server that the list names stays", "  tools: [read]\n  mcp: [db]\n  providers: {claude: {mcp_servers: [{db: {command: db}}]}}\n", "Read, mcp__db", ""},
		{"the block's own denials stand first", "  delegates: []\n  providers: {claude: {disallowed_tools: [WebFetch]}}\n", "-", "WebFetch, Agent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := "- name: other\n  description: Use when asked.\n  instructions: x\n  targets: []\n"
			_, data := file(t, head+c.keys+other)
			keys, _ := parsed(t, data)
			if got := listOf(keys, "tools"); got != c.tools {
				t.Errorf("tools = %q, want %q", got, c.tools)
			}
			if got, _ := keys["disallowedTools"].(string); got != c.denied {
				t.Errorf("disallowedTools = %q, want %q", got, c.denied)
			}
		})
	}
}

// listOf gives a list of tools: "-" where there is none, "" where it is empty.
func listOf(keys map[string]any, key string) string {
	switch v := keys[key].(type) {
	case string:
		return v
	case []any:
		if len(v) == 0 {
			return ""
		}
	}
	return "-"
}

// A13: whatever stands in description and body comes back byte for byte.
func TestTextRoundTrip(t *testing.T) {
	for _, text := range []string{
		"Reviews code: read-only", "a\ntools: Bash", "first\n\nsecond\n\nthird", `say "hi" and 'ho'`, "a --- b", "----", "---\ntools: Bash\n---",
		"# not a comment", "ends in \\", "tab\tbell\ascape\x1bdel\x7f", "c1\u0085\u009f ls\u2028ps\u2029 bom\ufeff", "emoji 👩‍💻 é é",
		"  indented", "trailing  \n\n\n", "cr\rlf\r\n", "{{ x }} ${y} %{z}", "true", "1e3", "- item", "@x *y &z !t |a >b", strings.Repeat("long ", 3000),
	} {
		m, diags := schema.Load(schema.NewSource("m.json", manifestOf(t, text)), schema.Options{})
		if diags.HasErrors() {
			t.Fatalf("%q: %v", text, diags)
		}
		result, diags := render.Render(m, render.Options{})
		if diags.HasErrors() {
			t.Fatalf("%q: %v", text, diags)
		}
		keys, body := parsed(t, string(result.Files[0].Data))
		if keys["description"] != text {
			t.Errorf("description %q came back as %q", text, keys["description"])
		}
		if body != text {
			t.Errorf("body %q came back as %q", text, body)
		}
		lost := slices.ContainsFunc(result.Notes, func(n noteT) bool { return n.Code == "text-loss" })
		if want := strings.Contains(text, `\n`); lost != want {
			t.Errorf("%q: text-loss noted: %v", text, lost)
		}
	}
}

// A3, A23, A24: the order of the keys, and that what nothing sets is left out.
func TestKeyOrder(t *testing.T) {
	_, least := file(t, head)
	if want := "---\n# Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file.\n" +
		"name: \"probe\"\ndescription: \"Looks. Use when asked.\"\n---\nLook."; least != want {
		t.Errorf("the smallest file is\n%s", least)
	}
	_, most := file(t, head+`  tools: [read]
  providers:
    claude: {model: opus, effort: max, disallowed_tools: [WebFetch], permission_mode: plan, max_turns: 3, skills: [a], mcp_servers: [gh],
      hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: "true", timeout: 5, status_message: Checking}]}]}, memory: user,
      background: true, isolation: worktree, color: cyan, initial_prompt: Hi, omit_claude_md: true, auto_compact_window: 100000,
      experimental: {cache_ttl: 1h}, extra: {zeta: 1, alpha: {b: [true]}}}
`)
	var order []string
	for _, line := range strings.Split(most, "\n")[2:] {
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") && line != "---" {
			order = append(order, key)
		}
	}
	want := strings.Fields(`name description tools disallowedTools model effort permissionMode maxTurns skills mcpServers hooks memory
		background isolation color initialPrompt omitClaudeMd autoCompactWindow experimental alpha zeta`)
	if !slices.Equal(order, want) {
		t.Errorf("keys stand as %v", order)
	}
	keys, _ := parsed(t, most)
	hooks := keys["hooks"].(map[string]any)["PreToolUse"].([]any)[0].(map[string]any)["hooks"].([]any)[0].(map[string]any)
	if hooks["statusMessage"] != "Checking" || hooks["timeout"] != 5 {
		t.Errorf("hook = %v", hooks)
	}
}

// A37, A38, A39, A40: when a gate is written, and what takes its place.
func TestGate(t *testing.T) {
	const gate = "  gate: {command: check}\n"
	for _, c := range []struct{ name, keys, want string }{
		{"writers get it", gate, "check"},
		{"a reader does not", gate + "  access: read-only\n", ""},
		{"a reader does if asked", "  gate: {command: check, apply: all}\n  access: read-only\n", "check"},
		{"beside other events", gate + "  hooks: {PreToolUse: [{command: x}]}\n", "check"},
		{"the author's Stop replaces it", gate + "  hooks: {Stop: [{command: mine}]}\n", "mine"},
		{"SubagentStop too", gate + "  hooks: {SubagentStop: [{command: mine}]}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, data := file(t, head+c.keys)
			keys, _ := parsed(t, data)
			hooks, _ := keys["hooks"].(map[string]any)
			got := ""
			if stop, ok := hooks["Stop"].([]any); ok {
				got = stop[0].(map[string]any)["hooks"].([]any)[0].(map[string]any)["command"].(string)
			}
			if got != c.want {
				t.Errorf("gate %q, want %q", got, c.want)
			}
		})
	}
}

// A25, T10, T39, M63, K39: what is refused.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		keys string
		code schema.Code
	}{
		{"  providers: {claude: {model: gpt-5}}\n", "foreign-model"},
		{"  providers: {claude: {model: default}}\n", "foreign-model"},
		{"  access: read-only\n  providers: {claude: {tools: [Read, Write]}}\n", schema.CodeToolConflict},
		{"  access: read-only\n  providers: {claude: {tools: [\"*\"]}}\n", schema.CodeToolConflict},
		{"  providers: {claude: {tools: [read]}}\n", "unknown-native-tool"},
		{"  providers: {claude: {extra: {tools: x}}}\n", "extra-collision"},
		{"  providers: {claude: {extra: {a: {b: null}}}}\n", schema.CodeNullValue},
		{"  hooks: {PreTool: [{command: x}]}\n", "unknown-hook-event"},
		{"  providers: {claude: {hooks: {Stop: [{hooks: [{type: http}]}]}}}\n", "bad-hook"},
		{"  providers: {claude: {mcp_servers: [{a: {type: http}}]}}\n", "bad-mcp-server"},
		{"  providers: {claude: {mcp_servers: [{a: {args: [x]}}]}}\n", "bad-mcp-server"},
	} {
		_, codes := try(t, head+c.keys)
		if !slices.Contains(codes, c.code) {
			t.Errorf("%s gives %v, want %s", c.keys, codes, c.code)
		}
	}
}
