package goose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// problems encodes a subagent and lists its diagnostics: LINE:COLUMN CODE.
func problems(t testing.TB, a *schema.Agent) []string {
	t.Helper()
	_, codes := agenttest.Placed(t, Provider{}, a)
	return codes
}

// The keys of the block start on line 7, column 9, or behind the format on
// line 8.
func TestProblems(t *testing.T) {
	const p = "input_type: string, requirement: required, description: d"
	for keys, want := range map[string][]string{
		"model: inherit":               {"7:16 foreign-model"},
		`model: " "`:                   {"7:16 bad-value"},
		"extra: {description: x}":      {"7:17 extra-collision"},
		"extra: {avatar: null}":        {"7:25 null-value"},
		"{format: agent, provider: p}": {"7:35 needs-recipe"},

		"format: recipe\nsettings: {goose_model: Inherit}":                                                                                             {"8:19 foreign-model"},
		"format: recipe\nmodel: a\nsettings: {goose_model: b}":                                                                                         {"8:16 set-twice"},
		"format: recipe\nprovider: a\nsettings: {goose_provider: b}":                                                                                   {"8:19 set-twice"},
		"format: recipe\nextra: {recipe: {}}":                                                                                                          {"8:17 unknown-native-key"},
		"format: recipe\nextra: {author: me}":                                                                                                          {"8:25 bad-native-value"},
		"format: recipe\nextra: {instructions: x}":                                                                                                     {"8:17 extra-collision"},
		"format: recipe\nparameters: [{key: k, " + p + "}]":                                                                                            {"8:28 unused-parameter"},
		"format: recipe\nprompt: '{{k}}'\nparameters: [{key: k, " + p + "}, {key: k, " + p + "}]":                                                      {"9:97 duplicate-key"},
		"format: recipe\nparameters: [{key: recipe_dir, " + p + "}]":                                                                                   {"8:28 bad-parameter"},
		"format: recipe\nprompt: '{{k}}'\nparameters: [{key: k, input_type: string, requirement: optional, description: d}]":                           {"9:28 bad-parameter"},
		"format: recipe\nprompt: '{{k}}'\nparameters: [{key: k, input_type: file, requirement: required, description: d, default: x}]":                 {"9:28 bad-parameter"},
		"format: recipe\nactivities: ['{{k}}']\nparameters: [{key: k, input_type: string, requirement: optional, description: d, default: '{{ a }}'}]": {"9:28 bad-parameter"},
		"format: recipe\nprompt: '{{k}}'\nparameters: [{key: k, input_type: string, requirement: optional, description: d, default: '{{ a }}'}]":       {},
		"format: recipe\nprompt: '{{ path }} {{ pth }}'\nparameters: [{key: path, " + p + "}]":                                                         {"8:17 undeclared-parameter?"},
		"format: recipe\nprompt: '{{ anything }}'":                                                                                                     {},

		"format: recipe\nextensions: [{type: stdio, name: a}]":                                                {"8:22 bad-extension"},
		"format: recipe\nextensions: [{type: streamable_http, name: a}]":                                      {"8:22 bad-extension"},
		"format: recipe\nextensions: [{type: stdio, name: a, cmd: b, uri: c}]":                                {"8:53 bad-extension"},
		"format: recipe\nextensions: [{type: stdio, name: a, cmd: b, uri: null}]":                             {},
		"format: recipe\nextensions: [{type: platform, name: todo, timeout: 5}]":                              {"8:51 bad-extension"},
		"format: recipe\nextensions: [{type: stdio, name: a, cmd: b, envs: {PATH: /x}}]":                      {"8:60 env-dropped?"},
		"format: recipe\nextensions: [{type: builtin, name: develper}]":                                       {"8:44 unknown-extension?"},
		"format: recipe\nextensions: [{type: builtin, name: developer, available_tools: [developer__shell]}]": {"8:73 unknown-native-tool?"},
		"format: recipe\nextensions: [{type: builtin, name: developer, available_tools: [grep]}]":             {"8:73 unknown-native-tool?"},
		"format: recipe\nextensions: [{type: builtin, name: autovisualiser, available_tools: [show_chart]}]":  {},

		"format: recipe\nresponse: {json_schema: {}}":                                 {"8:33 bad-json-schema"},
		"format: recipe\nresponse: {json_schema: {type: nope}}":                       {"8:33 bad-json-schema"},
		"format: recipe\nresponse: {json_schema: {$ref: \"https://example.test/s\"}}": {"8:33 bad-json-schema"},
		"format: recipe\nresponse: {json_schema: {$ref: \"file:///etc/hostname\"}}":   {"8:33 bad-json-schema"},
		"format: recipe\nresponse: {json_schema: {$ref: \"#/nothing\"}}":              {"8:33 bad-json-schema"},
		"format: recipe\nresponse: {json_schema: {const: null}}":                      {"8:41 null-value"},
		"format: recipe\nresponse: {json_schema: {type: [string, \"null\"]}}":         {},
	} {
		if got := problems(t, block(t, keys)); cmp.Diff(want, got) != "" {
			t.Errorf("%s: want %v, got %v", keys, want, got)
		}
	}
}

