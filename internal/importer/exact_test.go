package importer_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// native reads a file with a parser of its format, and nothing of this program:
// its keys, and its body where that is no key.
func native(t *testing.T, name, text string) map[string]any {
	t.Helper()
	keys := map[string]any{}
	var err error
	switch path.Ext(name) {
	case ".toml":
		err = toml.Unmarshal([]byte(text), &keys)
	case ".json":
		err = json.Unmarshal([]byte(text), &keys)
	case ".yaml":
		err = yaml.Unmarshal([]byte(text), &keys)
	default:
		front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		if !ok {
			t.Fatalf("%s has no front matter:\n%s", name, text)
		}
		err = yaml.Unmarshal([]byte(front), &keys)
		keys["body"] = body
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	for _, key := range []string{"tools", "disallowedTools"} { // one text, or a list
		if list, ok := keys[key].(string); ok && path.Ext(name) == ".md" {
			var items []any
			for _, item := range strings.Split(list, ", ") {
				items = append(items, item)
			}
			keys[key] = items
		}
	}
	data, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	plain := map[string]any{}
	if err := json.Unmarshal(data, &plain); err != nil { // one type for numbers
		t.Fatal(err)
	}
	return plain
}

// Every key of a host that a file can have comes back with the same value, and the
// body byte for byte, as a parser of the format reads them.
func TestEveryKeyMeansTheSame(t *testing.T) {
	for name, text := range map[string]string{
		".claude/agents/probe.md": `---
name: probe
description: "Looks: at everything. Use \"often\"."
tools: Read, Edit, Bash, mcp__docs__find, mcp__files, mcp__web
disallowedTools: [WebFetch, WebSearch]
model: claude-opus-4-5
effort: xhigh
permissionMode: plan
maxTurns: 7
skills: [tidy, "team:review"]
mcpServers:
  - docs
  - files: {command: npx, args: [files@1.0.0], env: {A: b}}
  - web: {type: http, url: https://example.com/mcp, headers: {X-A: b}}
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: ./check, timeout: 5, statusMessage: wait}]
  Stop:
    - hooks: [{type: prompt, prompt: Done, model: haiku}]
background: true
isolation: worktree
color: pink
initialPrompt: Begin.
omitClaudeMd: true
autoCompactWindow: 150000
experimental: {cacheTtl: 1h}
observer: watcher
---

Body with --- in it.

    code
`,
		".codex/agents/probe.toml": `name = "probe"
description = "Looks at everything."
model = "gpt-6.1-sol"
model_reasoning_effort = "xhigh"
model_reasoning_summary = "concise"
model_verbosity = "low"
sandbox_mode = "workspace-write"
approval_policy = "on-request"
nickname_candidates = ["Ann", "Bob"]
web_search = "live"
service_tier = "fast"
compact_prompt = "Short."
developer_instructions = """
Body \\ with "quotes".
"""
[features]
shell_tool = false
[skills]
max_context_tokens = 100
[[skills.config]]
name = "tidy"
enabled = false
[mcp_servers.files]
command = "npx"
args = ["files"]
startup_timeout_sec = 2.5
[mcp_servers.files.env]
A = "b"
[mcp_servers.web]
url = "https://example.com/mcp"
enabled_tools = []
`,
		".goose/agents/probe.md": "---\nname: probe\ndescription: Looks.\nmodel: m-1\n---\n\nBody.\n",
		".goose/recipes/probe.yaml": `version: 2.0.0
title: A probe
description: Looks.
instructions: |
  Look at {{ what }}.
prompt: Go.
parameters: [{key: what, input_type: string, requirement: optional, description: D, default: it}]
activities: [a, b]
settings: {goose_provider: openai, goose_model: m, temperature: 0.3, max_turns: 4}
extensions:
  - {type: builtin, name: developer, timeout: 10, available_tools: [shell]}
  - {type: streamable_http, name: web, uri: https://example.com, headers: {A: b}}
response: {json_schema: {type: object, properties: {a: {type: string}}}}
retry: {max_retries: 2, checks: [{type: shell, command: make}], on_failure: clean}
author: {contact: me}
`,
		".kiro/agents/probe.json": `{"name": "probe", "description": "Looks.", "prompt": "Body.\n", "tools": ["read", "aws", "@git/log"], "model": "auto",
"toolAliases": {"@git/log": "log"}, "allowedTools": ["read", "@git/*"], "toolsSettings": {"shell": {"allowedCommands": ["git .*"]}},
"resources": ["file://README.md", {"type": "knowledgeBase", "source": "file://docs", "name": "d", "indexType": "fast"}],
"hooks": {"stop": [{"command": "make", "timeout_ms": 100}]}, "mcpServers": {"git": {"command": "git-mcp", "args": [], "disabledTools": ["x"]}},
"includeMcpJson": true, "permissions": {"rules": [{"capability": "shell", "effect": "ask", "match": ["git *"]}]}, "welcomeMessage": "Hi.", "keyboardShortcut": "ctrl+r", "includePowers": true}`,
		".kiro/agents/mark.md": "---\nname: mark\ndescription: Looks.\ntools: [\"*\"]\nexcludedTools: [write]\neffortLevel: max\nmodel: auto\n---\n\nBody.\n",
		".opencode/agents/probe.md": `---
description: Looks.
mode: all
model: anthropic/claude-sonnet-4-5
variant: high
temperature: 0.2
top_p: 0.9
steps: 8
color: "#ff0000"
hidden: false
permission:
  "*": deny
  read: {"*": allow, "*.env": ask}
  bash: {"git *": allow}
options: {a: 1}
reasoningEffort: high
---

Body.
`,
	} {
		t.Run(name, func(t *testing.T) {
			r := load(t, folder(t, map[string]string{name: text}))
			if !r.Complete() || strings.Contains(codes(r), "not-exact") || strings.Contains(codes(r), "dropped") {
				t.Fatalf("%v %+v", r.Problems, r.Skipped)
			}
			m, diags := schema.Load(schema.NewSource("m.yml", r.Manifest), schema.Options{})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			result, diags := render.Render(m, render.Options{})
			if diags.HasErrors() || len(result.Files) != 1 || result.Files[0].Path != name {
				t.Fatalf("%d files, %v", len(result.Files), diags)
			}
			if diff := cmp.Diff(native(t, name, text), native(t, name, string(result.Files[0].Data))); diff != "" {
				t.Errorf("%s\n%s", diff, result.Files[0].Data)
			}
		})
	}
}
