package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// The conditions of goose's rows.
const (
	whenRun       = "run with goose run --recipe"
	whenDelegated = "delegated to"
)

func gooseBlock(keys string) string { return "providers: {goose: {" + keys + "}}" }

// recipe is the block of a recipe; one with a prompt is for goose run.
func recipe(keys string) string { return gooseBlock("format: recipe, " + keys) }

func runRecipe(keys string) string { return recipe("prompt: Begin., " + keys) }

// chatProvider tells goose's providers apart: only openai has a key.
func chatProvider(want string) check {
	return spawned(func(a *Observation) error {
		got := "ollama"
		if a.Spawned.Header.Get("Authorization") != "" {
			got = "openai"
		}
		return same("provider", want, got)
	})
}

// definition: the client's own view of the file holds a text.
func definition(text string) check {
	return func(_ *Run, a *Observation) error {
		if !strings.Contains(a.Definition, text) {
			return fmt.Errorf("the client's view lacks %q: %.500s", text, a.Definition)
		}
		return nil
	}
}

// said: the conversation starts with a text; the client adds the time and the folder to it.
func said(text string) check {
	return spawned(func(a *Observation) error {
		first, _, _ := strings.Cut(a.Spawned.Messages[0].Text, "\n<turn-context>")
		return same("first message", text, first)
	})
}

func gooseShell(command string) standin.Call {
	return call("shell", map[string]any{"command": command})
}

// developer is an extension with some of its tools.
func developer(tools string) string {
	return "extensions: [{type: builtin, name: developer, available_tools: [" + tools + "]}]"
}

// response is a form of answer, and answersBadly are two answers of which only the second has it.
const response = "response: {json_schema: {type: object, properties: {a: {type: string}}, required: [a]}}"

var answersBadly = []standin.Call{call("recipe__final_output", map[string]any{"b": 1}), call("recipe__final_output", map[string]any{"a": "x"})}

const templated = "a {{ x }} b"