// Ruling 1: each key that an agent file cannot have names the way out.
func TestKeysThatNeedARecipe(t *testing.T) {
	for key, value := range map[string]string{
		"provider": "p", "title": "t", "version": "v", "activities": "[]", "extensions": "[]", "parameters": "[]", "prompt": "p",
		"settings": "{}", "sub_recipes": "[]", "response": "{json_schema: {type: object}}",
		"retry": "{max_retries: 1, checks: [{type: shell, command: c}]}",
	} {
		a := block(t, key+": "+value)
		_, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: "b"})
		if len(diags) != 1 || schema.CodeOf(diags[0]) != "needs-recipe" || !strings.Contains(diags[0].Detail, "format: recipe") {
			t.Errorf("%s: %v", key, diags)
		}
		if _, diags = (Provider{}).Encode(&providers.Agent{Agent: block(t, "format: recipe\n"+key+": "+value), Body: "b"}); diags.HasErrors() {
			t.Errorf("%s in a recipe: %v", key, diags)
		}
	}
	// Defaults with such a key and no format are a mistake too.
	a := agenttest.Resolve(t, schema.GooseID, `
defaults: {providers: {goose: {settings: {max_turns: 5}}}}
subagents:
  - {name: probe, description: Use it., instructions: Look.}
`)
	if diff := cmp.Diff([]string{"2:42 needs-recipe"}, problems(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Ruling 7: the extensions of a block give a read-only entry nothing that writes.
func TestReadOnlyExtensions(t *testing.T) {
	const read = "access: read-only\nproviders:\n  goose:\n    format: recipe\n    extensions: "
	for keys, want := range map[string][]string{
		read + "[{type: builtin, name: developer}]":                                                             {"9:22 policy-tool-conflict"},
		read + "[{type: builtin, name: developer, available_tools: [tree, write]}]":                             {"9:72 policy-tool-conflict"},
		read + "[{type: builtin, name: developer, available_tools: [tree, read_image]}]":                        {},
		read + "[{type: builtin, name: developer, available_tools: [shell]}]":                                   {"9:72 policy-tool-conflict"},
		"allow_read_only_shell: true\n" + read + "[{type: builtin, name: developer, available_tools: [shell]}]": {},
		read + "[{type: platform, name: summon}]":                                                               {},
	} {
		if got := problems(t, entry(t, keys)); cmp.Diff(want, got) != "" {
			t.Errorf("%s: want %v, got %v", keys, want, got)
		}
	}
	_, out := encode(t, agenttest.Resolve(t, schema.GooseID, `
defaults: {providers: {goose: {format: recipe, extensions: [{type: builtin, name: developer, available_tools: [write]}]}}}
subagents:
  - {name: probe, description: Use it., instructions: Look., access: read-only}
`))
	if diff := cmp.Diff([]string{"goose.extensions#writes=developer: write"}, used(out)); diff != "" {
		t.Error(diff)
	}
}

func TestModelOfTier(t *testing.T) {
	a := agenttest.Resolve(t, schema.GooseID, `
defaults: {providers: {goose: {models: {deep: inherit}}}}
subagents:
  - {name: probe, description: Use it., instructions: Look., tier: deep}
`)
	if diff := cmp.Diff([]string{"4:68 foreign-model"}, problems(t, a)); diff != "" {
		t.Error(diff)
	}
}

func TestTooLarge(t *testing.T) {
	for _, format := range []string{asAgent, asRecipe} {
		for size, want := range map[int][]string{maxFile - 300: {}, maxFile: {"1:2 file-too-large"}} {
			a := texts(t, "d", strings.Repeat("a", size), map[string]any{"format": format})
			got := problems(t, a)
			if len(got) != len(want) || len(got) > 0 && !strings.HasSuffix(got[0], " file-too-large") {
				t.Errorf("%s of %d bytes: %v", format, size, got)
			}
		}
	}
}

// §2.5: the spelling of an existing setup is about recipes.
func TestCompatIsARecipe(t *testing.T) {
	data, out := encode(t, agenttest.Resolve(t, schema.GooseID, `
agent_tools_subagents:
  - name: probe
    description: Use it.
    instructions: "Look at {{ this }}."
    providers: {goose: {enabled: true, title: T, version: 1.0.0}}
`))
	keys := load(t, data, nil)
	if out.Docs[0].Format != "recipe" || keys["title"] != "T" || keys["version"] != "1.0.0" || evaluate(t, keys["instructions"].(string), nil) != "Look at {{ this }}." {
		t.Errorf("%s", data)
	}
}
