//go:build conformance

package conformance

import (
	"slices"
	"strings"
	"testing"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// rendition is what one client run is held against: rendered manifests.
type rendition struct {
	driver  Driver
	bench   Bench // with what the project has beside the rendered files
	results []*render.Result
	// adjust completes, by name, what is expected of sub-agents with native keys.
	adjust map[string]func(*Expect)
	omit   []string // sub-agents that are for another run of the client
}

// hold puts the rendered sub-agents before the client and compares what comes of them.
func (r rendition) hold(t *testing.T) {
	t.Helper()
	id := schema.ProviderID(r.driver.Client().Provider)
	var promises []Promise
	for _, result := range r.results {
		if err := r.bench.putRendered(result, id); err != nil {
			t.Fatal(err)
		}
		more, err := Promises(result, id)
		if err != nil {
			t.Fatal(err)
		}
		promises = append(promises, more...)
	}
	promises = slices.DeleteFunc(promises, func(p Promise) bool { return slices.Contains(r.omit, p.Name) })
	run := perform(t, r.driver, r.bench, ProbesOf(promises))
	run.Unexpected = slices.DeleteFunc(run.Unexpected, func(name string) bool { return slices.Contains(r.omit, name) })
	expected := Expected(promises, run)
	for name, adjust := range r.adjust {
		at := slices.IndexFunc(expected, func(e Expect) bool { return e.Name == name })
		if at < 0 {
			t.Fatalf("there is no %s to adjust", name)
		}
		adjust(&expected[at])
	}
	for _, d := range run.Compare(expected) {
		t.Error(d)
	}
	suite.Count(run, expected)
}

func catalogue(t *testing.T) []*render.Result {
	t.Helper()
	return []*render.Result{renderedManifest(t, "subagents.yml", subagents.Catalogue)}
}

// K19: every sub-agent of the catalogue is one that the clients take as it is.
func TestClaudeCatalogue(t *testing.T) {
	rendition{driver: Claude{At: find(t, "claude")}, bench: newBench(t), results: catalogue(t)}.hold(t)
}

func TestCodexCatalogue(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		rendition{driver: Codex{At: find(t, key)}, bench: newBench(t), results: catalogue(t)}.hold(t)
	}
}

func TestGooseCatalogue(t *testing.T) {
	rendition{driver: Goose{At: find(t, "goose")}, bench: newBench(t), results: catalogue(t)}.hold(t)
}

func TestOpenCodeCatalogue(t *testing.T) {
	rendition{driver: OpenCode{At: find(t, "opencode")}, bench: newBench(t), results: catalogue(t)}.hold(t)
}

func adversarial(t *testing.T) []*render.Result {
	t.Helper()
	return []*render.Result{renderedManifest(t, "adversarial.json", adversarialManifest(nil))}
}

// A4, A13: description and body arrive word for word, whatever is in them.
func TestClaudeAdversarial(t *testing.T) {
	rendition{driver: Claude{At: find(t, "claude")}, bench: newBench(t), results: adversarial(t)}.hold(t)
}

func TestCodexAdversarial(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		rendition{driver: Codex{At: find(t, key)}, bench: newBench(t), results: adversarial(t)}.hold(t)
	}
}

// As agent files, as recipes to delegate to, and as recipes to run.
func TestGooseAdversarial(t *testing.T) {
	recipes := func(prefix, prompt string) *render.Result {
		return renderedManifest(t, "recipes.json", adversarialRecipes(prefix, prompt))
	}
	rendition{driver: Goose{At: find(t, "goose")}, bench: newBench(t), results: append(adversarial(t), recipes("r-", ""))}.hold(t)
	rendition{driver: GooseRecipe{At: find(t, "goose")}, bench: newBench(t), results: []*render.Result{recipes("", "Begin.")}}.hold(t)
}

func TestOpenCodeAdversarial(t *testing.T) {
	rendition{driver: OpenCode{At: find(t, "opencode")}, bench: newBench(t), results: adversarial(t)}.hold(t)
}

func everyKeyOf(t *testing.T) []*render.Result {
	t.Helper()
	return []*render.Result{renderedManifest(t, "every-key.yml", everyKey(t, mcpCommand(t), "json"))}
}

// neutral checks the body of the entry with a template, of which the promise knows nothing but the file.
func neutral(provider string, more ...func(*Expect)) func(*Expect) {
	return func(e *Expect) {
		if !strings.Contains(e.Body, "You are neutral-keys on "+provider+", and {{ x }} is no template.") {
			e.Body = "the template, expanded"
		}
		for _, adjust := range more {
			adjust(e)
		}
	}
}

func offers(tools ...string) func(*Expect) { return func(e *Expect) { e.Tools = tools } }

func TestClaudeEveryKey(t *testing.T) {
	bench := newBench(t)
	put(t, bench, "project/.claude/skills/tidy/SKILL.md", skillFile("tidy", "d", "x"))
	session := map[string]any{"ses": map[string]any{"command": mcpCommand(t), "args": []string{standin.MCPArgument}}}
	rendition{
		driver: Claude{At: find(t, "claude"), Servers: session}, bench: bench, results: everyKeyOf(t),
		adjust: map[string]func(*Expect){
			"neutral":     neutral("claude"),
			"claude-keys": offers("Edit", "NotebookEdit", "Read", "mcp__own__ping", "mcp__own__pong", "mcp__ses__ping"),
		},
	}.hold(t)
}

func TestCodexEveryKey(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		rendition{
			driver: Codex{At: find(t, key)}, bench: newBench(t), results: everyKeyOf(t),
			adjust: map[string]func(*Expect){"neutral": neutral("codex")},
		}.hold(t)
	}
}

// The recipe is for goose run, everything else is delegated to.
func TestGooseEveryKey(t *testing.T) {
	delegated := []string{"neutral", "neutral-helper", "goose-child", "goose-agent-keys"}
	rendition{
		driver: Goose{At: find(t, "goose")}, bench: newBench(t), results: everyKeyOf(t),
		adjust: map[string]func(*Expect){"neutral": neutral("goose")}, omit: []string{"goose-keys"},
	}.hold(t)
	rendition{
		driver: GooseRecipe{At: find(t, "goose")}, bench: newBench(t), results: everyKeyOf(t), omit: delegated,
		adjust: map[string]func(*Expect){"goose-keys": func(e *Expect) {
			e.Body = "Body of goose-keys for everyone, not {{ .Values.x }}."
			// analyze comes with developer, delegate and load with a sub-recipe.
			e.Tools = []string{"analyze", "delegate", "load", "own__ping", "recipe__final_output", "shell", "todo__todo_write"}
			e.Model = "other"
		}},
	}.hold(t)
}

func TestOpenCodeEveryKey(t *testing.T) {
	rendition{
		driver: OpenCode{At: find(t, "opencode")}, bench: newBench(t), results: everyKeyOf(t),
		adjust: map[string]func(*Expect){
			"neutral": neutral("opencode"),
			"opencode-keys": func(e *Expect) {
				e.Tools, e.Effort = []string{"bash", "read", "webfetch"}, "high"
			},
			"opencode-further-keys": offers(),
		},
	}.hold(t)
}
