package codex

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// encode renders a resolved subagent, which must be free of errors.
func encode(t testing.TB, a *schema.Agent) (string, providers.Output) {
	t.Helper()
	out, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(out.Docs) != 1 || out.Docs[0].Format != "" {
		t.Fatalf("not one file: %v", out.Docs)
	}
	return string(out.Docs[0].Data), out
}

// read parses a role file.
func read(t testing.TB, data string) map[string]any {
	t.Helper()
	var keys map[string]any
	if err := toml.Unmarshal([]byte(data), &keys); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return keys
}

func entry(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return agenttest.Entry(t, schema.CodexID, keys)
}

// block is [entry] with keys of the block alone, at the margin.
func block(t testing.TB, keys string) *schema.Agent {
	t.Helper()
	return entry(t, "providers:\n  codex:\n    "+strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    "))
}

// used lists the facts that came into play, with their values.
func used(out providers.Output) []string {
	list := []string{}
	for _, u := range out.Uses {
		list = append(list, strings.TrimSuffix(u.Setting+"="+u.Value, "="))
	}
	return list
}

func TestBytes(t *testing.T) {
	data, _ := encode(t, entry(t, `
access: read-only
tools: [read, search]
effort: high
providers:
  codex:
    model: gpt-6.1-sol
    reasoning_summary: concise
    verbosity: low
    approval_policy: {granular: {sandbox_approval: true, rules: false, mcp_elicitations: true}}
    nickname_candidates: [Ada, Grace]
    web_search: disabled
    service_tier: priority
    features: {shell_tool: false, apps: true}
    skills:
      include_instructions: false
      config: [{name: a, enabled: false}, {path: /b, enabled: true}]
      bundled: {enabled: false}
    mcp_servers:
      zed: {url: "https://example.test/mcp", http_headers: {B: "2", A: "1"}}
      a b: {command: run, args: [], env: {K: v}, startup_timeout_sec: 2.5, tool_timeout_sec: 3}
    extra:
      tools: {view_image: false, deep: {z: 1, a: [x, {b: 1}]}}
      personality: pragmatic
      notify: [say, "a\"b"]
      model_context_window: 9000000000
`))
	want := `# Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file.
name = "probe"
description = "Probes. Use when testing."
model = "gpt-6.1-sol"
model_reasoning_effort = "high"
model_reasoning_summary = "concise"
model_verbosity = "low"
sandbox_mode = "read-only"
nickname_candidates = ["Ada", "Grace"]
web_search = "disabled"
service_tier = "priority"
model_context_window = 9000000000
notify = ["say", "a\"b"]
personality = "pragmatic"
developer_instructions = '''
Look.'''

[approval_policy.granular]
sandbox_approval = true
rules = false
mcp_elicitations = true

[features]
apps = true
shell_tool = false

[skills]
include_instructions = false

[[skills.config]]
name = "a"
enabled = false

[[skills.config]]
path = "/b"
enabled = true

[skills.bundled]
enabled = false

[mcp_servers."a b"]
command = "run"
args = []
env = { K = "v" }
startup_timeout_sec = 2.5
tool_timeout_sec = 3

[mcp_servers.zed]
url = "https://example.test/mcp"
http_headers = { A = "1", B = "2" }

[tools]
view_image = false

[tools.deep]
a = ["x", { b = 1 }]
z = 1
`
	if diff := cmp.Diff(want, data); diff != "" {
		t.Error(diff)
	}
	keys := read(t, data)
	if got := keys["mcp_servers"].(map[string]any)["a b"].(map[string]any)["env"].(map[string]any)["K"]; got != "v" {
		t.Errorf("env K is %v", got)
	}
}

// K36, M55: what nothing sets is not written, and no table of servers appears.
func TestMinimal(t *testing.T) {
	data, _ := encode(t, entry(t, ""))
	want := map[string]any{"name": "probe", "description": "Probes. Use when testing.", "developer_instructions": "Look."}
	if diff := cmp.Diff(want, read(t, data)); diff != "" {
		t.Error(diff)
	}
}

func TestTextsAreExact(t *testing.T) {
	texts := append(agenttest.Nasty(), "a'", "it''", "'''", `"""`, `"""'''`, `\d C:\Users`, "${{ secrets.T }}", "{# x #}", "{% raw %}{{ .V }}",
		"x\n[table]\nk = 1", "# Managed", strings.Repeat("é", 100_000))
	for _, text := range texts {
		a := agenttest.Texts(t, schema.CodexID, text, text, nil)
		data, _ := encode(t, a)
		keys := read(t, data)
		for _, key := range []string{"description", "developer_instructions"} {
			if keys[key] != text {
				t.Errorf("%s: want %q, got %q", key, text, keys[key])
			}
		}
		if len(keys) != 3 {
			t.Errorf("%q: further keys: %v", text, keys)
		}
	}
}

// Ruling 16: a literal block where TOML has one for the text, else one line.
func TestFormOfInstructions(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\tb \\ \"\"\" é \u0085":         "developer_instructions = '''\na\n\tb \\ \"\"\" é \u0085'''\n",
		"\n\na\n":                           "developer_instructions = '''\n\n\na\n'''\n",
		"ends '":                            `developer_instructions = "ends '"` + "\n",
		"a ''' b":                           `developer_instructions = "a ''' b"` + "\n",
		"a\r\nb\x7f\x00\x1b\u2028 \\ \"q\"": `developer_instructions = "a\r\nb\u007F\u0000\u001B` + "\u2028" + ` \\ \"q\""` + "\n",
	} {
		data, _ := encode(t, agenttest.Texts(t, schema.CodexID, "d", text, nil))
		if _, got, _ := strings.Cut(data, "description = \"d\"\n"); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, text := range agenttest.Nasty() {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, description, body string) {
		if !utf8.ValidString(description) || !utf8.ValidString(body) || strings.TrimSpace(description) == "" || strings.TrimSpace(body) == "" {
			t.Skip()
		}
		a := &schema.Agent{Entry: &schema.Entry{}, Provider: schema.CodexID, Slug: "probe", Description: description, Instructions: body, Block: &schema.Codex{}}
		data, _ := encode(t, a)
		keys := read(t, data)
		if keys["description"] != description || keys["developer_instructions"] != body {
			t.Fatalf("%q and %q became %q and %q", description, body, keys["description"], keys["developer_instructions"])
		}
	})
}

