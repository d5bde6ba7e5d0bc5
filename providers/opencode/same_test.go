package opencode_test

import (
	"testing"

	"github.com/seed-337579fc/subagents/providers/opencode"
	"github.com/seed-337579fc/subagents/schema"
)

func TestSameRules(t *testing.T) {
	rules := func(text string) *schema.Node {
		n, diags := schema.ParseYAML(schema.NewSource("p.yml", []byte("p: "+text)), false)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return n.Get("p")
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"{edit: deny, bash: ask}", "{bash: ask, edit: deny}", true},
		{"deny", "{\"*\": deny}", true},
		{"{}", "{}", true},
		{"{edit: deny}", "{edit: ask}", false},
		{"{edit: deny}", "{edit: deny, bash: deny}", false},
		{"{\"*\": deny, read: allow}", "{read: allow, \"*\": deny}", false},
		{"{\"*_*\": deny, read: allow}", "{read: allow, \"*_*\": deny}", true},
		{"{\"*_*\": deny, my_tool: allow}", "{my_tool: allow, \"*_*\": deny}", false},
		{"{\"a*\": deny, \"*b\": allow}", "{\"*b\": allow, \"a*\": deny}", false},
		{"{bash: {\"*\": ask, \"git *\": allow}}", "{bash: {\"git *\": allow, \"*\": ask}}", false},
		{"{bash: {\"*\": ask}}", "{bash: ask}", false},
	} {
		if got := opencode.SameRules(rules(c.a), rules(c.b)); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
		if got := opencode.SameRules(rules(c.b), rules(c.a)); got != c.same {
			t.Errorf("%s and %s: %v", c.b, c.a, got)
		}
	}
}
