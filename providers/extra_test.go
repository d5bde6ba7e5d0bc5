package providers_test

import (
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// M63, A20: extra goes out sorted; it never takes the place of a key that the
// tool writes, and a null in it never reaches a file.
func TestExtra(t *testing.T) {
	for _, tt := range []struct {
		block string
		want  string // keys and values, then codes
	}{
		{"{}", ""},
		{"{extra: null}", ""},
		{"{extra: {}}", ""},
		{"{extra: {b: 1, a: [x, 2.50], c: {d: true}}}", `a=x, 2.50 b=1 c={"d":true}`},
		{"{extra: {name: x, b: 1, tools: []}}", "b=1 extra-collision extra-collision"},
		{"{extra: {b: null, c: 1}}", "c=1 null-value"},
		{"{extra: {b: [1, {c: null}]}}", "null-value"},
	} {
		a, _ := resolve(t, "", "providers: {claude: "+tt.block+"}")
		var got []string
		diags := providers.Extra(a, []string{"name", "tools"}, func(key string, v schema.Value) { got = append(got, key+"="+v.Brief()) })
		for _, d := range diags {
			got = append(got, string(schema.CodeOf(d)))
			if d.Subject.Start.Line != 3 || d.Subject.Start.Column < 80 {
				t.Errorf("%s: %v", tt.block, d)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.block, got, tt.want)
		}
	}
}
