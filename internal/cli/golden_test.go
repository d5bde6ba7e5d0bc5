package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// rendered loads and renders a manifest that must be free of errors.
func rendered(t testing.TB, src *schema.Source, opt render.Options) *render.Result {
	t.Helper()
	m, diags := schema.Load(src, schema.Options{HostTool: all.HostTool})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	result, diags := render.Render(m, opt)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return result
}

// TestGoldenTrees holds what is rendered against the golden trees, which people
// read: the built-in catalogue, a manifest of texts and settings that are easily
// got wrong, and one in the spelling of an existing Ansible setup, whose files
// belong to the user. -update writes them.
func TestGoldenTrees(t *testing.T) {
	both := []schema.Scope{schema.ProjectScope, schema.UserScope}
	for _, c := range []struct {
		name   string
		file   string
		scopes []schema.Scope
	}{
		{"catalogue", "../../subagents.yml", both},
		{"adversarial", "../../testdata/adversarial.yml", both},
		{"agent-tools-subagents", "../../testdata/manifests/agent-tools-subagents.yml", []schema.Scope{schema.UserScope}},
	} {
		manifest, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, scope := range c.scopes {
			t.Run(c.name+"/"+string(scope), func(t *testing.T) {
				files := rendered(t, schema.NewSource(c.name+".yml", manifest), render.Options{Scope: scope}).Files
				compareGolden(t, filepath.Join("../../testdata/golden", c.name, string(scope)), files)
			})
		}
	}
}

func compareGolden(t *testing.T, dir string, files []render.File) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	var hosts []*providers.Facts
	for _, p := range all.Providers {
		hosts = append(hosts, p.Facts())
	}
	scope := files[0].Place.Scope
	state, err := tree.Examine(dir, files, tree.Look{Scope: scope, Providers: hosts})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := state.Write(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range state.Files {
		if f.Status != tree.Equal {
			t.Errorf("%s is %s %s\n%s", f.Path, f.Status, f.Why, udiff.Unified("golden", "rendered", string(f.Disk), string(f.Data)))
		}
	}
	for _, name := range append(state.Strays, state.Others...) {
		t.Errorf("%s is not rendered", name)
	}
}
