package schema

import (
	"fmt"
	"strings"
	"testing"
)

// What a plain text means in YAML: numbers and truth values as YAML 1.2 has
// them, the words and dates of YAML 1.1 as text.
func TestYAMLScalars(t *testing.T) {
	for literal, want := range map[string]string{
		"yes": "text yes", "no": "text no", "on": "text on", "off": "text off", "y": "text y", "Yes": "text Yes", "OFF": "text OFF",
		"true": "a boolean true", "True": "a boolean true", "TRUE": "a boolean true", "false": "a boolean false", "tRUE": "text tRUE",
		"null": "null <nil>", "Null": "null <nil>", "~": "null <nil>", "": "null <nil>", "nil": "text nil", "None": "text None",
		"0": "an integer 0", "-7": "an integer -7", "+7": "an integer 7", "0x1F": "an integer 31", "0o17": "an integer 15", "0b101": "an integer 5",
		"1_000": "an integer 1000", "9223372036854775807": "an integer 9223372036854775807",
		"1.5": "a number 1.5", "1.0": "a number 1", "1e3": "a number 1000", "-.5": "a number -0.5", "6.02e+23": "a number 6.02e+23",
		"1.2.3": "text 1.2.3", "1e": "text 1e", "0x": "text 0x", "1,000": "text 1,000", "--1": "text --1",
		"2001-12-14": "text 2001-12-14", "2001-12-14T21:59:43Z": "text 2001-12-14T21:59:43Z", "12:30": "text 12:30", "12:30:45": "text 12:30:45",
		"<<": "text <<", "=": "text =", "'1'": "text 1", `"true"`: "text true", "'null'": "text null", "!!str 1": "text 1", "!!str null": "text null",
		"!!int 7": "an integer 7", "!!float 7": "an integer 7", "!!null ''": "null <nil>",
	} {
		root, diags := parse(NewSource("m.yml", []byte("a: "+literal+"\n")))
		if len(diags) > 0 {
			t.Errorf("%s: %v", literal, diags)
			continue
		}
		n := root.Get("a")
		if got := fmt.Sprintf("%v %v", n.Kind, n.Interface()); got != want {
			t.Errorf("%s is %s, want %s", literal, got, want)
		}
	}
}

// JSON Schema takes 2.0 for a whole number; what it takes is not lost.
func TestWholeNumbers(t *testing.T) {
	for literal, want := range map[string]int{"5": 5, "5.0": 5, "1e1": 10, "0x10": 16} {
		m, diags := Load(NewSource("m.yml", []byte(one+"    providers: {claude: {max_turns: "+literal+"}}\n")), Options{})
		if len(diags) > 0 {
			t.Errorf("%s: %v", literal, diags)
			continue
		}
		if got := block[Claude](t, m, "aa", ClaudeID).MaxTurns; got == nil || *got != want {
			t.Errorf("%s came to %v", literal, got)
		}
	}
}

// What is passed on to a host stays as it is written.
func TestBrief(t *testing.T) {
	root, _ := parse(NewSource("m.yml", []byte("a: [x, 1.50, [y, true]]\nb: {k: 1, j: [2]}\nc: "+strings.Repeat("é", 80)+"\nd: null\n")))
	for key, want := range map[string]string{
		"a": "x, 1.50, y, true", "b": `{"j":[2],"k":1}`, "c": strings.Repeat("é", 57) + "...", "d": "null", "none": "",
	} {
		if got := root.Get(key).Brief(); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if root.Get("d").Text() != "" || root.Get("none").Text() != "" || !root.Get("d").IsNull() || root.Get("none").IsNull() {
		t.Error("a null has a text, or what is not there is one")
	}
}

// K75: what is wrong with one entry hides no other, and one mistake is told
// once, however many entries it holds for.
func TestEntriesStandAlone(t *testing.T) {
	text := strings.Join([]string{
		"defaults: {result: none, attach_on: [x]}", "subagents:",
		"  - name: 7", "  - text", "  - {name: ab, description: [], instructions: {}, tools: x, providers: []}",
		"  - name: aa", "    description: Use it when needed.", "    instructions: Do it.",
		"  - {name: ac, description: &d {a: 1}, instructions: x}", "  - {name: ad, description: *d, instructions: x}", "",
	}, "\n")
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if e := m.Entry("aa"); e == nil || e.Body != "Do it." || e.Description != "Use it when needed." {
		t.Errorf("%+v", e)
	}
	seen := map[string]int{}
	for _, d := range diags {
		seen[d.Error()]++
	}
	for text, n := range seen {
		if n > 1 {
			t.Errorf("%d times: %s", n, text)
		}
	}
	for _, code := range []Code{CodeUnknownResult, CodeUnknownRisk} {
		n := 0
		for _, d := range diags {
			if CodeOf(d) == code {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is told %d times", code, n)
		}
	}
	exercise(m)
}
