package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const packs = `
packs:
  - {id: go, stability: stable, vars: {build: go build ./..., title: Go}}
  - {id: c-sharp, stability: experimental, vars: {build: dotnet build, title: C#}}
  - {id: rust, stability: stable, vars: {build: cargo build, title: Rust}}
`

// K20, K21: an entry with for_each: packs becomes one subagent for each stable
// pack, generated from it; what stands in its names and texts speaks of the
// pack.
func TestPacks(t *testing.T) {
	text := packs + `
subagents:
  - {name: first, description: Use it when needed., instructions: x}
  - name: ${pack.id}-code-auditor
    for_each: packs
    slug: audit-${pack.id}
    title: ${pack.vars.title} auditor
    description: Audits ${pack.vars.title} code. Use it when it changes.
    role: Knows $${pack} and ${upper(pack.id)}.
    tags: ["${pack.id}"]
    access: read-only
    instructions: |
      Run ${pack.vars.build} as ${agent.name} on ${provider}, for ${pack.id} (${pack.stability}).
  - {name: last, description: Use it when needed., instructions: "${pack.id}"}
`
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	for _, e := range m.Entries() {
		body, diags := m.Resolve(e, CodexID).Expand(nil)
		if len(diags) > 0 {
			t.Error(diags)
		}
		origin := ""
		if o := e.Resolved.Origin; o != nil {
			origin = o.Kind + " from " + o.Source
		}
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s|%v|%s|%s", e.Name, e.Stem(), e.Resolved.Title, e.Description, e.Resolved.Role, e.Resolved.Tags, strings.TrimSpace(body), origin))
	}
	want := []string{
		"first|first||Use it when needed.||[]|x|",
		"go-code-auditor|audit-go|Go auditor|Audits Go code. Use it when it changes.|Knows ${pack} and GO.|[${pack.id}]|Run go build ./... as go-code-auditor on codex, for go (stable).|generated from go",
		"rust-code-auditor|audit-rust|Rust auditor|Audits Rust code. Use it when it changes.|Knows ${pack} and RUST.|[${pack.id}]|Run cargo build as rust-code-auditor on codex, for rust (stable).|generated from rust",
		"last|last||Use it when needed.||[]|${pack.id}|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if at := m.Entry("rust-code-auditor").At; at.Start.Line != 9 || at.Start.Column != 11 {
		t.Errorf("it stands at %v", at)
	}
	if o := m.Entry("go-code-auditor"); o.Pack == nil || o.Pack.ID != "go" || o.Pack.Stability != "stable" {
		t.Errorf("its pack is %v", o.Pack)
	}
}

// An origin of its own is kept; a template in HCL has its name inside.
func TestPacksInOtherSpellings(t *testing.T) {
	want := "go-auditor Audits go, not ${x}. Run go build. ${y}\n"
	for file, text := range map[string]string{
		"m.hcl": `
pack "go" {
  stability = "stable"
  vars      = { build = "go build" }
}
subagent {
  name         = "${pack.id}-auditor"
  for_each     = "packs"
  description  = "Audits ${pack.id}, not $${x}."
  origin       = { kind = "learned", source = "elsewhere" }
  instructions = <<-EOT
    Run ${pack.vars.build}. $${y}
  EOT
}
`,
		"m.toml": `
[[packs]]
id = "go"
stability = "stable"
vars.build = "go build"
[[subagents]]
name = "${pack.id}-auditor"
for_each = "packs"
description = "Audits ${pack.id}, not $${x}."
origin = {kind = "learned", source = "elsewhere"}
instructions = """
Run ${pack.vars.build}. $${y}
"""
`,
		"m.json": `{"packs": [{"id": "go", "stability": "stable", "vars": {"build": "go build"}}], "subagents": [{"name": "${pack.id}-auditor", "for_each": "packs",
"description": "Audits ${pack.id}, not $${x}.", "origin": {"kind": "learned", "source": "elsewhere"}, "instructions": "Run ${pack.vars.build}. $${y}\n"}]}`,
	} {
		m, diags := Load(NewSource(file, []byte(text)), Options{})
		if len(diags) > 0 {
			t.Fatal(file, diags)
		}
		e := m.Entries()[0]
		body, diags := m.Resolve(e, ClaudeID).Expand(nil)
		if got := e.Name + " " + e.Description + " " + body; got != want || len(diags) > 0 {
			t.Errorf("%s: %q, want %q: %v", file, got, want, diags)
		}
		if o := e.Resolved.Origin; o.Kind != "learned" || o.Source != "elsewhere" {
			t.Errorf("%s: origin %v", file, o)
		}
	}
}

// K24: a pack that is no longer stable yields nothing; an entry that says that
// it was generated from one is a mistake, as is one whose pack is gone.
func TestPackProblems(t *testing.T) {
	demoted := strings.Replace(packs, "id: go, stability: stable", "id: go, stability: experimental", 1)
	m, diags := Load(NewSource("m.yml", []byte(demoted+"subagents:\n"+plain(`"${pack.id}-aa"`, "for_each: packs"))), Options{})
	if len(diags) > 0 || len(m.Entries()) != 1 || m.Entries()[0].Name != "rust-aa" {
		t.Errorf("%v", diags)
	}
	places{
		{"no packs", "subagents:\n" + plain(`"${pack.id}-aa"`, "for_each: «packs»"), []Code{CodePackMissing}},
		{"an empty list of packs", "packs: []\nsubagents:\n" + plain(`"${pack.id}-aa"`, "for_each: packs"), nil},
		{"no expression in the name", packs + "subagents:\n" + plain("«aa»", "for_each: packs"), []Code{CodeDuplicateName}},
		{"an expression without packs", "subagents:\n" + plain(`«"${pack.id}-aa"»`), []Code{CodeBadName}},
		{"a name out of form", packs + "subagents:\n" + plain(`«"${pack.id}_a"»`, "for_each: packs"), []Code{CodeBadName + " " + CodeBadName}},
		{"too long a name", packs + "subagents:\n" + plain(`«"${pack.id}-`+strings.Repeat("a", 63)+`"»`, "for_each: packs"), []Code{CodeBadName + " " + CodeBadName}},
		{"a variable that is not there", packs + "subagents:\n" + plain(`"aa-${pack.id}"`, "for_each: packs", `title: «"${pack.vars.tilte}"»`), []Code{CodeTemplate}},
		{"what a name cannot see", packs + "subagents:\n" + plain(`«"${provider}-aa"»`, "for_each: packs"), []Code{CodeTemplate}},
		{"in the line of a description", packs + "subagents:\n  - name: aa-${pack.id}\n    for_each: packs\n    instructions: x\n    description: |\n      Use it.\n      ä ${pack«.x»}\n", []Code{CodeTemplate}},
		{"two of one name", packs + "subagents:\n" + plain(`"${pack.id}-aa"`, "for_each: packs") + plain("«rust-aa»"), []Code{CodeDuplicateName}},
		{"generated from nowhere", packs + "subagents:\n" + plain("aa", "origin: {kind: generated, source: «zig»}"), []Code{CodePackMissing}},
		{"generated from what is not stable", packs + "subagents:\n" + plain("aa", "origin: {kind: generated, source: «c-sharp»}"), []Code{CodePackNotStable}},
		{"generated from a stable pack", packs + "subagents:\n" + plain("aa", "origin: {kind: generated, source: go}"), nil},
		{"without packs an origin is only told", "subagents:\n" + plain("aa", "origin: {kind: generated, source: zig}"), nil},
	}.run(t, "m.yml")
}
