package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/schema"
)

// changed updates the entry of a manifest that has a name.
func changed(t *testing.T, name, manifest, wanted string) (string, error) {
	t.Helper()
	f, diags, err := edit.Parse(name, []byte(manifest))
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	data, err := f.Update(entry(t, wanted))
	return string(data), err
}

const manifest = `# top
defaults: {tier: deep}
subagents:
  # about a
  - name: a # the name
    description: "Old: text" # why
    tools: [read, list] # two
    # before the body
    instructions: | # the body
      One.

        Two.

    providers: # hosts
      claude:
        model: opus # big
        tools:
          - Read
          # a comment
          - Grep
      codex: {model: m, features: {shell_tool: false}}

  - name: b
    description: B
    instructions: B
`

const wanted = `name: a
description: "Old: text"
tools: [read, list]
instructions: "One.\n\n  Two.\n"
providers:
  claude: {model: opus, tools: [Read, Grep]}
  codex: {model: m, features: {shell_tool: false}}
`

// Only what differs is touched, byte for byte.
func TestUpdate(t *testing.T) {
	for _, c := range []struct{ name, from, to, old, new string }{
		{"nothing", "", "", "", ""},
		{"a text on one line", `"Old: text"`, `"New: text"`, `description: "Old: text" # why`, `description: "New: text" # why`},
		{"a text of several lines instead", `"Old: text"`, `"New\ntext\n"`, `description: "Old: text" # why`, "description: | # why\n      New\n      text"},
		{"the lines of a text", `"One.\n\n  Two.\n"`, `"One.\n\n  Three.\n\nFour.\n"`, "      One.\n\n        Two.\n", "      One.\n\n        Three.\n\n      Four.\n"},
		{"lines that start with an empty one", `"One.\n\n  Two.\n"`, `"\nOne.\n"`, "      One.\n\n        Two.\n", "\n      One.\n"},
		{"a list on one line", "tools: [read, list]", "tools: [read]", "tools: [read, list] # two", "tools: [read] # two"},
		{"a value in a mapping", "model: opus", "model: haiku", "model: opus # big", "model: haiku # big"},
		{"a list of lines", "tools: [Read, Grep]", "tools: [Read]", "        tools:\n          - Read\n          # a comment\n          - Grep\n", "        tools: [Read]\n"},
		{"a key more", "{model: opus,", "{color: red, model: opus,", "          - Grep\n", "          - Grep\n        color: red\n"},
		{"a key more in brackets", "{model: m,", "{verbosity: low, model: m,", "codex: {model: m, features: {shell_tool: false}}", "codex: {model: m, features: {shell_tool: false}, verbosity: low}"},
		{"a key more, deeper in brackets", "{shell_tool: false}", "{shell_tool: false, apps: true}", "{shell_tool: false}}", "{shell_tool: false, apps: true}}"},
		{"a host more", "  codex:", "  kiro: {tools: []}\n  codex:", "{shell_tool: false}}\n", "{shell_tool: false}}\n      kiro:\n        tools: []\n"},
		{"a key less", ", tools: [Read, Grep]", "", "        tools:\n          - Read\n          # a comment\n          - Grep\n", ""},
		{"a key less in brackets, the first", "{model: m, features", "{features", "{model: m, features", "{features"},
		{"a key less in brackets, the last", ", features: {shell_tool: false}", "", ", features: {shell_tool: false}", ""},
		{"a key of the entry less", "tools: [read, list]\n", "", "    tools: [read, list] # two\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(wanted, c.from) != 1 && c.from != "" || strings.Count(manifest, c.old) != 1 && c.old != "" {
				t.Fatal("the case is about more than one place")
			}
			got, err := changed(t, "m.yml", manifest, strings.Replace(wanted, c.from, c.to, 1))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Replace(manifest, c.old, c.new, 1), got); diff != "" {
				t.Error(diff)
			}
			dos, err := changed(t, "m.yml", strings.ReplaceAll(manifest, "\n", "\r\n"), strings.Replace(wanted, c.from, c.to, 1))
			if err != nil {
				t.Fatal(err)
			}
			if dos != strings.ReplaceAll(got, "\n", "\r\n") {
				t.Errorf("with DOS lines: %q", dos)
			}
		})
	}
}

