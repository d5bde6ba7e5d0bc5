//go:build conformance

package conformance

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// renderedManifest renders a manifest in project scope; a problem in it is a problem of the test.
func renderedManifest(t *testing.T, name string, data []byte) *render.Result {
	t.Helper()
	m, diags := schema.Load(schema.NewSource(name, data), schema.Options{HostTool: all.HostTool})
	refuse(t, diags)
	result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope})
	refuse(t, diags)
	return result
}

func refuse(t *testing.T, diags hcl.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			t.Error(d)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

func catalogue(t *testing.T) *render.Result {
	t.Helper()
	return renderedManifest(t, "subagents.yml", subagents.Catalogue)
}

// hold puts the rendered sub-agents of a host before its client and compares what comes of them.
func hold(t *testing.T, driver Driver, results ...*render.Result) {
	t.Helper()
	bench := newBench(t)
	id := schema.ProviderID(driver.Client().Provider)
	var promises []Promise
	for _, result := range results {
		if err := bench.putRendered(result, id); err != nil {
			t.Fatal(err)
		}
		more, err := Promises(result, id)
		if err != nil {
			t.Fatal(err)
		}
		promises = append(promises, more...)
	}
	run := perform(t, driver, bench, ProbesOf(promises))
	expected := Expected(promises, run)
	for _, d := range run.Compare(expected) {
		t.Error(d)
	}
	suite.Count(run, expected)
}

func adversarial(t *testing.T) *render.Result {
	t.Helper()
	return renderedManifest(t, "adversarial.json", adversarialManifest())
}

func TestClaudeAdversarial(t *testing.T) {
	hold(t, Claude{At: find(t, "claude")}, adversarial(t))
}

func TestCodexAdversarial(t *testing.T) {
	hold(t, Codex{At: find(t, "codex")}, adversarial(t))
	hold(t, Codex{At: find(t, "codex-old")}, adversarial(t))
}

func TestGooseAdversarial(t *testing.T) {
	hold(t, Goose{At: find(t, "goose")}, adversarial(t), renderedManifest(t, "recipes.json", adversarialRecipes("r-", "")))
	hold(t, GooseRecipe{At: find(t, "goose")}, renderedManifest(t, "recipes.json", adversarialRecipes("", "Begin.")))
}

func TestOpenCodeAdversarial(t *testing.T) {
	hold(t, OpenCode{At: find(t, "opencode")}, adversarial(t))
}

func TestClaudeCatalogue(t *testing.T) {
	hold(t, Claude{At: find(t, "claude")}, catalogue(t))
}

func TestCodexCatalogue(t *testing.T) {
	hold(t, Codex{At: find(t, "codex")}, catalogue(t))
	hold(t, Codex{At: find(t, "codex-old")}, catalogue(t))
}

func TestGooseCatalogue(t *testing.T) {
	hold(t, Goose{At: find(t, "goose")}, catalogue(t))
}

func TestOpenCodeCatalogue(t *testing.T) {
	hold(t, OpenCode{At: find(t, "opencode")}, catalogue(t))
}