// K36: a role has no list of tools, so that tools cannot change a byte.
func TestToolsChangeNothing(t *testing.T) {
	verbs := schema.Verbs()
	for _, access := range []string{"", "access: workspace-write\n", "access: read-only\nallow_read_only_shell: true\n"} {
		plain, _ := encode(t, entry(t, access))
		for mask := range 1 << len(verbs) {
			var list []string
			for i, v := range verbs {
				if mask&(1<<i) != 0 && (v != schema.Edit || !strings.Contains(access, "read-only")) {
					list = append(list, string(v))
				}
			}
			if got, _ := encode(t, entry(t, access+"tools: ["+strings.Join(list, ", ")+"]")); got != plain {
				t.Fatalf("%stools %v:\n%s\nwithout:\n%s", access, list, got, plain)
			}
		}
	}
}

func TestModelAndEffort(t *testing.T) {
	const models = "defaults:\n  effort: low\n  providers:\n    codex:\n      models: {light: gpt-6-luna, deep: {model: gpt-6.1-sol, effort: xhigh}}\n"
	for name, c := range map[string]struct{ head, keys, model, effort, uses string }{
		"nothing":                     {"", "", "", "", ""},
		"M8: block":                   {"", "providers: {codex: {model: m, reasoning_effort: max}}", "m", "max", ""},
		"M9: entry's effort":          {"", "effort: high\nproviders: {codex: {model: m}}", "m", "high", ""},
		"block's effort wins":         {"", "effort: high\nproviders: {codex: {reasoning_effort: low}}", "", "low", ""},
		"no effort at all":            {"", "providers: {codex: {model: m}}", "m", "medium", "effort#default=medium"},
		"null takes defaults away":    {models, "effort: null\nproviders: {codex: {model: m}}", "m", "medium", "effort#default=medium"},
		"tier":                        {models, "tier: light", "gpt-6-luna", "low", ""},
		"tier with effort":            {models, "tier: deep", "gpt-6.1-sol", "xhigh", ""},
		"entry's effort above tier's": {models, "tier: deep\neffort: high", "gpt-6.1-sol", "high", ""},
		"block's model above tier":    {models, "tier: deep\nproviders: {codex: {model: m}}", "m", "low", ""},
		"tier without model":          {models, "tier: standard", "", "low", "tier#no-model=standard"},
		"defaults' effort alone":      {models, "", "", "low", ""},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := c.head + "subagents:\n  - name: probe\n    description: Use it.\n    instructions: Look.\n    " + strings.ReplaceAll(c.keys, "\n", "\n    ") + "\n"
			data, out := encode(t, agenttest.Resolve(t, schema.CodexID, manifest))
			keys := read(t, data)
			model, _ := keys["model"].(string)
			effort, _ := keys["model_reasoning_effort"].(string)
			got := []string{model, effort, strings.Join(used(out), " ")}
			if diff := cmp.Diff([]string{c.model, c.effort, c.uses}, got); diff != "" {
				t.Errorf("%s\n%s", diff, data)
			}
		})
	}
}

