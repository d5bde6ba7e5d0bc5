package claude_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/claude"
	"github.com/seed-337579fc/subagents/schema"
)

const agentHead = "---\nname: probe\ndescription: Looks. Use when asked.\n"

func agent(keys string) string { return agentHead + keys + "---\n\nLook.\n" }

func decode(n providers.Native) ([]providers.Decoded, []string) {
	got, diags := claude.Provider{}.Decode(n)
	return got, decodetest.Codes(diags)
}

// K3, T4: what the keys of an agent file become, and that it is the same file
// again by meaning.
func TestDecodeKeys(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"absent tools restrict nothing", "", `{}`, `{}`, ""},
		{"empty list: no tools", "tools: []\n", `{}`, `{"tools":[]}`, ""},
		{"empty value: no tools (4740)", "tools:\n", `{}`, `{"tools":[]}`, "read-as?"},
		{"empty text: no tools", "tools: \"\"\n", `{}`, `{"tools":[]}`, ""},
		{"a truth value: no tools", "tools: true\n", `{}`, `{"tools":[]}`, "read-as?"},
		{"commas", "tools: Read, Grep, Glob\n", `{"tools":["read","search","list"]}`, `{"tools":["Read","Grep","Glob"]}`, ""},
		{"blanks, and a list of such texts", "tools: [Read Grep, \"Glob\"]\n", `{"tools":["read","search","list"]}`, `{"tools":["Read","Grep","Glob"]}`, ""},
		{"edit is Edit, Write in that order", "tools: Read, Edit, Write, Bash\n", `{"tools":["read","edit","shell"]}`, `{"tools":["Read","Edit","Write","Bash"]}`, ""},
		{"the other order is not exact", "tools: Write, Edit\n", `{}`, `{"tools":["Write","Edit"]}`, ""},
		{"one of the two is not exact", "tools: Read, Edit\n", `{}`, `{"tools":["Read","Edit"]}`, ""},
		{"a tool twice is not exact", "tools: Read, Read\n", `{}`, `{"tools":["Read","Read"]}`, ""},
		{"a tool without a verb", "tools: Read, LSP\n", `{}`, `{"tools":["Read","LSP"]}`, ""},
		{"servers", "tools: Read, mcp__docs, mcp__git__log\n", `{"mcp":["docs","git/log"],"tools":["read"]}`, `{"tools":["Read","mcp__docs","mcp__git__log"]}`, ""},
		{"a pattern of a server", "tools: Read, mcp__docs__*\n", `{}`, `{"tools":["Read","mcp__docs__*"]}`, ""},
		{"servers alone would gain the baseline", "tools: mcp__docs\n", `{}`, `{"tools":["mcp__docs"]}`, ""},
		{"patterns with blanks and commas (61651)", "tools: Bash(git log:*), Agent(a, b), Read\n", `{}`, `{"tools":["Bash(git log:*)","Agent(a, b)","Read"]}`, ""},
		{"Task is Agent", "tools: [Read, Task, Task(a)]\n", `{}`, `{"tools":["Read","Agent","Agent(a)"]}`, ""},
		{"items that are no text", "tools: [Read, 5]\n", `{"tools":["read"]}`, `{"tools":["Read"]}`, "dropped?"},
		{"everything", "tools: \"*\"\n", `{}`, `{"tools":["*"]}`, ""},
		{"may start none", "disallowedTools: Task\n", `{"delegates":[]}`, `{"disallowed_tools":["Agent"]}`, ""},
		{"denied tools", "disallowedTools: [Bash, Agent]\n", `{}`, `{"disallowed_tools":["Bash","Agent"]}`, ""},
		{"nothing denied", "disallowedTools:\n", `{}`, `{}`, ""},
		{"an alias of the table is a tier", "model: opus\n", `{"tier":"deep"}`, `{"model":"opus"}`, ""},
		{"another spelling of it is not", "model: Opus\n", `{}`, `{"model":"Opus"}`, ""},
		{"an id", "model: claude-opus-4-5\n", `{}`, `{"model":"claude-opus-4-5"}`, ""},
		{"inherit", "model: inherit\n", `{}`, `{"model":"inherit"}`, ""},
		{"no model", "model:\n", `{}`, `{}`, ""},
		{"a foreign model (92190)", "model: composer-2.5-fast\n", `{}`, `{}`, "dropped?"},
		{"effort in any case", "effort: HIGH\n", `{"effort":"high"}`, `{"effort":"high"}`, ""},
		{"effort, short", "effort: med\n", `{"effort":"medium"}`, `{"effort":"medium"}`, ""},
		{"effort without a neutral word", "effort: max\n", `{}`, `{"effort":"max"}`, ""},
		{"effort that is ignored", "effort: 5\n", `{}`, `{}`, "dropped?"},
		{"a colour", "color: pink\n", `{}`, `{"color":"pink"}`, ""},
		{"a colour that is ignored", "color: teal\n", `{}`, `{}`, "dropped?"},
		{"the case of a mode counts", "permissionMode: Plan\n", `{}`, `{}`, "dropped?"},
		{"numbers as texts", "maxTurns: \"5\"\nautoCompactWindow: 200000\n", `{}`, `{"auto_compact_window":200000,"max_turns":5}`, ""},
		{"truth values as texts", "background: \"true\"\nomitClaudeMd: false\n", `{}`, `{"background":true,"omit_claude_md":false}`, ""},
		{"isolation", "isolation: worktree\n", `{"isolation":"worktree"}`, `{"isolation":"worktree"}`, ""},
		{"servers and their settings", "mcpServers:\n  - docs\n  - git: {command: npx, args: [x@1.0.0], env: {HOME_DIR: a}, requestTimeout: 5}\n", `{}`, `{"mcp_servers":["docs",{"git":{"args":["x@1.0.0"],"command":"npx","env":{"HOME_DIR":"a"}}}]}`, "dropped?"},
		{"servers as a mapping", "mcpServers: {docs: {command: npx}}\n", `{}`, `{}`, "dropped?"},
		{"hooks", "hooks:\n  Stop:\n    - hooks: [{type: command, command: make, statusMessage: wait, timeout: 5}]\n", `{}`, `{"hooks":{"Stop":[{"hooks":[{"command":"make","status_message":"wait","timeout":5,"type":"command"}]}]}}`, ""},
		{"a fault in a harmless hook", "hooks:\n  Stop:\n    - hooks: [{type: command, command: make, timeout: \"5\"}]\n  Stopp: []\ncolor: red\n", `{}`, `{"color":"red"}`, "dropped? dropped?"},
		{"loose spelling", "experimental: {cache-ttl: 1h}\n", `{}`, `{"experimental":{"cache_ttl":"1h"}}`, ""},
		{"unknown keys", "observer: a\ntags: [x]\nallowed-tools: [Read]\n", `{}`, `{"extra":{"allowed-tools":["Read"],"observer":"a","tags":["x"]}}`, "read-as?"},
		{"unknown keys with a null", "tags:\nowner: {a: }\n", `{}`, `{}`, "dropped? dropped?"},
		{"the last of two keys counts", "color: red\ncolor: blue\n", `{}`, `{"color":"blue"}`, "duplicate-key?"},
		{"a text that only the second try reads (16916)", "initialPrompt: Use when: a, b\n", `{}`, `{"initial_prompt":"Use when: a, b"}`, "quotes-missing?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, claude.Provider{}.Decode, "a/probe.md", agent(c.keys))
			got := []string{decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			decodetest.Same(t, schema.ClaudeID, claude.Provider{}.Decode, "probe.md", agent(c.keys))
		})
	}
}

