//go:build conformance

package conformance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func openCodeFile(f fact) string {
	return frontMatter("description: d\n"+f.keys, "\n"+f.body()+"\n\n")
}

// everythingDenied is the list of denials that an allow-list of read, glob and grep amounts to.
const everythingDenied = `mode: subagent
permission:
  "*_*": deny
  edit: deny
  bash: deny
  webfetch: deny
  websearch: deny
  task: deny
  skill: deny
  todowrite: deny
  question: deny
  lsp: deny`

// failOpen: the client could not read the front matter and took the whole file for a prompt, with every permission.
func failOpen() check {
	return every(description(""), defined("mode", `"all"`), offered("bash", "edit", "write"), spawned(func(a *Observation) error {
		if !strings.HasPrefix(a.Body, "---\n") {
			return same("body", "the whole file", a.Body)
		}
		return nil
	}))
}

func TestOpenCodeFacts(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/.env", "SECRET=1\n")
	put(t, bench, "project/.opencode/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Text of the skill\n---\nx\n")
	read := func(name string) standin.Call {
		return call("read", map[string]any{"filePath": filepath.Join(bench.Project(), name)})
	}
	shell := func(command string) standin.Call {
		return call("bash", map[string]any{"command": command, "description": "d"})
	}
	echo, ping := shell("echo hello"), call("srv_ping", map[string]any{})
	write := call("write", map[string]any{"filePath": filepath.Join(bench.Project(), "new.txt"), "content": "x"})
	driver := OpenCode{At: find(t, "opencode"), Config: map[string]any{"mcp": map[string]any{
		"srv": map[string]any{"type": "local", "command": []string{mcpCommand(t), standin.MCPArgument}},
	}}}

	run := established(t, driver, bench, ".opencode/agents", ".md", openCodeFile, []fact{
		{name: "plain", keys: "mode: subagent", calls: []standin.Call{ping, read("readme.txt"), write},
			want: every(body(bodyOf("plain")), description("d"), model("root"), effort(""), sent("Text of the skill"),
				tools("bash", "edit", "glob", "grep", "read", "skill", "srv_ping", "srv_pong", "webfetch", "write"),
				result(0, "answer of ping"), result(1, "hello"), result(2, "Wrote file"))},
		{name: "primary", keys: "mode: primary", want: body(bodyOf("primary"))},
		{name: "no-mode", want: every(body(bodyOf("no-mode")), defined("mode", `"all"`))},

		{name: "denials", keys: everythingDenied, calls: []standin.Call{ping, echo, read("readme.txt")},
			want: every(tools("glob", "grep", "read"), result(0, "unavailable tool"), result(1, "unavailable tool"), result(2, "hello"))},
		{name: "deny-edit-takes-write", keys: "mode: subagent\npermission: {edit: deny}", want: withheld("edit", "write")},
		{name: "mcp-server", keys: "mode: subagent\npermission:\n  \"*_*\": deny\n  \"srv_*\": allow", calls: []standin.Call{ping}, want: every(offered("srv_ping", "srv_pong"), result(0, "answer of ping"))},
		{name: "mcp-tool", keys: "mode: subagent\npermission:\n  \"*_*\": deny\n  \"srv_ping\": allow", want: every(offered("srv_ping"), withheld("srv_pong"))},
		{name: "last-match-wins", keys: "mode: subagent\npermission:\n  read: allow\n  \"*\": deny", want: tools()},
		{name: "bash-pattern", keys: "mode: subagent\npermission:\n  bash:\n    \"*\": deny\n    \"echo *\": allow", calls: []standin.Call{echo, shell("id")},
			want: every(offered("bash"), result(0, "hello"), result(1, "specified a rule which prevents"))},
		{name: "bash-ask", keys: "mode: subagent\npermission: {bash: ask}", calls: []standin.Call{echo}, want: every(offered("bash"), answered("rejected permission"))},
		{name: "env-asked", keys: "mode: subagent", calls: []standin.Call{read(".env")}, want: answered("rejected permission")},
		{name: "env-lifted-by-bare-allow", keys: "mode: subagent\npermission: {read: allow}", calls: []standin.Call{read(".env")}, want: result(0, "SECRET")},
		{name: "task-not-by-default", keys: "mode: subagent", want: withheld("task", "todowrite")},
		{name: "task-names", keys: "mode: subagent\npermission:\n  task:\n    \"*\": deny\n    \"plain\": allow", want: every(offered("task"), taskList("- plain: d", "- primary: d"))},
		{name: "todo", keys: "mode: subagent\npermission: {todowrite: allow}", want: offered("todowrite")},
		{name: "skill-denied", keys: "mode: subagent\npermission: {skill: deny}", want: every(withheld("skill"), unsent("Text of the skill"))},
		{name: "key-of-claude-ignored", keys: "mode: subagent\npermission: {Bash: deny, write: deny}", want: offered("bash", "write")},

		{name: "model-variant", keys: "mode: subagent\nmodel: " + OpenCodeOtherModel + "\nvariant: high", want: every(model("other"), effort("high"))},
		{name: "variant-without-model", keys: "mode: subagent\nvariant: high", want: every(model("root"), effort(""))},
		{name: "model-without-provider", keys: "mode: subagent\nmodel: sonnet", want: refused("Model not found: sonnet/")},
		{name: "sampling", keys: "mode: subagent\ntemperature: 0.25\ntop_p: 0.5", want: every(field("0.25", "temperature"), field("0.5", "top_p"))},
		{name: "options", keys: "mode: subagent\noptions: {reasoningEffort: low, x: y}", want: every(effort("low"), field(`"y"`, "x"))},
		{name: "unknown-key-sent", keys: "mode: subagent\nfoo: bar", want: field(`"bar"`, "foo")},
		{name: "v2-permissions-ignored", keys: "mode: subagent\npermissions: [{action: edit, resource: '*', effect: deny}]", want: every(offered("edit"), sent(`"permissions":[`))},
		{name: "steps-only-asked", keys: "mode: subagent\nsteps: 2", calls: []standin.Call{echo, echo, echo}, want: every(turns(4), result(2, "hello"))},
		{name: "hidden-still-offered", keys: "mode: subagent\nhidden: true", want: body(bodyOf("hidden-still-offered"))},
		{name: "disabled", keys: "mode: subagent\ndisable: true", want: every(absent(), refused("Unknown agent type"))},
		{name: "renamed", keys: "mode: subagent\nname: somebody-else", want: absent()},

		{name: "broken-star-key", keys: "mode: subagent\npermission:\n  *: deny", want: failOpen()},
		{name: "broken-quote", keys: "mode: \"subagent", want: failOpen()},
		{name: "broken-twice", keys: "color: a: b\npermission:\n  *: deny", want: absent()},
	})
	list, _ := run.Parent.Tool("task")
	if !strings.Contains(list.Description, "- hidden-still-offered: d") || strings.Contains(list.Description, "- primary: d") {
		t.Errorf("the task tool lists other agents than thought:\n%s", list.Description)
	}
	if want := []string{"somebody-else"}; !slices.Equal(run.Unexpected, want) {
		t.Errorf("unexpected agents %v, want %v", run.Unexpected, want)
	}
}

