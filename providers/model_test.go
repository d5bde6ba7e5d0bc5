package providers_test

import (
	"fmt"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// host is a table to try the shared rules with: it speaks of Claude Code, whose
// block has model, effort and tools, but its names are made up.
var host = &providers.Facts{
	ID:     schema.ClaudeID,
	Models: map[string]string{"light": "small", "standard": "middle", "deep": "large"},
	Tools: providers.Tools{
		Names: []providers.ToolName{
			{Verb: schema.Read, Native: []string{"Look"}},
			{Verb: schema.Search, Native: []string{"Look", "Find"}},
			{Verb: schema.Edit, Native: []string{"Change", "Create"}},
			{Verb: schema.Shell, Native: []string{"Run"}},
			{Verb: schema.Delegate, Native: []string{"Call"}},
			{Verb: schema.Skill, Native: []string{"Learn"}},
		},
		Baseline: []string{"Look", "Find"},
		Reading:  []string{"View", "srv__*"},
		Writing:  []string{"srv__drop"},
		Aliases:  []providers.ToolName{{Verb: schema.Edit, Native: []string{"Patch"}}},
	},
}

func resolve(t *testing.T, defaults, entry string) (*providers.Agent, *schema.Claude) {
	t.Helper()
	manifest := "defaults: {" + defaults + "}\nsubagents:\n" +
		"  - {name: probe, description: Use it when testing., instructions: Look., " + entry + "}\n" +
		"  - {name: other, description: Use it when testing., instructions: Look., tools: null, access: null, delegates: null}\n"
	a := agenttest.Resolve(t, schema.ClaudeID, manifest)
	return &providers.Agent{Agent: a}, a.Block.(*schema.Claude)
}

// A16, A17, ruling 13: block › entry › defaults of the host › defaults › host,
// for the model, which an entry names by its tier, and for the effort.
func TestChoose(t *testing.T) {
	for _, tt := range []struct{ defaults, entry, model, effort string }{
		{"", "", " ()", " ()"},
		{"tier: deep", "", "large (tier)", " ()"},
		{"tier: deep", "tier: light", "small (tier)", " ()"},
		{"tier: deep", "tier: null", " ()", " ()"},
		{"tier: deep, providers: {claude: {model: own}}", "", "own (claude.model)", " ()"},
		{"providers: {claude: {model: own}}", "tier: light", "small (tier)", " ()"},
		{"providers: {claude: {model: own}}", "tier: light, providers: {claude: {model: mine}}", "mine (claude.model)", " ()"},
		{"providers: {claude: {model: own}}", "tier: light, providers: {claude: {model: null}}", "small (tier)", " ()"},
		{"providers: {claude: {model: own}}", "providers: {claude: {model: null}}", " ()", " ()"},
		{"providers: {claude: {model: own}}", "providers: {claude: null}", " ()", " ()"},
		{"providers: {claude: {model: own}}", "providers: null", " ()", " ()"},
		{"tier: deep, providers: {claude: {model: own}}", "tier: null", "own (claude.model)", " ()"},
		{"", "tier: light, providers: {claude: {model: mine}}", "mine (claude.model)", " ()"},
		// The manifest's table, tier by tier over the host's own.
		{"providers: {claude: {models: {deep: huge}}}", "tier: deep", "huge (tier)", " ()"},
		{"providers: {claude: {models: {deep: huge}}}", "tier: light", "small (tier)", " ()"},
		{"providers: {claude: {models: {}}}", "tier: light", " ()", " ()"},
		{"providers: {claude: {models: null}}", "tier: light", "small (tier)", " ()"},
		{"providers: {claude: {models: {}, model: own}}", "tier: light", "own (claude.model)", " ()"},
		{"providers: {claude: {models: {deep: huge}}}", "", " ()", " ()"},
		// Effort: the neutral key, the table's, and the block's.
		{"effort: low", "", " ()", "low (effort)"},
		{"effort: low", "effort: high", " ()", "high (effort)"},
		{"effort: low", "effort: null", " ()", " ()"},
		{"effort: low, providers: {claude: {effort: max}}", "", " ()", "max (claude.effort)"},
		{"providers: {claude: {effort: max}}", "effort: high", " ()", "high (effort)"},
		{"providers: {claude: {effort: max}}", "effort: high, providers: {claude: {effort: low}}", " ()", "low (claude.effort)"},
		{"effort: low, providers: {claude: {effort: max}}", "providers: {claude: {effort: null}}", " ()", "low (effort)"},
		{"effort: low, providers: {claude: {effort: max}}", "effort: null", " ()", "max (claude.effort)"},
		{"providers: {claude: {models: {deep: {model: huge, effort: max}}}}", "tier: deep", "huge (tier)", "max (tier)"},
		{"effort: low, providers: {claude: {models: {deep: {model: huge, effort: max}}}}", "tier: deep", "huge (tier)", "max (tier)"},
		{"tier: deep, providers: {claude: {models: {deep: {model: huge, effort: max}}}}", "effort: high", "huge (tier)", "high (effort)"},
		{"providers: {claude: {models: {deep: {model: huge, effort: max}}}}", "tier: deep, effort: high", "huge (tier)", "high (effort)"},
		{"providers: {claude: {models: {deep: {model: huge, effort: max}}}}", "tier: deep, providers: {claude: {model: mine}}", "mine (claude.model)", " ()"},
	} {
		a, block := resolve(t, tt.defaults, tt.entry)
		c := providers.Choose(a, host, block.Model, "effort", block.Effort)
		model, effort := fmt.Sprintf("%s (%s)", c.Model, c.ModelKey), fmt.Sprintf("%s (%s)", c.Effort, c.EffortKey)
		if model != tt.model || effort != tt.effort {
			t.Errorf("{%s} {%s}: model %s, effort %s; want %s, %s", tt.defaults, tt.entry, model, effort, tt.model, tt.effort)
		}
	}
}

// T10: a host without models of its own leaves the model out for a tier that no
// table names; one without an effort key takes the entry's.
func TestChooseWithoutTables(t *testing.T) {
	bare := &providers.Facts{ID: schema.ClaudeID}
	a, block := resolve(t, "", "tier: deep, effort: low, providers: {claude: {effort: max}}")
	if c := providers.Choose(a, bare, block.Model, "", ""); c.Model != "" || c.ModelKey != "" || c.Effort != "low" || c.EffortKey != "effort" {
		t.Errorf("%+v", c)
	}
	a, block = resolve(t, "providers: {claude: {model: own}}", "tier: deep")
	if c := providers.Choose(a, bare, block.Model, "", ""); c.Model != "own" {
		t.Errorf("%+v", c)
	}
}
