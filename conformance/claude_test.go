//go:build conformance

package conformance

import (
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func claudeFile(f fact) string {
	return frontMatter("name: "+f.name+"\ndescription: d\n"+f.keys, f.body())
}

// claudeFacts are for the session of claudeShowings.
func claudeFacts(w world) []fact {
	read, write := claudeRead(w), claudeWrite(w)
	own := "\nmcpServers:\n- own: {command: " + w.mcp + ", args: [" + standin.MCPArgument + "]}"
	return []fact{
		{
			name: "plain", calls: []standin.Call{read},
			want: every(body(bodyOf("plain")), description("d"), model(ClaudeParentModel), effort(ClaudeParentEffort), result(0, "hello"),
				offered("Agent", "Bash", "Edit", "Read", "WebFetch", "Write", "mcp__ses__ping"), sent("Text of CLAUDE.md"), unsent("Text of the skill")),
		},
		{name: "tools-null", keys: "tools:", want: tools()},
		{name: "tools-unknown", keys: "tools: Nosuch", want: refused("zero tools")},
		{name: "tools-todo-not-given", keys: "tools: Read, TodoWrite", want: tools("Read")},
		{name: "agent-names-do-not-bind", keys: "tools: Read, Agent(plain)", want: tools("Agent", "Read")},
		{name: "mcp-not-listed", keys: "tools: Read", want: tools("Read")},
		{name: "mcp-servers-name-alone", keys: "tools: Read\nmcpServers: [ses]", want: tools("Read")},
		{name: "mcp-servers-inline-disallowed", keys: "tools: Read\ndisallowedTools: mcp__own__pong" + own, want: tools("Read", "mcp__own__ping")},

		{name: "model-of-the-session-by-its-family", keys: "model: fable", want: every(model(ClaudeParentModel), effort(ClaudeParentEffort))},
		{name: "model-unknown-sent-as-is", keys: "model: nosuch", want: model("nosuch")},
		{name: "effort-of-another-model-is-its-own", keys: "model: haiku", want: effort(claudeEffort)},
		{name: "permission-default", calls: []standin.Call{write}, want: result(0, "requested permissions to write")},
		{name: "permission-accept-edits", keys: "permissionMode: acceptEdits", calls: []standin.Call{write}, want: result(0, "File created successfully")},
		{name: "permission-plan", keys: "permissionMode: plan", calls: []standin.Call{write}, want: result(0, "while in plan mode")},
		{name: "permission-dont-ask", keys: "permissionMode: dontAsk", calls: []standin.Call{write}, want: result(0, "don't ask mode")},

		{name: "broken-unknown-key", keys: "tols: Read", want: every(complained(`"tols"`), offered("Write"))},
		{name: "broken-fence-in-value", keys: "color: a --- b\ntools: Read", want: offered("Write")},
		{name: "broken-hook", keys: "hooks: {PreToolUse: yes}", want: every(absent(), complained("not loaded"))},
		{name: "broken-yaml", keys: "color: \"red", want: every(absent(), complained("failed to parse"))},
		{name: "broken-effort", keys: "effort: huge", want: every(complained("effort"), effort(ClaudeParentEffort))},
	}
}

// What the client does with a list of tools, a hook that gates, a skill, an MCP server of the session, and with nothing of
// all that. K32, K33, K37, K38, A14, A34, A60, A64, M51, M53, T74.
func TestClaudeFacts(t *testing.T) {
	bench := newBench(t)
	w := worldOf(t, bench)
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/CLAUDE.md", "Text of CLAUDE.md\n")
	put(t, bench, "project/.claude/skills/tidy/SKILL.md", skillFile("tidy", "d", "Text of the skill"))
	session := map[string]any{"ses": map[string]any{"command": w.mcp, "args": []string{standin.MCPArgument}}}
	trial{
		driver: Claude{At: find(t, "claude"), Servers: session}, bench: bench,
		byHand:   []byHand{{".claude/agents", ".md", claudeFile, claudeFacts(w)}},
		showings: claudeShowings(w),
	}.run(t)
}

// What the main thread's mode and the missing trust of a folder take away.
func TestClaudeUntrusted(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	trial{
		driver: Claude{At: find(t, "claude"), Untrusted: true, PermissionMode: "acceptEdits"}, bench: bench,
		showings: claudeUntrustedShowings(worldOf(t, bench)),
	}.run(t)
}
