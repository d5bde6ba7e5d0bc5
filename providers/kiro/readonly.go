package kiro

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// keepReading holds the keys of the block against access: read-only, other
// than the tools, which [providers.ListTools] holds. The list of tools binds in
// both engines, so that most of this could have no effect; it would be waiting
// for somebody to add a tool.
func (e *encoder) keepReading() {
	b := *e.block // what is stripped must not reach the manifest's own
	e.block = &b
	b.AllowedTools = slices.Clone(b.AllowedTools)
	b.AllowedTools = slices.DeleteFunc(b.AllowedTools, func(name string) bool {
		return !e.reads(name) && e.strip("allowed_tools", name, e.itemAt("allowed_tools", name))
	})
	b.ToolAliases = maps.Clone(b.ToolAliases)
	for _, name := range slices.Sorted(maps.Keys(b.ToolAliases)) {
		if !e.reads(name) && e.strip("tool_aliases", name, e.keyAt("tool_aliases", name)) {
			delete(b.ToolAliases, name)
		}
	}
	if b.Permissions != nil {
		b.Permissions = e.readingPermissions(*b.Permissions)
	}
}

// reads says whether a read-only agent may have a native tool.
func (e *encoder) reads(name string) bool {
	verb, _ := tools.Verb(name)
	return tools.Reads(name) || verb == schema.Shell && providers.AllowsShell(e.a)
}

// writing lists the capabilities with which an agent can change files. The
// documentation has all and fs_write; the others are from a third-party reading
// of V3.
var writing = []string{"fs_write", "shell", "all", "filesystem", "builtin"}

// writingPolicies are the presets that allow one of those.
var writingPolicies = []string{"allow-all", "edit-workspace", "dev-shell", "read-only-shell"}

func (e *encoder) readingPermissions(p schema.KiroPermissions) *schema.KiroPermissions {
	s, _ := e.a.Setting("kiro.permissions")
	var rules []schema.KiroRule
	for i, r := range p.Rules {
		shell := r.Capability == "shell" && providers.AllowsShell(e.a)
		if r.Effect != "deny" && slices.Contains(writing, r.Capability) && !shell &&
			e.strip("permissions", r.Effect+" "+r.Capability, s.Value.Get("rules").Items[i].Range) {
			continue
		}
		rules = append(rules, r)
	}
	var policies []string
	for i, name := range p.Policies {
		shell := strings.HasSuffix(name, "-shell") && providers.AllowsShell(e.a)
		if slices.Contains(writingPolicies, name) && !shell && e.strip("permissions", name, s.Value.Get("policies").Items[i].Range) {
			continue
		}
		policies = append(policies, name)
	}
	return &schema.KiroPermissions{Rules: rules, Policies: policies}
}

// strip refuses what would widen a read-only agent where the entry's own block
// says it, and takes it away where defaults do.
func (e *encoder) strip(key, what string, at hcl.Range) bool {
	full := e.a.BlockKey(key)
	if e.a.Rank(full) == schema.FromBlock {
		e.fail(schema.CodeToolConflict, at, "Remove it, or set access: workspace-write.",
			"%q is read-only and its block has %q in %s, which can write", e.a.Name, what, key)
	}
	e.out.Use("tools#stripped", what, at)
	return true
}
