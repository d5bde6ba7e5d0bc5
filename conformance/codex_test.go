//go:build conformance

package conformance

import (
	"fmt"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func codexFile(f fact) string {
	return fmt.Sprintf("name = %q\ndescription = \"d\"\ndeveloper_instructions = %q\n%s\n", f.name, f.body(), f.keys)
}

func codexByHand(facts []fact) []byHand {
	return []byHand{{".codex/agents", ".toml", codexFile, facts}}
}

// codexFacts are for the session of codexShowings.
func codexFacts(w world) []fact {
	return []fact{
		{
			name: "plain", calls: []standin.Call{shell("touch in-project && echo wrote"), shell("touch " + w.outside + " && echo wrote")},
			want: every(body(bodyOf("plain")), description("d"), model(CodexParentModel), effort(CodexParentEffort), sandbox("workspace-write"),
				offered("exec_command", "web_search"), sent("Text of the skill"), result(0, "wrote"), result(1, "Read-only file system")),
		},
		{name: "model-inherits-effort", keys: "model = 'gpt-5.5'", want: effort(CodexParentEffort)},
		{name: "effort-checked-at-spawn", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'ultra'", want: refused("`ultra` is not supported")},

		{name: "broken-unknown-key", keys: "color = 'red'", want: every(absent(), refused("unknown agent_type"), complained("unknown field `color`"))},
		{name: "broken-title", keys: "title = 'A title'", want: every(absent(), complained("unknown field `title`"))},
		{name: "broken-version", keys: "version = '1.2.3'", want: every(absent(), complained("unknown field `version`"))},
		{name: "broken-tools", keys: "tools = ['read']", want: every(absent(), complained("failed to deserialize"))},
		{name: "broken-sandbox", keys: "sandbox_mode = 'readonly'", want: every(absent(), complained("unknown variant `readonly`"))},
		{name: "broken-server", keys: "[mcp_servers.own]\nenabled_tools = ['a']", want: every(absent(), complained("invalid transport"))},
		{name: "broken-nickname", keys: "nickname_candidates = ['Worker (low)']", want: every(absent(), complained("nickname"))},
	}
}

// Both sides of the version-dependent rows: a list of tools takes nothing away, the sandbox is the session's, one unknown
// key costs the file, the session's MCP servers are there. K36, K91, A72, M55, M57, T75.
func TestCodexFacts(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		t.Run(key, func(t *testing.T) {
			bench := newBench(t)
			w := worldOf(t, bench)
			put(t, bench, "project/.agents/skills/tidy/SKILL.md", skillFile("tidy", "Text of the skill", "Content of the skill"))
			put(t, bench, "project/.agents/skills/dusty/SKILL.md", skillFile("dusty", "Text of the dusty skill", "x"))
			trial{
				driver: Codex{At: find(t, key), Settings: codexSession(w)}, bench: bench,
				byHand: codexByHand(codexFacts(w)), showings: codexShowings(w),
			}.run(t)
		})
	}
}

// Models of the second multi-agent generation have another spawn tool; both list and start the same roles.
func TestCodexSecondGeneration(t *testing.T) {
	run := trial{
		driver: Codex{At: find(t, "codex"), Model: "gpt-6.2-sol"}, bench: newBench(t),
		byHand: codexByHand([]fact{
			{name: "plain", want: every(body(bodyOf("plain")), description("d"), model("gpt-6.2-sol"), effort(CodexParentEffort))},
			{name: "model", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'low'", want: every(body(bodyOf("model")), model("gpt-5.5"), effort("low"))},
			{name: "sandbox-ignored", keys: "sandbox_mode = 'read-only'", want: sandbox("workspace-write")},
		}),
	}.run(t)
	if tool, _ := run.Parent.Tool("spawn_agent"); tool.Namespace != "collaboration" {
		t.Errorf("spawn_agent is in namespace %q: this is the first generation", tool.Namespace)
	}
}

func TestCodexUntrusted(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		trial{driver: Codex{At: find(t, key), Untrusted: true}, bench: newBench(t), showings: codexUntrustedShowings()}.run(t)
	}
}
