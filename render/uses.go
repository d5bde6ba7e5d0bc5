package render

import (
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
	list := []providers.Use{describes(a.Entry)}
	for _, s := range a.Settings() {
		if s.Value.Kind == schema.Null {
			continue
		}
		list = append(list, useOf(a, s))
		for _, item := range s.Value.List() {
			if rows := facts.Rows(s.Key, item.Text(), ""); len(rows) > 0 && strings.Contains(rows[0].Setting, "=") {
				list = append(list, providers.Use{Setting: s.Key, Value: item.Text(), At: item.Range, Extent: providers.OneItem})
			}
		}
	}
	return list
}

// describes gives the description, which every entry has.
func describes(e *schema.Entry) providers.Use {
	u := providers.Use{Setting: "description", At: e.At}
	if n := e.Node.Get("description"); n != nil {
		u.At = n.Range
	}
	return u
}

// useOf gives a setting with its value in the words of the table.
func useOf(a *schema.Agent, s schema.Setting) providers.Use {
	u := providers.Use{Setting: s.Key, Value: s.Value.Telling(), At: s.At()}
	switch {
	case len(s.Value.Items) > 0:
		u.Extent = providers.WholeList
	case s.Key == "delegates":
		u.Value = "none"
	case s.Value.Kind == schema.List:
		u.Value = "[]"
	case s.Key == "access" && a.ReadOnly() && keepsShell(a):
		u.Value = "read-only+shell"
	}
	return u
}

// keepsShell says whether a read-only subagent is given a shell.
func keepsShell(a *schema.Agent) bool {
	return providers.AllowsShell(&providers.Agent{Agent: a}) && slices.Contains(a.Tools, schema.Shell)
}

// require holds what a subagent asks for against what the host gives.
func (r *renderer) require(a *schema.Agent, facts *providers.Facts, verdicts []providers.Verdict) hcl.Diagnostics {
	var diags hcl.Diagnostics
	asked, _ := a.Setting("require")
	for _, setting := range slices.Sorted(maps.Keys(a.Require)) {
		at := asked.Value.Get(setting).Range
		want := providers.Level(a.Require[setting])
		if d := requirable(facts, setting, want, at); d != nil {
			diags = append(diags, d)
			continue
		}
		for _, v := range verdicts {
			if v.About() == setting {
				diags = append(diags, below(a, facts, v, want, at)...)
			}
		}
	}
	if r.opt.Strict {
		for _, v := range verdicts {
			if providers.Level(a.Require[v.About()]) != providers.Enforced { // else it has been said
				diags = append(diags, below(a, facts, v, providers.Enforced, v.At)...)
			}
		}
	}
	return diags
}

// requirable says what is wrong with a line of require. A key of another host's
// block is that host's to judge.
func requirable(facts *providers.Facts, setting string, want providers.Level, at hcl.Range) *hcl.Diagnostic {
	if levels := providers.Levels(); !slices.Contains(levels, want) {
		return schema.Problemf(schema.CodeBadValue, at, fmt.Sprintf("Write one of %s, %s, %s and %s.", levels[0], levels[1], levels[2], levels[3]), "%q is no level", string(want))
	}
	if _, known := facts.Level(setting, "", ""); known {
		return nil
	}
	if block, _, ok := strings.Cut(setting, "."); ok && block != string(facts.ID) && slices.Contains(schema.ProviderIDs(), schema.ProviderID(block)) {
		return nil
	}
	return schema.Problemf(CodeSetting, at, "Name a neutral key such as tools, or a key of a block such as claude.tools.",
		"require names %q, which is no setting", setting)
}

// below reports a setting whose level is weaker than wanted.
func below(a *schema.Agent, facts *providers.Facts, v providers.Verdict, want providers.Level, at hcl.Range) hcl.Diagnostics {
	if !v.Row.Level.Weaker(want) {
		return nil
	}
	why := v.Row.Why
	if v.Row.When != "" {
		why = fmt.Sprintf("When %s: %s", v.Row.When, why)
	}
	return hcl.Diagnostics{schema.Problemf(CodeBelow, at,
		fmt.Sprintf("%s (%s) Take %s from the targets of %q, or ask for less.", why, v.Row.Source, facts.ID, a.Name),
		"%s is %s on %s, not %s", strings.TrimSpace(v.Setting+" "+v.Value), v.Row.Level, facts.Title, want)}
}
