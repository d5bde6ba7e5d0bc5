//go:build conformance

package conformance

import (
	"path/filepath"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func claudeFile(f fact) string {
	return frontMatter("name: "+f.name+"\ndescription: d\n"+f.keys, f.body())
}

// claudeCalls are the calls that the facts about permissions need, in the bench's own paths.
func claudeCalls(bench Bench) (read, write standin.Call) {
	return call("Read", map[string]any{"file_path": filepath.Join(bench.Project(), "readme.txt")}),
		call("Write", map[string]any{"file_path": filepath.Join(bench.Project(), "new.txt"), "content": "x"})
}

func TestClaudeFacts(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/CLAUDE.md", "Text of CLAUDE.md\n")
	put(t, bench, "project/.claude/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: d\n---\nText of the skill\n")
	read, write := claudeCalls(bench)
	session := map[string]any{"ses": map[string]any{"command": mcpCommand(t), "args": []string{standin.MCPArgument}}}
	inline := "\nmcpServers:\n- own: {command: " + mcpCommand(t) + ", args: [" + standin.MCPArgument + "]}"
	block := "hooks: {PreToolUse: [{matcher: Read, hooks: [{type: command, command: 'echo blocked >&2; exit 2'}]}]}"

	established(t, Claude{At: find(t, "claude"), Servers: session}, bench, ".claude/agents", ".md", claudeFile, []fact{
		{name: "plain", want: every(body(bodyOf("plain")), description("d"), model(ClaudeParentModel), effort(ClaudeParentEffort),
			offered("Agent", "Bash", "Edit", "Read", "WebFetch", "Write", "mcp__ses__ping"), sent("Text of CLAUDE.md"), unsent("Text of the skill"))},

		{name: "tools-list", keys: "tools: [Read, Grep, Glob]", calls: []standin.Call{read, write},
			want: every(tools("Glob", "Grep", "Read"), result(0, "hello"), result(1, "No such tool available: Write"))},
		{name: "tools-bash-folds-search", keys: "tools: Read, Grep, Glob, Bash", want: tools("Bash", "Read")},
		{name: "tools-empty", keys: "tools: []", want: tools()},
		{name: "tools-null", keys: "tools:", want: tools()},
		{name: "tools-unknown", keys: "tools: Nosuch", want: refused("zero tools")},
		{name: "tools-pattern-is-whole-tool", keys: "tools: Bash(git:*), Read", want: tools("Bash", "Read")},
		{name: "tools-todo-not-given", keys: "tools: Read, TodoWrite", want: tools("Read")},
		{name: "disallowed", keys: "disallowedTools: Edit, Write, Bash", want: every(withheld("Edit", "Write", "Bash"), offered("Read"))},
		{name: "disallowed-agent", keys: "disallowedTools: Agent", want: withheld("Agent")},
		{name: "agent-names-do-not-bind", keys: "tools: Read, Agent(plain)", want: tools("Agent", "Read")},

		{name: "mcp-session-tool", keys: "tools: Read, mcp__ses__ping", want: tools("Read", "mcp__ses__ping")},
		{name: "mcp-session-server", keys: "tools: Read, mcp__ses", want: tools("Read", "mcp__ses__ping", "mcp__ses__pong")},
		{name: "mcp-not-listed", keys: "tools: Read", want: tools("Read")},
		{name: "mcp-servers-name-alone", keys: "tools: Read\nmcpServers: [ses]", want: tools("Read")},
		{name: "mcp-servers-inline-widens", keys: "tools: Read" + inline, want: tools("Read", "mcp__own__ping", "mcp__own__pong")},
		{name: "mcp-servers-inline-disallowed", keys: "tools: Read\ndisallowedTools: mcp__own__pong" + inline, want: tools("Read", "mcp__own__ping")},

		{name: "model-alias", keys: "model: haiku", want: model("claude-haiku-5-5")},
		{name: "model-id", keys: "model: claude-opus-4-5", want: model("claude-opus-4-5")},
		{name: "model-unknown-sent-as-is", keys: "model: nosuch", want: model("nosuch")},
		{name: "effort", keys: "effort: low", want: effort("low")},
		{name: "effort-cut-to-model", keys: "model: claude-opus-4-5\neffort: xhigh", want: effort("high")},

		{name: "max-turns", keys: "maxTurns: 2", calls: []standin.Call{read, read, read, read}, want: every(turns(2), answered("2-turn limit"))},
		{name: "permission-default", calls: []standin.Call{write}, want: result(0, "requested permissions to write")},
		{name: "permission-accept-edits", keys: "permissionMode: acceptEdits", calls: []standin.Call{write}, want: result(0, "File created successfully")},
		{name: "permission-plan", keys: "permissionMode: plan", calls: []standin.Call{write}, want: result(0, "while in plan mode")},
		{name: "permission-dont-ask", keys: "permissionMode: dontAsk", calls: []standin.Call{write}, want: result(0, "don't ask mode")},
		{name: "permission-bypass-not-applied", keys: "permissionMode: bypassPermissions", calls: []standin.Call{write}, want: result(0, "requested permissions to write")},
		{name: "hooks", keys: block, calls: []standin.Call{read}, want: result(0, "blocked")},
		{name: "background", keys: "background: true", calls: []standin.Call{read}, want: every(result(0, "hello"), answered("Async agent launched"))},
		{name: "isolation-worktree", keys: "isolation: worktree", calls: []standin.Call{call("Bash", map[string]any{"command": "pwd"})}, want: result(0, "/.claude/worktrees/")},
		{name: "skills", keys: "skills: [tidy]", want: sent("Text of the skill")},
		{name: "memory-adds-write-tools", keys: "memory: project\ntools: Read", want: every(tools("Edit", "Read", "Write"), body(bodyOf("memory-adds-write-tools")))},
		{name: "memory-disallowed", keys: "memory: project\ntools: Read\ndisallowedTools: Write, Edit", want: tools("Read")},
		{name: "omit-claude-md", keys: "omitClaudeMd: true", want: unsent("Text of CLAUDE.md")},
		{name: "initial-prompt-not-for-spawned", keys: "initialPrompt: Text of the initial prompt", want: unsent("Text of the initial prompt")},
		{name: "experimental-cache-ttl", keys: "experimental: {cacheTtl: 1h}", want: sent(`"ttl":"1h"`)},

		{name: "broken-unknown-key", keys: "tols: Read", want: every(complained(`"tols"`), offered("Write"))},
		{name: "broken-fence-in-value", keys: "color: a --- b\ntools: Read", want: offered("Write")},
		{name: "broken-hook", keys: "hooks: {PreToolUse: yes}", want: every(absent(), complained("not loaded"))},
		{name: "broken-yaml", keys: "color: \"red", want: every(absent(), complained("failed to parse"))},
		{name: "broken-effort", keys: "effort: huge", want: every(complained("effort"), effort(ClaudeParentEffort))},
	})
}

// What the main thread's mode and the missing trust of a folder take away.
func TestClaudeUntrusted(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	read, write := claudeCalls(bench)
	inline := "mcpServers:\n- own: {command: " + mcpCommand(t) + ", args: [" + standin.MCPArgument + "]}"
	block := "hooks: {PreToolUse: [{matcher: Read, hooks: [{type: command, command: 'echo blocked >&2; exit 2'}]}]}"
	driver := Claude{At: find(t, "claude"), Untrusted: true, PermissionMode: "acceptEdits"}

	established(t, driver, bench, ".claude/agents", ".md", claudeFile, []fact{
		{name: "hooks", keys: block, calls: []standin.Call{read}, want: every(result(0, "hello"), complained("not trusted"))},
		{name: "mcp-servers-inline", keys: inline, want: withheld("mcp__own__ping")},
		{name: "permission-plan-overridden", keys: "permissionMode: plan", calls: []standin.Call{write}, want: result(0, "File created successfully")},
	})
}

func TestClaudeRows(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/CLAUDE.md", "Text of CLAUDE.md\n")
	put(t, bench, "project/.claude/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: d\n---\nText of the skill\n")
	session := map[string]any{"ses": map[string]any{"command": mcpCommand(t), "args": []string{standin.MCPArgument}}}
	shown(t, Claude{At: find(t, "claude"), Servers: session}, bench, claudeShowings(worldOf(t, bench)))
}

func TestClaudeRowsUntrusted(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	driver := Claude{At: find(t, "claude"), Untrusted: true, PermissionMode: "acceptEdits"}
	shown(t, driver, bench, claudeUntrustedShowings(worldOf(t, bench)))
}
