package matrix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// rendered builds the matrix of a manifest in YAML.
func rendered(t testing.TB, manifest string) *Matrix {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("subagents.yml", []byte(manifest)), schema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return Build(result)
}

func catalogue(t testing.TB) *Matrix {
	t.Helper()
	return rendered(t, string(subagents.Catalogue))
}

// many is a manifest of n subagents that fare in many different ways.
func many(n int) string {
	var b strings.Builder
	b.WriteString("subagents:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {name: agent-%04d, description: Does job %d., instructions: Work., tags: [team-%d]", i, i, i%7)
		for bit, keys := range []string{
			"access: read-only", "tier: deep", "effort: high", "delegates: []", "isolation: worktree", "title: T",
			"providers: {claude: {max_turns: 5}, codex: {sandbox_mode: read-only}}",
		} {
			if i>>bit&1 == 1 {
				b.WriteString(", " + keys)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// cell gives the cell of a setting, which must be there once.
func cell(t *testing.T, m *Matrix, host schema.ProviderID, setting string) Cell {
	t.Helper()
	var found []Cell
	for _, c := range m.Subagents[0].on(host).Cells {
		if c.Setting == setting {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cells of %s on %s", len(found), setting, host)
	}
	return found[0]
}

const reviewer = `
subagents:
- name: reviewer
  description: Reviews a change. Use after editing.
  access: read-only
  tools: [read, list, search]
  instructions: Look.
`

// TestReadOnlyReviewer is the question that the matrix is for.
func TestReadOnlyReviewer(t *testing.T) {
	m := rendered(t, reviewer)
	for host, want := range map[schema.ProviderID]map[string]providers.Level{
		"claude":   {"access": providers.Enforced, "tools": providers.Enforced},
		"codex":    {"access": providers.Advisory, "tools": providers.Inherited},
		"goose":    {"access": providers.Inherited, "tools": providers.Inherited},
		"kiro":     {"access": providers.Enforced, "tools": providers.Enforced},
		"opencode": {"access": providers.Enforced, "tools": providers.Enforced},
	} {
		for setting, level := range want {
			c := cell(t, m, host, setting)
			if c.Level != level || c.Why == "" || c.Source == "" {
				t.Errorf("%s on %s: %+v, want %s", setting, host, c, level)
			}
		}
	}
	if c := cell(t, m, "codex", "access"); !strings.Contains(c.Source, "openai/codex#45482") {
		t.Errorf("the source of access on Codex names no public issue: %s", c.Source)
	}
}

// TestAFactStandsForItsSetting: where no model is named for a tier, the tier is
// not enforced, whatever the key could do.
func TestAFactStandsForItsSetting(t *testing.T) {
	m := rendered(t, "subagents:\n- {name: a1, description: D., instructions: I., tier: deep, tools: [read, todo], mcp: [docs]}\n")
	if c := cell(t, m, "claude", "tier"); c.Level != providers.Enforced || c.Native != "opus" {
		t.Errorf("tier on claude: %+v", c)
	}
	if c := cell(t, m, "codex", "tier"); c.Level != providers.Inherited || c.Native != "" || c.Value != "deep" || c.Code == "" || c.Finer {
		t.Errorf("tier on codex: %+v", c)
	}
	// One tool of a list has a row beside the list's.
	var levels []string
	for _, c := range m.Subagents[0].on("claude").Cells {
		if c.Setting == "tools" {
			levels = append(levels, fmt.Sprint(c.Value, " ", c.Level, " ", c.Finer))
		}
	}
	if diff := cmp.Diff([]string{"read, todo enforced false", "todo unsupported true"}, levels); diff != "" {
		t.Error(diff)
	}
}

func TestVersionsStandBesideEachOther(t *testing.T) {
	m := rendered(t, "targets: [codex]\nsubagents:\n- {name: a1, description: D., instructions: I., providers: {codex: {web_search: live}}}\n")
	c := cell(t, m, "codex", "codex.web_search")
	if c.Level != providers.Advisory || c.From != "0.149.0" || len(c.Others) != 1 || c.Others[0].Level != providers.Enforced || c.Others[0].Until != "0.148.0" {
		t.Errorf("%+v", c)
	}
}

// TestEveryCellIsInEveryView counts the cells of the catalogue in the document
// and on the page.
func TestEveryCellIsInEveryView(t *testing.T) {
	m := catalogue(t)
	want := 0
	for _, s := range m.Subagents {
		for _, on := range s.On {
			want += len(on.Cells)
		}
	}
	document := 0
	for _, s := range m.Document().Subagents {
		for _, p := range s.Providers {
			document += len(p.Settings)
		}
	}
	grid := 0
	for _, g := range m.grids() {
		for _, r := range g.rows {
			for _, c := range r.cells {
				if c != nil {
					grid++
				}
			}
		}
	}
	counted := 0
	for _, row := range m.tallyRows(m.grids()) {
		for _, n := range row.Counts {
			counted += n
		}
	}
	if want < 300 || document != want || grid != want || counted != want {
		t.Errorf("%d cells; %d in the document, %d in the grids, %d counted", want, document, grid, counted)
	}
}

func TestAlikeKeepsEverySubagent(t *testing.T) {
	m := rendered(t, many(64))
	var names []string
	groups := alike(m.grids())
	for _, g := range groups {
		names = append(names, g.names...)
	}
	slices.Sort(names)
	if len(names) != 64 || len(slices.Compact(names)) != 64 {
		t.Errorf("%d names in the groups", len(names))
	}
	if len(groups) != 64 { // each has other settings than all the others
		t.Errorf("%d groups", len(groups))
	}
	twice := rendered(t, "subagents:\n- {name: a1, description: D., instructions: I., tier: deep}\n- {name: b1, description: E., instructions: I., tier: light}\n")
	if groups := alike(twice.grids()); len(groups) != 1 || groups[0].rows[1].label() != "tier" {
		t.Errorf("two that differ in a value alone: %+v", groups)
	}
}
