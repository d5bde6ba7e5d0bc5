package kiro_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/kiro"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

func jsonAgent(keys string) string {
	return `{"name": "probe", "description": "Looks. Use when asked.", "prompt": "Look.\n"` + keys + "}\n"
}

func mdAgent(keys string) string {
	return "---\nname: probe\ndescription: Looks. Use when asked.\n" + keys + "---\n\nLook.\n"
}

// K3, T4: what the keys of a JSON file become, and that it is the same file
// again by meaning.
func TestDecodeJSON(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"absent tools are no tools (6714)", ``, `{}`, `{"tools":[]}`, "read-as?"},
		{"empty tools", `, "tools": []`, `{}`, `{"tools":[]}`, ""},
		{"every tool is the default", `, "tools": ["*"]`, `{}`, `{}`, ""},
		{"every tool, as text", `, "tools": "*"`, `{}`, `{}`, ""},
		{"verbs", `, "tools": ["read", "grep", "glob"]`, `{"tools":["read","search","list"]}`, `{"tools":["read","grep","glob"]}`, ""},
		{"older names", `, "tools": ["fs_read", "execute_bash"]`, `{"tools":["read","shell"]}`, `{"tools":["read","shell"]}`, "read-as?"},
		{"servers", `, "tools": ["read", "@git", "@docs/find"]`, `{"mcp":["git","docs/find"],"tools":["read"]}`, `{"tools":["read","@git","@docs/find"]}`, ""},
		{"groups are no servers", `, "tools": ["read", "@builtin"]`, `{}`, `{"tools":["read","@builtin"]}`, ""},
		{"a tool without a verb", `, "tools": ["read", "aws"]`, `{}`, `{"tools":["read","aws"]}`, ""},
		{"names of another host stay", `, "tools": ["Read"]`, `{}`, `{"tools":["Read"]}`, ""},
		{"nulls are like absent keys", `, "tools": ["*"], "model": null, "hooks": null, "toolSchema": null`, `{}`, `{}`, ""},
		{"a model", `, "tools": ["*"], "model": "claude-sonnet-4.5"`, `{}`, `{"model":"claude-sonnet-4.5"}`, ""},
		{
			"keys of V2", `, "tools": ["*"], "allowedTools": ["read", "@git/*"], "toolsSettings": {"shell": {"allowedCommands": ["git .*"]}}, "toolAliases": {"@a/b": "c"}, "keyboardShortcut": "ctrl+r"`,
			`{}`, `{"allowed_tools":["read","@git/*"],"keyboard_shortcut":"ctrl+r","tool_aliases":{"@a/b":"c"},"tools_settings":{"shell":{"allowedCommands":["git .*"]}}}`, "",
		},
		{"the permissions that are always added", `, "tools": ["*"], "allowedTools": ["read"], "permissions": {"rules": []}`, `{}`, `{"allowed_tools":["read"]}`, ""},
		{
			"permissions of V3", `, "tools": ["*"], "permissions": {"rules": [{"capability": "shell", "effect": "ask", "match": ["git *"]}, {"capability": "nonsense", "effect": "allow"}]}`,
			`{}`, `{"permissions":{"rules":[{"capability":"shell","effect":"ask","match":["git *"]}]}}`, "dropped?",
		},
		{"hooks of V2", `, "tools": ["*"], "hooks": {"agentSpawn": [{"command": "date", "timeout_ms": 500}]}`, `{}`, `{"hooks":{"agentSpawn":[{"command":"date","timeout_ms":500}]}}`, ""},
		{"hooks of V3 never run (10003)", `, "tools": ["*"], "hooks": [{"name": "a"}]`, `{}`, `{}`, "dropped?"},
		{
			"servers with settings", `, "tools": ["*"], "mcpServers": {"docs": {"url": "https://example.com", "oauthScopes": ["a"], "disabledTools": [], "requestTimeout": 5}}`,
			`{}`, `{"mcp_servers":{"docs":{"disabled_tools":[],"oauth_scopes":["a"],"url":"https://example.com"}}}`, "dropped?",
		},
		{
			"resources", `, "tools": ["*"], "resources": ["file://README.md", "http://x", {"type": "knowledgeBase", "source": "file://docs", "name": "d", "indexType": "fast", "autoUpdate": true}]`,
			`{}`, `{"resources":["file://README.md",{"auto_update":true,"index_type":"fast","name":"d","source":"file://docs","type":"knowledgeBase"}]}`, "dropped?",
		},
		{"the older name of a switch", `, "tools": ["*"], "useLegacyMcpJson": true`, `{}`, `{"include_mcp_json":true}`, ""},
		{"effort has no place in JSON", `, "tools": ["*"], "effortLevel": "high"`, `{}`, `{}`, "dropped?"},
		{"unknown keys", `, "tools": ["*"], "$schema": "x", "includePowers": true`, `{}`, `{"extra":{"$schema":"x","includePowers":true}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, kiro.Provider{}.Decode, ".kiro/agents/probe.json", jsonAgent(c.keys))
			got := []string{decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			decodetest.Same(t, schema.KiroID, kiro.Provider{}.Decode, "probe.json", jsonAgent(c.keys))
		})
	}
}

func TestDecodeMarkdown(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"absent tools are no tools", ``, `{}`, `{"format":"markdown","tools":[]}`, "read-as?"},
		{"text with commas", "tools: read, shell\n", `{"tools":["read","shell"]}`, `{"format":"markdown","tools":["read","shell"]}`, ""},
		{"effort", "tools: [\"*\"]\neffortLevel: high\n", `{"effort":"high"}`, `{"effort_level":"high","format":"markdown"}`, ""},
		{"effort without a neutral word", "tools: [\"*\"]\neffortLevel: max\n", `{}`, `{"effort_level":"max","format":"markdown"}`, ""},
		{"keys of V2", "tools: [\"*\"]\nallowedTools: [read]\nprompt: x\n", `{}`, `{"format":"markdown"}`, "dropped? dropped?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, kiro.Provider{}.Decode, ".kiro/agents/probe.md", mdAgent(c.keys))
			got := []string{decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			if d.Body != "\nLook.\n" {
				t.Errorf("body %q", d.Body)
			}
			decodetest.Same(t, schema.KiroID, kiro.Provider{}.Decode, "probe.md", mdAgent(c.keys))
		})
	}
}

// The name comes from the file where it is not written, and a description that is
// not there gets a place holder that says so.
func TestDecodeIdentity(t *testing.T) {
	d, codes := decodetest.One(t, kiro.Provider{}.Decode, "a/team-lead.json", `{"systemPrompt": "Look.", "tools": ["*"]}`)
	if d.Name != "team-lead" || d.Description != "Subagent team-lead." || d.Body != "Look." || strings.Join(codes, " ") != "read-as? no-description?" {
		t.Errorf("%+v %v", d, codes)
	}
	d, codes = decodetest.One(t, kiro.Provider{}.Decode, "a/other.json", jsonAgent(`, "tools": ["*"]`))
	if d.Name != "probe" || strings.Join(codes, " ") != "read-as?" {
		t.Errorf("%q %v", d.Name, codes)
	}
	d, codes = decodetest.One(t, kiro.Provider{}.Decode, "probe.json", "// one\n"+jsonAgent(`, "tools": ["*",],`))
	if d.Name != "probe" || strings.Join(codes, " ") != "read-as?" {
		t.Errorf("%q %v", d.Name, codes)
	}
}

// Prompts in files are read next to the agent file, and nowhere else (11257).
func TestDecodePromptFile(t *testing.T) {
	open := func(name string) ([]byte, error) {
		if name != "prompts/p.md" {
			return nil, errors.New("not there")
		}
		return []byte("Look hard.\n"), nil
	}
	for address, want := range map[string]string{
		"file://prompts/p.md": "", "file://./prompts/p.md": "", "FILE://prompts/x/../p.md": "",
		"file://q.md": "no-body", "file:///etc/passwd": "no-body", "file://~/p.md": "no-body", "file://../p.md": "no-body", "file://prompts/../../p.md": "no-body",
	} {
		data := `{"name": "a", "description": "d", "tools": ["*"], "prompt": "` + address + `"}`
		got, diags := kiro.Provider{}.Decode(providers.Native{Name: "a.json", Data: []byte(data), Open: open})
		codes := strings.Join(decodetest.Codes(diags), " ")
		if want != "" {
			if codes != want {
				t.Errorf("%s: %s", address, codes)
			}
			continue
		}
		if len(got) != 1 || got[0].Body != "Look hard.\n" || codes != "read-as?" {
			t.Errorf("%s: %+v %s", address, got, codes)
		}
	}
}

// What no engine loads is no subagent.
func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ file, text, codes string }{
		"no JSON":                            {"a.json", "{", "syntax"},
		"a key twice":                        {"a.json", `{"name": "a", "name": "b"}`, "duplicate-key"},
		"a list":                             {"a.json", `[]`, "not-loaded"},
		"no prompt":                          {"a.json", `{"name": "a", "description": "d", "tools": []}`, "no-body"},
		"two prompts":                        {"a.json", `{"name": "a", "description": "d", "prompt": "x", "systemPrompt": "y", "tools": []}`, "not-loaded"},
		"a bare list of permissions (9490)":  {"a.json", jsonAgent(`, "tools": ["*"], "permissions": []`), "not-loaded"},
		"an unknown trigger":                 {"probe.json", jsonAgent(`, "tools": ["*"], "hooks": {"AgentSpawn": []}`), "not-loaded"},
		"a trigger with a text (2357)":       {"probe.json", jsonAgent(`, "tools": ["*"], "hooks": {"userPromptSubmit": "date"}`), "not-loaded"},
		"both names of one switch":           {"probe.json", jsonAgent(`, "tools": ["*"], "includeMcpJson": true, "useLegacyMcpJson": true`), "not-loaded"},
		"tools as a mapping":                 {"probe.json", jsonAgent(`, "tools": {}`), "not-loaded"},
		"no front matter":                    {"a.md", "text\n", "no-front-matter"},
		"an empty front matter":              {"a.md", "---\n---\ntext\n", "not-loaded"},
		"front matter that is not closed":    {"a.md", "---\nname: a\n", "no-front-matter"},
		"a badly typed value (11411)":        {"probe.md", mdAgent("tools: [read]\nmodel: 5\n"), "not-loaded"},
		"a description that is a list":       {"a.md", "---\nname: a\ndescription: [x]\ntools: [read]\n---\nB", "not-loaded"},
		"broken YAML":                        {"a.md", "---\nname: [a\n---\nB", "syntax"},
		"a key twice in front matter":        {"a.md", "---\nname: a\nname: b\n---\nB", "duplicate-key"},
		"no body":                            {"probe.md", "---\nname: probe\ndescription: d\ntools: [read]\n---\n\n", "no-body"},
		"a plain star is a YAML alias":       {"probe.md", "---\nname: probe\ndescription: d\ntools: [*]\n---\nB", "syntax"},
		"items that are no text (V3, typed)": {"probe.md", mdAgent("tools: [read, 5]\n"), "not-loaded"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(decodetest.None(t, kiro.Provider{}.Decode, c.file, c.text), " "); got != c.codes {
				t.Errorf("got %s, want %s", got, c.codes)
			}
		})
	}
}

// What this program writes comes back as the same bytes.
func TestDecodeOwnFiles(t *testing.T) {
	for _, keys := range []string{
		"", "  tools: [read, edit, todo]\n  mcp: [docs, git/log]\n  effort: low\n", "  access: read-only\n", "  tools: []\n", "  delegates: []\n", "  delegates: []\n  tools: [read]\n",
		"  providers:\n    kiro:\n      format: both\n      tools: [read]\n      model: auto\n      allowed_tools: [read]\n      resources: [\"file://a\", {type: knowledgeBase, source: \"file://d\", name: d}]\n" +
			"      mcp_servers: {a: {command: x, args: [], env: {A: b}}}\n      include_mcp_json: false\n      excluded_tools: [write]\n      effort_level: max\n      welcome_message: hi\n" +
			"      permissions: {rules: [{capability: shell, effect: deny}], policies: [read-all]}\n      hooks: {stop: [{command: x}]}\n      extra: {dispatchKind: sub-agent}\n",
	} {
		m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [kiro]\nguard: none\nsubagents:\n- name: probe\n  description: Looks. Use when asked.\n  instructions: Look.\n"+keys)), schema.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		result, diags := render.Render(m, render.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		decodetest.Identity(t, schema.KiroID, kiro.Provider{}.Decode, result.Files)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{jsonAgent(`, "tools": ["read"]`), mdAgent("tools: read\n"), `{"a": [1,], /* */ }`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.json", "a.md"} {
			got, diags := kiro.Provider{}.Decode(providers.Native{Name: name, Data: data})
			if (len(got) == 0) != diags.HasErrors() {
				t.Fatalf("%d subagents, %v", len(got), diags)
			}
			decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
		}
	})
}