// A value of a wrong type in one file stops the client for all of them.
func TestOpenCodeRefusesToStart(t *testing.T) {
	for name, test := range map[string]struct{ keys, want string }{
		"tools-list":  {"tools: [Read]", "Expected object"},
		"color-name":  {"color: teal", "color"},
		"null":        {"model:", "model"},
		"mode":        {"mode: agent", "mode"},
		"permissions": {"permission: [deny]", "permission"},
	} {
		t.Run(name, func(t *testing.T) {
			bench := newBench(t)
			put(t, bench, "project/.opencode/agents/bad.md", frontMatter(test.keys, "x"))
			run := perform(t, OpenCode{At: find(t, "opencode")}, bench, []Probe{{Name: "bad", File: ".opencode/agents/bad.md"}})
			if !strings.Contains(run.Failure, "ConfigInvalidError") || !strings.Contains(run.Failure, test.want) {
				t.Errorf("failure %q does not say %q", run.Failure, test.want)
			}
		})
	}
}

func TestOpenCodeRows(t *testing.T) {
	bench := newBench(t)
	w := worldOf(t, bench)
	if err := os.WriteFile(w.outside, []byte("Text outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/.env", "SECRET=1\n")
	put(t, bench, "project/.opencode/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: d\n---\nContent of the skill\n")
	put(t, bench, "project/.opencode/agents/"+other+".md", frontMatter("mode: subagent\ndescription: d", "x"))
	shown(t, OpenCode{At: find(t, "opencode"), Config: openCodeSession(w)}, bench, openCodeShowings(w))
}
