package conformance

import (
	"fmt"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// openCodeSession is the session that the showings run in: with the MCP servers srv and oth, the tools of the second
// denied to everybody.
func openCodeSession(w world) map[string]any {
	server := map[string]any{"type": "local", "command": []string{w.mcp, standin.MCPArgument}, "timeout": 300_000}
	return map[string]any{
		"mcp":        map[string]any{"srv": server, "oth": server},
		"permission": map[string]any{"oth_*": "deny"},
	}
}

// defined compares a field of the client's own view of the agent.
func defined(field, want string) check {
	return func(_ *Run, a *Observation) error { return same(field, want, a.defined(field)) }
}

// taskList: the sub-agent's own task tool names one agent and not another.
func taskList(in, out string) check {
	return spawned(func(a *Observation) error {
		list, _ := a.Spawned.Tool("task")
		if !strings.Contains(list.Description, in) || strings.Contains(list.Description, out) {
			return same("task list", in, list.Description)
		}
		return nil
	})
}

// parentLacks: some text stands nowhere in what the main thread's model is given.
func parentLacks(text string) check {
	return func(run *Run, a *Observation) error {
		if parentReads(text)(run, a) == nil {
			return fmt.Errorf("the main thread is shown %.100q", text)
		}
		return nil
	}
}

func openCodeRead(path string) standin.Call { return call("read", map[string]any{"filePath": path}) }

func openCodeShell(command string) standin.Call {
	return call("bash", map[string]any{"command": command, "description": "d"})
}

func openCodeBlock(keys string) string { return "providers: {opencode: {" + keys + "}}" }

const askedAndRefused = "rejected permission"

// openCodeShowings are for a project with readme.txt and .env, the skill tidy, the agent another, and a file outside.
func openCodeShowings(w world) []showing {
	read, outside, secret := openCodeRead(w.project+"/readme.txt"), openCodeRead(w.outside), openCodeRead(w.project+"/.env")
	echo, ping := openCodeShell("echo hello"), call("srv_ping", map[string]any{})
	const models = "defaults: {providers: {opencode: {models: {deep: {model: standin/other, effort: high}}}}}"
	return []showing{
		{
			row: "description", entry: "description: 'Looks: after it.'",
			is: []outcome{enforced(description("Looks: after it."), parentReads("- row-description: Looks: after it.\n"))},
		},
		{row: "title", entry: "title: A title", is: []outcome{leftOut}},
		{row: "version", entry: "version: 1.2.3", is: []outcome{leftOut}},
		{row: "access", entry: "access: workspace-write", is: []outcome{inherited(toolsOfControl())}},
		{
			row: "access=read-only", entry: "access: read-only", calls: []standin.Call{ping, echo, read},
			is: []outcome{
				enforced(tools("glob", "grep", "read"), result(0, "unavailable tool"), result(1, "unavailable tool"), result(2, "hello")),
				inherited(toolsOfControl()),
			},
		},
		{
			row: "access=read-only+shell", entry: "access: read-only\nallow_read_only_shell: true\ntools: [read, shell]",
			calls: []standin.Call{openCodeShell("touch made && echo wrote")},
			is:    []outcome{advisory(tools("bash", "read"), result(0, "wrote")), enforced(result(0, "prevents"))},
		},
		{
			row: "tools", entry: "tools: [read, edit]", calls: []standin.Call{echo, read},
			is: []outcome{enforced(tools("edit", "read", "write"), result(0, "unavailable tool"), result(1, "hello")), inherited(toolsOfControl())},
		},
		{row: "tools", tag: "empty", entry: "tools: []", is: []outcome{enforced(tools("glob", "grep", "read")), inherited(toolsOfControl())}},
		{
			row: "tools#denials", entry: "tools: [read]", calls: []standin.Call{outside},
			is: []outcome{enforced(result(0, "prevents you from using")), advisory(answered(askedAndRefused))},
		},
		{row: "tools#todowrite", entry: "tools: [read, todo]", is: []outcome{unsupported(tools("read")), enforced(tools("read", "todowrite"))}},
		{row: "tools#task", entry: "tools: [read, delegate]", is: []outcome{unsupported(tools("read")), enforced(tools("read", "task"))}},
		{
			row: "tools#stripped", root: "defaults: {tools: [read, edit, shell]}", entry: "access: read-only",
			is: []outcome{enforced(tools("read")), inherited(toolsOfControl())},
		},
		{
			row: "mcp", entry: "tools: [read]\nmcp: [srv/ping]", calls: []standin.Call{ping},
			is: []outcome{enforced(tools("read", "srv_ping"), result(0, "answer of ping")), inherited(offered("srv_ping", "srv_pong"))},
		},
		{row: "mcp", tag: "server", entry: "tools: [read]\nmcp: [srv]", is: []outcome{enforced(tools("read", "srv_ping", "srv_pong"))}},
		{
			row: "mcp#allowed", entry: "tools: [read]\nmcp: [oth]",
			is: []outcome{enforced(tools("oth_ping", "oth_pong", "read")), advisory(tools("read"))},
		},
		{row: "mcp#without-tools", entry: "mcp: [srv/ping]", is: []outcome{inherited(toolsOfControl(), offered("srv_pong")), enforced(withheld("srv_pong"))}},
		{row: "tier", root: models, entry: "tier: deep", is: []outcome{enforced(model("other"), effort("high")), inherited(modelOfControl())}},
		{row: "tier#no-model", entry: "tier: deep", is: []outcome{inherited(modelOfControl(), effortOfControl())}},
		{row: "effort", entry: "effort: low", is: []outcome{leftOut}},
		{
			row: "skills", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "tools: [read]\nskills: [tidy]",
			is: []outcome{enforced(sent("Content of the skill")), advisory(sent("`tidy`: Keeps tidy."), tools("read", "skill"))},
		},
		{
			row: "skills#preload", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "skills: [{id: tidy, preload: true}]",
			is: []outcome{enforced(sent("Content of the skill")), unsupported(sent("`tidy`: Keeps tidy. Load it before you start."))},
		},
		{
			row: "delegates", entry: "delegates: [" + other + "]",
			is: []outcome{enforced(offered("task"), taskList("- "+other+": d", "- "+controlName)), advisory(offered("task"))},
		},
		{row: "delegates=none", entry: "delegates: []", is: []outcome{enforced(withheld("task")), advisory(offered("task"))}},
		{row: "isolation", entry: "isolation: worktree", is: []outcome{leftOut}},
		{row: "isolation=none", entry: "isolation: none", calls: []standin.Call{openCodeShell("pwd")}, is: []outcome{enforced(printed(0, w.project))}},
		{row: "gate", entry: "gate: {command: 'exit 2'}", is: []outcome{leftOut}},
		{row: "hooks", entry: "hooks: " + refuseNeutral, is: []outcome{leftOut}},

		{
			row: "opencode.mode", entry: openCodeBlock("mode: all"),
			is: []outcome{enforced(defined("mode", `"all"`), parentReads("- row-opencode-mode: d"))},
		},
		{
			row: "opencode.mode=primary", entry: openCodeBlock("mode: primary"),
			is: []outcome{enforced(defined("mode", `"primary"`), parentLacks("- row-opencode-mode-primary: d")), advisory(parentReads("- row-opencode-mode-primary: d"))},
		},
		{row: "opencode.model", entry: openCodeBlock("model: standin/other"), is: []outcome{enforced(model("other")), inherited(modelOfControl())}},
		{
			row: "opencode.variant", entry: openCodeBlock("model: standin/other, variant: high"),
			is: []outcome{enforced(effort("high")), unsupported(effort(""))},
		},
		{
			row: "opencode.variant#no-model", entry: openCodeBlock("variant: high"),
			is: []outcome{unsupported(modelOfControl(), effort("")), enforced(effort("high"))},
		},
		{row: "opencode.temperature", entry: openCodeBlock("temperature: 0.25"), is: []outcome{enforced(field("0.25", "temperature")), advisory(field("", "temperature"))}},
		{row: "opencode.top_p", entry: openCodeBlock("top_p: 0.5"), is: []outcome{enforced(field("0.5", "top_p")), advisory(field("", "top_p"))}},
		{
			row: "opencode.steps", entry: openCodeBlock("steps: 2"), calls: []standin.Call{echo, echo, echo},
			is: []outcome{enforced(turns(2)), advisory(turns(4), result(2, "hello"))},
		},
		{row: "opencode.color", entry: openCodeBlock("color: '#00ff88'"), is: []outcome{enforced(defined("color", `"#00ff88"`)), unsupported(defined("color", ""))}},
		{
			row: "opencode.hidden", entry: openCodeBlock("hidden: true"),
			is: []outcome{advisory(defined("hidden", "true"), parentReads("- row-opencode-hidden: d")), enforced(parentLacks("- row-opencode-hidden: d"))},
		},
		{
			row: "opencode.permission", entry: openCodeBlock(`permission: {bash: {"*": deny, "echo *": allow}}`),
			calls: []standin.Call{echo, openCodeShell("id")},
			is:    []outcome{enforced(offered("bash"), result(0, "hello"), result(1, "specified a rule which prevents")), advisory(result(1, "uid="))},
		},
		{
			row: "opencode.permission", tag: "ask", entry: openCodeBlock("permission: {bash: ask}"), calls: []standin.Call{echo},
			is: []outcome{enforced(offered("bash"), answered(askedAndRefused)), advisory(result(0, "hello"))},
		},
		{
			row: "opencode.permission#env", entry: openCodeBlock("permission: {read: allow}"), calls: []standin.Call{secret},
			is: []outcome{enforced(result(0, "SECRET")), advisory(answered(askedAndRefused))},
		},
		{
			row: "opencode.permission#asks", entry: openCodeBlock("permission: {'*': allow}"), calls: []standin.Call{outside},
			is: []outcome{enforced(result(0, "Text outside")), advisory(answered(askedAndRefused))},
		},
		{
			row: "opencode.options", entry: openCodeBlock("options: {reasoningEffort: low, x: y}"),
			is: []outcome{advisory(effort("low"), field(`"y"`, "x")), unsupported(field("", "x"))},
		},
		{
			row: "opencode.extra", entry: openCodeBlock("extra: {foo: bar}"),
			is: []outcome{advisory(field(`"bar"`, "foo")), unsupported(field("", "foo"))},
		},
	}
}
