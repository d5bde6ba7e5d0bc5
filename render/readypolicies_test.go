package render_test

import (
	"testing"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Each ready policy is met by one entry and broken by another.
func TestReadyPolicies(t *testing.T) {
	const meets = `{name: one, description: Looks. Use when asked., instructions: x, kind: reviewer, access: read-only, tier: deep, delegates: []}`
	breaks := map[string]string{
		"least-privilege":        `{name: one, description: d, instructions: x}`,
		"reviewers-cannot-write": `{name: one, description: d, instructions: x, kind: reviewer}`,
		"pinned-models":          `{name: one, description: d, instructions: x}`,
		"no-bypass":              `{name: one, description: d, instructions: x, providers: {claude: {permission_mode: bypassPermissions}}}`,
		"says-when":              `{name: one, description: d, instructions: x}`,
		"bounded-delegation":     `{name: one, description: d, instructions: x}`,
	}
	ready, diags := schema.Load(schema.NewSource("policies.yml", subagents.Policies), schema.Options{})
	if diags.HasErrors() || len(ready.Policies) != len(breaks) {
		t.Fatalf("policies.yml has %d policies, %d are tested: %v", len(ready.Policies), len(breaks), diags)
	}
	for i, p := range ready.Policies {
		for entry, want := range map[string]bool{meets: false, breaks[p.Name]: true} {
			m, diags := schema.Load(schema.NewSource("m.yml", []byte("targets: [claude]\nsubagents: ["+entry+"]\n")), schema.Options{})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			m.Policies = []schema.Policy{p}
			m.Root.Fields = append(m.Root.Fields, schema.Field{Key: "policies", Value: &schema.Node{
				Kind: schema.List, Items: []*schema.Node{ready.Root.Get("policies").List()[i]},
			}})
			_, diags = render.Render(m, render.Options{})
			if diags.HasErrors() != want {
				t.Errorf("%s on %s: %v", p.Name, entry, diags)
			}
		}
	}
}
