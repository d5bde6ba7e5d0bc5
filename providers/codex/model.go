package codex

import (
	"regexp"
	"slices"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

const modelHint = "Write a model id of the client's catalogue, such as gpt-6.1-sol (codex debug models lists them), or leave it out to use the session's."

// foreign matches the names of Claude models, which would go to the API as they
// stand and fail at spawn.
var foreign = regexp.MustCompile(`(?i)^(sonnet|opus|haiku|fable|inherit|best|opusplan)(\[1m\])?$|(^|[./:@])claude-`)

// efforts from the least, as model_reasoning_effort spells them. None of the
// catalogue's models has the first two. Observed on 0.171.0.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"}

const (
	leastEffort   = "low"    // of every model in the catalogue
	sharedEffort  = "xhigh"  // the most that every model in the catalogue has
	defaultEffort = "medium" // beside a model where nothing sets an effort
)

// most gives the highest effort of the models in the client's catalogue; for
// any other model the client checks nothing. From codex debug models, 0.171.0.
var most = map[string]string{
	"gpt-6.2-sol": "ultra", "gpt-6.2-astra": "ultra", "gpt-6.1-sol": "ultra", "gpt-6.1-terra": "ultra",
	"gpt-6-sol": "ultra", "gpt-6-astra": "ultra", "gpt-6-luna": "max",
	"gpt-5.6-sol": "ultra", "gpt-5.6-terra": "ultra", "gpt-5.6-luna": "max", "gpt-5.5": "xhigh",
	"gpt-daybreak-blue-latest": "ultra", "gpt-daybreak-red-latest": "ultra", "codex-auto-review": "max",
}

// model writes model and effort: the effort always beside a model, since the
// client otherwise checks the parent's effort against the role's model and may
// refuse to spawn it. Observed on 0.171.0.
func (e *encoder) model() {
	c := providers.Choose(e.a, &facts, e.block.Model, "reasoning_effort", e.block.ReasoningEffort)
	e.checkModel(c)
	if c.Model != "" {
		e.file.text("model", c.Model)
		e.out.Shown(c.ModelKey, c.Model)
		if c.Effort == "" {
			c.Effort, c.EffortKey = defaultEffort, c.ModelKey
			e.out.Use("effort#default", c.Effort, e.a.At(c.ModelKey))
		} else {
			e.out.Shown(c.EffortKey, c.Effort)
		}
	} else if e.a.Tier != "" && c.ModelKey == "" {
		e.out.Use("tier#no-model", e.a.Tier, e.a.At("tier"))
	}
	if c.Effort != "" {
		e.checkEffort(c)
		e.file.text("model_reasoning_effort", c.Effort)
	}
}

func (e *encoder) checkModel(c providers.Choice) {
	if !foreign.MatchString(c.Model) {
		return
	}
	if c.ModelKey == "tier" {
		e.fail("foreign-model", e.a.At("tier"), modelHint, "the model %q of tier %q is not one that Codex can use", c.Model, e.a.Tier)
		return
	}
	e.fail("foreign-model", e.a.At(c.ModelKey), modelHint, "%q is not a model that Codex can use", c.Model)
}

// checkEffort: the client checks an effort at spawn only, against its catalogue.
func (e *encoder) checkEffort(c providers.Choice) {
	at := e.a.At(c.EffortKey)
	rank := slices.Index(efforts, c.Effort)
	if rank < 0 {
		detail := "Write one of low, medium, high, xhigh, max and ultra."
		if near := schema.Nearest(c.Effort, efforts); near != "" {
			detail = "Did you mean " + near + "? " + detail
		}
		e.fail(schema.CodeBadValue, at, detail, "%q is no reasoning effort", c.Effort)
		return
	}
	highest, known := most[c.Model]
	switch {
	case known && rank > slices.Index(efforts, highest):
		e.warn("unsupported-effort", at, "Write "+highest+" or less: the client refuses to start the subagent.",
			"%s supports no reasoning effort %s", c.Model, c.Effort)
	case (known || c.Model == "") && rank < slices.Index(efforts, leastEffort):
		e.warn("unsupported-effort", at, "Write "+leastEffort+" or more: the client refuses to start the subagent.",
			"no model of the catalogue supports the reasoning effort %s", c.Effort)
	case c.Model == "" && rank > slices.Index(efforts, sharedEffort):
		e.warn("unsupported-effort", at, "Set codex.model to one that does, or write "+sharedEffort+" or less.",
			"not every model that the session may use supports the reasoning effort %s", c.Effort)
	}
}
