package schema

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// A value of the wrong type is one mistake and is told once: no rule about what
// the value says is applied on top.
func TestAWrongTypeIsToldOnce(t *testing.T) {
	const head = "vars: {a: b}\nresults: {r: x}\nrisk_classes: {c: [a]}\nsubagents:\n  - name: aa\n    description: Use it when needed.\n    instructions: x\n"
	wrong := 0
	for _, key := range NeutralKeys() {
		for _, value := range []string{"true", "3", "1.5", "word", "{a: 1}", "{c: word}", "[[1]]", "[true]", "[{a: 1}]"} {
			for _, where := range []string{head + "    " + key + ": " + value + "\n", "defaults: {" + key + ": " + value + "}\n" + head} {
				_, diags := Load(NewSource("m.yml", []byte(where)), Options{})
				typed := 0
				for _, d := range diags {
					if CodeOf(d) == CodeWrongType {
						typed++
					}
				}
				if typed == 0 {
					continue
				}
				wrong++
				if len(diags) > 1 && typed != len(diags) || overlap(diags) {
					t.Errorf("%s: %s: %v", key, value, diags.Errs())
				}
			}
		}
	}
	if wrong < 200 {
		t.Errorf("only %d values were of the wrong type", wrong)
	}
}

// overlap says whether two problems are about the same place.
func overlap(diags hcl.Diagnostics) bool {
	for i, a := range diags {
		for _, b := range diags[:i] {
			if a.Subject.Overlaps(*b.Subject) {
				return true
			}
		}
	}
	return false
}
