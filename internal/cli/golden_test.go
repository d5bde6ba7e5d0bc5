package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	subagents "github.com/seed-337579fc/subagents"
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
// read: the built-in catalogue, and a manifest of texts and settings that are
// easily got wrong. -update writes them.
func TestGoldenTrees(t *testing.T) {
	adversarial, err := os.ReadFile("../../testdata/adversarial.yml")
	if err != nil {
		t.Fatal(err)
	}
	for name, manifest := range map[string][]byte{"catalogue": subagents.Catalogue, "adversarial": adversarial} {
		for _, scope := range []schema.Scope{schema.ProjectScope, schema.UserScope} {
			t.Run(name+"/"+string(scope), func(t *testing.T) {
				files := rendered(t, schema.NewSource(name+".yml", manifest), render.Options{Scope: scope}).Files
				compareGolden(t, filepath.Join("../../testdata/golden", name, string(scope)), files)
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
		if err := state.Write(false); err != nil {
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
