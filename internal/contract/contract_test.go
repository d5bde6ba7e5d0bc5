package contract

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

func load(t *testing.T, text string) *schema.Manifest {
	t.Helper()
	path := filepath.Join(t.TempDir(), "subagents.yml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, diags, err := schema.LoadFiles([]string{path}, schema.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return m
}

// failures holds a contract against a manifest and lists what does not hold.
func failures(t *testing.T, manifest, contract string) []string {
	t.Helper()
	m := load(t, manifest)
	c, diags := Load(schema.NewSource("contract.yml", []byte(contract)))
	if len(diags) > 0 {
		t.Fatalf("%s: %v", contract, diags)
	}
	result, problems := render.Render(m, render.Options{Scope: c.Scope})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var list []string
	for _, c := range c.Check(m, result).Cases {
		if c.Problem != "" {
			list = append(list, c.Name+": "+c.Problem)
		}
	}
	return list
}

func entry(keys string) string {
	return "subagents: [{name: one, description: One. Use when asked., instructions: \"First this.\\n  Then  that.\\n\"" + keys + "}]\n"
}

func TestExpectations(t *testing.T) {
	const host = "agents: {one: {hosts: {"
	for _, c := range []struct {
		name, manifest, contract string
		want                     []string
	}{
		{"absent and empty differ", entry(", delegates: []"), "delegation: {one: null}", []string{"one: delegates are not set: they are none"}},
		{"empty and absent differ", entry(""), "delegation: {one: []}", []string{"one: delegates are none: they are not set"}},
		{"unlisted delegates", entry(", delegates: [two]") + "  # two\n", "", nil},
		{"null expects that a key is not there", entry(""), host + "claude: {model: null, native: {model: null, description: One. Use when asked.}}}}}", nil},
		{"a tool with brackets is one", entry(", providers: {claude: {tools: [\"Bash(git log:*, x)\", Read]}}"), host + "claude: {tools: [Read, \"Bash(git log:*, x)\"]}}}}", nil},
		{"a value of another type is another", entry(", providers: {claude: {max_turns: 5}}"), host + "claude: {native: {maxTurns: \"5\"}}}}}", []string{"one on claude: maxTurns is 5: it is 5 in .claude/agents/one.md"}},
		{"a value of the same type", entry(", providers: {claude: {max_turns: 5}}"), host + "claude: {native: {maxTurns: 5}}}}}", nil},
		{"nothing denied is unrestricted", entry(""), host + "opencode: {tools: null}}}}", nil},
		{"a later rule lifts a denial", entry(", providers: {opencode: {permission: {\"*\": deny, read: allow}}}"), host + "opencode: {tools: [read]}}}}", nil},
		{"a text denies everything", entry(", providers: {opencode: {permission: deny}}"), host + "opencode: {tools: []}}}}", nil},
		{"not rendered in the scope", entry(", providers: {claude: {scope: user}}"), "scope: project\n" + host + "claude: {model: null}}}}", []string{"one on claude is rendered: the manifest has no file for it in scope project"}},
		{"order wants each after the end of the other", entry(""), "all: {phrases: {order: [Then that., that.]}}", []string{"one has in order \"that.\": it stands before \"Then that.\" in .claude/agents/one.md"}},
		{"a phrase over two lines", entry(""), "all: {phrases: {required: [\"this.\\nThen that.\"], forbidden: [then that]}}", nil},
		{"a template character in a goose agent", strings.ReplaceAll(entry(""), "First", "{{ First }}"), host + "goose: {phrases: {required: [\"{{ First }} this.\"]}}}}}", nil},
	} {
		if c.name == "unlisted delegates" {
			c.manifest = "subagents: [{name: one, delegates: [two], description: One. Use when asked., instructions: x}, {name: two, description: Two. Use when asked., instructions: x}]"
			c.contract = "delegation: {two: null}"
			c.want = []string{"no other subagent may start one: \"one\" may start two"}
		}
		if diff := cmp.Diff(c.want, failures(t, c.manifest, c.contract)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The contracts beside the built-in catalogue hold: they are the examples.
func TestCatalogue(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/contracts/*.yml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no contracts: ", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, diags := Load(schema.NewSource(path, data))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		m, diags, err := schema.LoadFiles([]string{filepath.Join(filepath.Dir(path), c.Manifest)}, schema.Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		result, diags := render.Render(m, render.Options{Scope: c.Scope})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		suite := c.Check(m, result)
		if len(suite.Cases) < 50 {
			t.Errorf("%s: only %d cases", path, len(suite.Cases))
		}
		for _, c := range suite.Cases {
			if c.Problem != "" {
				t.Errorf("%s: %s: %s", c.place(), c.Name, c.Problem)
			}
		}
	}
}

func TestSchemaInTheDocuments(t *testing.T) {
	data, err := os.ReadFile("../../docs/contract.schema.json")
	if err != nil || !bytes.Equal(data, JSONSchema) {
		t.Errorf("docs/contract.schema.json is stale, run go generate: %v", err)
	}
}

var hard = []*Suite{{File: "a&b.yml", Cases: []Case{
	{Name: "holds # not a directive", At: hcl.Range{Filename: "a&b.yml", Start: hcl.Pos{Line: 1, Column: 2}}},
	{Name: "fails\nhere", At: hcl.Range{Filename: "a&b.yml", Start: hcl.Pos{Line: 3, Column: 4}}, Problem: "<it> is \"x\"\n"},
}}}

func TestTAP(t *testing.T) {
	var out bytes.Buffer
	if err := WriteTAP(&out, hard); err != nil {
		t.Fatal(err)
	}
	want := "TAP version 14\n1..2\nok 1 - holds \\# not a directive\nnot ok 2 - fails here\n  ---\n  message: \"<it> is \\\"x\\\"\\n\"\n  at: \"a&b.yml:3:4\"\n  ...\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJUnit(&out, hard); err != nil {
		t.Fatal(err)
	}
	var doc junitSuites
	if err := xml.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	suite := doc.Suites[0]
	if doc.Tests != 2 || doc.Failures != 1 || suite.Name != "a&b.yml" || suite.Cases[0].Failure != nil || suite.Cases[1].Failure.Message != "<it> is \"x\"\n" {
		t.Errorf("%s", &out)
	}
}

// A contract never makes the program panic, whatever stands in it, and one that
// is taken can be held against a manifest.
func FuzzLoad(f *testing.F) {
	// Small ones: a long input costs minutes to make smaller.
	f.Add("only: true\nagents: {one: {tier: null, hosts: {claude: {model: haiku, tools: [Read]}, kiro: null}, phrases: {order: [a, b]}}}")
	f.Add("agents: {one: null}")
	f.Add("agents: {one: {hosts: {claude: {native: {a: {b: [1, null]}}}}}}")
	f.Add("delegation: {one: null}\nall: {}\n")
	f.Add("a: &a [*a]")
	path := filepath.Join(f.TempDir(), "subagents.yml")
	if err := os.WriteFile(path, []byte(entry("")), 0o644); err != nil {
		f.Fatal(err)
	}
	m, _, err := schema.LoadFiles([]string{path}, schema.Options{})
	if err != nil {
		f.Fatal(err)
	}
	result, _ := render.Render(m, render.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		c, diags := Load(schema.NewSource("contract.yml", []byte(text)))
		if (c == nil) != diags.HasErrors() {
			t.Fatalf("%q: %v, %v", text, c, diags)
		}
		if c != nil {
			c.Check(m, result)
		}
	})
}