func TestSandbox(t *testing.T) {
	for name, c := range map[string]struct{ defaults, keys, mode, uses string }{
		"none":                          {"", "", "", ""},
		"read-only":                     {"", "access: read-only", "read-only", ""},
		"workspace-write":               {"", "access: workspace-write", "workspace-write", ""},
		"M47: block wins":               {"", "access: workspace-write\nproviders: {codex: {sandbox_mode: read-only}}", "read-only", ""},
		"block alone":                   {"", "providers: {codex: {sandbox_mode: danger-full-access}}", "danger-full-access", ""},
		"entry above provider defaults": {"{providers: {codex: {sandbox_mode: danger-full-access}}}", "access: read-only", "read-only", ""},
		"null leaves the access":        {"{providers: {codex: {sandbox_mode: workspace-write}}}", "access: read-only\nproviders: {codex: {sandbox_mode: null}}", "read-only", ""},
		"defaults are narrowed": {
			"{access: read-only, providers: {codex: {sandbox_mode: workspace-write}}}", "", "read-only", "codex.sandbox_mode#narrowed=workspace-write",
		},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := "subagents:\n  - name: probe\n    description: Use it.\n    instructions: Look.\n    " + strings.ReplaceAll(c.keys, "\n", "\n    ") + "\n"
			if c.defaults != "" {
				manifest = "defaults: " + c.defaults + "\n" + manifest
			}
			data, out := encode(t, agenttest.Resolve(t, schema.CodexID, manifest))
			mode, _ := read(t, data)["sandbox_mode"].(string)
			if mode != c.mode || strings.Join(used(out), " ") != c.uses {
				t.Errorf("want %q and %q, got %q and %q", c.mode, c.uses, mode, used(out))
			}
		})
	}
}

func TestFacts(t *testing.T) {
	for keys, want := range map[string]string{
		"providers: {codex: {features: {shell_tool: false, apps: true, web_search: false}}}":                 "codex.features#on=apps codex.features#other=web_search",
		"providers: {codex: {skills: {config: [{name: a, enabled: true}, {name: b, enabled: false}]}}}":      "codex.skills#on=a",
		"providers: {codex: {skills: {bundled: {enabled: false}, max_context_tokens: 5}}}":                   "codex.skills#settings=max_context_tokens codex.skills#settings=bundled",
		"skills: [{id: a, preload: true}, b]":                                                                "skills#preload=a",
		"providers: {codex: {reasoning_effort: high, web_search: live, mcp_servers: {s: {command: serve}}}}": "",
	} {
		if _, out := encode(t, entry(t, keys)); strings.Join(used(out), " ") != want {
			t.Errorf("%s: want %q, got %q", keys, want, used(out))
		}
	}
}

// K38: verbs that the defaults list are told for a read-only entry.
func TestStrippedVerbs(t *testing.T) {
	a := agenttest.Resolve(t, schema.CodexID, `
defaults: {tools: [read, edit, shell]}
subagents:
  - {name: probe, description: Use it., instructions: Look., access: read-only}
`)
	_, out := encode(t, a)
	if diff := cmp.Diff([]string{"tools#stripped=edit", "tools#stripped=shell"}, used(out)); diff != "" {
		t.Error(diff)
	}
}

// T49, ruling 5: CODEX_HOME counts if it is an absolute path.
func TestRoots(t *testing.T) {
	home := filepath.FromSlash("/home/me")
	place, ok := facts.Place(schema.UserScope, "")
	if !ok {
		t.Fatal("no place for a user's roles")
	}
	for value, want := range map[string]string{"": "/home/me/.codex", "/x/": "/x", "x": "/home/me/.codex"} {
		if got := place.Root(home, func(string) string { return value }); got != filepath.FromSlash(want) {
			t.Errorf("%q: want %s, got %s", value, want, got)
		}
	}
}
