package codex_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/codex"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

var decode = codex.Provider{}.Decode

func role(keys string) string {
	return "name = \"probe\"\ndescription = \"Looks. Use when asked.\"\ndeveloper_instructions = \"\"\"\nLook.\n\"\"\"\n" + keys
}

// K3, T4: what the keys of a role file become, and that it is the same role
// again by meaning.
func TestDecodeKeys(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"no more than it needs", "", `{}`, `{}`, ""},
		{"model and effort", "model = \"m\"\nmodel_reasoning_effort = \"high\"\n", `{"effort":"high"}`, `{"model":"m","reasoning_effort":"high"}`, ""},
		{"effort alone", "model_reasoning_effort = \"low\"\n", `{"effort":"low"}`, `{"reasoning_effort":"low"}`, ""},
		{"effort without a neutral word", "model_reasoning_effort = \"ultra\"\n", `{}`, `{"reasoning_effort":"ultra"}`, ""},
		{"a model without effort gets one (773)", "model = \"m\"\n", `{}`, `{"model":"m","reasoning_effort":"medium"}`, "read-as?"},
		{"a model of another host", "model = \"sonnet\"\n", `{}`, `{}`, "dropped?"},
		{"no model", "model = \"\"\n", `{}`, `{}`, ""},
		{"read-only is an access (45482)", "sandbox_mode = \"read-only\"\n", `{"access":"read-only"}`, `{"sandbox_mode":"read-only"}`, "read-as?"},
		{"workspace-write is an access", "sandbox_mode = \"workspace-write\"\n", `{"access":"workspace-write"}`, `{"sandbox_mode":"workspace-write"}`, "read-as?"},
		{"full access is none", "sandbox_mode = \"danger-full-access\"\n", `{}`, `{"sandbox_mode":"danger-full-access"}`, "read-as?"},
		{
			"what acts", "model_reasoning_summary = \"concise\"\nmodel_verbosity = \"low\"\nnickname_candidates = [\"Ann\", \"Bo\"]\n[features]\nshell_tool = false\n", `{}`,
			`{"features":{"shell_tool":false},"nickname_candidates":["Ann","Bo"],"reasoning_summary":"concise","verbosity":"low"}`, "",
		},
		{
			"skills", "[skills]\nmax_context_tokens = 5\n[skills.bundled]\nenabled = false\n[[skills.config]]\nname = \"a\"\nenabled = false\n", `{}`,
			`{"skills":{"bundled":{"enabled":false},"config":[{"enabled":false,"name":"a"}],"max_context_tokens":5}}`, "",
		},
		{
			"what does not act", "approval_policy = \"never\"\nweb_search = \"live\"\nservice_tier = \"fast\"\n", `{}`,
			`{"approval_policy":"never","service_tier":"fast","web_search":"live"}`, "read-as? read-as? read-as?",
		},
		{
			"a granular policy", "[approval_policy.granular]\nsandbox_approval = true\nrules = false\nmcp_elicitations = true\n", `{}`,
			`{"approval_policy":{"granular":{"mcp_elicitations":true,"rules":false,"sandbox_approval":true}}}`, "read-as?",
		},
		{
			"servers", "[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"x\"]\ntype = \"stdio\"\n[mcp_servers.docs.env]\nA = \"b\"\n[mcp_servers.web]\nurl = \"https://example.com\"\nstartup_timeout_sec = 2.5\n", `{}`,
			`{"mcp_servers":{"docs":{"args":["x"],"command":"npx","env":{"A":"b"}},"web":{"startup_timeout_sec":2.5,"url":"https://example.com"}}}`, "dropped? read-as?",
		},
		{"keys of config.toml", "compact_prompt = \"x\"\n[tui]\ntheme = \"a\"\n[tui.deep]\nlist = [1, 2.5, true]\n", `{}`, `{"extra":{"compact_prompt":"x","tui":{"deep":{"list":[1,2.5,true]},"theme":"a"}}}`, "read-as? read-as?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, decode, ".codex/agents/probe.toml", role(c.keys))
			got := []string{decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			if d.Body != "Look.\n" {
				t.Errorf("body %q", d.Body)
			}
			decodetest.Same(t, schema.CodexID, decode, "probe.toml", role(c.keys))
		})
	}
}

// The name counts without the white space around it, the texts with theirs.
func TestDecodeTexts(t *testing.T) {
	d, codes := decodetest.One(t, decode, "x.toml", "\ufeffname = \" probe \"\r\ndescription = \" d \"\r\ndeveloper_instructions = '''\r\n  a\r\nb '''\r\n")
	if d.Name != "probe" || d.Description != " d " || d.Body != "  a\r\nb " || len(codes) > 0 {
		t.Errorf("%+v %v", d, codes)
	}
}

