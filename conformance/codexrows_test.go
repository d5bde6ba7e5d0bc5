package conformance

import (
	"fmt"
	"slices"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// shell waits for the command's end as long as the client lets a call wait.
func shell(command string) standin.Call {
	return call("exec_command", map[string]any{"cmd": command, "yield_time_ms": 30_000})
}

// sandbox compares the sandbox of the sub-agent's turns.
func sandbox(want string) check {
	return spawned(func(a *Observation) error { return same("sandbox", want, CodexTurn(a.Spawned, "sandbox_mode")) })
}

// effortAmong: the effort is one of several.
func effortAmong(efforts ...string) check {
	return spawned(func(a *Observation) error {
		if !slices.Contains(efforts, a.Spawned.Effort) {
			return fmt.Errorf("effort: want one of %v, got %q", efforts, a.Spawned.Effort)
		}
		return nil
	})
}

// codexSession are the settings of the session that the showings run in: it has the MCP server ses, a skill and a
// feature that are switched off, and lets a sub-agent start others.
func codexSession(w world) []string {
	return []string{
		"mcp_servers.ses={command=" + quote(w.mcp) + ",args=[" + quote(standin.MCPArgument) + "],required=true,startup_timeout_sec=300}",
		`skills.config=[{name="dusty",enabled=false}]`,
		"features.view_image=false",
		"agents.max_depth=2",
	}
}

func codexBlock(keys string) string { return "providers: {codex: {" + keys + "}}" }

// codexShowings are for a trusted folder with the skills tidy and dusty.
func codexShowings(w world) []showing {
	ownServer := "{own: {command: '" + w.mcp + "', args: [" + standin.MCPArgument + "], required: true, startup_timeout_sec: 300}}"
	inside, beyond := shell("touch in-project && echo wrote"), shell("touch "+w.outside+" && echo wrote")
	spawn := standin.Call{Namespace: "multi_agent_v1", Name: "spawn_agent", Input: map[string]any{"agent_type": controlName, "message": "x"}}
	startsAny := []outcome{advisory(result(0, "agent_id")), enforced(withheld("spawn_agent"))}
	return []showing{
		{
			row: "description", entry: `description: "  Looks: after it.\n\nUse when asked. "`,
			is: []outcome{enforced(description("Looks: after it.\n\nUse when asked."), parentReads("Looks: after it.\n\nUse when asked."))},
		},
		{row: "title", entry: "title: A title", is: []outcome{leftOut}},
		{row: "version", entry: "version: 1.2.3", is: []outcome{leftOut}},
		{
			row: "access", entry: "access: read-only", calls: []standin.Call{inside},
			is: []outcome{advisory(sandbox("workspace-write"), result(0, "wrote")), enforced(sandbox("read-only"))},
		},
		{row: "tools", entry: "tools: [read]", is: []outcome{inherited(toolsOfControl()), enforced(withheld("exec_command"))}},
		{
			row: "tools#stripped", root: "defaults: {tools: [read, edit, shell]}", entry: "access: read-only",
			is: []outcome{inherited(toolsOfControl()), enforced(withheld("exec_command"))},
		},
		{row: "mcp", entry: "mcp: [ses/ping]", is: []outcome{inherited(offered("ping", "pong")), enforced(withheld("pong"))}},
		{
			row: "tier", root: "defaults: {providers: {codex: {models: {deep: {model: gpt-5.5, effort: low}}}}}", entry: "tier: deep",
			is: []outcome{enforced(model("gpt-5.5"), effort("low")), inherited(modelOfControl())},
		},
		{row: "tier#no-model", entry: "tier: deep", is: []outcome{inherited(modelOfControl(), effortOfControl())}},
		{row: "effort", entry: "effort: low", is: []outcome{enforced(effort("low"), modelOfControl()), inherited(effortOfControl())}},
		{row: "effort#default", entry: codexBlock("model: gpt-5.5"), is: []outcome{enforced(effort("medium")), inherited(effortOfControl())}},
		{
			row: "skills", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "skills: [tidy]",
			is: []outcome{enforced(sent("Content of the skill")), advisory(sent("`tidy`: Keeps tidy."))},
		},
		{
			row: "skills#preload", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "skills: [{id: tidy, preload: true}]",
			is: []outcome{enforced(sent("Content of the skill")), unsupported(sent("`tidy`: Keeps tidy. Load it before you start."))},
		},
		{row: "delegates", entry: "delegates: [" + other + "]", calls: []standin.Call{spawn}, is: startsAny},
		{row: "delegates=none", entry: "delegates: []", calls: []standin.Call{spawn}, is: startsAny},
		{row: "isolation", entry: "isolation: worktree", is: []outcome{leftOut}},
		{row: "isolation=none", entry: "isolation: none", calls: []standin.Call{shell("pwd")}, is: []outcome{enforced(printed(0, w.project))}},
		{row: "gate", entry: "gate: {command: 'exit 2'}", is: []outcome{leftOut}},
		{row: "hooks", entry: "hooks: " + refuseNeutral, is: []outcome{leftOut}},

		{
			row: "codex.model", entry: codexBlock("model: gpt-5.5, reasoning_effort: low"),
			is: []outcome{enforced(model("gpt-5.5"), effort("low")), inherited(modelOfControl())},
		},
		{row: "codex.reasoning_effort", entry: codexBlock("reasoning_effort: high"), is: []outcome{enforced(effort("high")), inherited(effortOfControl())}},
		{
			row: "codex.reasoning_effort=ultra", entry: codexBlock("model: gpt-6.1-sol, reasoning_effort: ultra"),
			is: []outcome{enforced(effort("ultra")), advisory(effortAmong("max", "xhigh"))},
		},
		{
			row: "codex.reasoning_effort=ultra", tag: "unknown model", entry: codexBlock("model: standin-other, reasoning_effort: ultra"),
			is: []outcome{enforced(effort("ultra")), advisory(effortAmong("medium", "max"))},
		},
		{
			row: "codex.reasoning_summary", entry: codexBlock("reasoning_summary: detailed"),
			is: []outcome{enforced(field(`"detailed"`, "reasoning", "summary")), advisory(modelOfControl())},
		},
		{
			row: "codex.verbosity", entry: codexBlock("model: gpt-5.5, reasoning_effort: low, verbosity: high"),
			is: []outcome{enforced(field(`"high"`, "text", "verbosity")), advisory(model("gpt-5.5"))},
		},
		{
			row: "codex.sandbox_mode", entry: codexBlock("sandbox_mode: read-only"), calls: []standin.Call{inside},
			is: []outcome{advisory(sandbox("workspace-write"), result(0, "wrote")), enforced(sandbox("read-only"))},
		},
		{
			row: "codex.sandbox_mode", tag: "wider", entry: codexBlock("sandbox_mode: danger-full-access"), calls: []standin.Call{beyond},
			is: []outcome{advisory(sandbox("workspace-write"), result(0, "Read-only file system")), enforced(result(0, "wrote"))},
		},
		{
			row: "codex.sandbox_mode#narrowed", root: "defaults: {access: read-only, providers: {codex: {sandbox_mode: danger-full-access}}}",
			calls: []standin.Call{beyond},
			is:    []outcome{advisory(sandbox("workspace-write"), result(0, "Read-only file system")), enforced(sandbox("read-only"))},
		},
		{
			// The client tells the model its policy.
			row: "codex.approval_policy", entry: codexBlock("approval_policy: untrusted"), calls: []standin.Call{inside},
			is: []outcome{advisory(sent("Approval policy is currently never"), result(0, "wrote")), enforced(unsent("Approval policy is currently never"))},
		},
		{row: "codex.nickname_candidates", entry: codexBlock("nickname_candidates: [Nicky]"), is: []outcome{enforced(answered(`"Nicky"`)), advisory(answered("nickname"))}},
		{
			row: "codex.mcp_servers", entry: codexBlock("mcp_servers: " + ownServer),
			is: []outcome{enforced(offeredIn("mcp__own", "ping", "pong")), advisory(toolsOfControl())},
		},
		{
			row: "codex.skills", entry: codexBlock("skills: {config: [{name: tidy, enabled: false}]}"),
			is: []outcome{enforced(unsent("Text of the skill")), advisory(sent("Text of the skill"))},
		},
		{
			row: "codex.skills#on", entry: codexBlock("skills: {config: [{name: dusty, enabled: true}]}"),
			is: []outcome{enforced(sent("Text of the dusty skill")), advisory(unsent("Text of the dusty skill"))},
		},
		{
			row: "codex.skills#settings", tag: "include", entry: codexBlock("skills: {include_instructions: false}"),
			is: []outcome{enforced(unsent("Text of the skill")), advisory(sent("Text of the skill"))},
		},
		{
			row: "codex.skills#settings", tag: "bundled", entry: codexBlock("skills: {bundled: {enabled: false}}"),
			is: []outcome{enforced(unsent("- skill-creator: "), sent("Text of the skill")), advisory(sent("- skill-creator: "))},
		},
		{
			row: "codex.skills#settings=max_context_tokens", entry: codexBlock("skills: {max_context_tokens: 20}"),
			is: []outcome{enforced(unsent("Text of the skill")), advisory(sent("Text of the skill"))},
		},
		{
			row: "codex.features", entry: codexBlock("features: {shell_tool: false}"), calls: []standin.Call{shell("echo hi")},
			is: []outcome{enforced(withheld("exec_command"), result(0, "unsupported call")), advisory(toolsOfControl())},
		},
		{row: "codex.features#on", entry: codexBlock("features: {view_image: true}"), is: []outcome{enforced(offered("view_image")), advisory(toolsOfControl())}},
		{row: "codex.features#other", entry: codexBlock("features: {goals: false}"), is: []outcome{enforced(withheld("create_goal")), advisory(toolsOfControl())}},
		{row: "codex.web_search", entry: codexBlock("web_search: disabled"), is: []outcome{enforced(withheld("web_search")), advisory(offered("web_search"))}},
		{
			row: "codex.service_tier", entry: codexBlock("service_tier: priority, model: gpt-5.5, reasoning_effort: low"),
			is: []outcome{enforced(field(`"priority"`, "service_tier")), advisory(field("", "service_tier"))},
		},
		{
			row: "codex.extra", entry: codexBlock("extra: {include_permissions_instructions: false}"),
			is: []outcome{enforced(unsent("<permissions instructions>")), advisory(sent("<permissions instructions>"))},
		},
	}
}

// codexUntrustedShowings are for a folder that nobody has trusted.
func codexUntrustedShowings() []showing {
	return []showing{{row: "description", when: "the folder is trusted", is: []outcome{enforced(absent(), refused("unknown agent_type"))}}}
}
