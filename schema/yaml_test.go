package schema

import (
	"strings"
	"testing"
)

// K65: what the reader and the JSON Schema refuse, each at its place.
func TestYAMLPlaces(t *testing.T) {
	places{
		{"valid", one, nil},
		{"unknown key at the root", "«verzion»: 1\n" + one, []Code{CodeUnknownKey}},
		{"unknown key in an entry", one + "    «discription»: x\n", []Code{CodeUnknownKey}},
		{"misspelt provider block", one + "    providers:\n      «cluade»: {enabled: true}\n", []Code{CodeUnknownKey}},
		{"unknown key in a flow map", one + "    providers: {codex: {model: m, «sandbox»: x}}\n", []Code{CodeUnknownKey}},
		{"unknown key in quotes", one + "    «\"b c\"»: x\n", []Code{CodeUnknownKey}},
		{"missing keys", "subagents:\n  - «title: x # no name»\n", []Code{CodeMissingKey + " " + CodeMissingKey + " " + CodeInstructions}},
		{"missing key in a flow map", one + "    providers: {goose: {format: recipe, retry: «{max_retries: 1}»}}\n", []Code{CodeMissingKey}},
		{"wrong type: number", "subagents:\n  - name: «123»\n    description: d\n    instructions: i\n", []Code{CodeWrongType}},
		{"wrong type: boolean", one + "    title: «true»\n", []Code{CodeWrongType}},
		{"wrong type: list", one + "    title: «[a, \"]\", b]» # not a text\n", []Code{CodeWrongType}},
		{"wrong type: map", one + "    title: «{a: {b: '}'}}» # }\n", []Code{CodeWrongType}},
		{"wrong type: map over two lines", one + "    title: «{a: {b: c},»\n      d: e}\n", []Code{CodeWrongType}},
		{"wrong type: block map", one + "    title:\n      «a: b»\n", []Code{CodeWrongType}},
		{"wrong type: text for a list", one + "    tools: «read, list»\n", []Code{CodeWrongType}},
		{"wrong type: text for a boolean", one + "    template: «yes»\n", []Code{CodeWrongType}},
		{"wrong type: text for a number", one + "    providers: {claude: {max_turns: «'5'»}}\n", []Code{CodeWrongType}},
		{"wrong type: in a list", one + "    tags: [a, «1», b]\n", []Code{CodeWrongType}},
		{"wrong type: root", "«hello»\n", []Code{CodeWrongType}},
		{"wrong type: list at the root", "«- a»\n- b\n", []Code{CodeWrongType}},
		{"null name", "subagents:\n  - name: «null»\n    description: d\n    instructions: i\n", []Code{CodeNullValue}},
		{"null name as tilde", "subagents:\n  - name: «~»\n    description: d\n    instructions: i\n", []Code{CodeNullValue}},
		{"null name as nothing", "subagents:\n  - name:«»\n    description: d\n    instructions: i\n", []Code{CodeNullValue}},
		{"bad value", one + "    tier: «sonnet»\n", []Code{CodeBadValue}},
		{"bad value in quotes", one + "    tier: «\"sonnet\"» # a model\n", []Code{CodeBadValue}},
		{"bad value over two lines", one + "    tier: «\"son»\n      net\"\n", []Code{CodeBadValue}},
		{"bad value in a block", one + "    providers:\n      codex:\n        sandbox_mode: «readonly»\n", []Code{CodeBadValue}},
		{"too small", one + "    providers: {claude: {max_turns: «0»}}\n", []Code{CodeBadValue}},
		{"twice in a list", one + "    tags: [a, b, «a»]\n", []Code{CodeBadValue}},
		{"empty list", one + "    providers: {codex: {nickname_candidates: «[]»}}\n", []Code{CodeBadValue}},
		{"empty map", one + "    providers: {claude: {mcp_servers: [«{}»]}}\n", []Code{CodeBadValue}},
		{"two keys in one server", one + "    providers: {claude: {mcp_servers: [«{a: {command: x}, b: {command: y}}»]}}\n", []Code{CodeBadValue}},
		{"blank description", "subagents:\n  - name: aa\n    description: «\"  \"»\n    instructions: i\n", []Code{CodeBadValue}},
		{"model without a provider", one + "    providers: {opencode: {model: «sonnet»}}\n", []Code{CodeBadValue}},
		{"unknown verb", one + "    tools: [read, «bash»]\n", []Code{CodeUnknownTool}},
		{"unknown access", one + "    access: «readonly»\n", []Code{CodeBadAccess}},
		{"bad name", "subagents:\n  - name: «../../evil»\n    description: d\n    instructions: i\n", []Code{CodeBadName}},
		{"bad slug", one + "    slug: «A»\n", []Code{CodeBadName}},
		{"duplicate key", one + "    tier: deep\n    title: t\n    «tier»: light\n", []Code{CodeDuplicateKey}},
		{"duplicate key at the root", "version: 1\n" + one + "«version»: 1\n", []Code{CodeDuplicateKey}},
		{"duplicate key in a flow map", one + "    providers: {codex: {model: a, «model»: b}}\n", []Code{CodeDuplicateKey}},
		{"twelve at once", strings.Join([]string{
			"version: «2»", "targets: [claude, «cloud»]", "«extra»: 1", "subagents:",
			"  - name: «Aa»", "    description: «''»", "    instructions: «7»", "    «tool»: []", "    tools: [«rad»]",
			"    tier: «big»", "    access: «none»", "    providers:", "      goose: {format: «md»}", "      kiro: «json»", "",
		}, "\n"), []Code{
			CodeBadValue, CodeBadValue, CodeUnknownKey, CodeBadName, CodeBadValue, CodeWrongType, CodeUnknownKey, CodeUnknownTool,
			CodeBadValue, CodeBadAccess, CodeBadValue, CodeWrongType,
		}},
	}.run(t, "m.yml")
}

