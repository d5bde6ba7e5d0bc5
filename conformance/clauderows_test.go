package conformance

import (
	"strings"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// The calls of Claude's showings.
func claudeRead(w world) standin.Call {
	return call("Read", map[string]any{"file_path": w.project + "/readme.txt"})
}

func claudeWrite(w world) standin.Call {
	return call("Write", map[string]any{"file_path": w.project + "/new.txt", "content": "x"})
}

func bash(command string) standin.Call { return call("Bash", map[string]any{"command": command}) }

// Handlers of hooks that refuse a call, in the manifest's and in the client's own form.
const (
	refuseNeutral = "{PreToolUse: [{matcher: Read, command: 'echo refused by a hook >&2; exit 2'}]}"
	refuseNative  = "{PreToolUse: [{matcher: Read, hooks: [{type: command, command: 'echo refused by a hook >&2; exit 2'}]}]}"
)

// ownServer is an item of claude.mcp_servers that is configured in the file.
func ownServer(w world) string {
	return "{own: {command: '" + w.mcp + "', args: [" + standin.MCPArgument + "]}}"
}

func claudeBlock(keys string) string { return "providers: {claude: {" + keys + "}}" }

// claudeShowings are for a session in default mode, in a trusted folder, with the MCP server ses.
func claudeShowings(w world) []showing {
	read, write := claudeRead(w), claudeWrite(w)
	long := "Whole: " + strings.Repeat("0123456789", 300) + " to the end."
	hooked := []outcome{enforced(result(0, "refused by a hook")), advisory(result(0, "hello"))}
	onWorktree := []outcome{enforced(result(0, "/.claude/worktrees/")), advisory(printed(0, w.project))}
	return []showing{
		{row: "description", entry: `description: "` + long + `"`, is: []outcome{enforced(description(long), parentReads(long))}},
		{
			row: "description#backslash-n", entry: `description: 'a\nb'`,
			is: []outcome{unsupported(description("a\nb")), enforced(description(`a\nb`))},
		},
		{row: "title", entry: "title: A title", is: []outcome{leftOut}},
		{row: "version", entry: "version: 1.2.3", is: []outcome{leftOut}},
		{row: "access", entry: "access: workspace-write", is: []outcome{inherited(toolsOfControl())}},
		{
			row: "access=read-only", entry: "access: read-only", calls: []standin.Call{read, write},
			is: []outcome{enforced(tools("Glob", "Grep", "Read"), result(0, "hello"), result(1, "No such tool available: Write")), inherited(toolsOfControl())},
		},
		{
			row: "tools", entry: "tools: [read, list, search]", calls: []standin.Call{read, write},
			is: []outcome{enforced(tools("Glob", "Grep", "Read"), result(0, "hello"), result(1, "No such tool available: Write")), inherited(toolsOfControl())},
		},
		{
			row: "tools", tag: "empty", entry: "tools: []",
			is: []outcome{enforced(tools("Glob", "Grep", "Read")), inherited(toolsOfControl())},
		},
		{
			row: "tools", tag: "with the shell", entry: "tools: [read, list, search, edit, shell, web_fetch, web_search, delegate, skill]",
			is: []outcome{enforced(tools("Agent", "Bash", "Edit", "Read", "Skill", "WebFetch", "WebSearch", "Write")), inherited(toolsOfControl())},
		},
		{row: "tools=todo", entry: "tools: [read, todo]", is: []outcome{unsupported(tools("Read")), enforced(offered("TodoWrite"))}},
		{
			row: "tools#stripped", root: "defaults: {tools: [read, edit, shell]}", entry: "access: read-only",
			is: []outcome{enforced(tools("Read")), inherited(toolsOfControl())},
		},
		{
			row: "mcp", entry: "tools: [read]\nmcp: [ses/ping]",
			is: []outcome{enforced(tools("Read", "mcp__ses__ping")), inherited(offered("mcp__ses__ping", "mcp__ses__pong"))},
		},
		{
			row: "mcp", tag: "server", entry: "tools: [read]\nmcp: [ses]",
			is: []outcome{enforced(tools("Read", "mcp__ses__ping", "mcp__ses__pong"))},
		},
		{
			row: "mcp#without-tools", entry: "mcp: [ses/ping]",
			is: []outcome{inherited(toolsOfControl(), offered("mcp__ses__pong")), enforced(withheld("mcp__ses__pong"))},
		},
		{row: "tier", tag: "light", entry: "tier: light", is: []outcome{enforced(model(claudeModels["haiku"])), inherited(modelOfControl())}},
		{row: "tier", tag: "standard", entry: "tier: standard", is: []outcome{enforced(model(claudeModels["sonnet"])), inherited(modelOfControl())}},
		{row: "tier", tag: "deep", entry: "tier: deep", is: []outcome{enforced(model(claudeModels["opus"])), inherited(modelOfControl())}},
		{row: "effort", entry: "effort: low", is: []outcome{enforced(effort("low"), modelOfControl()), inherited(effortOfControl())}},
		{
			row: "skills", root: "skills: {tidy: {description: d}}", entry: "skills: [{id: tidy, preload: true}]",
			is: []outcome{enforced(sent("Text of the skill")), advisory(unsent("Text of the skill"))},
		},
		{
			row: "delegates", entry: "delegates: [" + other + "]",
			calls: []standin.Call{call("Agent", map[string]any{"description": "d", "subagent_type": controlName, "prompt": "x", "run_in_background": false})},
			is:    []outcome{advisory(offered("Agent"), result(0, unasked)), enforced(offered("Agent"))},
		},
		{row: "delegates=none", entry: "delegates: []", is: []outcome{enforced(withheld("Agent")), advisory(offered("Agent"))}},
		{row: "isolation", entry: "isolation: worktree", calls: []standin.Call{bash("pwd")}, is: onWorktree},
		{
			row: "isolation=none", entry: "isolation: none", calls: []standin.Call{bash("pwd")},
			is: []outcome{enforced(printed(0, w.project)), advisory(result(0, ""))},
		},
		{
			row: "gate", entry: "gate: {command: 'test -e gate || { touch gate; echo not yet good >&2; exit 2; }'}",
			is: []outcome{enforced(turns(2), sentLater("not yet good")), advisory(turns(1))},
		},
		{row: "hooks", entry: "hooks: " + refuseNeutral, calls: []standin.Call{read}, is: hooked},

		{row: "claude.model", entry: claudeBlock("model: claude-opus-4-5"), is: []outcome{enforced(model("claude-opus-4-5")), inherited(modelOfControl())}},
		{
			row: "claude.effort", entry: claudeBlock("model: claude-opus-4-5, effort: low"),
			is: []outcome{enforced(effort("low")), inherited(effortOfControl())},
		},
		{
			row: "claude.effort", tag: "cut", entry: claudeBlock("model: claude-opus-4-5, effort: xhigh"),
			is: []outcome{enforced(effort("high")), inherited(effortOfControl())},
		},
		{
			row: "claude.tools", entry: claudeBlock("tools: [Read, NotebookEdit]"),
			is: []outcome{enforced(tools("NotebookEdit", "Read")), inherited(toolsOfControl())},
		},
		{row: "claude.tools", tag: "none", entry: claudeBlock("tools: []"), is: []outcome{enforced(tools()), inherited(toolsOfControl())}},
		{
			row: "claude.tools#pattern", entry: claudeBlock(`tools: ["Bash(git:*)", Read]`), calls: []standin.Call{bash("echo hello")},
			is: []outcome{advisory(tools("Bash", "Read"), result(0, "hello")), enforced(tools("Bash", "Read"))},
		},
		{
			row: "claude.disallowed_tools", entry: claudeBlock("disallowed_tools: [Edit, Write, Bash]"), calls: []standin.Call{write},
			is: []outcome{enforced(withheld("Edit", "Write", "Bash"), offered("Read"), result(0, "No such tool available: Write")), inherited(toolsOfControl())},
		},
		{
			row: "claude.disallowed_tools#pattern", entry: claudeBlock(`disallowed_tools: ["Bash(rm:*)"]`),
			is: []outcome{advisory(withheld("Bash")), enforced(offered("Bash"))},
		},
		{
			row: "claude.permission_mode=bypassPermissions", entry: claudeBlock("permission_mode: bypassPermissions"), calls: []standin.Call{write},
			is: []outcome{advisory(result(0, "requested permissions to write")), enforced(result(0, "File created successfully"))},
		},
		{
			row: "claude.max_turns", entry: claudeBlock("max_turns: 2"), calls: []standin.Call{read, read, read, read},
			is: []outcome{enforced(turns(2), answered("2-turn limit")), advisory(turns(5))},
		},
		{row: "claude.skills", entry: claudeBlock("skills: [tidy]"), is: []outcome{enforced(sent("Text of the skill")), advisory(unsent("Text of the skill"))}},
		{
			row: "claude.mcp_servers", entry: claudeBlock("mcp_servers: [" + ownServer(w) + "]"),
			is: []outcome{enforced(offered("mcp__own__ping", "mcp__own__pong")), advisory(withheld("mcp__own__ping"))},
		},
		{
			row: "claude.mcp_servers#narrowed", entry: "tools: [read]\n" + claudeBlock("mcp_servers: ["+ownServer(w)+"]"),
			is: []outcome{enforced(tools("Read")), advisory(offered("mcp__own__ping"))},
		},
		{
			row: "claude.mcp_servers#whole", entry: "tools: [read]\nmcp: [own/ping]\n" + claudeBlock("mcp_servers: ["+ownServer(w)+"]"),
			is: []outcome{advisory(tools("Read", "mcp__own__ping", "mcp__own__pong")), enforced(tools("Read", "mcp__own__ping"))},
		},
		{row: "claude.hooks", entry: claudeBlock("hooks: " + refuseNative), calls: []standin.Call{read}, is: hooked},
		{
			row: "claude.memory", entry: claudeBlock("memory: project"),
			is: []outcome{enforced(sent("# Persistent Agent Memory")), advisory(unsent("# Persistent Agent Memory"))},
		},
		{
			row: "claude.memory", tag: "adds tools", entry: claudeBlock("memory: project, tools: [Read, Write, Edit]"),
			is: []outcome{enforced(tools("Edit", "Read", "Write"), sent("# Persistent Agent Memory"))},
		},
		{
			row: "claude.memory#narrowed", entry: "tools: [read]\n" + claudeBlock("memory: project"),
			is: []outcome{enforced(tools("Read")), advisory(offered("Write"))},
		},
		{
			row: "claude.background", entry: claudeBlock("background: true"), calls: []standin.Call{read},
			is: []outcome{enforced(answered("Async agent launched"), result(0, "hello")), advisory(answered(report))},
		},
		{row: "claude.isolation", entry: claudeBlock("isolation: worktree"), calls: []standin.Call{bash("pwd")}, is: onWorktree},
		{
			// A worktree on this machine is not what the word says.
			row: "claude.isolation=remote", entry: claudeBlock("isolation: remote"), calls: []standin.Call{bash("pwd")},
			is: []outcome{advisory(result(0, "/.claude/worktrees/")), advisory(printed(0, w.project))},
		},
		{
			row: "claude.initial_prompt", entry: claudeBlock("initial_prompt: Text of the initial prompt"),
			is: []outcome{advisory(unsent("Text of the initial prompt")), enforced(sent("Text of the initial prompt"))},
		},
		{
			row: "claude.omit_claude_md", entry: claudeBlock("omit_claude_md: true"),
			is: []outcome{enforced(unsent("Text of CLAUDE.md")), advisory(sent("Text of CLAUDE.md"))},
		},
		{
			// The client takes 20000 off the window for the summary itself.
			row: "claude.auto_compact_window", entry: claudeBlock("auto_compact_window: 123456"),
			is: []outcome{enforced(logged("effectiveWindow=103456")), advisory(logged("effectiveWindow="))},
		},
		{
			row: "claude.experimental", entry: claudeBlock("experimental: {cache_ttl: 1h}"),
			is: []outcome{enforced(sent(`"ttl":"1h"`)), advisory(unsent(`"ttl":"1h"`))},
		},
		{
			row: "claude.extra", entry: claudeBlock("extra: {futureKey: [1]}"),
			is: []outcome{advisory(complained(`"futureKey"`), toolsOfControl(), modelOfControl())},
		},
	}
}

// claudeUntrustedShowings are for a session in acceptEdits mode, in a folder that nobody has trusted. Of a row that holds
// if the folder is trusted they show the condition: without trust there is nothing to see of the setting.
func claudeUntrustedShowings(w world) []showing {
	const trust = "the folder is trusted"
	read, write := claudeRead(w), claudeWrite(w)
	needsTrust := []outcome{enforced(result(0, "hello"), complained("not trusted")), advisory(result(0, "refused by a hook"))}
	return []showing{
		{row: "gate", when: trust, entry: "gate: {command: 'echo not yet good >&2; exit 2'}", is: []outcome{enforced(turns(1), complained("not trusted"))}},
		{row: "hooks", when: trust, entry: "hooks: " + refuseNeutral, calls: []standin.Call{read}, is: needsTrust},
		{row: "claude.hooks", when: trust, entry: claudeBlock("hooks: " + refuseNative), calls: []standin.Call{read}, is: needsTrust},
		{
			row: "claude.mcp_servers", when: trust, entry: claudeBlock("mcp_servers: [" + ownServer(w) + "]"),
			is: []outcome{enforced(withheld("mcp__own__ping")), advisory(offered("mcp__own__ping"))},
		},
		{
			row: "claude.permission_mode", entry: claudeBlock("permission_mode: plan"), calls: []standin.Call{write},
			is: []outcome{advisory(result(0, "File created successfully")), enforced(result(0, "while in plan mode"))},
		},
		{
			row: "access=read-only+shell", entry: "access: read-only\nallow_read_only_shell: true\ntools: [read, shell]", calls: []standin.Call{bash("touch made && echo wrote")},
			is: []outcome{advisory(tools("Bash", "Read"), result(0, "wrote")), enforced(tools("Bash", "Read"))},
		},
	}
}
