package main

import (
	"strings"
	"testing"
)

const root = "../.."

// Every code of the source has an example, every example is about a code of the
// source, and what each prints tells its code.
func TestEveryCodeHasAnExample(t *testing.T) {
	list, err := examples(root)
	if err != nil {
		t.Fatal(err)
	}
	inSource, err := codesInSource(root)
	if err != nil {
		t.Fatal(err)
	}
	missing, unknown := undocumented(inSource, list)
	for _, code := range missing {
		t.Errorf("no example in %s shows %s", rulesDir, code)
	}
	for _, code := range unknown {
		t.Errorf("the program has no code %s", code)
	}
	for _, e := range list {
		t.Run(e.chapter+"/"+e.code, func(t *testing.T) {
			output, err := e.run()
			if err != nil {
				t.Fatal(err)
			}
			if !shows(output, e.code) {
				t.Errorf("the code does not come up:\n%s", output)
			}
			if e.prose == "" || strings.Contains(output, "command not found") {
				t.Errorf("not an example:\n%s", output)
			}
		})
	}
}

// The comparison notices both faults.
func TestUndocumentedNoticesBoth(t *testing.T) {
	missing, unknown := undocumented(map[string][]string{"a": {"x.go:1"}, "b": {"y.go:2"}}, []example{{code: "a"}, {code: "c"}})
	if len(missing) != 1 || missing[0] != "b (y.go:2)" || len(unknown) != 1 || unknown[0] != "c" {
		t.Errorf("missing %q, unknown %q", missing, unknown)
	}
}
