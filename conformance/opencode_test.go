//go:build conformance

package conformance

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func openCodeFile(f fact) string {
	return frontMatter("description: d\n"+f.keys, "\n"+f.body()+"\n\n")
}

// failOpen: the client could not read the front matter and took the whole file for a prompt, with every permission.
func failOpen() check {
	return every(description(""), defined("mode", `"all"`), offered("bash", "edit", "write"), spawned(func(a *Observation) error {
		if !strings.HasPrefix(a.Body, "---\n") {
			return same("body", "the whole file", a.Body)
		}
		return nil
	}))
}

// openCodeFacts are for the session of openCodeShowings.
func openCodeFacts(w world) []fact {
	ping := call("srv_ping", map[string]any{})
	write := call("write", map[string]any{"filePath": w.project + "/new.txt", "content": "x"})
	return []fact{
		{
			name: "plain", keys: "mode: subagent", calls: []standin.Call{ping, openCodeRead(w.project + "/readme.txt"), write},
			want: every(body(bodyOf("plain")), description("d"), model("root"), effort(""), sent("Text of the skill"),
				tools("bash", "edit", "glob", "grep", "read", "skill", "srv_ping", "srv_pong", "webfetch", "write"),
				result(0, "answer of ping"), result(1, "hello"), result(2, "Wrote file")),
		},
		{name: "primary", keys: "mode: primary", want: body(bodyOf("primary"))},
		{name: "no-mode", want: every(body(bodyOf("no-mode")), defined("mode", `"all"`))},
		{name: "last-match-wins", keys: "mode: subagent\npermission:\n  read: allow\n  \"*\": deny", want: tools()},
		{name: "env-asked", keys: "mode: subagent", calls: []standin.Call{openCodeRead(w.project + "/.env")}, want: answered(askedAndRefused)},
		{name: "outside-asked", keys: "mode: subagent", calls: []standin.Call{openCodeRead(w.outside)}, want: answered(askedAndRefused)},
		{name: "todo", keys: "mode: subagent\npermission: {todowrite: allow}", want: offered("todowrite")},
		{name: "skill-denied", keys: "mode: subagent\npermission: {skill: deny}", want: every(withheld("skill"), unsent("Text of the skill"))},
		{name: "key-of-claude-ignored", keys: "mode: subagent\npermission: {Bash: deny, write: deny}", want: offered("bash", "write")},
		{name: "model-without-provider", keys: "mode: subagent\nmodel: sonnet", want: refused("Model not found: sonnet/")},
		{
			name: "v2-permissions-ignored", keys: "mode: subagent\npermissions: [{action: edit, resource: '*', effect: deny}]",
			want: every(offered("edit"), sent(`"permissions":[`)),
		},
		{name: "disabled", keys: "mode: subagent\ndisable: true", want: every(absent(), refused("Unknown agent type"))},
		{name: "renamed", keys: "mode: subagent\nname: somebody-else", want: absent()},

		{name: "broken-star-key", keys: "mode: subagent\npermission:\n  *: deny", want: failOpen()},
		{name: "broken-quote", keys: "mode: \"subagent", want: failOpen()},
		{name: "broken-twice", keys: "color: a: b\npermission:\n  *: deny", want: absent()},
	}
}

// What a list does not have is denied, read-only takes away what writes, delegates name who can be started. K34, K38, M51.
func TestOpenCodeFacts(t *testing.T) {
	bench := newBench(t)
	w := worldOf(t, bench)
	if err := os.WriteFile(w.outside, []byte("Text outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	put(t, bench, "project/readme.txt", "hello\n")
	put(t, bench, "project/.env", "SECRET=1\n")
	put(t, bench, "project/.opencode/skills/tidy/SKILL.md", skillFile("tidy", "Text of the skill", "Content of the skill"))
	put(t, bench, "project/.opencode/agents/"+other+".md", frontMatter("mode: subagent\ndescription: d", "x"))
	run := trial{
		driver: OpenCode{At: find(t, "opencode"), Config: openCodeSession(w)}, bench: bench,
		byHand:   []byHand{{".opencode/agents", ".md", openCodeFile, openCodeFacts(w)}},
		showings: openCodeShowings(w),
	}.run(t)
	if want := []string{other, "somebody-else"}; !slices.Equal(slices.Sorted(slices.Values(run.Unexpected)), want) {
		t.Errorf("unexpected agents %v, want %v", run.Unexpected, want)
	}
}

// A value of a wrong type in one file stops the client for all of them.
func TestOpenCodeRefusesToStart(t *testing.T) {
	for name, test := range map[string]struct{ keys, want string }{
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
