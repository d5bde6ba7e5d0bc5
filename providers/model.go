package providers

import (
	"cmp"

	"github.com/seed-337579fc/subagents/schema"
)

// A Choice is the model and effort of a subagent on a host, each with the key
// that decided it; empty where nothing did.
type Choice struct {
	Model, ModelKey   string
	Effort, EffortKey string
}

// Choose applies the precedence to model and effort: the block's own keys, the
// entry's tier and effort, then the same two of the defaults. effortKey is the
// key of the block that holds the effort, "" where it has none.
func Choose(a *Agent, f *Facts, blockModel, effortKey, blockEffort string) Choice {
	var c Choice
	model := a.BlockKey("model")
	tier, fromTable := tierModel(a, f)
	switch {
	case a.Rank(model) > a.Rank("tier") || a.Rank(model) > 0 && !fromTable:
		c.Model, c.ModelKey = blockModel, model
	case fromTable:
		c.Model, c.ModelKey = tier.Model, "tier"
	}
	best := schema.HostDefault
	offer := func(value, key string) {
		if rank := a.Rank(key); value != "" && rank > best {
			c.Effort, c.EffortKey, best = value, key, rank
		}
	}
	offer(a.Effort, "effort")
	if c.ModelKey == "tier" {
		offer(tier.Effort, "tier")
	}
	if effortKey != "" {
		offer(blockEffort, a.BlockKey(effortKey))
	}
	return c
}

// tierModel looks the tier up in the manifest's table, then in the host's own;
// an empty table of the manifest switches the host's off.
func tierModel(a *Agent, f *Facts) (schema.ModelChoice, bool) {
	if choice, ok := a.Models[a.Tier]; ok && a.Tier != "" {
		return choice, true
	}
	if a.Models != nil && len(a.Models) == 0 {
		return schema.ModelChoice{}, false
	}
	model := f.Models[cmp.Or(a.Tier, "-")]
	return schema.ModelChoice{Model: model}, model != ""
}
