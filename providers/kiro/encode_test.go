package kiro

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// encode renders a resolved subagent, which must be free of errors.
func encode(t testing.TB, a *schema.Agent) providers.Output {
	t.Helper()
	out, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return out
}

// doc gives the file of a format.
func doc(t testing.TB, out providers.Output, format string) []byte {
	t.Helper()
	for _, d := range out.Docs {
		if d.Format == format {
			return d.Data
		}
	}
	t.Fatalf("no %s among %d files", format, len(out.Docs))
	return nil
}

// readJSON reads a file as the stricter engine does: one object, no key twice
// at the top.
func readJSON(t testing.TB, data []byte) (keys map[string]any, order []string) {
	t.Helper()
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, key.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	if len(order) != len(keys) {
		t.Fatalf("a key stands twice: %v", order)
	}
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("something follows the object: %v", err)
	}
	return keys, order
}

func entry(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return agenttest.Entry(t, schema.KiroID, keys)
}

func TestJSONBytes(t *testing.T) {
	a := agenttest.Texts(t, schema.KiroID, "Reads <b> & says\u2028so.", "Look.\n", map[string]any{"tools": []string{"read", "list", "search"}})
	want := `{
  "name": "probe",
  "description": "Reads <b> & says\u2028so.",
  "prompt": "Look.\n",
  "tools": [
    "read",
    "glob",
    "grep"
  ]
}
`
	if diff := cmp.Diff(want, string(doc(t, encode(t, a), asJSON))); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownBytes(t *testing.T) {
	a := agenttest.Texts(t, schema.KiroID, "Reads: all.", "\n  Look.\n\n", map[string]any{
		"tools": []string{"read"}, "effort": "high", "providers": map[string]any{"kiro": map[string]any{"format": "markdown", "model": "auto"}},
	})
	want := "---\n# " + providers.Marker + "\nname: \"probe\"\ndescription: \"Reads: all.\"\ntools: [\"read\"]\nmodel: \"auto\"\neffortLevel: \"high\"\n---\n\n  Look.\n\n"
	if diff := cmp.Diff(want, string(doc(t, encode(t, a), asMarkdown))); diff != "" {
		t.Error(diff)
	}
}

const everyKey = `
tier: deep
providers:
  kiro:
    format: both
    model: claude-opus-5
    tools: [read, write, shell, "@gh/search", "@own"]
    tool_aliases: {"@gh/search": find}
    allowed_tools: [read, "@own"]
    tools_settings: {write: {allowedPaths: ["src/**"], n: 1.5}, "@own/x": {}}
    resources: ["file://README.md", "skill://.kiro/skills/**/SKILL.md", {type: knowledgeBase, source: "file://docs", name: docs, index_type: best, include: ["*.md"], auto_update: true}]
    hooks: {preToolUse: [{matcher: execute_bash, command: "echo <&>", timeout_ms: 5, max_output_size: 6, cache_ttl_seconds: 0}], stop: []}
    mcp_servers:
      own: {command: run, args: [], env: {A: b}, timeout: 10, disabled: false, disabled_tools: [x]}
      gh: {type: http, url: "https://localhost/mcp", headers: {H: v}, oauth_scopes: [s], oauth: {redirectUri: "x"}}
    include_mcp_json: false
    permissions: {rules: [{capability: fs_write, effect: deny, match: ["/etc/**"], exclude: []}], policies: [read-all]}
    excluded_tools: [aws]
    effort_level: xhigh
    welcome_message: Hi
    keyboard_shortcut: ctrl+k
    extra: {zeta: [1, true], includePowers: true}
`

func TestEveryBlockKey(t *testing.T) {
	out := encode(t, entry(t, everyKey))
	got, order := readJSON(t, doc(t, out, asJSON))
	wantOrder := []string{
		"name", "description", "prompt", "tools", "model", "toolAliases", "allowedTools", "toolsSettings", "resources", "hooks", "mcpServers",
		"includeMcpJson", "permissions", "excludedTools", "welcomeMessage", "keyboardShortcut", "includePowers", "zeta",
	}
	if diff := cmp.Diff(wantOrder, order); diff != "" {
		t.Error(diff)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"name": "probe", "description": "Probes. Use when testing.", "prompt": "Look.",
		"tools": ["read", "write", "shell", "@gh/search", "@own"], "model": "claude-opus-5",
		"toolAliases": {"@gh/search": "find"}, "allowedTools": ["read", "@own"],
		"toolsSettings": {"write": {"allowedPaths": ["src/**"], "n": 1.5}, "@own/x": {}},
		"resources": ["file://README.md", "skill://.kiro/skills/**/SKILL.md",
			{"type": "knowledgeBase", "source": "file://docs", "name": "docs", "indexType": "best", "include": ["*.md"], "autoUpdate": true}],
		"hooks": {"preToolUse": [{"command": "echo <&>", "matcher": "execute_bash", "timeout_ms": 5, "max_output_size": 6, "cache_ttl_seconds": 0}], "stop": []},
		"mcpServers": {
			"own": {"command": "run", "args": [], "env": {"A": "b"}, "timeout": 10, "disabled": false, "disabledTools": ["x"]},
			"gh": {"type": "http", "url": "https://localhost/mcp", "headers": {"H": "v"}, "oauthScopes": ["s"], "oauth": {"redirectUri": "x"}}},
		"includeMcpJson": false,
		"permissions": {"rules": [{"capability": "fs_write", "effect": "deny", "match": ["/etc/**"], "exclude": []}], "policies": ["read-all"]},
		"excludedTools": ["aws"], "welcomeMessage": "Hi", "keyboardShortcut": "ctrl+k", "includePowers": true, "zeta": [1, true]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Markdown has the keys that 3.x reads, with the same values.
func TestEveryBlockKeyInMarkdown(t *testing.T) {
	out := encode(t, entry(t, everyKey))
	inJSON, _ := readJSON(t, doc(t, out, asJSON))
	keys, head, body := agenttest.FrontMatter(t, doc(t, out, asMarkdown))
	var order []string
	for i := 0; i < len(head.Content); i += 2 {
		order = append(order, head.Content[i].Value)
	}
	want := []string{
		"name", "description", "tools", "model", "effortLevel", "resources", "mcpServers", "includeMcpJson", "permissions", "excludedTools",
		"welcomeMessage", "includePowers", "zeta",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
	if body != "Look." || keys["effortLevel"] != "xhigh" {
		t.Errorf("body %q, effort %v", body, keys["effortLevel"])
	}
	delete(keys, "effortLevel")
	for key, value := range keys {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		other, _ := json.Marshal(inJSON[key])
		if !bytes.Equal(data, other) {
			t.Errorf("%s: %s in Markdown, %s in JSON", key, data, other)
		}
	}
}

func TestPermissionsAdded(t *testing.T) {
	for _, test := range []struct {
		keys  string
		want  any
		noted bool
	}{
		{"providers: {kiro: {tools: [read], allowed_tools: [read]}}", map[string]any{"rules": []any{}}, true},
		{"providers: {kiro: {tools_settings: {read: {}}}}", map[string]any{"rules": []any{}}, true},
		{"providers: {kiro: {allowed_tools: [], permissions: {rules: [], policies: []}}}", map[string]any{"rules": []any{}, "policies": []any{}}, false},
		{"providers: {kiro: {welcome_message: x}}", nil, false},
	} {
		out := encode(t, entry(t, test.keys))
		keys, _ := readJSON(t, doc(t, out, asJSON))
		if diff := cmp.Diff(test.want, keys["permissions"]); diff != "" {
			t.Errorf("%s: %s", test.keys, diff)
		}
		if got := used(out, "kiro.permissions#added"); got != test.noted {
			t.Errorf("%s: noted %v", test.keys, got)
		}
	}
}

// used says whether a fact came into play.
func used(out providers.Output, setting string) bool {
	for _, u := range out.Uses {
		if u.Row == setting || u.Row == "" && u.Setting == setting {
			return true
		}
	}
	return false
}

func both() map[string]any {
	return map[string]any{"providers": map[string]any{"kiro": map[string]any{"format": "both"}}}
}

func roundTrip(t testing.TB, description, body string) {
	t.Helper()
	out := encode(t, agenttest.Texts(t, schema.KiroID, description, body, both()))
	keys, _ := readJSON(t, doc(t, out, asJSON))
	if keys["description"] != description || keys["prompt"] != body {
		t.Errorf("JSON: description %q, prompt %q", keys["description"], keys["prompt"])
	}
	front, _, after := agenttest.FrontMatter(t, doc(t, out, asMarkdown))
	if front["description"] != description || after != body {
		t.Errorf("Markdown: description %q, body %q", front["description"], after)
	}
}

func TestTextsRoundTrip(t *testing.T) {
	for _, text := range agenttest.Nasty() {
		roundTrip(t, text, text)
	}
}

func FuzzTextsRoundTrip(f *testing.F) {
	for _, text := range agenttest.Nasty() {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, description, body string) {
		blank := strings.TrimSpace(description) == "" || strings.TrimSpace(body) == ""
		if blank || !utf8.ValidString(description) || !utf8.ValidString(body) || !strings.ContainsFunc(description, visible) || strings.Contains(strings.ToLower(body), "file://") {
			t.Skip()
		}
		roundTrip(t, description, body)
	})
}

// visible is what the schema's \S takes for a character that is not blank.
func visible(r rune) bool { return !strings.ContainsRune(" \t\n\v\f\r", r) }
