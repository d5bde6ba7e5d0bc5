package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

const agentTools = "../testdata/manifests/agent-tools-subagents.yml"

// M1–M4, M61: a manifest of that shape is read as it stands.
func TestAgentToolsSubagents(t *testing.T) {
	src := NewSource("m.yml", read(t, agentTools))
	m, diags := Load(src, Options{})
	var warned []string
	for _, d := range diags {
		if d.Severity != hcl.DiagWarning || CodeOf(d) != CodeCompat {
			t.Error(d)
		}
		warned = append(warned, string(d.Subject.SliceBytes(src.Bytes)))
	}
	if want := []string{"mcp_servers", "mcp_servers", "teal"}; !slices.Equal(warned, want) {
		t.Errorf("warned about %q, want %q", warned, want)
	}
	names := []string{"pathfinder", "archivist", "bench-hand", "gatekeeper", "shipwright", "joiner", "surveyor", "lookout"}
	var got []string
	for _, e := range m.Entries() {
		got = append(got, e.Name)
	}
	if !slices.Equal(got, names) {
		t.Fatalf("entries %q", got)
	}
	var nicknames []string
	for _, e := range m.Entries() {
		if present := e.Name != "lookout"; e.Present() != present { // M62
			t.Errorf("%s is present: %v", e.Name, e.Present())
		}
		if !e.Present() {
			continue
		}
		if got := m.Targets(e); !slices.Equal(got, []ProviderID{ClaudeID, CodexID, GooseID}) { // M3, M5
			t.Errorf("%s is for %v", e.Name, got)
		}
		if e.Body == "" || strings.Contains(e.Body, "(not rendered)") || !strings.Contains(e.Description, "Use it") {
			t.Errorf("%s: body %q, description %q", e.Name, e.Body, e.Description)
		}
		for _, id := range m.Targets(e) {
			a := m.Resolve(e, id)
			if a.Guard != "" || a.Preamble != "" || !a.Compat() {
				t.Errorf("%s gets a guard or a preamble: %q %q", e.Name, a.Guard, a.Preamble)
			}
			if got := m.BlockScope(e, id); got != UserScope || a.Block.Common().Scope != UserScope {
				t.Errorf("%s on %s has the scope %q", e.Name, id, got)
			}
		}
		if n := m.Resolve(e, CodexID).Block.(*Codex); n.MCPServers != nil { // M55
			t.Errorf("%s: Codex servers %v", e.Name, n.MCPServers)
		} else {
			nicknames = append(nicknames, n.NicknameCandidates...)
		}
		if g := m.Resolve(e, GooseID).Block.(*Goose); g.Format != "recipe" || g.Extensions != nil { // M56
			t.Errorf("%s: goose %q, extensions %v", e.Name, g.Format, g.Extensions)
		}
		if c := m.Resolve(e, ClaudeID).Block.(*Claude); len(c.MCPServers) == 0 || c.MCPServers[0].Name != "codegraph" { // M53
			t.Errorf("%s: Claude servers %v", e.Name, c.MCPServers)
		}
	}
	slices.Sort(nicknames)
	if n := len(nicknames); n < 20 || len(slices.Compact(nicknames)) != n { // M65
		t.Error("a nickname is given twice")
	}
}

func block[T any](t *testing.T, m *Manifest, name string, id ProviderID) *T {
	t.Helper()
	b, ok := any(m.Resolve(m.Entry(name), id).Block).(*T)
	if !ok {
		t.Fatalf("%s on %s has another block", name, id)
	}
	return b
}