// What YAML itself forbids, and what this program does not take from it.
func TestYAMLTraps(t *testing.T) {
	syntax := []Code{CodeSyntax}
	places{
		{"colon in a plain text", "subagents:\n  - name: aa\n    «description: Reviews code: read-only»\n", syntax},
		{"colon in quotes", "subagents:\n  - name: aa\n    description: \"Reviews code: read-only. Use when asked.\"\n    instructions: i\n", nil},
		{"tab for indentation", "subagents:\n«\t»- name: aa\n", syntax},
		{"tab after blanks", "subagents:\n  - name: aa\n  «\t»description: x\n", syntax},
		{"reserved character", "subagents:\n  - name: aa\n    «description: @you»\n", syntax},
		{"indentation of one more", one + "    tier: deep\n     «title: x»\n", syntax},
		{"indentation of one less", one + "   «title: x»\n", syntax},
		{"list never closed", one + "    «tools: [read, list»\n    title: x\n    tags: []\n", syntax},
		{"map never closed", one + "    «providers: {codex: {model: x}»\n    title: x\n", syntax},
		{"quote never closed", one + "    «title: \"never closed»\n    tags: []\n    tools: []\n", syntax},
		{"fault far below the map's start", one + strings.Repeat("    # more\n", 40) + "    title: x\n   «tags: []»\n", syntax},
		{"unknown anchor", one + "    title: x # *none\n    tags: [a, «*none»]\n", syntax},
		{"anchor inside itself", "subagents: &all\n  - «*all»\n", syntax},
		{"anchor inside itself, in a map", "subagents:\n  - &it\n    name: aa\n    providers: {codex: {extra: «*it»}}\n", syntax},
		{"merge inside itself", "subagents:\n  - &it\n    <<: «*it»\n    name: aa\n", syntax},
		{"second document", one + "«---»\nversion: 1\n", syntax},
		{"second document, empty", one + "«---»\n", syntax},
		{"end of the document", one + "...\n", nil},
		{"fault in a second document", one + "---\n«\t»x: 1\n", syntax},
		{"merge of a number", one + "    <<: «3»\n", syntax},
		{"merge of nothing", one + "    <<:«»\n", syntax},
		{"merge of a list in a list", "subagents:\n  - &a\n    name: aa\n    description: Use it when needed.\n    instructions: i\n  - name: ab\n    <<: [*a, «[*a]»]\n", syntax},
		{"merge twice", "subagents:\n  - &a\n    name: aa\n    description: Use it when needed.\n    instructions: i\n  - name: ab\n    <<: *a\n    «<<»: *a\n", []Code{CodeDuplicateKey}},
		{"key that is a list", one + "    ? «[a, b]»\n    : c\n", syntax},
		{"key that is null", one + "    «~»: c\n", syntax},
		{"key with a tag", one + "    !!int «7»: c\n", []Code{CodeSyntax + " " + CodeUnknownKey}},
		{"custom tag on a text", one + "    title: !mine «x»\n", syntax},
		{"custom tag on a map", one + "    providers: !mine «{}»\n", syntax},
		{"custom tag on a list", one + "    tags: !mine «[]»\n", syntax},
		{"binary", one + "    title: !!binary «aGk=»\n", syntax},
		{"set", one + "    providers: !!set «{codex}»\n", syntax},
		{"tag that contradicts the text", one + "    template: !!bool «maybe»\n", syntax},
		{"null tag on a text", one + "    title: !!null «x»\n", syntax},
		{"tags that say what is so", one + "    title: !!str 123\n    template: !!bool false\n    tags: !!seq []\n    gate: !!map {command: x}\n", nil},
		{"infinity", one + "    providers: {opencode: {temperature: «.inf»}}\n", syntax},
		{"not a number", one + "    providers: {opencode: {temperature: «.NaN»}}\n", syntax},
		{"beyond 64 bits", one + "    providers: {claude: {max_turns: «99999999999999999999»}}\n", syntax},
		{"beyond a float", one + "    providers: {opencode: {temperature: «1e999»}}\n", []Code{CodeWrongType}}, // YAML takes it for text
		{"NUL", one + "    title: a«\x00»b\n", syntax},
		{"BEL", one + "    title: a«\x07»b\n", syntax},
		{"DEL", one + "    title: a«\x7f»b\n", syntax},
		{"C1 control", one + "    title: ä«\u0081»b\n", syntax},
		{"NEL", one + "    title: ä«\u0085»b\n", syntax},
		{"line separator", one + "    title: ä«\u2028»b\n", syntax},
		{"paragraph separator", one + "    title: ä«\u2029»b\n", syntax},
		{"byte order mark inside", one + "    title: ä«\ufeff»b\n", syntax},
		{"noncharacter", one + "    title: ä«\uffff»b\n", syntax},
		{"bare carriage return", one + "    title: ä«\r»b\n", syntax},
		{"old Mac lines", "subagents:«\r»  - name: aa\r", syntax},
		{"Latin-1", one + "    title: caf«\xe9»\n", syntax},
		{"UTF-16, little-endian, marked", "«\xff»\xfes\x00", syntax},
		{"UTF-16, little-endian", "s«\x00»u\x00b\x00", syntax},
		{"UTF-16, big-endian", "«\x00»s\x00u", syntax},
		{"empty", "«»", []Code{CodeEmpty}},
		{"blank", "«»  \n\n", []Code{CodeEmpty}},
		{"comments alone", "«»# one\n# two\n", []Code{CodeEmpty}},
		{"a start marker alone", "«»---\n", []Code{CodeEmpty}},
		{"null", "«»null\n", []Code{CodeEmpty}},
		{"byte order mark alone", "\ufeff«»", []Code{CodeEmpty}},
	}.run(t, "m.yml")
}

