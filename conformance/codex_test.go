//go:build conformance

package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func codexFile(f fact) string {
	return fmt.Sprintf("name = %q\ndescription = \"d\"\ndeveloper_instructions = %q\n%s\n", f.name, f.body(), f.keys)
}

// codexFacts of every version, and those on which 0.148.0 and later versions part.
func codexFacts(t *testing.T, outside string, old bool) []fact {
	part := func(until148, since149 check) check {
		if old {
			return until148
		}
		return since149
	}
	server := "[mcp_servers.own]\ncommand = '" + mcpCommand(t) + "'\nargs = ['" + standin.MCPArgument + "']"
	return []fact{
		{name: "plain", calls: []standin.Call{shell("touch in-project && echo wrote"), shell("touch " + outside + " && echo wrote")},
			want: every(body(bodyOf("plain")), description("d"), model(CodexParentModel), effort(CodexParentEffort), sandbox("workspace-write"),
				offered("exec_command", "web_search"), sent("Text of the skill"), result(0, "wrote"), result(1, "Read-only file system"))},
		{name: "model", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'low'", want: every(model("gpt-5.5"), effort("low"))},
		{name: "model-inherits-effort", keys: "model = 'gpt-5.5'", want: effort(CodexParentEffort)},
		{name: "effort-checked-at-spawn", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'ultra'", want: refused("`ultra` is not supported")},
		{name: "reasoning-summary", keys: "model_reasoning_summary = 'detailed'", want: field(`"detailed"`, "reasoning", "summary")},
		{name: "verbosity", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'low'\nmodel_verbosity = 'high'", want: field(`"high"`, "text", "verbosity")},
		{name: "nickname", keys: "nickname_candidates = ['Nicky']", want: answered(`"Nicky"`)},
		{name: "feature-off", keys: "features = {shell_tool = false}", calls: []standin.Call{shell("echo hi")},
			want: every(withheld("exec_command"), result(0, "unsupported call"))},
		{name: "skill-off", keys: "[[skills.config]]\nname = 'tidy'\nenabled = false", want: unsent("Text of the skill")},

		{name: "sandbox-read-only-ignored", keys: "sandbox_mode = 'read-only'", calls: []standin.Call{shell("touch in-project && echo wrote")},
			want: every(sandbox("workspace-write"), result(0, "wrote"))},
		{name: "sandbox-full-access-ignored", keys: "sandbox_mode = 'danger-full-access'", calls: []standin.Call{shell("touch " + outside + " && echo wrote")},
			want: every(sandbox("workspace-write"), result(0, "Read-only file system"))},
		{name: "approval-loads", keys: "approval_policy = 'untrusted'", calls: []standin.Call{shell("touch in-project && echo wrote")}, want: result(0, "wrote")},
		{name: "web-search", keys: "web_search = 'disabled'", want: part(withheld("web_search"), offered("web_search"))},
		{name: "mcp-servers", keys: server, want: part(offered("ping", "pong"), withheld("ping", "pong"))},
		{name: "service-tier", keys: "service_tier = 'priority'\nmodel = 'gpt-5.5'\nmodel_reasoning_effort = 'low'",
			want: part(field(`"priority"`, "service_tier"), field("", "service_tier"))},

		{name: "broken-unknown-key", keys: "color = 'red'", want: every(absent(), refused("unknown agent_type"), complained("unknown field `color`"))},
		{name: "broken-tools", keys: "tools = ['read']", want: every(absent(), complained("failed to deserialize"))},
		{name: "broken-sandbox", keys: "sandbox_mode = 'readonly'", want: every(absent(), complained("unknown variant `readonly`"))},
		{name: "broken-server", keys: "[mcp_servers.own]\nenabled_tools = ['a']", want: every(absent(), complained("invalid transport"))},
		{name: "broken-nickname", keys: "nickname_candidates = ['Worker (low)']", want: every(absent(), complained("nickname"))},
	}
}

func TestCodexFacts(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		t.Run(key, func(t *testing.T) {
			bench := newBench(t)
			put(t, bench, "project/.agents/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Text of the skill\n---\nx\n")
			// The session's sandbox lets writes into the project and the temporary folders, and nowhere else.
			cache, err := os.UserCacheDir()
			if err != nil {
				t.Fatal(err)
			}
			outside, err := os.MkdirTemp(cache, "conformance-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(outside)
			outside = filepath.Join(outside, "new")
			established(t, Codex{At: find(t, key)}, bench, ".codex/agents", ".toml", codexFile, codexFacts(t, outside, key == "codex-old"))
		})
	}
}

// Models of the second multi-agent generation have another spawn tool; both list and start the same roles.
func TestCodexSecondGeneration(t *testing.T) {
	driver := Codex{At: find(t, "codex"), Model: "gpt-6.2-sol"}
	run := established(t, driver, newBench(t), ".codex/agents", ".toml", codexFile, []fact{
		{name: "plain", want: every(body(bodyOf("plain")), description("d"), model("gpt-6.2-sol"), effort(CodexParentEffort))},
		{name: "model", keys: "model = 'gpt-5.5'\nmodel_reasoning_effort = 'low'", want: every(body(bodyOf("model")), model("gpt-5.5"), effort("low"))},
		{name: "sandbox-ignored", keys: "sandbox_mode = 'read-only'", want: sandbox("workspace-write")},
	})
	if tool, _ := run.Parent.Tool("spawn_agent"); tool.Namespace != "collaboration" {
		t.Errorf("spawn_agent is in namespace %q: this is the first generation", tool.Namespace)
	}
}

func TestCodexUntrusted(t *testing.T) {
	established(t, Codex{At: find(t, "codex"), Untrusted: true}, newBench(t), ".codex/agents", ".toml", codexFile, []fact{
		{name: "plain", want: every(absent(), refused("unknown agent_type"))},
	})
}

func TestCodexRows(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		t.Run(key, func(t *testing.T) {
			bench := newBench(t)
			w := worldOf(t, bench)
			put(t, bench, "project/.agents/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Text of the skill\n---\nContent of the skill\n")
			put(t, bench, "project/.agents/skills/dusty/SKILL.md", "---\nname: dusty\ndescription: Text of the dusty skill\n---\nx\n")
			shown(t, Codex{At: find(t, key), Settings: codexSession(w)}, bench, codexShowings(w))
		})
	}
}

func TestCodexRowsUntrusted(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		shown(t, Codex{At: find(t, key), Untrusted: true}, newBench(t), codexUntrustedShowings())
	}
}
