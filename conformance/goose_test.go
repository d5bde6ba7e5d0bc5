//go:build conformance

package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

func TestGooseAgentFacts(t *testing.T) {
	file := func(f fact) string {
		if f.keys == "" {
			f.keys = "description: d"
		}
		return frontMatter("name: "+f.name+"\n"+f.keys, "\n  "+f.body()+"\n\n")
	}
	long := strings.Repeat("0123456789", 20)
	run := established(t, Goose{At: find(t, "goose")}, newBench(t), ".goose/agents", ".md", file, []fact{
		{name: "plain", want: every(body(bodyOf("plain")), description("d"), model(GooseParentModel), offered("shell", "write"), withheld("delegate"))},
		{name: "model", keys: "description: d\nmodel: other", want: model("other")},
		{name: "model-inherit-sent-as-is", keys: "description: d\nmodel: inherit", want: model("inherit")},
		{name: "provider-ignored", keys: "description: d\nprovider: openai", want: chatProvider("ollama")},
		{name: "tools-ignored", keys: "description: d\ntools: [read]", calls: []standin.Call{call("shell", map[string]any{"command": "echo hello"})},
			want: every(offered("shell", "write"), result(0, "hello"))},
		{name: "temperature-ignored", keys: "description: d\ntemperature: 0.3", want: field("", "temperature")},
		{name: "turns-ignored", keys: "description: d\nmax_turns: 1", calls: []standin.Call{call("tree", map[string]any{"path": "."}), call("tree", map[string]any{"path": "."})}, want: turns(3)},
		{name: "description-whole-in-list", keys: "description: \"" + long + "\"", want: description(long)},
		{name: "broken-colon", keys: "description: Use when: asked", want: every(absent(), refused("not found"), complained("Failed to parse agent file"))},
		{name: "template-evaluated", text: "a {{ x }} b {# c #} d", want: body("a  b  d")},
		{name: "template-escaped", text: "a {{ '{{' }} x }} {{ '{%' }} b {{ '{#' }} c", want: body("a {{ x }} {% b {# c")},
		{name: "template-broken", text: "${{ secrets.T }}", want: bodyLost()},
		{name: "broken-fence-in-value", keys: "description: \"a --- b\"", want: absent()},
	})
	if roster := run.Parent.System[0]; !strings.Contains(roster, "description-whole-in-list — "+long[:157]+"...\n") {
		t.Error("the main thread's list does not cut a description at 160 characters")
	}
}

func recipeFile(f fact) string {
	return fmt.Sprintf("version: \"1.0.0\"\ntitle: t\ndescription: d\ninstructions: %q\nprompt: Begin.\n%s\n", f.body(), f.keys)
}

// A recipe's keys have one effect when it is run and another when it is delegated to.
func recipeFacts(t *testing.T, delegated bool) []fact {
	part := func(run, delegate check) check {
		if delegated {
			return delegate
		}
		return run
	}
	hello := call("shell", map[string]any{"command": "echo hello"})
	developer := "extensions:\n- {type: builtin, name: developer, available_tools: "
	return []fact{
		{name: "plain", want: every(body(bodyOf("plain")), model(GooseParentModel), offered("shell", "write"), part(offered("delegate"), withheld("delegate")))},
		{name: "model", keys: "settings: {goose_model: other}", want: model("other")},
		{name: "provider", keys: "settings: {goose_provider: openai, goose_model: other}", want: chatProvider("openai")},
		{name: "temperature", keys: "settings: {temperature: 0.5}", want: field("0.5", "temperature")},
		{name: "max-turns", keys: "settings: {max_turns: 2}", calls: []standin.Call{hello, hello, hello}, want: part(turns(4), turns(2))},
		{name: "extensions-none", keys: "extensions: []", want: part(tools(), offered("shell", "write"))},
		{name: "extensions-narrow", keys: developer + "[shell]}", calls: []standin.Call{hello}, want: every(result(0, "hello"), part(tools("analyze", "shell"), offered("write")))},
		{name: "available-tools-empty-is-all", keys: developer + "[]}", want: offered("shell", "write")},
		{name: "extensions-stdio", keys: "extensions:\n- {type: stdio, name: own, cmd: '" + mcpCommand(t) + "', args: [" + standin.MCPArgument + "]}",
			want: part(tools("own__ping", "own__pong"), withheld("own__ping"))},
		{name: "response", keys: "response: {json_schema: {type: object, properties: {a: {type: string}}}}",
			calls: []standin.Call{call("recipe__final_output", map[string]any{"a": "x"})}, want: offered("recipe__final_output")},
		{name: "retry", keys: "retry: {max_retries: 2, checks: [{type: shell, command: 'false'}]}", want: turns(3)},
		{name: "sub-recipes", keys: "sub_recipes: [{name: child, path: ./plain.yaml}]", want: part(tools("delegate", "load"), withheld("delegate"))},
		{name: "broken-template", keys: "activities: ['{{ x }}']", want: every(part(absent(), every()), refused("Missing definitions for parameters"))},
		{name: "broken-extension", keys: "extensions: [{type: stdio, cmd: x, args: []}]", want: every(absent(), part(refused("missing field `name`"), refused("not found")))},
	}
}

func TestGooseRecipeFacts(t *testing.T) {
	established(t, GooseRecipe{At: find(t, "goose")}, newBench(t), ".goose/recipes", ".yaml", recipeFile, recipeFacts(t, false))
}

func TestGooseDelegatedRecipeFacts(t *testing.T) {
	established(t, Goose{At: find(t, "goose")}, newBench(t), ".goose/recipes", ".yaml", recipeFile, recipeFacts(t, true))
}

func TestGooseRows(t *testing.T) {
	bench := newBench(t)
	shown(t, Goose{At: find(t, "goose")}, bench, gooseShowings(worldOf(t, bench)))
}

func TestGooseRunRows(t *testing.T) {
	bench := newBench(t)
	shown(t, GooseRecipe{At: find(t, "goose")}, bench, gooseRunShowings(worldOf(t, bench)))
}
