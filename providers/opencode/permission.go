package opencode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

type rules []schema.OpenCodeRule

// The actions, and the pattern that covers everything.
const (
	allow = "allow"
	ask   = "ask"
	deny  = "deny"
	all   = "*"
)

// permission decides the rules of a subagent. What ranks higher stands later,
// since the last match wins: the block's own rules behind the denials that the
// entry's neutral keys mean, and before them where they come from defaults.
func (e *encoder) permission() rules {
	type part struct {
		rank  schema.Rank
		rules rules
	}
	a := e.a
	list := providers.ListTools(a, &facts, nil, &e.out)
	e.diags = append(e.diags, list.Problems...)
	parts := []part{{a.Rank("delegates"), e.delegation()}}
	if list.Restricted {
		rank := a.Rank("tools")
		if a.ReadOnly() {
			rank = max(rank, a.Rank("access"))
		}
		parts = append(parts, part{rank, e.allowList(list)})
	} else if len(a.MCP) > 0 {
		e.out.Use("mcp#without-tools", strings.Join(a.MCP, ", "), a.At("mcp"))
	}
	parts = append(parts, part{a.Rank("opencode.permission"), e.blockRules()})
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(x.rank, y.rank) })
	var done rules
	for _, p := range parts {
		done = done.under(p.rules)
	}
	return done
}

// allowList writes a list of tools as denials of the others, so that what the
// session denies or asks about stays denied or asked about. The one thing that
// is allowed are the servers that mcp names.
func (e *encoder) allowList(list providers.ToolList) rules {
	done, servers := allowRules(list.Natives, e.a.MCP)
	at := e.a.At("tools")
	if e.a.Tools == nil {
		at = e.a.At("access")
	}
	e.out.Use("tools#denials", "", at)
	if len(servers) > 0 {
		e.out.Use("mcp#allowed", strings.Join(e.a.MCP, ", "), e.a.At("mcp"))
	}
	e.out.Shown("tools", strings.Join(list.Natives, ", "))
	return done
}

// allowRules writes an allow-list of native keys and MCP servers.
func allowRules(natives, refs []string) (done, servers rules) {
	done = rules{{Tool: underscored, Action: deny}}
	servers = rules{}
	for _, ref := range refs {
		if key := serverKey(ref); !servers.has(key) {
			servers = append(servers, schema.OpenCodeRule{Tool: key, Action: allow})
		}
	}
	done = append(done, servers...)
	for _, key := range underscoredKeys {
		if servers.decides(key) {
			done = slices.DeleteFunc(done, func(r schema.OpenCodeRule) bool { return r.Tool == key })
			done = append(done, schema.OpenCodeRule{Tool: key, Action: deny})
		}
	}
	for _, key := range deniable {
		granted := slices.Contains(natives, key) || key == codeKey && len(servers) > 0
		if !granted {
			done = append(done, schema.OpenCodeRule{Tool: key, Action: deny})
		}
	}
	return done, servers
}

// delegation writes whom a subagent may start. There is no way to leave names
// out of a denial but another action for them; ask is the weaker of the two
// (docs/decisions/0003).
func (e *encoder) delegation() rules {
	names := e.a.Delegates
	switch {
	case names == nil:
		return nil
	case len(names) == 0:
		e.out.Shown("delegates", "task: deny")
		return rules{{Tool: taskKey, Action: deny}}
	}
	patterns := []schema.OpenCodePattern{{Pattern: all, Action: deny}}
	for _, name := range names {
		patterns = append(patterns, schema.OpenCodePattern{Pattern: name, Action: ask})
	}
	e.out.Shown("delegates", "task: ask for "+strings.Join(names, ", ")+", else deny")
	return rules{{Tool: taskKey, Patterns: patterns}}
}

// under lays rules over these: they stand behind. A key may stand only once in
// a file, so that of a key which both have the later place stays, with the
// earlier rules in it where they still decide something.
func (r rules) under(over rules) rules {
	var done rules
	for _, rule := range r {
		if !over.has(rule.Tool) {
			done = append(done, rule)
		}
	}
	for i, rule := range over {
		below := slices.IndexFunc(r, func(x schema.OpenCodeRule) bool { return x.Tool == rule.Tool })
		if below >= 0 && !whole(rule) && !over[:i].decides(rule.Tool) {
			rule = merged(r[below], rule)
		}
		done = append(done, rule)
	}
	return done
}

// merged puts the patterns of a rule behind those of another for the same key.
func merged(below, rule schema.OpenCodeRule) schema.OpenCodeRule {
	patterns := slices.Clone(below.Patterns)
	if below.Action != "" {
		patterns = []schema.OpenCodePattern{{Pattern: all, Action: below.Action}}
	}
	patterns = slices.DeleteFunc(patterns, func(p schema.OpenCodePattern) bool {
		return slices.ContainsFunc(rule.Patterns, func(q schema.OpenCodePattern) bool { return q.Pattern == p.Pattern })
	})
	return schema.OpenCodeRule{Tool: rule.Tool, Patterns: append(patterns, rule.Patterns...)}
}

// whole says whether a rule decides about every argument.
func whole(r schema.OpenCodeRule) bool {
	return r.Action != "" || slices.ContainsFunc(r.Patterns, func(p schema.OpenCodePattern) bool { return p.Pattern == all })
}

func (r rules) has(key string) bool {
	return slices.ContainsFunc(r, func(x schema.OpenCodeRule) bool { return x.Tool == key })
}

// decides says whether one of the rules decides about every argument of a key.
func (r rules) decides(key string) bool {
	return slices.ContainsFunc(r, func(x schema.OpenCodeRule) bool { return whole(x) && matches(x.Tool, key) })
}

// last gives the action of the last rule that matches, with its key; none where
// no rule does.
func (r rules) last(key, argument string) (action, from string) {
	for _, rule := range r {
		if !matches(rule.Tool, key) {
			continue
		}
		if rule.Action != "" {
			action, from = rule.Action, rule.Tool
		}
		for _, p := range rule.Patterns {
			if matches(p.Pattern, argument) {
				action, from = p.Action, rule.Tool
			}
		}
	}
	return action, from
}
