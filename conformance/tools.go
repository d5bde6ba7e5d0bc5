package conformance

import (
	"slices"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The rules on tools and access stand here a second time, in the words of the manifest's reference: an error in the
// renderer's own must not become what a client is expected to do.

// readBaseline is what a sub-agent may use whose list is empty, or maps to nothing.
var readBaseline = map[schema.ProviderID][]string{
	schema.ClaudeID:   {"Read", "Grep", "Glob"},
	schema.OpenCodeID: {"read", "glob", "grep", "list"},
}

// tools works out the tools from the neutral keys: what the control got, and of that what the keys leave. With native
// keys it is nil, not known.
func (p Promise) tools(control []string) []string {
	if p.native() {
		return nil
	}
	if level, _ := p.Facts.Level("tools", "", ""); level != providers.Enforced {
		if p.choice().Model != "" {
			return nil // Codex gives some models other tools
		}
		return control
	}
	list, restricted := p.listed()
	universe := slices.Clone(control)
	if shell := p.Facts.Tools.Native(schema.Shell)[0]; restricted && !slices.Contains(list, shell) {
		universe = append(universe, p.Facts.Observe.FoldedIntoShell...)
	}
	starts := p.Facts.Tools.Native(schema.Delegate)
	if p.Facts.ID == schema.OpenCodeID && len(p.Agent.Delegates) > 0 {
		universe = append(universe, starts...) // offered where a rule has the key
	}
	if p.Agent.Delegates != nil && len(p.Agent.Delegates) == 0 {
		universe = slices.DeleteFunc(universe, func(tool string) bool { return slices.Contains(starts, tool) })
	}
	tools := []string{}
	for _, tool := range universe {
		if !restricted || slices.Contains(list, tool) {
			tools = append(tools, tool)
		}
	}
	slices.Sort(tools)
	return slices.Compact(tools)
}

// listed gives the native names that the entry's keys allow; without a list, and without access: read-only, the
// host's default holds.
func (p Promise) listed() (names []string, restricted bool) {
	a := p.Agent
	readOnly := a.Access == "read-only"
	if a.Tools == nil && !readOnly {
		return nil, false
	}
	shell := a.AllowReadOnlyShell != nil && *a.AllowReadOnlyShell
	for _, verb := range a.Tools {
		switch {
		case readOnly && verb == schema.Edit, readOnly && verb == schema.Shell && !shell:
		default:
			names = append(names, p.called(verb)...)
		}
	}
	if len(names) == 0 {
		names = slices.Clone(readBaseline[p.Facts.ID])
	}
	if len(a.Delegates) > 0 {
		names = append(names, p.called(schema.Delegate)...)
	}
	if len(a.Skills) > 0 {
		names = append(names, p.called(schema.Skill)...)
	}
	return names, true
}

// called gives all names that the host has for a verb, older ones and those of tools that one permission covers too.
func (p Promise) called(verb schema.Verb) []string {
	names := slices.Clone(p.Facts.Tools.Native(verb))
	for _, row := range p.Facts.Tools.Aliases {
		if row.Verb == verb {
			names = append(names, row.Native...)
		}
	}
	return names
}
