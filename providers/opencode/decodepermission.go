package opencode

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// permission reads the rules, with those of the deprecated tools before them. The
// order counts.
func (d *decoder) permission() {
	p := d.keys.Field("permission")
	folded := d.toolsMap()
	if p == nil && folded == nil {
		return
	}
	if p != nil {
		if !d.possible(*p) {
			return
		}
		rules := p.Value
		if rules.Kind == schema.String {
			rules = &schema.Node{Kind: schema.Map, Range: rules.Range, Fields: []schema.Field{{Key: all, Range: p.Range, Value: rules}}}
		}
		folded = over(folded, rules)
	}
	switch {
	case len(folded.Fields) == 0:
		return
	case len(folded.Fields) == 1 && folded.Fields[0].Key == all && folded.Fields[0].Value.Kind == schema.String:
		d.Set("permission", folded.Fields[0].Value)
		return
	}
	d.Either(neutral(folded), schema.Field{Key: "permission", Range: folded.Range, Value: folded})
}

// possible checks a permission; what is none stops the client, a key that cannot
// be carried is an error of ours.
func (d *decoder) possible(p schema.Field) bool {
	if _, misfits := schema.BlockValue(schema.OpenCodeID, "permission", p.Value); len(misfits) > 0 {
		d.stops(p.Value.Range, "Write allow, ask or deny, or a mapping of tools to them or to patterns.", "the permission is not possible")
		return false
	}
	for _, f := range p.Value.Fields {
		if f.Value.Kind == schema.Map && slices.Contains(actionOnly, f.Key) {
			d.stops(f.Range, "Write one action.", "the permission of %s takes no patterns", f.Key)
			return false
		}
		for _, key := range append([]schema.Field{f}, f.Value.Fields...) {
			if integerForm.MatchString(key.Key) || key.Key == prototype || len(key.Key) > maxKey {
				d.Fail(providers.CodeNotLoaded, key.Range, "Write it with a wildcard: OpenCode moves or loses such a key.", "the permission key %q does not stay where it stands", (&schema.Node{Str: key.Key}).Brief())
				return false
			}
		}
	}
	return true
}

// toolsMap turns the deprecated tools into rules: true allows, false denies, and
// what changes files is one key.
func (d *decoder) toolsMap() *schema.Node {
	f := d.keys.Field("tools")
	if f == nil {
		return nil
	}
	rules := &schema.Node{Kind: schema.Map, Range: f.Value.Range}
	if f.Value.Kind != schema.Map {
		d.stops(f.Value.Range, "Write permission: {TOOL: allow, ask or deny}.", "tools is %s, not a mapping to true or false", f.Value.Kind)
		return nil
	}
	for _, t := range f.Value.Fields {
		if t.Value.Kind != schema.Bool {
			d.stops(t.Value.Range, "Write true or false.", "%s in tools is %s", t.Key, t.Value.Kind)
			return nil
		}
		key, action := t.Key, deny
		if slices.Contains([]string{"write", "edit", "patch"}, key) {
			key = "edit"
		}
		if t.Value.Bool {
			action = allow
		}
		one := &schema.Node{Kind: schema.Map, Fields: []schema.Field{providers.TextField(key, action, t.Range)}}
		rules = over(rules, one)
	}
	d.Warn(providers.CodeReadAs, f.Range, "The entry has permission.", "tools is deprecated; OpenCode reads it as permission")
	return rules
}

// over lays rules over others: a key keeps its first place and gets the later
// value.
func over(below, above *schema.Node) *schema.Node {
	if below == nil {
		return above
	}
	out := *below
	out.Fields = slices.Clone(below.Fields)
	for _, f := range above.Fields {
		if old := out.Field(f.Key); old != nil {
			old.Value, old.Range = f.Value, f.Range
		} else {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}

// neutral gives the neutral keys that are written as exactly these rules, if
// there are any.
func neutral(permission *schema.Node) []schema.Field {
	at := permission.Range
	first := permission.Fields[0]
	names, some := startable(first)
	switch {
	case len(permission.Fields) == 1 && first.Key == taskKey && first.Value.Text() == deny:
		return []schema.Field{providers.ListField("delegates", []string{}, at)}
	case len(permission.Fields) == 1 && some:
		return []schema.Field{providers.ListField("delegates", names, at)}
	case some:
		rest := *permission
		rest.Fields = rest.Fields[1:]
		fields := allowed(&rest)
		if fields == nil || !slices.ContainsFunc(fields[0].Value.Items, func(v *schema.Node) bool { return v.Str == string(schema.Delegate) }) {
			return nil
		}
		return append(fields, providers.ListField("delegates", names, at))
	}
	return allowed(permission)
}

// startable reads a rule about starting subagents that names those that may be
// started, as [encoder.delegation] writes it.
func startable(f schema.Field) (names []string, ok bool) {
	patterns := f.Value.Fields
	if f.Key != taskKey || len(patterns) < 2 || patterns[0].Key != all || patterns[0].Value.Text() != deny {
		return nil, false
	}
	for _, p := range patterns[1:] {
		if p.Value.Text() != ask || p.Key != providers.ManifestName(p.Key) {
			return nil, false
		}
		names = append(names, p.Key)
	}
	return names, true
}

// allowed gives tools and mcp where rules are an allow-list.
func allowed(permission *schema.Node) []schema.Field {
	var refs []string
	for _, f := range permission.Fields {
		if f.Value.Text() != allow {
			continue
		}
		ref, ok := reference(f.Key)
		if !ok {
			return nil
		}
		refs = append(refs, ref)
	}
	var verbs []schema.Verb
	var natives []string
	for _, row := range tools.Names {
		if !slices.ContainsFunc(row.Native, func(key string) bool { return permission.Get(key) != nil }) {
			verbs, natives = append(verbs, row.Verb), append(natives, row.Native...)
		}
	}
	if want, _ := allowRules(natives, refs); len(verbs) == 0 || !same(want, permission) {
		return nil
	}
	at := permission.Range
	fields := []schema.Field{providers.ListField("tools", verbs, at)}
	if len(refs) > 0 {
		fields = append(fields, providers.ListField("mcp", refs, at))
	}
	return fields
}

// reference reads the key of a server or of one of its tools, where it can be
// read in one way only.
func reference(key string) (string, bool) {
	server, tool, ok := strings.Cut(key, "_")
	if !ok || server == "" || tool == "" || strings.Contains(tool, "_") || strings.ContainsAny(server, "*?") {
		return "", false
	}
	if tool == all {
		return server, true
	}
	return server + "/" + tool, !strings.ContainsAny(tool, "*?")
}

// same says whether rules are what a permission has, in order.
func same(r rules, permission *schema.Node) bool {
	return slices.EqualFunc(r, permission.Fields, func(x schema.OpenCodeRule, f schema.Field) bool {
		return x.Tool == f.Key && f.Value.Kind == schema.String && x.Action == f.Value.Str
	})
}