// What the client drops is no subagent.
func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, codes string }{
		"no TOML":                                  {"---\nname: a\n---\n", "syntax"},
		"a backslash in a basic text (1018)":       {role("") + "compact_prompt = \"\"\"grep \"a\\|b\" \"\"\"\n", "syntax"},
		"no name, no description (14451)":          {"developer_instructions = \"x\"\n", "not-loaded not-loaded"},
		"no instructions":                          {"name = \"a\"\ndescription = \"d\"\n", "not-loaded"},
		"blank instructions":                       {"name = \"a\"\ndescription = \"d\"\ndeveloper_instructions = \" \"\n", "not-loaded"},
		"a table of instructions (51)":             {"name = \"a\"\ndescription = \"d\"\n[developer_instructions]\na = 1\n", "not-loaded"},
		"an unknown key (1714)":                    {role("short-description = \"x\"\n"), "not-loaded"},
		"keys behind a table":                      {"[features]\nname = \"a\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n", "not-loaded not-loaded not-loaded not-loaded"},
		"tools as text":                            {role("tools = \"read\"\n"), "not-loaded"},
		"another spelling of a mode":               {role("sandbox_mode = \"readonly\"\n"), "not-loaded"},
		"a server with neither (1391)":             {role("[mcp_servers.s]\nenabled_tools = [\"a\"]\n"), "not-loaded"},
		"a server with keys of the other kind":     {role("[mcp_servers.s]\nurl = \"https://example.com\"\nargs = []\n"), "not-loaded"},
		"parentheses in a nickname (6038)":         {role("nickname_candidates = [\"Worker (low)\"]\n"), "not-loaded"},
		"a feature that is a text":                 {role("[features]\nshell_tool = \"no\"\n"), "not-loaded"},
		"skills as a list":                         {role("skills = [\"a\"]\n"), "not-loaded"},
		"web_search as a truth value":              {role("web_search = true\n"), "not-loaded"},
		"a key of older clients":                   {role("zsh_path = \"x\"\n"), "not-loaded"},
		"a key that holds the settings of clients": {role("[agents]\nmax_threads = 3\n"), "not-loaded"},
		"bytes that are no text":                   {"name = \"\xff\"\n", "syntax"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(decodetest.None(t, decode, "a.toml", c.text), " "); got != c.codes {
				t.Errorf("got %s, want %s", got, c.codes)
			}
		})
	}
}

// Roles that a config.toml declares, with the files that it names.
func TestDecodeConfig(t *testing.T) {
	files := map[string]string{
		"roles/a.toml": "developer_instructions = \"A\"\nnickname_candidates = [\"X\"]\n",
		"roles/b.toml": "name = \"own\"\ndescription = \"own\"\ndeveloper_instructions = \"B\"\n",
		"bad.toml":     "developer_instructions = \"C\"\ncolor = \"red\"\n",
		"empty.toml":   "",
	}
	open := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("not there")
	}
	const text = `model = "m"
[agents]
max_threads = 3
[agents.a]
description = "the table's"
config_file = "./roles/a.toml"
nickname_candidates = ["Y"]
[agents.b]
description = "the table's"
config_file = "roles/b.toml"
model = "m"
[agents.bad]
description = "d"
config_file = "bad.toml"
[agents.empty]
description = "d"
config_file = "empty.toml"
[agents.none]
description = "d"
[agents.gone]
description = "d"
config_file = "gone.toml"
[agents.out]
description = "d"
config_file = "../out.toml"
`
	got, diags := decode(providers.Native{Name: ".codex/config.toml", Data: []byte(text), Open: open})
	var lines []string
	for _, d := range got {
		lines = append(lines, d.Name+"|"+d.Description+"|"+d.Body+"|"+decodetest.Block(t, d))
	}
	want := []string{`a|the table's|A|{"nickname_candidates":["X"]}`, `own|own|B|{}`}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	codes := "dropped? not-loaded no-body no-body not-loaded not-loaded"
	if got := strings.Join(decodetest.Codes(diags), " "); got != codes {
		t.Errorf("got %s, want %s\n%v", got, codes, diags)
	}
	got, diags = decode(providers.Native{Name: "config.toml", Data: []byte("[agents]\nmax_thread = 3\n[agents.x]\nmodel = \"m\"\n")})
	if codes := strings.Join(decodetest.Codes(diags), " "); len(got) > 0 || codes != "not-loaded no-body" {
		t.Errorf("%v %s", got, codes)
	}
}

// What this program writes comes back as the same bytes.
func TestDecodeIdentity(t *testing.T) {
	for _, keys := range []string{
		"", "  access: read-only\n  effort: low\n", "  access: workspace-write\n  delegates: []\n",
		"  instructions: \"tab\\t, quote \\\", '''\\r\\n\\x07\"\n",
		"  providers:\n    codex:\n      model: m\n      reasoning_effort: max\n      reasoning_summary: auto\n      verbosity: low\n      sandbox_mode: danger-full-access\n" +
			"      approval_policy: {granular: {sandbox_approval: true, rules: true, mcp_elicitations: false}}\n      nickname_candidates: [A b, C-d]\n" +
			"      mcp_servers: {a: {command: x, args: [], env: {A: b}, startup_timeout_sec: 2}, b: {url: \"https://example.com\", enabled: false, tool_timeout_sec: 1.5}}\n" +
			"      skills: {config: [{path: p, enabled: false}], bundled: {enabled: false}}\n      features: {shell_tool: false, other: true}\n      web_search: live\n      service_tier: x\n" +
			"      extra: {compact_prompt: x, tui: {a: [1, 2.5], b: {c: d}}, project_doc_max_bytes: 5}\n",
	} {
		instructions := "  instructions: Look.\n"
		if strings.Contains(keys, "instructions:") {
			instructions = ""
		}
		m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [codex]\nguard: none\nsubagents:\n- name: probe\n  description: Looks. Use when asked.\n"+instructions+keys)), schema.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		result, diags := render.Render(m, render.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		decodetest.Identity(t, schema.CodexID, decode, result.Files)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{role("[mcp_servers.s]\nurl = \"x\"\n"), role("[skills]\nconfig = [{name = \"a\", enabled = true}]\n"), "[agents.x]\nconfig_file = \"y\"\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, diags := decode(providers.Native{Name: "a.toml", Data: data})
		if (len(got) == 0) != diags.HasErrors() {
			t.Fatalf("%d subagents, %v", len(got), diags)
		}
		decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
		_, diags = decode(providers.Native{Name: "config.toml", Data: data})
		decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
	})
}