// gooseShowings are for delegation, by agent file unless they say recipe.
func gooseShowings(w world) []showing {
	hello := gooseShell("echo hello")
	long := strings.Repeat("0123456789", 20)
	const models = "defaults: {providers: {goose: {models: {deep: other}}}}"
	showings := []showing{
		{row: "description", entry: "description: 'Looks: after it.'", is: []outcome{enforced(description("Looks: after it."), parentReads("Looks: after it."))}},
		{
			row: "description#cut", entry: "description: '" + long + "'",
			is: []outcome{enforced(parentReads(long)), advisory(description(long), parentReads(long[:157]+"...\n"))},
		},
		{
			row: "instructions#template-in-agent", entry: "instructions: '" + templated + "'",
			is: []outcome{enforced(body(templated), definition(templated)), advisory(body(templated), definition("a {{ '{{' }} x }} b"))},
		},
		{
			row: "instructions#template-run", entry: "instructions: '" + templated + "'\n" + recipe("prompt: Begin."),
			is: []outcome{enforced(body(templated)), advisory(body("a  b"))},
		},
		{
			row: "instructions#indent", entry: `instructions: "    one\n    two"`,
			is: []outcome{unsupported(body("one\n    two")), enforced(body("    one\n    two"))},
		},
		{row: "access", entry: "access: read-only", is: []outcome{inherited(toolsOfControl())}},
		{row: "tools", entry: "tools: [read]", is: []outcome{inherited(toolsOfControl())}},
		{row: "tools#stripped", root: "defaults: {tools: [read, edit, shell]}", entry: "access: read-only", is: []outcome{inherited(toolsOfControl())}},
		{row: "mcp", entry: "mcp: [ses/ping]", is: []outcome{inherited(toolsOfControl())}},
		{row: "tier", root: models, entry: "tier: deep", is: []outcome{enforced(model("other")), inherited(modelOfControl())}},
		{row: "tier#no-model", entry: "tier: deep", is: []outcome{inherited(modelOfControl())}},
		{row: "effort", entry: "effort: low", is: []outcome{leftOut}},
		{
			row: "skills", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "skills: [tidy]",
			is: []outcome{enforced(sent("Content of the skill")), advisory(sent("`tidy`: Keeps tidy."))},
		},
		{
			row: "skills#preload", root: "skills: {tidy: {description: Keeps tidy.}}", entry: "skills: [{id: tidy, preload: true}]",
			is: []outcome{enforced(sent("Content of the skill")), unsupported(sent("`tidy`: Keeps tidy. Load it before you start."))},
		},
		{
			row: "delegates", when: whenDelegated, entry: "delegates: [" + other + "]",
			is: []outcome{unsupported(withheld("delegate")), advisory(offered("delegate"))},
		},
		{
			row: "delegates=none", when: whenDelegated, entry: "delegates: []",
			is: []outcome{enforced(withheld("delegate")), advisory(offered("delegate"))},
		},
		{row: "isolation", entry: "isolation: worktree", is: []outcome{leftOut}},
		{row: "isolation=none", entry: "isolation: none", calls: []standin.Call{gooseShell("pwd")}, is: []outcome{enforced(printed(0, w.project))}},
		{row: "gate", entry: "gate: {command: 'exit 2'}", is: []outcome{leftOut}},
		{row: "hooks", entry: "hooks: " + refuseNeutral, is: []outcome{leftOut}},

		{row: "goose.model", entry: gooseBlock("model: other"), is: []outcome{enforced(model("other")), inherited(modelOfControl())}},
		{row: "goose.model", tag: "recipe", entry: recipe("model: other"), is: []outcome{enforced(model("other")), inherited(modelOfControl())}},
		{
			row: "goose.extensions", when: whenDelegated, entry: recipe(developer("shell")),
			is: []outcome{inherited(toolsOfControl()), enforced(tools("analyze", "shell"))},
		},
		{
			row: "goose.extensions", when: whenDelegated, tag: "none", entry: recipe("extensions: []"),
			is: []outcome{inherited(toolsOfControl()), enforced(tools())},
		},
		{
			row: "goose.settings", tag: "delegated", entry: recipe("settings: {goose_model: other, temperature: 0.5}"),
			is: []outcome{enforced(model("other"), field("0.5", "temperature")), advisory(modelOfControl())},
		},
		{row: "goose.provider", tag: "delegated", entry: recipe("provider: openai, model: other"), is: []outcome{enforced(chatProvider("openai")), advisory(chatProvider("ollama"))}},
		{
			row: "goose.response", tag: "delegated", entry: recipe(response), calls: answersBadly,
			is: []outcome{enforced(offered("recipe__final_output"), result(0, "alidation failed")), advisory(offered("recipe__final_output"))},
		},
		{
			row: "goose.retry", tag: "delegated", entry: recipe("retry: {max_retries: 2, checks: [{type: shell, command: 'false'}]}"),
			is: []outcome{enforced(turns(3)), advisory(turns(1))},
		},
		{
			row: "goose.settings#max-turns", when: whenDelegated, entry: recipe("settings: {max_turns: 2}"), calls: []standin.Call{hello, hello, hello},
			is: []outcome{enforced(turns(2)), advisory(turns(4))},
		},
		{
			row: "goose.sub_recipes", when: whenDelegated, entry: recipe("sub_recipes: [{name: child, path: ./row-goose-model-recipe.yaml}]"),
			is: []outcome{unsupported(withheld("delegate")), enforced(offered("delegate"))},
		},
		{
			row: "goose.extra", entry: gooseBlock("extra: {futureKey: [1], temperature: 0.3}"),
			is: []outcome{enforced(field("0.3", "temperature")), advisory(toolsOfControl(), modelOfControl(), field("", "temperature"))},
		},
	}
	return slices.Concat(showings, gooseAgentShowings())
}

// gooseAgentShowings are for what an agent file has no place for.
func gooseAgentShowings() []showing {
	showings := []showing{
		{row: "title#agent", entry: "title: A title", is: []outcome{leftOut}},
		{row: "version#agent", entry: "version: 1.2.3", is: []outcome{leftOut}},
	}
	for _, setting := range []string{
		"provider: openai", "title: A title", "version: 1.2.3", "activities: [Look]", "extensions: []", "prompt: Begin.",
		"parameters: [{key: who, input_type: string, requirement: optional, default: x, description: d}]",
		"settings: {temperature: 0.5}", "sub_recipes: [{name: child, path: ./child.yaml}]",
		"response: {json_schema: {type: object}}", "retry: {max_retries: 1, checks: [{type: shell, command: 'true'}]}",
	} {
		key, _, _ := strings.Cut(setting, ":")
		showings = append(showings, showing{
			row: "goose." + key + "#agent", root: "defaults: {providers: {goose: {format: recipe, " + setting + "}}}",
			entry: gooseBlock("format: agent"), is: []outcome{leftOut},
		})
	}
	return showings
}

