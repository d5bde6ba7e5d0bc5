package audit

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// openCode looks at the rules of permission, of which the last that matches
// counts. Rules of deprecated tools are folded in.
func (a *agent) openCode() {
	if a.Keys.Get("mode") == nil && a.form != "mode" {
		a.find(CodeReadAs, a.At, "without a mode, %q can be chosen as the main agent, too", a.Name)
	}
	rules := a.block.Get("permission")
	switch {
	case rules == nil:
		a.find(CodeUnrestricted, a.At, "%q has no permission rules, so that OpenCode's defaults allow almost every tool", a.Name)
	case rules.Kind == schema.String && rules.Str == allow:
		a.find(CodeAllowAll, rules.Range, "every permission is allowed")
	case rules.Kind == schema.Map:
		a.order("permission", rules)
		for _, f := range rules.Fields {
			a.permission(f)
		}
	}
}

const allow = "allow"

// permission looks at one rule.
func (a *agent) permission(f schema.Field) {
	bare := f.Value.Kind == schema.String && f.Value.Str == allow
	verb, _ := a.host.Tools.Verb(f.Key)
	switch {
	case f.Value.Kind == schema.Map:
		a.order(f.Key, f.Value)
		if wide := f.Value.Get(every); wide.Text() == allow && verb != schema.Read {
			a.find(CodeWidens, wide.Range, "%s is allowed for everything", f.Key)
		}
	case f.Key == every && bare:
		a.find(CodeAllowAll, f.Range, "every permission is allowed")
	case slices.Contains(a.host.Tools.Native(schema.Read), f.Key) && bare:
		a.find(CodeReadAllow, f.Range, "%s is allowed without asking, .env files included", f.Key)
	case bare && (verb.Mutating() || slices.Contains(guarded, f.Key)):
		a.find(CodeWidens, f.Range, "%s is allowed without asking", f.Key)
	}
	if !a.hasEffect(f.Key) {
		a.find(CodeDropped, f.Range, "OpenCode has no permission %q, so that the rule does nothing", f.Key)
	}
}

// guarded are keys that the client itself asks about.
var guarded = []string{"external_directory", "doom_loop"}

// hasEffect says whether a key of permission can match anything. Tools that ask
// under the key of another have none of their own, and MCP tools are SERVER_TOOL.
// Observed on 1.18.33.
func (a *agent) hasEffect(key string) bool {
	tools := &a.host.Tools
	if strings.ContainsAny(key, "*?") && !strings.HasPrefix(key, "mcp__") {
		return true
	}
	for _, row := range tools.Names {
		if slices.Contains(row.Native, key) {
			return true
		}
	}
	if _, alias := tools.Verb(key); alias || strings.HasPrefix(key, "mcp__") {
		return false
	}
	return slices.Contains(tools.Reading, key) || key == "execute" || strings.Contains(key, "_")
}

// order finds a rule for everything behind narrower ones that say otherwise.
func (a *agent) order(what string, rules *schema.Node) {
	for i, f := range rules.Fields {
		if f.Key != every || f.Value.Kind != schema.String {
			continue
		}
		for _, before := range rules.Fields[:i] {
			if before.Value.Kind != schema.String || before.Value.Str != f.Value.Str {
				a.find(CodeRuleOrder, f.Range, "%q stands behind %q in %s and takes its effect away", every, before.Key, what)
				break
			}
		}
	}
}