// What single entries of the fixture come to.
func TestAgentToolsBlocks(t *testing.T) {
	m, _ := Load(NewSource("m.yml", read(t, agentTools)), Options{})
	for name, want := range map[string][3]string{ // M8, M9, M47
		"shipwright": {"gpt-6.1-sol", "medium", "workspace-write"},
		"bench-hand": {"gpt-6.1-sol", "medium", "workspace-write"},
		"surveyor":   {"gpt-6.1-sol", "high", "workspace-write"},
		"gatekeeper": {"gpt-6.1-luna", "low", "workspace-write"},
		"pathfinder": {"gpt-6.1-luna", "low", "read-only"},
	} {
		b := block[Codex](t, m, name, CodexID)
		if got := [3]string{b.Model, b.ReasoningEffort, b.SandboxMode}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	ship := block[Claude](t, m, "shipwright", ClaudeID)
	want := &Claude{
		Model: "opus", Effort: "medium", Color: "orange",
		Tools:      []string{"Bash", "Read", "Grep", "Glob", "Edit", "Write", "Task", "mcp__codegraph__search", "mcp__deepwiki__ask_question"},
		MCPServers: []ClaudeMCP{{Name: "codegraph"}, {Name: "firecrawl"}, {Name: "deepwiki"}}, // M54
	}
	want.Enabled, want.Scope = new(true), UserScope
	if diff := cmp.Diff(want, ship, cmp.AllowUnexported()); diff != "" {
		t.Error(diff)
	}
	if tools := block[Claude](t, m, "joiner", ClaudeID).Tools; slices.Contains(tools, "Task") || slices.Contains(tools, "Agent") { // M51
		t.Errorf("joiner may start others: %v", tools)
	}
	if bench := block[Claude](t, m, "bench-hand", ClaudeID); bench.Color != "" || bench.Effort != "medium" {
		t.Errorf("bench-hand: colour %q, effort %q", bench.Color, bench.Effort)
	}
	gate := m.Resolve(m.Entry("gatekeeper"), GooseID)
	if b := gate.Block.(*Goose); gate.Slug != "gate-keeper" || b.Title != "Gatekeeper" || b.Version != "1.0.0" {
		t.Errorf("gatekeeper: %q %+v", gate.Slug, b)
	}
}

func tools(entries string) string { return "agent_tools_subagents:\n" + entries }

// M64: each structural fault has a code and a place of its own.
func TestAgentToolsFaults(t *testing.T) {
	const head = "  - name: aa\n    description: Use it when needed.\n    instructions: Do it.\n"
	on := head + "    providers:\n      codex:\n        enabled: true\n"
	places{
		{"root is no mapping", "«- agent_tools_subagents»\n", []Code{CodeWrongType}},
		{"list is a text", "agent_tools_subagents: «none»\n", []Code{CodeWrongType}},
		{"list is a mapping", "agent_tools_subagents:\n  «aa: {}»\n", []Code{CodeWrongType}},
		{"list is null", "agent_tools_subagents:«»\n", []Code{CodeWrongType}},
		{"list is empty", tools("  []\n"), nil},
		{"another root key", "«version»: 1\n" + tools(on), []Code{CodeUnknownKey}},
		{"entry is a text", tools("  - «aa»\n" + on), []Code{CodeWrongType}},
		{"entry is null", tools("  -«»\n" + on), []Code{CodeWrongType}},
		{"providers missing", tools("  - «name: aa»\n    description: d\n    instructions: i\n"), []Code{CodeMissingKey}},
		{"providers null", tools("  - «name: aa»\n    description: d\n    instructions: i\n    providers:\n"), []Code{CodeMissingKey}},
		{"providers a list", tools(head + "    providers: «[codex]»\n"), []Code{CodeWrongType}},
		{"block null", tools(head + "    providers:\n      codex:«»\n"), []Code{CodeNullValue}},
		{"block a text", tools(head + "    providers:\n      codex: «true»\n"), []Code{CodeWrongType}},
		{"unknown host", tools(head + "    providers:\n      «claud»: {enabled: true}\n"), []Code{CodeUnknownKey}},
		{"enabled is no boolean", tools(head + "    providers:\n      codex: {enabled: «yes»}\n"), []Code{CodeWrongType}},
		{"scope is neither", tools(head + "    providers:\n      codex: {enabled: true, scope: «global»}\n"), []Code{CodeBadValue}},
		{"name missing", tools("  - «description: Use it when needed.»\n    instructions: i\n    providers: {}\n"), []Code{CodeMissingKey}},
		{"description missing and needed", tools("  - «name: aa»\n    instructions: i\n    providers: {codex: {enabled: true}}\n"), []Code{CodeMissingKey}},
		{"instructions missing and needed", tools("  - name: «aa»\n    description: Use it when needed.\n    providers: {codex: {enabled: true}}\n"), []Code{CodeInstructions}},
		{"texts missing and not needed", tools("  - name: aa\n    providers: {codex: {enabled: false}}\n"), nil},
		{"texts null and not needed", tools("  - name: aa\n    description:\n    instructions:\n    providers: {codex: {model: m}}\n"), nil},
		{"gone", tools("  - name: aa\n    state: absent\n"), nil},
		{"state is neither", tools(on + "    state: «deleted»\n"), []Code{CodeBadValue}},
		{"two of one name", tools(on + strings.Replace(on, "aa", "«aa»", 1)), []Code{CodeDuplicateName}},
		{"two of one slug", tools(on + strings.Replace(on, "aa", "bb\n    slug: «aa»", 1)), []Code{CodeDuplicateName}},
		{"bad slug", tools(on + "    slug: «../x»\n"), []Code{CodeBadName}},
		{"unknown key", tools(on + "    «model»: x\n"), []Code{CodeUnknownKey}},
		{"unknown key of a block", tools(on + "        «effort»: high\n"), []Code{CodeUnknownKey}},
		{"Codex refuses the file", tools(on + "        sandbox_mode: «readonly»\n"), []Code{CodeBadValue}},
		{"bare list of servers", tools(on + "        «mcp_servers»: [a]\n"), []Code{CodeCompat}},
		{"table of servers", tools(on + "        mcp_servers: {a: {command: x}}\n"), nil},
	}.run(t, "m.yml")
}

// Where the host ignores a value it is left out with a warning; where leaving
// it out would give the agent more, or the host refuses the file, it is an error.
func TestAgentToolsForgives(t *testing.T) {
	claude := func(keys ...string) string {
		return tools("  - name: aa\n    description: Use it when needed.\n    instructions: Do it.\n    providers:\n      claude:\n        enabled: true\n        " +
			strings.Join(keys, "\n        ") + "\n")
	}
	compat := []Code{CodeCompat}
	places{
		{"colour", claude("extra_frontmatter: {color: «violet»}"), compat},
		{"colour in the block", claude("color: «violet»"), compat},
		{"effort", claude("extra_frontmatter: {effort: «extreme»}"), compat},
		{"mode", claude("extra_frontmatter: {permissionMode: «yolo»}"), compat},
		{"turns", claude("extra_frontmatter: {maxTurns: «0»}"), compat},
		{"two faults in one value", claude("mcp_servers: [a, «7», «[]»]"), []Code{CodeCompat, CodeCompat}},
		{"a fault inside and another beside", claude("memory: «all»", "color: «7»"), []Code{CodeCompat, CodeCompat}},
		{"tools are not left out", claude("tools: [Read, «7»]"), []Code{CodeWrongType}},
		{"tools of the wrong type", claude("tools: «{Read: true}»"), []Code{CodeWrongType}},
		{"tools that are refused", claude("extra_frontmatter: {disallowedTools: «7»}"), []Code{CodeWrongType}},
		{"hooks are not left out", claude("extra_frontmatter: {hooks: «[]»}"), []Code{CodeWrongType}},
		{"managed keys", claude("extra_frontmatter: {«name»: x, «tools»: [], «model»: y, «description»: z}"), []Code{CodeCompat, CodeCompat, CodeCompat, CodeCompat}}, // M63
		{"a key that the block has, too", claude("color: red", "extra_frontmatter: {«color»: blue}"), compat},                                                         // M63
		{"the same, the other way round", claude("extra_frontmatter: {«color»: blue}", "color: red"), compat},
		{"front matter of the wrong type", claude("extra_frontmatter: «[]»"), []Code{CodeWrongType}},
		{"front matter of nothing", claude("extra_frontmatter:"), nil},
	}.run(t, "m.yml")

	text := claude("tools: \"Read, Grep  Glob\"", "memory: all", "mcp_servers: [7, []]",
		"extra_frontmatter: {color: red, skills: \"a, b\", disallowedTools: Bash, observer: x, maxTurns: 3, mcpServers: [s]}")
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := block[Claude](t, m, "aa", ClaudeID)
	if got.Extra.Node == nil || len(got.Extra.Fields) != 1 || got.Extra.Get("observer").Text() != "x" {
		t.Errorf("extra is %v", got.Extra.Brief())
	}
	got.Extra = Value{}
	want := &Claude{Tools: []string{"Read", "Grep", "Glob"}, Color: "red", Skills: []string{"a", "b"}, DisallowedTools: []string{"Bash"}, MaxTurns: new(3)}
	want.Enabled, want.Scope = new(true), UserScope
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A wrong value that two entries share through an alias is left out of both.
func TestAgentToolsForgivesAliases(t *testing.T) {
	text := tools("  - name: aa\n    description: &d Use it when needed.\n    instructions: &i Do it.\n    providers: &p {claude: {enabled: true, color: violet, model: opus}}\n" +
		"  - {name: ab, description: *d, instructions: *i, providers: *p}\n")
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, name := range []string{"aa", "ab"} {
		if b := block[Claude](t, m, name, ClaudeID); b.Color != "" || b.Model != "opus" {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// The guard is off there: a body may say what it likes.
func TestAgentToolsHasNoGuard(t *testing.T) {
	quoted := strings.ReplaceAll(defaultGuard, "\n", "\n      ")
	text := tools("  - name: aa\n    description: Use it when needed.\n    instructions: |\n      " + quoted + "\n    providers: {codex: {enabled: true}}\n")
	if _, diags := Load(NewSource("m.yml", []byte(text)), Options{}); len(diags) > 0 {
		t.Error(diags)
	}
}