// gooseRunShowings are for goose run --recipe.
func gooseRunShowings(w world) []showing {
	hello := gooseShell("echo hello")
	who := "parameters: [{key: who, input_type: string, requirement: required, description: d}]"
	return []showing{
		{
			row: "instructions#template-delegated", entry: "instructions: '" + templated + "'\n" + recipe(""),
			is: []outcome{enforced(definition("instructions: " + templated)), advisory(definition("a {{ '{{' }} x }} b"))},
		},
		{row: "title", entry: "title: A fine title\n" + runRecipe(""), is: []outcome{enforced(definition("title: A fine title\n"))}},
		{row: "version", entry: "version: 1.2.3\n" + runRecipe(""), is: []outcome{enforced(definition("version: 1.2.3\n"))}},
		{
			row: "delegates", when: whenRun, entry: "delegates: [" + other + "]\n" + runRecipe(""),
			is: []outcome{advisory(offered("delegate"), sent("You may hand work to")), enforced(withheld("delegate"))},
		},
		{
			row: "delegates=none", when: whenRun, entry: "delegates: []\n" + runRecipe(""),
			is: []outcome{advisory(offered("delegate"), sent("Do not start subagents")), enforced(withheld("delegate"))},
		},
		{
			row: "goose.provider", entry: runRecipe("provider: openai, model: other"),
			is: []outcome{enforced(chatProvider("openai"), model("other")), advisory(chatProvider("ollama"))},
		},
		{row: "goose.title", entry: runRecipe("title: A fine title"), is: []outcome{enforced(definition("title: A fine title\n"))}},
		{row: "goose.version", entry: runRecipe("version: 1.2.3"), is: []outcome{enforced(definition("version: 1.2.3\n"))}},
		{
			row: "goose.activities", entry: runRecipe("activities: [Look around]"),
			is: []outcome{enforced(sent("Look around")), advisory(definition("Look around"), unsent("Look around"))},
		},
		{
			row: "goose.extensions", when: whenRun, entry: runRecipe(developer("shell")), calls: []standin.Call{hello},
			is: []outcome{enforced(tools("analyze", "shell"), result(0, "hello")), inherited(toolsOfControl())},
		},
		{
			row: "goose.extensions", when: whenRun, tag: "none", entry: runRecipe("extensions: []"),
			is: []outcome{enforced(tools()), inherited(toolsOfControl())},
		},
		{
			row: "goose.extensions", when: whenRun, tag: "server",
			entry: runRecipe("extensions: [{type: stdio, name: own, cmd: '" + w.mcp + "', args: [" + standin.MCPArgument + "], timeout: 300}]"),
			is:    []outcome{enforced(tools("own__ping", "own__pong")), inherited(toolsOfControl())},
		},
		{
			row: "goose.extensions#all-tools", entry: runRecipe(developer("")),
			is: []outcome{advisory(offered("shell", "write", "edit")), enforced(withheld("shell", "write", "edit"))},
		},
		{
			row: "goose.extensions#writes", entry: "access: read-only", root: "defaults: {providers: {goose: {format: recipe, prompt: Begin., " + developer("shell, write") + "}}}",
			is: []outcome{advisory(offered("write")), enforced(withheld("write"))},
		},
		{
			row: "goose.parameters", entry: "instructions: 'Greet {{ who }}.'\n" + runRecipe(who), args: []string{"--params", "who=everyone"},
			is: []outcome{enforced(body("Greet everyone.")), advisory(body("Greet {{ who }}."))},
		},
		{
			row: "goose.parameters#in-text", entry: "instructions: 'Greet {{ who }}.'\n" + runRecipe(who), args: []string{"--params", `who=the "one"`},
			is: []outcome{enforced(body(`Greet the "one".`)), advisory(refused("Invalid recipe"))},
		},
		{row: "goose.prompt", entry: recipe("prompt: Begin with this."), is: []outcome{enforced(said("Begin with this."))}},
		{
			row: "goose.settings", entry: runRecipe("settings: {goose_provider: openai, goose_model: other, temperature: 0.5}"),
			is: []outcome{enforced(chatProvider("openai"), model("other"), field("0.5", "temperature")), advisory(modelOfControl())},
		},
		{
			row: "goose.settings#max-turns", when: whenRun, entry: runRecipe("settings: {max_turns: 2}"), calls: []standin.Call{hello, hello, hello},
			is: []outcome{enforced(turns(2)), advisory(turns(4), result(2, "hello"))},
		},
		{
			row: "goose.sub_recipes", when: whenRun, entry: runRecipe("sub_recipes: [{name: child, path: ./row-goose-prompt.yaml}]"),
			is: []outcome{enforced(offered("delegate"), sent("child")), advisory(withheld("delegate"))},
		},
		{
			row: "goose.sub_recipes#without-extensions", entry: runRecipe("sub_recipes: [{name: child, path: ./row-goose-prompt.yaml}]"),
			is: []outcome{enforced(toolsOfControl()), advisory(tools("delegate", "load"))},
		},
		{
			row: "goose.response", entry: runRecipe(response), calls: answersBadly,
			is: []outcome{enforced(offered("recipe__final_output"), result(0, "alidation failed")), advisory(offered("recipe__final_output"))},
		},
		{
			row: "goose.retry", entry: runRecipe("retry: {max_retries: 2, checks: [{type: shell, command: 'false'}]}"),
			is: []outcome{enforced(turns(3)), advisory(turns(1))},
		},
	}
}
