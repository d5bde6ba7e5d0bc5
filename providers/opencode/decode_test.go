package opencode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/opencode"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

var decode = opencode.Provider{}.Decode

func agent(keys string) string {
	return "---\ndescription: Looks. Use when asked.\nmode: subagent\n" + keys + "---\n\nLook.\n"
}

// K3, T4: what the keys of an agent file become, and that it is the same agent
// again by meaning.
func TestDecodeKeys(t *testing.T) {
	for _, c := range []struct{ name, keys, neutral, block, codes string }{
		{"no more than it needs", "", `{}`, `{}`, ""},
		{
			"scalars", "model: anthropic/claude-sonnet-4-5\nvariant: high\ntemperature: 0.2\ntop_p: 1\nsteps: 8\ncolor: \"#ff0000\"\nhidden: true\n", `{}`,
			`{"color":"#ff0000","hidden":true,"model":"anthropic/claude-sonnet-4-5","steps":8,"temperature":0.2,"top_p":1,"variant":"high"}`, "",
		},
		{"a model with a colon", "model: ollama/qwen3:4b\n", `{}`, `{"model":"ollama/qwen3:4b"}`, ""},
		{"no model", "model: \"\"\n", `{}`, `{}`, ""},
		{"a model that fails (3076)", "model: sonnet\n", `{}`, `{}`, "dropped?"},
		{"a variant behind the model is V2's", "model: a/b#high\n", `{}`, `{"model":"a/b","variant":"high"}`, "read-as?"},
		{"the older name of steps", "maxSteps: 3\n", `{}`, `{"steps":3}`, ""},
		{"steps wins", "maxSteps: 3\nsteps: 4\n", `{}`, `{"steps":4}`, ""},
		{"one action", "permission: deny\n", `{}`, `{"permission":"deny"}`, ""},
		{"one action, spelled out", "permission: {\"*\": ask}\n", `{}`, `{"permission":"ask"}`, ""},
		{"an empty permission adds nothing", "permission: {}\n", `{}`, `{}`, ""},
		{"rules", "permission:\n  \"*\": deny\n  read: allow\n  bash:\n    \"*\": ask\n    \"git *\": allow\n", `{}`, `{"permission":{"*":"deny","bash":{"*":"ask","git *":"allow"},"read":"allow"}}`, ""},
		{"may start none", "permission: {task: deny}\n", `{"delegates":[]}`, `{"permission":{"task":"deny"}}`, ""},
		{
			"tools are rules (deprecated)", "tools: {\"*\": false, read: true, write: false, patch: true, mcp_x: true}\n", `{}`,
			`{"permission":{"*":"deny","edit":"allow","mcp_x":"allow","read":"allow"}}`, "read-as?",
		},
		{
			"permission over tools", "tools: {bash: true, read: false}\npermission: {bash: {\"rm *\": deny}, edit: ask}\n", `{}`,
			`{"permission":{"bash":{"rm *":"deny"},"edit":"ask","read":"deny"}}`, "read-as?",
		},
		{"unknown keys go to the provider (11320)", "reasoningEffort: high\noptions: {a: 1}\n", `{}`, `{"extra":{"reasoningEffort":"high"},"options":{"a":1}}`, "read-as?"},
		{"keys of V2 (14878)", "permissions: [{action: edit, effect: deny}]\ndisabled: false\n", `{}`, `{}`, "dropped?"},
		{"a prompt beside the body (26434)", "prompt: x\n", `{}`, `{}`, "dropped?"},
		{"the second try reads it", "variant: a: b\n", `{}`, `{"variant":"a: b"}`, "quotes-missing?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, codes := decodetest.One(t, decode, ".opencode/agents/probe.md", agent(c.keys))
			got := []string{d.Name, d.Body, decodetest.Neutral(t, d), decodetest.Block(t, d), strings.Join(codes, " ")}
			if diff := cmp.Diff([]string{"probe", "\nLook.\n", c.neutral, c.block, c.codes}, got); diff != "" {
				t.Error(diff)
			}
			decodetest.Same(t, schema.OpenCodeID, decode, ".opencode/agents/probe.md", agent(c.keys))
		})
	}
}

// Whom a subagent may start, as this program writes it and as people do.
func TestDecodeDelegates(t *testing.T) {
	for keys, neutral := range map[string]string{
		"permission: {task: {\"*\": deny, other: ask, third: ask}}\n": `{"delegates":["other","third"]}`,
		"permission: {task: {\"*\": deny, other: allow}}\n":           `{}`,
		"permission: {task: {other: ask, \"*\": deny}}\n":             `{}`,
		"permission: {task: {\"*\": deny, \"my*\": ask}}\n":           `{}`,
		"permission: {task: {\"*\": deny, other: ask}, edit: deny}\n": `{}`,
		"permission: {edit: deny}\n":                                  `{}`,
	} {
		d, _ := decodetest.One(t, decode, "probe.md", agent(keys))
		if got := decodetest.Neutral(t, d); got != neutral {
			t.Errorf("%s got %s, want %s", keys, got, neutral)
		}
	}
}

