package audit_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/internal/audit"
	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

func hosts() []*providers.Facts {
	var list []*providers.Facts
	for _, p := range all.Providers {
		list = append(list, p.Facts())
	}
	return list
}

// run looks at a project, or at folders if there are any.
func run(t testing.TB, project string, dirs ...string) *audit.Report {
	t.Helper()
	o := audit.Options{
		Hosts: hosts(), Dirs: dirs, Where: install.Where{Home: filepath.Join(project, "no-home"), Project: project},
		Show: func(path string) string {
			rel, err := filepath.Rel(project, path)
			if err != nil {
				t.Fatal(err)
			}
			return rel
		},
	}
	if len(dirs) == 0 {
		o.Scopes = []schema.Scope{schema.ProjectScope}
	}
	report, err := audit.Run(o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// write puts rendered files into a project.
func write(t testing.TB, dir string, files []render.File) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// asked lists what manifests of the tests ask for in their own words, and what is
// therefore rightly found: none for the catalogue.
var asked = map[string][]string{
	"adversarial.yml": {
		"hidden-unicode .claude/agents/controls.md",
		"hidden-unicode .codex/agents/controls.toml",
		"hidden-unicode .goose/agents/controls.md",
		"hidden-unicode .kiro/agents/controls.json",
		"hidden-unicode .opencode/agents/controls.md",
		"hook-command .claude/agents/every-block.md",
		"hook-command .claude/agents/every-tool.md",
		"mcp-command .claude/agents/every-block.md",
		"mcp-command .codex/agents/every-block.toml",
		"pattern-ignored .claude/agents/every-block.md",
	},
}

// Everything that is rendered is clean, and every rendered file has been read as
// the subagent that it is. K88
func TestRenderedIsClean(t *testing.T) {
	manifests := map[string][]byte{"catalogue": subagents.Catalogue}
	for _, pattern := range []string{"*.yml", "manifests/*"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			manifests[filepath.Base(name)] = data
		}
	}
	read := 0
	for name, data := range manifests {
		source := name
		if filepath.Ext(name) == "" {
			source += ".yml"
		}
		m, diags := schema.Load(schema.NewSource(source, data), schema.Options{HostTool: all.HostTool, Builtin: schema.NewSource("builtin:subagents.yml", subagents.Catalogue)})
		if diags.HasErrors() {
			continue // needs files beside it
		}
		result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope})
		if diags.HasErrors() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, result.Files)
			report := run(t, dir)
			read += checkRead(t, report, result.Files)
			var found []string
			for _, f := range report.Findings {
				if f.Severity.AtLeast(audit.Warning) {
					found = append(found, string(f.Code)+" "+f.At.Filename)
					t.Logf("%s: %s: %s (%s)", f.Code, f.At, f.Message, f.Fix)
				}
			}
			slices.Sort(found)
			if want := asked[name]; !slices.Equal(found, want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
		})
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}

// checkRead checks that a report has exactly the rendered files, each read as one
// subagent.
func checkRead(t *testing.T, report *audit.Report, files []render.File) int {
	t.Helper()
	var got, want []string
	for _, f := range report.Files {
		got = append(got, f.Path)
		if f.State != audit.Read || len(f.Agents) != 1 {
			t.Errorf("%s: %s with %d subagents", f.Path, f.State, len(f.Agents))
		}
	}
	for _, f := range files {
		want = append(want, f.Path)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return len(got)
}