// Columns count characters, bytes count bytes; neither counts a byte order mark.
func TestYAMLColumns(t *testing.T) {
	unknown := []Code{CodeUnknownKey}
	places{
		{"byte order mark", "\ufeff«bogus»: 1\n" + one, unknown},
		{"byte order mark, later line", "\ufeff" + one + "    «bogus»: 1\n", unknown},
		{"carriage returns", strings.ReplaceAll(one+"    «bogus»: 1\n", "\n", "\r\n"), unknown},
		{"carriage returns: to the end of the line", strings.ReplaceAll("subagents:\n  - «title: x»\n", "\n", "\r\n"), []Code{CodeMissingKey + " " + CodeMissingKey + " " + CodeInstructions}},
		{"wide characters before", one + "    providers: {codex: {model: \"日本語 🎉\", «bogus»: x}}\n", unknown},
		{"wide characters inside", one + "    tier: «größer😀» # ü\n", []Code{CodeBadValue}},
		{"combining characters", one + "    providers: {codex: {model: e\u0301, «bogus»: x}}\n", unknown},
		{"no line feed at the end", one + "    «bogus»: 1", unknown},
	}.run(t, "m.yml")
}

// Anchors, aliases and merge keys: problems point at what is written, at the
// anchor where the anchor's text is wrong.
func TestYAMLAliases(t *testing.T) {
	base := "  - &base\n    name: aa\n    description: Use it when needed.\n    instructions: i\n"
	places{
		{"alias for a whole value", "subagents:\n" + base + "    providers: &p {codex: {model: x}}\n  - {name: ab, description: Use it when., instructions: i, providers: *p}\n", nil},
		{"merge of one", "subagents:\n" + base + "  - <<: *base\n    name: ab\n", nil},
		{"merge of two", "subagents:\n" + base + "    providers: &p {codex: {model: x}}\n  - <<: [*base, *base]\n    name: ab\n", nil},
		{"what stands in the map beats the merged key", "subagents:\n" + base + "    tier: deep\n  - <<: *base\n    name: ab\n    tier: «big»\n", []Code{CodeBadValue}},
		{"merged key that is wrong", "subagents:\n" + base + "    «tire»: deep\n  - <<: *base\n    name: ab\n", []Code{CodeUnknownKey}},
		{"alias of the wrong type", "subagents:\n  - name: &n aa\n    description: Use it when needed.\n    instructions: i\n    tags: «*n»\n", []Code{CodeWrongType}},
		{"anchor on a key", "subagents:\n  - name: aa\n    &k title: Aa\n    description: Use it when needed.\n    instructions: i\n    role: *k\n", nil},
		{"anchor on a wrong key", one + "    &k «tilte»: x\n", []Code{CodeUnknownKey}},
		{"anchor before a quoted text", one + "    tier: &t «\"x & y\"» # z\n", []Code{CodeBadValue}},
		{"anchor and tag before a text", one + "    tier: &t !!str «big» # z\n", []Code{CodeBadValue}},
		{"anchor before a list", one + "    title: &t «[a]» # z\n", []Code{CodeWrongType}},
		{"quoted merge key is a key", one + "    «\"<<\"»: {}\n", []Code{CodeUnknownKey}},
	}.run(t, "m.yml")
	text := "subagents:\n" + base + "    tier: deep\n    tags: [x]\n  - <<: [{tags: [y]}, *base]\n    name: ab\n"
	m, _ := Load(NewSource("m.yml", []byte(text)), Options{})
	if e := m.Entry("ab"); e.Resolved.Tier != "deep" || e.Resolved.Tags[0] != "y" || e.Body != "i" {
		t.Errorf("merged: %+v", e.Resolved)
	}
}