// The other spellings that a manifest can have.
func TestUpdateElsewhere(t *testing.T) {
	for _, c := range []struct{ file, manifest, wanted, want string }{
		{
			"m.json", "{\n  \"subagents\": [\n    {\"name\": \"a\", \"description\": \"x\", \"instructions\": \"i\\n\"}\n  ]\n}\n",
			`{name: a, description: x, instructions: "j\nk\n", providers: {claude: {tools: [Read]}}}`,
			"{\n  \"subagents\": [\n    {\"name\": \"a\", \"description\": \"x\", \"instructions\": \"j\\nk\\n\", \"providers\": {\"claude\": {\"tools\": [\"Read\"]}}}\n  ]\n}\n",
		},
		{
			"m.yml", "subagents: [{name: a, description: x, instructions: i}, {name: b, description: y, instructions: z}]\n",
			`{name: a, description: "new: x", instructions: "j\nk\n"}`,
			"subagents: [{name: a, description: \"new: x\", instructions: \"j\\nk\\n\"}, {name: b, description: y, instructions: z}]\n",
		},
		{
			"m.yml", "subagents:\n- name: a\n  description: x\n  tools:\n  - read\n  - list\n  instructions: |-\n    i\n    k\n",
			`{name: a, description: x, tools: [read], instructions: "i\nl"}`,
			"subagents:\n- name: a\n  description: x\n  tools: [read]\n  instructions: |-\n    i\n    l\n",
		},
		{
			"m.yml", "subagents:\n- name: a\n  description: >-\n    folded\n    text\n  instructions: i\n",
			`{name: a, description: other, instructions: "i\n\n\n"}`,
			"subagents:\n- name: a\n  description: other\n  instructions: \"i\\n\\n\\n\"\n",
		},
		{
			"m.yml", "subagents:\n- name: a\n  description: x\n  instructions: i", `{name: a, description: x, instructions: i, tier: deep}`,
			"subagents:\n- name: a\n  description: x\n  instructions: i\n  tier: deep\n",
		},
	} {
		got, err := changed(t, c.file, c.manifest, c.wanted)
		if err != nil {
			t.Errorf("%v\n%s", err, c.manifest)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// What stands elsewhere through an anchor is not changed behind its back.
func TestUpdateRefuses(t *testing.T) {
	const text = "x: &t [read, list]\nsubagents:\n- name: a\n  description: d\n  tools: *t\n  instructions: i\n- &e\n  name: b\n  description: d\n  instructions: i\n- <<: *e\n  name: c\n"
	got, err := changed(t, "m.yml", text, "{name: a, description: d, tools: [read], instructions: i}")
	if err != nil || got != strings.Replace(text, "tools: *t", "tools: [read]", 1) {
		t.Errorf("%v\n%s", err, got)
	}
	var refused *edit.RefusedError
	if _, err := changed(t, "m.yml", text, "{name: b, description: new, instructions: i}"); !errors.As(err, &refused) {
		t.Errorf("an anchor was changed: %v", err)
	}
	if _, err := changed(t, "m.yml", text, "{name: nobody}"); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

// Whatever texts there are, the result means what was wanted and the rest stays.
func FuzzUpdate(f *testing.F) {
	f.Add("One.\n\nTwo.\n", "a: b")
	f.Add("\n\n x", "- y\r\n")
	f.Fuzz(func(t *testing.T, body, description string) {
		body, description = strings.ToValidUTF8(body, "?"), strings.ToValidUTF8(description, "?")
		file, _, _ := edit.Parse("m.yml", []byte(manifest))
		node := entry(t, wanted)
		for i := range node.Fields {
			switch node.Fields[i].Key {
			case "instructions":
				node.Fields[i].Value = &schema.Node{Kind: schema.String, Str: body}
			case "description":
				node.Fields[i].Value = &schema.Node{Kind: schema.String, Str: description}
			}
		}
		data, err := file.Update(node)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(manifest, "    description")
		_, tail, _ := strings.Cut(manifest, "    providers")
		if !strings.HasPrefix(string(data), head) || !strings.HasSuffix(string(data), "    providers"+tail) {
			t.Errorf("the rest was changed:\n%s", data)
		}
	})
}
