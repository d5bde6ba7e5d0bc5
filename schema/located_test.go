package schema

import (
	"os"
	"testing"
)

// A template error points into the lines of the body, in every spelling that has
// the body line by line; several are told at once, one in a loop a single time.
func TestTemplateErrorsInEverySpelling(t *testing.T) {
	for file, marked := range map[string]string{
		"m.yml":  "vars: {org: Example}\nsubagents:\n  - name: aa\n    description: Use it when needed.\n    template: true\n    instructions: |\n      One.\n      ä ${var«.ogr»} and ${«nope»}.\n      %{ for x in [1, 2] }${«nope»}%{ endfor }\n",
		"m.json": "{\"vars\": {\"org\": \"Example\"}, \"subagents\": [{\"name\": \"aa\", \"description\": \"Use it when needed.\", \"template\": true,\n  \"instructions\": «\"One.\\nä ${var.ogr}.\\n\"»}]}\n",
		"m.toml": "vars = {org = \"Example\"}\n[[subagents]]\nname = \"aa\"\ndescription = \"Use it when needed.\"\ntemplate = true\ninstructions = \"\"\"\nOne.\nä ${var«.ogr»} and ${«nope»}.\n\"\"\"\n",
		"m.hcl":  "vars = { org = \"Example\" }\nsubagent \"aa\" {\n  description  = \"Use it when needed.\"\n  template     = true\n  instructions = <<-EOT\n    One.\n    ä ${var«.ogr»} and ${«nope»}, $${not}.\n  EOT\n}\n",
	} {
		t.Run(file, func(t *testing.T) {
			text, spots := unmark(t, file, marked)
			m, diags := Load(NewSource(file, []byte(text)), Options{})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			_, diags = m.Resolve(m.Entries()[0], ClaudeID).Expand(nil)
			var want, got []found
			for _, at := range spots {
				want = append(want, found{CodeTemplate, at})
			}
			for _, d := range diags {
				got = append(got, found{CodeOf(d), *d.Subject})
			}
			if w, g := lines(want), lines(got); w != g {
				t.Errorf("want\n%s\ngot\n%s\n%v", w, g, diags)
			}
		})
	}
}

// An include cycle points at the item that closes it, a conflict with a locked
// entry at the name that conflicts, in every spelling.
func TestLayerErrorsInEverySpelling(t *testing.T) {
	const low = "subagents:\n  - {name: aa, description: Use it when needed., locked: true, instructions: x}\n"
	for ext, marked := range map[string]struct{ cycle, locked string }{
		"yml": {
			"include:\n  # ä\n  - \"low.yml\"\n  - «top.yml»\n",
			"include: [low.yml]\nsubagents:\n  - {description: Use it when ä is needed., name: «aa», instructions: x}\n",
		},
		"json": {
			"{\"include\":\n  [\"low.yml\", «\"top.json\"»]}\n",
			"{\"include\": [\"low.yml\"],\n \"subagents\": [{\"description\": \"Use it when ä is needed.\", \"name\": «\"aa\"», \"instructions\": \"x\"}]}\n",
		},
		"toml": {
			"include = [\n  \"low.yml\", # ä\n  «\"top.toml\"»,\n]\n",
			"include = [\"low.yml\"]\n[[subagents]]\ndescription = \"Use it when ä is needed.\"\nname = «\"aa\"»\ninstructions = \"x\"\n",
		},
		"hcl": {
			"include = [\n  \"low.yml\", # ä\n  «\"top.hcl\"»,\n]\n",
			"include = [\"low.yml\"]\n/* ä */ subagent «\"aa\"» {\n  description = \"Use it when ä is needed.\"\n  instructions = \"x\"\n}\n",
		},
	} {
		t.Run(ext, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write := func(name, text string) {
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("low.yml", low)
			for code, text := range map[Code]string{CodeIncludeCycle: marked.cycle, CodeLocked: marked.locked} {
				file := "top." + ext
				text, spots := unmark(t, file, text)
				write(file, text)
				_, diags, err := LoadFile(file, Options{})
				if err != nil || len(diags) != 1 {
					t.Fatalf("%s: %v %v", code, err, diags)
				}
				if w, g := lines([]found{{code, spots[0]}}), lines([]found{{CodeOf(diags[0]), *diags[0].Subject}}); w != g {
					t.Errorf("want %s, got %s", w, g)
				}
			}
		})
	}
}
