package conformance

import (
	"strings"

	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// claudeModels is what Claude Code makes of an alias, unless the main thread's model is of that family: then it is the
// main thread's own. Observed with 2.1.332.
var claudeModels = map[string]string{"opus": "claude-opus-5-5", "sonnet": "claude-sonnet-5-5", "haiku": "claude-haiku-5-5"}

// claudeEffort is the effort of those models where nothing sets one: that of the session goes with the session's model
// alone. Observed with 2.1.332.
const claudeEffort = "medium"

// model says which model and effort the sub-agent's requests must carry; "" where that is not known. control is the
// request of a sub-agent that sets neither.
func (p Promise) model(control *standin.Request) (model, effort string) {
	choice := p.choice()
	if choice.Model == "" && choice.Effort == "" {
		return control.Model, control.Effort
	}
	model, effort = choice.Model, choice.Effort
	switch p.Facts.ID {
	case schema.ClaudeID:
		if resolved, alias := claudeModels[model]; alias {
			model = resolved
			if effort == "" {
				effort = claudeEffort
			}
		}
	case schema.CodexID:
		if model != "" && effort == "" {
			effort = "medium" // which the renderer writes
		}
		if effort == "ultra" {
			effort = ""
		}
	case schema.GooseID:
		effort = control.Effort
	case schema.OpenCodeID:
		_, model, _ = strings.Cut(model, "/")
		effort = ""
	}
	if model == "" {
		model = control.Model
		if effort == "" {
			effort = control.Effort
		}
	}
	return model, effort
}

// choice is what the precedence of manifest and tables decides.
func (p Promise) choice() providers.Choice {
	a := &providers.Agent{Agent: p.Agent, Body: p.Body}
	switch block := p.Agent.Block.(type) {
	case *schema.Claude:
		return providers.Choose(a, p.Facts, block.Model, "effort", block.Effort)
	case *schema.Codex:
		return providers.Choose(a, p.Facts, block.Model, "reasoning_effort", block.ReasoningEffort)
	case *schema.Goose:
		return providers.Choose(a, p.Facts, block.Model, "", "")
	case *schema.OpenCode:
		return providers.Choose(a, p.Facts, block.Model, "", "")
	}
	return providers.Choice{}
}
