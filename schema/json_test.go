package schema

import (
	"strings"
	"testing"
)

// oneJSON is a manifest with a single entry; %s stands for further keys.
const oneJSON = `{"subagents": [{"name": "aa", "description": "Use it when needed.", "instructions": "Do it."%s}]}`

func with(keys string) string { return strings.Replace(oneJSON, "%s", keys, 1) }

// JSON is read by a JSON reader, and strictly.
func TestJSONPlaces(t *testing.T) {
	syntax := []Code{CodeSyntax}
	places{
		{"valid", with(``), nil},
		{"byte order mark", "\ufeff" + with(`, «"bogus"»: 1`), []Code{CodeUnknownKey}},
		{"unknown key", with(`, «"tite"» : 1`), []Code{CodeUnknownKey}},
		{"unknown key after wide characters", with(`, "title": "日本語🎉", «"größe"»: 1`), []Code{CodeUnknownKey}},
		{"unknown key on a later line", "{\r\n  \"version\": 1,\r\n  «\"bogus\"»: 1\r\n}\r\n", []Code{CodeUnknownKey}},
		{"wrong type", with(`, "title": «12»`), []Code{CodeWrongType}},
		{"wrong type: list", with(`, "title": «[»"a"]`), []Code{CodeWrongType}},
		{"wrong type: map", with(`, "title": «{»"a": 1}`), []Code{CodeWrongType}},
		{"wrong type: root", `«"x"»`, []Code{CodeWrongType}},
		{"list at the root", `«[»{}]`, []Code{CodeWrongType}},
		{"null", `{"subagents": [{"name": «null», "description": "d", "instructions": "i"}]}`, []Code{CodeNullValue}},
		{"bad value", with(`, "tier": «"so\u006enet"»`), []Code{CodeBadValue}},
		{"unknown verb", with(`, "tools": ["read" , «"Bash"»]`), []Code{CodeUnknownTool}},
		{"version as text", `{"version": «"1"»}`, []Code{CodeWrongType}},
		{"duplicate key", with(`, "tier": "deep", «"tier"»: "deep"`), []Code{CodeDuplicateKey}},
		{"duplicate key, escaped", with(`, "tier": "deep", «"ti\u0065r"»: "deep"`), []Code{CodeDuplicateKey}},
		{"trailing comma in a map", `{"version": 1,«}»`, syntax},
		{"trailing comma in a list", `{"targets": ["codex",«]»}`, syntax},
		{"missing comma", `{"version": 1 «"»targets": []}`, syntax},
		{"missing colon", `{"version" «1»}`, syntax},
		{"comment", "{\n  «/»/ hello\n  \"version\": 1}", syntax},
		{"single quotes", `{«'»version': 1}`, syntax},
		{"key without quotes", `{«v»ersion: 1}`, syntax},
		{"YAML", "«v»ersion: 1\n", syntax},
		{"leading zero", `{"version": 0«1»}`, syntax},
		{"hexadecimal", `{"version": 0«x»1}`, syntax},
		{"NaN", `{"version": «N»aN}`, syntax},
		{"raw line feed in a text", "{\"preamble\": \"a«»\nb\"}", syntax},
		{"NUL in a text", "{\"preamble\": \"a«\x00»b\"}", syntax},
		{"NUL between values", "{«\x00»\"version\": 1}", syntax},
		{"raw DEL is allowed", "{\"preamble\": \"a\x7fb\"}", nil},
		{"raw NEL is allowed", "{\"preamble\": \"a\u0085b\u2028c\"}", nil},
		{"bad escape", `{"preamble": "a\«x»"}`, syntax},
		{"end in the middle", `{"version": 1«»`, syntax},
		{"end in a text", `{"preamble": "abc«»`, syntax},
		{"lone high surrogate", `{"preamble": «"a\ud83d"»}`, syntax},
		{"lone low surrogate", `{"preamble": «"\ude00"»}`, syntax},
		{"high surrogate before another escape", `{"preamble": «"\ud83d\n"»}`, syntax},
		{"high surrogate twice", `{"preamble": «"\ud83d\ud83d\ude00"»}`, syntax},
		{"surrogates the wrong way round", `{"preamble": «"\ude00\ud83d"»}`, syntax},
		{"lone surrogate in a key", `{"results": {«"\ud83d"»: "x"}}`, syntax},
		{"pair of surrogates", `{"preamble": "\ud83d\ude00 \\ud83d \uD83D\uDE00"}`, nil},
		{"number beyond a float", `{"vars": {"a": «1e999»}}`, syntax},
		{"whole number beyond 64 bits", `{"vars": {"a": «123456789012345678901234567890»}}`, syntax},
		{"long fraction", `{"vars": {"a": 0.1234567890123456789012345678901234567890, "b": -0, "c": 1E+2}}`, nil},
		{"two values", `{} «{»}`, syntax},
		{"two values, one unfinished", `{} «{»`, syntax},
		{"rubbish behind the value", `{} «x»`, syntax},
		{"Latin-1", "{\"preamble\": \"caf«\xe9»\"}", syntax},
		{"UTF-16", "«\xff»\xfe{\x00", syntax},
		{"empty", "«»", []Code{CodeEmpty}},
		{"blank", "«»\n \n", []Code{CodeEmpty}},
		{"null at the root", "«»null", []Code{CodeEmpty}},
	}.run(t, "m.json")
}

// What a JSON text means is what stands in the tree, escapes and all.
func TestJSONTexts(t *testing.T) {
	text := `{"preamble": "\ud83d\ude00\u0000\u007f\u2028\ufeff\r\n\"\\\/", "version": 1.0}`
	m, diags := Load(NewSource("m.json", []byte(text)), Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if want := "😀\x00\x7f\u2028\ufeff\r\n\"\\/"; m.Preamble != want {
		t.Errorf("got %q, want %q", m.Preamble, want)
	}
}