// The order of rules decides, and stays (11218, 24335).
func TestDecodeOrder(t *testing.T) {
	d, _ := decodetest.One(t, decode, "probe.md", agent("tools: {write: false, bash: true, edit: true}\npermission: {\"*\": ask, bash: {b: allow, \"*\": deny, a: allow}}\n"))
	if want := `{"edit":"allow","bash":{"b":"allow","*":"deny","a":"allow"},"*":"ask"}`; decodetest.Permission(t, d) != want {
		t.Errorf("got %s", decodetest.Permission(t, d))
	}
}

// Names come from the path, and then from the key.
func TestDecodeNames(t *testing.T) {
	for file, want := range map[string]string{
		".opencode/agents/team/deep/a.md": "team/deep/a", "p/.opencode/agent/a9.v2.md": "a9.v2", ".opencode/agents/agents/a.md": "agents/a",
		"home/.config/opencode/agents/a.md": "a", "other/agents/b.md": "b", "c.md": "c",
	} {
		if d, _ := decodetest.One(t, decode, file, agent("")); d.Name != want {
			t.Errorf("%s: %q", file, d.Name)
		}
	}
	if d, _ := decodetest.One(t, decode, ".opencode/agents/writing/writer.md", agent("name: writer\n")); d.Name != "writer" {
		t.Errorf("%q", d.Name)
	}
}

// What the client makes of files that say little.
func TestDecodeDefaults(t *testing.T) {
	d, codes := decodetest.One(t, decode, ".opencode/agents/README.md", "# Read me\n")
	if d.Body != "# Read me\n" || d.Name != "README" || decodetest.Block(t, d) != `{"mode":"all"}` || strings.Join(codes, " ") != "read-as? no-description?" {
		t.Errorf("%+v %v", d, codes)
	}
	d, codes = decodetest.One(t, decode, "a.md", "---yaml\r\ndescription: d\r\n---\r\nB\r\n")
	if d.Body != "B\r\n" || d.Description != "d" || decodetest.Block(t, d) != `{"mode":"all"}` || len(codes) > 0 {
		t.Errorf("%+v %v", d, codes)
	}
	got, diags := decode(providers.Native{Name: ".opencode/modes/a.md", Form: "mode", Data: []byte(agent(""))})
	if len(got) != 1 || decodetest.Block(t, got[0]) != `{"mode":"primary"}` {
		t.Errorf("%+v %v", got, diags)
	}
}

// What keeps the client from starting, or gives an agent every right, is no
// subagent.
func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, codes string }{
		"a star that is an alias (18017)":          {agent("permission:\n  task:\n    *: deny\n"), "syntax"},
		"a key twice":                              {agent("mode: all\n"), "duplicate-key"},
		"tools as a list (49844)":                  {agent("tools: [read, edit]\n"), "not-loaded"},
		"tools as text":                            {agent("tools: Read, Write\n"), "not-loaded"},
		"tools with patterns (9755)":               {agent("tools: {write: {\"*\": false}}\n"), "not-loaded"},
		"a colour of another host (23895)":         {agent("color: teal\n"), "not-loaded"},
		"a colour that is a comment (17118)":       {agent("color: #008080\n"), "not-loaded"},
		"a model that is null":                     {agent("model:\n"), "not-loaded"},
		"a description that is none":               {"---\ndescription: 5\n---\nB", "not-loaded"},
		"a mode that is none":                      {"---\ndescription: d\nmode: agent\n---\nB", "not-loaded"},
		"steps as text":                            {agent("steps: \"5\"\n"), "not-loaded"},
		"an action that is none":                   {agent("permission: {edit: maybe}\n"), "not-loaded"},
		"a list of permissions":                    {agent("permission: [edit]\n"), "not-loaded"},
		"patterns where none can be":               {agent("permission: {webfetch: {\"*\": deny}}\n"), "not-loaded"},
		"a key that moves":                         {agent("permission: {\"7\": deny, \"*\": allow}\n"), "not-loaded"},
		"the second try makes a text of a map":     {"---\ndescription: Use: x\npermission: {edit: deny}\n---\nB", "not-loaded"},
		"an agent that is taken away":              {agent("disable: true\n"), "not-loaded"},
		"an empty name":                            {agent("name: \"\"\n"), "not-loaded"},
		"a name that is a number":                  {agent("name: 5\n"), "not-loaded"},
		"a list as front matter":                   {"---\n- a\n---\nB", "not-loaded"},
		"no body":                                  {"---\ndescription: d\n---\n", "no-body"},
		"front matter that is not closed: no body": {"---\ndescription: d\n", "no-body"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(decodetest.None(t, decode, "a.md", c.text), " "); got != c.codes {
				t.Errorf("got %s, want %s", got, c.codes)
			}
		})
	}
}

