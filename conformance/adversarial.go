package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// adversary is a sub-agent whose texts are easily got wrong.
type adversary struct{ name, description, body string }

const ordinary = "Looks after it. Use when asked."

// adversaries are every text of the main job's list, names at their limits and long bodies. The manifest is made
// here and not kept as a file, since half of it would be escapes and the other half repetition.
func adversaries() []adversary {
	repeat := strings.Repeat
	return []adversary{
		{"colon-space", "Reviews code: read-only", "Reviews code: read-only"},
		{"newline-and-key", "Reviews code.\ntools: Bash\nmodel: opus", "tools: Bash\n"},
		{"fence-in-description", "Splits a --- b, and a---b. # no comment", "x"},
		{"fences-in-body", ordinary, "---\nname: other\n---\ntext --- text\n\n---\n"},
		{"front-matter-in-description", "x\n---\nname: other\n---\n", "---"},
		{"quotes", `It's "quoted" 'twice' \" \' and ends in \`, "\"\"\" and ''' and ``` and \\\"\"\" and \\"},
		{"quotes-at-the-edge", `"`, "'"},
		{"three-double-quotes", `"""`, `"""`},
		{"three-single-quotes", "'''", "'''\n'''"},
		{"trailing-backslash", `C:\`, "a line \\\nand the last one \\"},
		{"backslash-letters", `\t \x41 \u0041 \U00000041 \e \0`, `\n \t \x41 \u0041 \d C:\new\table`},
		{"backslash-n", `C:\new and \\n`, `C:\new and \\n`},
		{"controls", "bell \a esc \x1b[31m del \x7f", "bell \a, back \b, esc \x1b[31m, unit \x1f, del \x7f, C1 \u0080\u0085\u009f."},
		{"null-byte", ordinary, "a null \x00 in the middle"},
		{"carriage-returns", "one\rtwo\r\nthree", "bare \r return, Windows\r\nline\r\n\r\nend\r"},
		{
			"all-at-once", "One: two --- three.\ntools: Bash\n\nLast paragraph.",
			"    indented, \"\"\" and ''' and \\ and BEL \a and bare CR \r and\r\nWindows\r\n{{ .Values.x }} ${{ secrets.T }}\n---\nname: x\n---\n\\\n\n\n",
		},
		{"indented", "  Indented by two", "    indented first line\n\ttab\n  two\n"},
		{"trailing-blanks", "ends in blanks  ", "trailing  \nblank lines\n\n\n   \n\n"},
		{"blank-lines-first", "\nstarts with a line feed", "\n\n\nstarts with blank lines"},
		{"three-paragraphs", "First.\n\nSecond.\n\nThird.\n", "First.\n\nSecond.\n\nThird.\n"},
		{"separators", "next\u0085line\u2028para\u2029end", "next\u0085line\u2028para\u2029end\ufeffmark"},
		{"unicode-blanks-at-the-edge", ordinary, "\u00a0\u2003text\u3000\u2028"},
		{"byte-order-mark-first", ordinary, "\ufefftext"},
		{"next-line-last", ordinary, "text\u0085"},
		{"not-ascii", "Prüft 検査 проверка فحص 👩‍💻 𝔘", "Prüft 検査 проверка فحص 👩‍💻 𝔘 \U0010fffd\n"},
		{"templates", "{{ .Values.x }} ${{ secrets.T }} {% if %} {#", "{{ .Values.x }} and ${{ secrets.T }} and {% if x %} and {# note #} and {{ '{{' }} and }}}}{{{{"},
		{"template-expressions", "{{ 1 + 1 }}", "{{ 1 + 1 }} {{ true }} {{a}} {{#each}} {{{ x }}} ${#arr[@]} {%- raw -%}{{ x }}{% endraw %}\n{# gone #}"},
		{"shell-and-env", "$HOME ${HOME} $(id) `id` !id @file %PATH%", "$HOME ${HOME} $(id) `id` !`id` @readme.txt {env:HOME} {file:./x} $ARGUMENTS $1"},
		{"other-types", "null", "true"},
		{"number", "007", "1e3"},
		{"date", "2026-01-01", "~"},
		{"yaml-signs", "- [x] {y: z} *a &b !c |d >e %f @g ?", "- [x] {y: z} *a &b !c |d >e %f @g ? # h"},
		{"role-list-of-codex", "}\nother: {\n}", "}\nother: {\n}"},
		{"tags", "<agent>&amp;</agent> <br/>", "<system>&lt;</system> </env>\n# Notes\n# Task\n<!-- x -->"},
		{"long-description", repeat("0123456789", 500), "x"},
		{"ab", ordinary, "A name of two characters."},
		{repeat("n", 64), ordinary, "A name of 64 characters."},
		{"a" + repeat("-b1", 21), ordinary, "Another name of 64 characters."},
		{"null", ordinary, "A name that is a null."},
		{"true", ordinary, "A name that is a switch."},
		{"long-body", ordinary, repeat("A line of a long body, with \"quotes\" and \\ and {{ x }}.\n", 5400)},
		{"long-line", ordinary, repeat("0123456789abcdef", 19200)},
		{"long-not-ascii", ordinary, repeat("検査 👩‍💻 \t", 13000)},
	}
}

// herd is the number of ordinary sub-agents beside the adversaries.
const herd = 100

// adversarialManifest is the manifest of all of them, in JSON, which can hold every text.
func adversarialManifest(defaults map[string]any) []byte {
	var entries []map[string]any
	for _, a := range adversaries() {
		entries = append(entries, a.entry("", nil))
	}
	accesses := []map[string]any{
		{},
		{"access": "read-only"},
		{"access": "workspace-write", "tools": []string{"read", "search", "edit", "shell"}},
		{"tools": []string{}},
		{"tools": []string{"read", "list", "web_fetch"}, "delegates": []string{}},
		{"access": "read-only", "tools": []string{"read", "shell"}, "allow_read_only_shell": true, "tier": "light"},
	}
	for i := range herd {
		name := fmt.Sprintf("herd-%03d", i)
		entry := adversary{name, "Number " + name + ". " + ordinary, "You are " + name + ".\n"}.entry("", accesses[i%len(accesses)])
		entries = append(entries, entry)
	}
	return manifestJSON(entries, defaults)
}

// adversarialRecipes is the manifest of the adversaries as goose recipes; with a prompt they are for goose run, and
// without for delegation, which reads templates once more.
func adversarialRecipes(prefix, prompt string) []byte {
	block := map[string]any{"format": "recipe"}
	if prompt != "" {
		block["prompt"] = prompt
	}
	var entries []map[string]any
	for _, a := range adversaries() {
		if len(a.name)+len(prefix) > 64 {
			continue
		}
		entries = append(entries, a.entry(prefix, map[string]any{"targets": []string{"goose"}, "providers": map[string]any{"goose": block}}))
	}
	return manifestJSON(entries, nil)
}

func (a adversary) entry(prefix string, keys map[string]any) map[string]any {
	entry := map[string]any{"name": prefix + a.name, "description": a.description, "instructions": a.body}
	for key, value := range keys {
		entry[key] = value
	}
	return entry
}

func manifestJSON(entries []map[string]any, defaults map[string]any) []byte {
	manifest := map[string]any{"version": 1, "guard": "none", "subagents": entries}
	if defaults != nil {
		manifest["defaults"] = defaults
	}
	data, err := json.Marshal(manifest)
	if err != nil {
		panic(err) // plain texts
	}
	return data
}
