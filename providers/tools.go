package providers

import (
	"slices"

	"github.com/seed-337579fc/subagents/schema"
)

// Tools maps the neutral verbs to what a host calls them.
type Tools struct {
	Names    []ToolName
	Baseline []string // native: what a subagent may use that was given an empty list
	// Reading lists further native tools that change nothing, beyond those that
	// the names map non-mutating verbs to. A name ending in * is a prefix.
	Reading []string
	// Writing lists native tools that a prefix in Reading matches and that can
	// change something all the same.
	Writing []string
	// Aliases are further native names of the same tools, older ones say: they
	// are recognised, and never written.
	Aliases []ToolName
	// Other lists native names that no verb stands for and that may change
	// something.
	Other []string
}

// ToolName is a row: a verb with the native tools that it stands for. A verb
// without a row has none on the host.
type ToolName struct {
	Verb   schema.Verb
	Native []string
}

// Native gives what a host calls a verb; none where it has no such tool.
func (t *Tools) Native(v schema.Verb) []string {
	for _, row := range t.Names {
		if row.Verb == v {
			return row.Native
		}
	}
	return nil
}

// Verb gives the neutral verb for a native tool, by any of its names.
func (t *Tools) Verb(native string) (schema.Verb, bool) {
	for _, rows := range [][]ToolName{t.Names, t.Aliases} {
		for _, row := range rows {
			if slices.Contains(row.Native, native) {
				return row.Verb, true
			}
		}
	}
	return "", false
}

// Reads says whether a native tool is known to change nothing.
func (t *Tools) Reads(native string) bool {
	if verb, ok := t.Verb(native); ok {
		return !verb.Mutating()
	}
	if slices.Contains(t.Writing, native) {
		return false
	}
	return slices.ContainsFunc(t.Reading, func(known string) bool { return matches(known, native) })
}

func matches(known, native string) bool {
	if n := len(known) - 1; n >= 0 && known[n] == '*' {
		return len(native) >= n && native[:n] == known[:n]
	}
	return known == native
}

// Known says whether the host is known to have a tool, or a group of tools, of
// this name.
func (t *Tools) Known(native string) bool {
	_, verb := t.Verb(native)
	return verb || t.Reads(native) || slices.Contains(t.Writing, native) || slices.Contains(t.Other, native)
}

// A Grant is what a subagent may use, as verbs, after the rules on tools and
// access that hold on every host.
type Grant struct {
	Restricted bool          // an allow-list holds; otherwise the host's default does
	Verbs      []schema.Verb // the list, in the manifest's order; empty: the read baseline
	Stripped   []schema.Verb // what access: read-only took away
	Denied     bool          // delegates: [] forbids to start subagents
}

// GrantOf applies the rules: without tools and access nothing is restricted;
// read-only takes away what can write; a list gains delegate and skill where
// delegates and skills need them, and never appears because of them.
func GrantOf(a *Agent) Grant {
	g := Grant{Denied: a.Delegates != nil && len(a.Delegates) == 0}
	g.Restricted = a.Tools != nil || a.ReadOnly()
	if !g.Restricted {
		return g
	}
	for _, v := range a.Tools {
		switch {
		case a.ReadOnly() && v.Mutating() && (v != schema.Shell || !AllowsShell(a)):
			g.Stripped = append(g.Stripped, v)
		case v == schema.Delegate && g.Denied:
		default:
			g.Verbs = append(g.Verbs, v)
		}
	}
	return g
}

// Extra lists the verbs that other keys of the entry bring into a list.
func (g Grant) Extra(a *Agent) []schema.Verb {
	var extra []schema.Verb
	if len(a.Delegates) > 0 && !slices.Contains(g.Verbs, schema.Delegate) {
		extra = append(extra, schema.Delegate)
	}
	if len(a.Skills) > 0 && !slices.Contains(g.Verbs, schema.Skill) {
		extra = append(extra, schema.Skill)
	}
	return extra
}

// AllowsShell says whether a read-only entry may list the shell all the same.
func AllowsShell(a *Agent) bool { return a.AllowReadOnlyShell != nil && *a.AllowReadOnlyShell }

// Natives writes a grant in native names: the verbs that the host has, the
// baseline where none is left, then what other keys bring in.
func (t *Tools) Natives(a *Agent, g Grant) []string {
	var natives []string
	add := func(verbs ...schema.Verb) {
		for _, v := range verbs {
			for _, n := range t.Native(v) {
				if !slices.Contains(natives, n) {
					natives = append(natives, n)
				}
			}
		}
	}
	add(g.Verbs...)
	if len(natives) == 0 {
		natives = slices.Clone(t.Baseline)
	}
	add(g.Extra(a)...)
	return natives
}

// Verbs reads the start of a native list back into verbs: as many of its items
// as are exactly what the verbs, in this order, are written as. It gives how
// many that are.
func (t *Tools) Verbs(natives []string) (verbs []schema.Verb, n int) {
	for n < len(natives) {
		row := slices.IndexFunc(t.Names, func(row ToolName) bool {
			end := n + len(row.Native)
			return end <= len(natives) && slices.Equal(row.Native, natives[n:end])
		})
		if row < 0 || slices.Contains(verbs, t.Names[row].Verb) {
			break
		}
		verbs, n = append(verbs, t.Names[row].Verb), n+len(t.Names[row].Native)
	}
	return verbs, n
}