// Agents in opencode.json, with comments, and texts from files.
func TestDecodeConfig(t *testing.T) {
	const text = `{
  "$schema": "https://opencode.ai/config.json", // comments are fine
  "agent": {
    "reviewer": {"description": "d", "mode": "subagent", "prompt": "{file:./prompts/r.txt}", "tools": {"write": false}},
    "build": {"model": "a/b"},
    "old": {"disable": true},
    "env": {"description": "d", "prompt": "Look at {env:HOME}."},
    "gone": {"description": "d", "prompt": "{file:gone.txt}"},
    "out": {"description": "d", "prompt": "{file:~/x}"},
    "bad": {"description": "d", "prompt": "x", "color": "red"},
    "v2": {"permissions": []},
    "none": {"description": "d"},
  },
  "agents": {"second": {"system": "S", "description": "d", "model": "a/b#low"}},
}`
	open := func(name string) ([]byte, error) {
		if name == "prompts/r.txt" {
			return []byte("\nReview.\n"), nil
		}
		return nil, errors.New("not there")
	}
	got, diags := decode(providers.Native{Name: "opencode.jsonc", Data: []byte(text), Open: open})
	var lines []string
	for _, d := range got {
		lines = append(lines, d.Name+"|"+d.Body+"|"+decodetest.Block(t, d))
	}
	want := []string{
		`reviewer|Review.|{"permission":{"edit":"deny"}}`, `env|Look at {env:HOME}.|{"mode":"all"}`,
		`second|S|{"mode":"all","model":"a/b","variant":"low"}`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	codes := "read-as? read-as? dropped? dropped? read-as? no-body no-body not-loaded not-loaded no-body read-as?"
	if got := strings.Join(decodetest.Codes(diags), " "); got != codes {
		t.Errorf("got %s\nwant %s\n%v", got, codes, diags)
	}
	decodetest.Placed(t, diags, text)
	if _, diags = decode(providers.Native{Name: "opencode.json", Data: []byte("{")}); !diags.HasErrors() {
		t.Error("half a document is read")
	}
}

// What this program writes comes back as the same bytes, with neutral tools
// where they say the same.
func TestDecodeIdentity(t *testing.T) {
	for keys, neutral := range map[string]string{
		"": `{}`,
		"  tools: [read, list, search, edit, shell]\n": `{"tools":["read","list","search","edit","shell"]}`,
		"  tools: [read]\n  mcp: [docs, git/log]\n":    `{"mcp":["docs","git/log"],"tools":["read"]}`,
		"  tools: [read]\n  mcp: [my_docs]\n":          `{}`,
		"  access: read-only\n":                        `{"tools":["read","list","search"]}`,
		"  tools: []\n  delegates: []\n":               `{"tools":["read","list","search"]}`,
		"  delegates: []\n":                            `{"delegates":[]}`,
		"  tools: [read, delegate]\n  delegates: []\n": `{"tools":["read"]}`,
		"  tools: [read]\n  providers: {opencode: {permission: {bash: {\"git *\": allow}, lsp: allow}}}\n": `{}`,
		"  providers:\n    opencode:\n      mode: all\n      model: a/b\n      variant: x\n      temperature: 0.5\n      top_p: 0.1\n      steps: 3\n      color: accent\n      hidden: false\n" +
			"      permission: {\"*\": deny, read: {\"*\": allow, \"*.env\": ask}}\n      options: {b: [1], a: {c: true}}\n      extra: {reasoningEffort: high}\n": `{}`,
	} {
		m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [opencode]\nguard: none\nsubagents:\n- name: probe\n  description: Looks. Use when asked.\n  instructions: Look.\n"+keys)), schema.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		result, diags := render.Render(m, render.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		decodetest.Identity(t, schema.OpenCodeID, decode, result.Files)
		d, _ := decodetest.One(t, decode, result.Files[0].Path, string(result.Files[0].Data))
		if got := decodetest.Neutral(t, d); got != neutral {
			t.Errorf("%s\ngot %s, want %s", keys, got, neutral)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{agent("permission: {a: allow, b: {c: deny}}\n"), agent("tools: {read: true}\n"), `{"agent": {"a": {"prompt": "{file:x}"}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, diags := decode(providers.Native{Name: "a.md", Data: data})
		if (len(got) == 0) != diags.HasErrors() {
			t.Fatalf("%d subagents, %v", len(got), diags)
		}
		decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
		_, diags = decode(providers.Native{Name: "opencode.json", Data: data})
		decodetest.Placed(t, diags, strings.TrimPrefix(string(data), "\ufeff"))
	})
}
