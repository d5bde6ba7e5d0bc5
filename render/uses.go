package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// uses lists what the manifest sets for a subagent on a host, as settings of
// the capability table. What a finer row is about (one tool of a list) is
// listed beside the whole.
func uses(a *schema.Agent, facts *providers.Facts) []providers.Use {
	var list []providers.Use
	for _, s := range a.Settings() {
		if s.Value.Kind == schema.Null {
			continue
		}
		value := s.Value.Brief()
		switch {
		case s.Key == "access" && value == "read-only" && keepsShell(a):
			value = "read-only+shell"
		case s.Key == "delegates" && len(s.Value.Items) == 0:
			value = "none"
		}
		list = append(list, providers.Use{Setting: s.Key, Value: value, At: s.At()})
		for _, item := range s.Value.List() {
			if rows := facts.Rows(s.Key, item.Text(), ""); len(rows) > 0 && strings.Contains(rows[0].Setting, "=") {
				list = append(list, providers.Use{Setting: s.Key, Value: item.Text(), At: item.Range})
			}
		}
	}
	return list
}

// keepsShell says whether a read-only subagent is given a shell.
func keepsShell(a *schema.Agent) bool {
	return providers.AllowsShell(&providers.Agent{Agent: a}) && slices.Contains(a.Tools, schema.Shell)
}

// require holds what a subagent asks for against what the host gives.
func (r *renderer) require(a *schema.Agent, facts *providers.Facts, list []providers.Use) hcl.Diagnostics {
	var diags hcl.Diagnostics
	asked, _ := a.Setting("require")
	for _, setting := range slices.Sorted(maps.Keys(a.Require)) {
		want := providers.Level(a.Require[setting])
		at := asked.Value.Get(setting).Range
		if _, known := facts.Level(setting, "", ""); !known {
			if block, _, ok := strings.Cut(setting, "."); !ok || block == string(facts.ID) {
				diags = append(diags, schema.Problemf(CodeSetting, at, "Name a neutral key such as tools, or a key of a block such as claude.tools.",
					"require names %q, which is no setting", setting))
			}
			continue
		}
		for _, u := range list {
			if u.Setting == setting {
				diags = append(diags, r.below(a, facts, u, want, at)...)
			}
		}
	}
	if !r.opt.Strict {
		return diags
	}
	for _, u := range list {
		diags = append(diags, r.below(a, facts, u, providers.Enforced, u.At)...)
	}
	return diags
}

// below reports a use whose level is weaker than wanted.
func (r *renderer) below(a *schema.Agent, facts *providers.Facts, u providers.Use, want providers.Level, at hcl.Range) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range facts.Rows(u.Setting, u.Value, r.result.Scope) {
		if !c.Level.Weaker(want) {
			continue
		}
		diags = append(diags, schema.Problemf(CodeBelow, at,
			fmt.Sprintf("%s Take %s from the targets of %q, or ask for less.", c.Why, facts.ID, a.Name),
			"%s is %s on %s, not %s", strings.TrimSpace(u.Setting+" "+cmp.Or(u.Value, "")), c.Level, facts.Title, want))
	}
	return diags
}