// K3: what the client reads out of an unusual file.
func TestDecodeTexts(t *testing.T) {
	for _, c := range []struct{ name, file, description, body, codes string }{
		{"plain", "---\nname: a\ndescription: d\n---\nBody\n", "d", "Body\n", ""},
		{"an empty line before the body stays", "---\nname: a\ndescription: d\n---\n\nBody", "d", "\nBody", ""},
		{"byte order mark", "\ufeff---\nname: a\ndescription: d\n---\nBody", "d", "Body", ""},
		{"DOS lines", "---\r\nname: a\r\ndescription: d\r\n---\r\nBody\r\n", "d", "Body\r\n", ""},
		{"blanks behind the fences", "--- \nname: a\ndescription: d\n---\t\nBody", "d", "Body", ""},
		{"a fence in a value cuts (89404)", "---\nname: a\ndescription: b --- c\ntools: Read\n---\nBody", "b ", " c\ntools: Read\n---\nBody", "head-cut?"},
		{"text behind the fence", "---\nname: a\ndescription: d\n--- Body", "d", " Body", "head-cut?"},
		{"hyphens in the body", "---\nname: a\ndescription: d\n---\na\n---\nb", "d", "a\n---\nb", ""},
		{"backslash-n is a line feed", "---\nname: a\ndescription: 'x\\ny'\n---\nB", "x\ny", "B", ""},
		{"colon without quotes", "---\nname: a\ndescription: Use when: a, b\n---\nB", "Use when: a, b", "B", "quotes-missing?"},
		{"backslashes and quotes without quotes", "---\nname: a\ndescription: Use: C:\\x \"y\"\n---\nB", "Use: C:\\x \"y\"", "B", "quotes-missing?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, claude.Provider{}.Decode, "a.md", c.file)
			got := []string{d.Name, strings.TrimSpace(d.Description), d.Body, strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{"a", strings.TrimSpace(c.description), c.body, c.codes}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What the client does not load is no subagent.
func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ file, codes string }{
		"no front matter":                    {"# A document\n", "no-front-matter"},
		"no line of its own for the fence":   {"----\nname: a\n---\nB", "no-front-matter"},
		"no closing fence":                   {"---\nname: a\n", "no-front-matter"},
		"a number as name":                   {"---\nname: 123\ndescription: d\n---\nB", "not-loaded"},
		"a colon in the name":                {"---\nname: \"a:b\"\ndescription: d\n---\nB", "not-loaded"},
		"the name begins with a hyphen":      {"---\nname: \"-a\"\ndescription: d\n---\nB", "not-loaded"},
		"no description (50522)":             {"---\nname: a\n---\nB", "not-loaded"},
		"an empty description":               {"---\nname: a\ndescription: \"\"\n---\nB", "not-loaded"},
		"no body":                            {"---\nname: a\ndescription: d\n---\n \n", "no-body"},
		"DOS lines and a colon (80890)":      {"---\r\nname: a\r\ndescription: x [ref: A]: b\r\n---\r\nB", "syntax"},
		"lines at the margin (91871)":        {"---\nname: a\ndescription: Use: x\n<example>\n---\nB", "syntax"},
		"a list":                             {"---\n- a\n---\nB", "not-loaded"},
		"hooks as a list":                    {agent("hooks: []\n"), "not-loaded"},
		"a hook outside of hooks":            {agent("PreToolUse: []\n"), "not-loaded"},
		"a fault in a hook that counts":      {agent("hooks: {PreToolUse: [{hooks: [{type: command, command: x, timeout: \"10\"}]}]}\n"), "not-loaded"},
		"bytes that are no text":             {"---\nname: a\ndescription: \xff\n---\nB", "syntax"},
		"a name of another case is no name":  {"---\nName: a\ndescription: d\n---\nB", "not-loaded"},
		"the fence stands behind empty line": {"\n---\nname: a\ndescription: d\n---\nB", "no-front-matter"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(decodetest.None(t, claude.Provider{}.Decode, "a.md", c.file), " "); got != c.codes {
				t.Errorf("got %s, want %s", got, c.codes)
			}
		})
	}
}

// Claude plugin folders: the name may come from the file, and some keys do not
// count.
func TestDecodePlugin(t *testing.T) {
	got, codes := decode(providers.Native{Name: "p/agents/review-helper.md", Form: "plugin", Data: []byte("---\nwhen_to_use: After edits\npermissionMode: plan\nhooks: []\ncolor: red\n---\nB")})
	if len(got) != 1 {
		t.Fatal(codes)
	}
	d := got[0]
	if d.Name != "review-helper" || d.Description != "After edits" || decodetest.Block(t, d) != `{"color":"red"}` {
		t.Errorf("%q %q %s", d.Name, d.Description, decodetest.Block(t, d))
	}
	if want := "dropped? dropped? dropped?"; strings.Join(codes, " ") != want {
		t.Errorf("got %v, want %s", codes, want)
	}
}

// What this program writes comes back as the same bytes.
func TestDecodeIdentity(t *testing.T) {
	for _, keys := range []string{
		"", "  tools: [read, edit, web_fetch]\n  mcp: [docs, git/log]\n  tier: deep\n  effort: low\n",
		"  access: read-only\n", "  tools: []\n", "  delegates: []\n  tools: [read]\n", "  isolation: worktree\n  gate: {command: make test}\n",
		"  skills: [{id: a, preload: true}]\n  hooks: {PreToolUse: [{matcher: Bash, command: x, timeout: 5}]}\n",
		"  providers:\n    claude:\n      tools: []\n      disallowed_tools: [Bash]\n      max_turns: 4\n      memory: project\n      background: true\n      color: cyan\n" +
			"      initial_prompt: go\n      omit_claude_md: true\n      auto_compact_window: 100000\n      experimental: {cache_ttl: 5m}\n" +
			"      mcp_servers: [a, {b: {type: http, url: \"https://example.com\", headers: {X-A: b}}}]\n" +
			"      extra: {observer: x, nested: {deep: [1, 2.5, true, a]}}\n",
	} {
		result, _ := file(t, head+keys)
		decodetest.Identity(t, schema.ClaudeID, claude.Provider{}.Decode, result.Files)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{agent("tools: Read\n"), agent("hooks: {Stop: [{hooks: [{type: command, command: x}]}]}\n"), "---\nname: a\ndescription: x: y\n---\nb", "---\n&a [*a]\n---\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range []string{"", "plugin"} {
			got, diags := claude.Provider{}.Decode(providers.Native{Name: "a.md", Form: form, Data: data})
			if (len(got) == 0) != diags.HasErrors() {
				t.Fatalf("%d subagents, %v", len(got), diags)
			}
			decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
		}
	})
}
