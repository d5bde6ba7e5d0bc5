package jsonc_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-337579fc/subagents/providers/internal/jsonc"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1}`:                           `{"a": 1}`,
		"{\"a\": 1, // one\n}":               "{\"a\": 1        \n}",
		`{"a": [1, 2, ], }`:                  `{"a": [1, 2  ]  }`,
		`{"a": "// no, ]", /* yes, */ }`:     `{"a": "// no, ]"             }`,
		`{"a\"//": "\\" /*x*/ }`:             `{"a\"//": "\\"       }`,
		"{/* two\nlines */}":                 "{      \n        }",
		"{\"a\": 1} // at the end":           "{\"a\": 1}              ",
		"/*/ not closed by its own slash */": "                                  ",
		`["a",, "b"]`:                        `["a",, "b"]`,
		`["open`:                             `["open`,
		`/`:                                  `/`,
	} {
		got, changed := jsonc.Plain([]byte(in))
		if string(got) != want || changed != (in != want) {
			t.Errorf("Plain(%q) = %q, %v", in, got, changed)
		}
	}
}

// JSON stays as it is, and no place moves.
func FuzzPlain(f *testing.F) {
	f.Add([]byte(`{"a": "x // y", "b": [1, 2]}`))
	f.Add([]byte("{/**/}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, changed := jsonc.Plain(data)
		if len(got) != len(data) {
			t.Fatalf("%q became %q", data, got)
		}
		if json.Valid(data) && changed {
			t.Errorf("plain JSON was changed: %q became %q", data, got)
		}
	})
}
