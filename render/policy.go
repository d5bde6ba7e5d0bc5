package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// CodePolicy is a condition of a policy that a subagent does not meet.
const CodePolicy schema.Code = "policy"

// A rule is a policy ready to be held against subagents.
type rule struct {
	schema.Policy
	condition, when *schema.Expression
}

// policies reads the expressions of the manifest's policies.
func (r *renderer) policies() {
	list := r.m.Root.Get("policies").List()
	for i, p := range r.m.Policies {
		if i >= len(list) || p.Condition == "" {
			continue // reported when it was loaded
		}
		out := rule{Policy: p}
		var diags hcl.Diagnostics
		out.condition, diags = schema.ParseExpression(list[i].Get("condition"))
		r.diags = append(r.diags, diags...)
		if when := list[i].Get("when"); when != nil && when.Kind == schema.String {
			out.when, diags = schema.ParseExpression(when)
			r.diags = append(r.diags, diags...)
		}
		if out.condition != nil && (p.When == "" || out.when != nil) {
			r.rules = append(r.rules, out)
		}
	}
}

// obey holds the policies against a subagent on a host. Expressions see it as
//
//	agent     its neutral keys, resolved, with the kind that holds
//	provider  the id of the host
//	block     the keys of the host's block, resolved
//	native    setting → what stands in the file for it
//	level     setting → enforced, advisory, inherited or unsupported
func (r *renderer) obey(done *Rendered, facts *providers.Facts, verdicts []providers.Verdict) {
	if len(r.rules) == 0 {
		return
	}
	variables := scope(done, verdicts)
	for _, p := range r.rules {
		if p.when != nil {
			applies, diags := p.when.True(variables)
			r.diags = append(r.diags, diags...)
			if !applies {
				continue
			}
		}
		met, diags := p.condition.True(variables)
		r.diags = append(r.diags, diags...)
		if met || diags.HasErrors() {
			continue
		}
		r.diags = append(r.diags, p.failure(done.Agent, facts, verdicts))
	}
}

// failure says which policy is not met, and of the levels that it looks at why
// the host gives no more.
func (p *rule) failure(a *schema.Agent, facts *providers.Facts, verdicts []providers.Verdict) *hcl.Diagnostic {
	at, detail := a.Entry.At, ""
	for _, key := range p.condition.Keys("level") {
		for _, v := range verdicts {
			if v.About() == key && v.Row.Level != providers.Enforced {
				at = v.At
				detail += fmt.Sprintf("%s is %s on %s: %s (%s) ", v.Setting, v.Row.Level, facts.Title, v.Row.Why, v.Row.Source)
			}
		}
	}
	detail += cmp.Or(p.Message, "It asks for "+p.Condition+".")
	d := schema.Problemf(CodePolicy, at, detail, "%q on %s breaks the policy %q", a.Name, facts.ID, p.Name)
	if p.Severity == "warning" {
		d.Severity = hcl.DiagWarning
	}
	return d
}

// scope gives the variables of the expressions. Every neutral key is there, so
// that a condition can ask for one that nothing sets.
func scope(done *Rendered, verdicts []providers.Verdict) map[string]any {
	a := done.Agent
	kind, _ := a.Entry.InferredKind()
	agent := map[string]any{}
	for _, key := range schema.NeutralKeys() {
		agent[key] = nil
	}
	block := map[string]any{}
	for _, s := range a.Settings() {
		if key, mine := blockKey(a, s.Key); mine {
			block[key] = s.Value.Interface()
			continue
		}
		agent[s.Key] = s.Value.Interface()
	}
	agent["name"], agent["slug"], agent["description"], agent["kind"] = a.Name, a.Slug, a.Description, kind
	agent["instructions"] = a.Instructions
	native := map[string]any{}
	for setting, text := range done.Show {
		native[setting] = text
	}
	level := map[string]any{}
	for _, v := range verdicts {
		key := v.About()
		if known, ok := level[key].(string); !ok || v.Row.Level.Weaker(providers.Level(known)) {
			level[key] = string(v.Row.Level)
		}
	}
	return map[string]any{
		"agent": agent, "provider": string(done.Provider), "block": block, "native": native, "level": level,
	}
}

// blockKey gives the key of the agent's block that a setting is about.
func blockKey(a *schema.Agent, setting string) (string, bool) {
	prefix := string(a.Provider) + "."
	if len(setting) > len(prefix) && setting[:len(prefix)] == prefix {
		return setting[len(prefix):], true
	}
	return "", slices.Contains(schema.ProviderIDs(), schema.ProviderID(setting))
}
