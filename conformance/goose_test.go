//go:build conformance

package conformance

import (
	"fmt"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func gooseAgentFile(f fact) string {
	if f.keys == "" {
		f.keys = "description: d"
	}
	return frontMatter("name: "+f.name+"\n"+f.keys, "\n  "+f.body()+"\n\n")
}

func recipeFile(f fact) string {
	return fmt.Sprintf("version: \"1.0.0\"\ntitle: t\ndescription: d\ninstructions: %q\nprompt: Begin.\n%s\n", f.body(), f.keys)
}

func gooseAgentFacts() []fact {
	tree := call("tree", map[string]any{"path": "."})
	return []fact{
		{name: "plain", want: every(body(bodyOf("plain")), description("d"), model(GooseParentModel), offered("shell", "write"), withheld("delegate"))},
		{name: "model-inherit-sent-as-is", keys: "description: d\nmodel: inherit", want: model("inherit")},
		{name: "provider-ignored", keys: "description: d\nprovider: openai", want: chatProvider("ollama")},
		{
			name: "tools-ignored", keys: "description: d\ntools: [read]", calls: []standin.Call{gooseShell("echo hello")},
			want: every(offered("shell", "write"), result(0, "hello")),
		},
		{name: "turns-ignored", keys: "description: d\nmax_turns: 1", calls: []standin.Call{tree, tree}, want: turns(3)},
		{name: "broken-colon", keys: "description: Use when: asked", want: every(absent(), refused("not found"), complained("Failed to parse agent file"))},
		{name: "template-evaluated", text: "a {{ x }} b {# c #} d", want: body("a  b  d")},
		{name: "template-broken", text: "${{ secrets.T }}", want: bodyLost()},
		{name: "broken-fence-in-value", keys: "description: \"a --- b\"", want: absent()},
	}
}

// recipeFacts hold for both ways to use a recipe, but for what part tells apart.
func recipeFacts(prefix string, part func(run, delegated check) check) []fact {
	return []fact{
		{
			name: prefix + "plain",
			want: every(body(bodyOf(prefix+"plain")), model(GooseParentModel), offered("shell", "write"), part(offered("delegate"), withheld("delegate"))),
		},
		{name: prefix + "broken-template", keys: "activities: ['{{ x }}']", want: every(part(absent(), every()), refused("Missing definitions for parameters"))},
		{
			name: prefix + "broken-extension", keys: "extensions: [{type: stdio, cmd: x, args: []}]",
			want: every(absent(), part(refused("missing field `name`"), refused("not found"))),
		},
	}
}

// Delegated to: tools and extensions are the session's, whatever the file says. K41, M56, M57.
func TestGooseFacts(t *testing.T) {
	bench := newBench(t)
	delegated := func(_, delegated check) check { return delegated }
	trial{
		driver: Goose{At: find(t, "goose")}, bench: bench,
		byHand: []byHand{
			{".goose/agents", ".md", gooseAgentFile, gooseAgentFacts()},
			{".goose/recipes", ".yaml", recipeFile, recipeFacts("recipe-", delegated)},
		},
		showings: gooseShowings(worldOf(t, bench)),
	}.run(t)
}

// Run by hand a recipe has its own extensions, and an empty list is not an absent one. M56.
func TestGooseRunFacts(t *testing.T) {
	bench := newBench(t)
	run := func(run, _ check) check { return run }
	trial{
		driver: GooseRecipe{At: find(t, "goose")}, bench: bench,
		byHand:   []byHand{{".goose/recipes", ".yaml", recipeFile, recipeFacts("", run)}},
		showings: gooseRunShowings(worldOf(t, bench)),
	}.run(t)
}
