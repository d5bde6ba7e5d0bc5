package claude

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// aliases are other names of tools, which the client takes for the tools
// themselves. Read in the 2.1.332 program.
var aliases = map[string]string{
	"Task": "Agent", "KillShell": "TaskStop", "KillBash": "TaskStop", "ListPeers": "ListAgents", "Brief": "SendUserMessage",
	"ListMcpResources": "ListMcpResourcesTool", "ReadMcpResource": "ReadMcpResourceTool",
	"ReadMcpResourceDir": "ReadMcpResourceDirTool", "ProposeGoal": "SetGoal",
}

// tools reads the allow-list. Absent, it restricts nothing; null, empty and
// anything that is no list or text mean no tools at all.
func (d *decoder) tools(f schema.Field) {
	if k := f.Value.Kind; k != schema.List && k != schema.String {
		d.Warn(providers.CodeReadAs, f.Range, "Claude Code takes it for no tools at all. Remove the key to give every tool.", "tools is %s, not a list", k)
	}
	names := d.names(f)
	block := providers.ListField("tools", names, f.Value.Range)
	verbs, n := tools.Verbs(names)
	var refs []string
	for _, name := range names[n:] {
		ref, ok := mcpRef(name)
		if !ok {
			d.Either(nil, block)
			return
		}
		refs = append(refs, ref)
	}
	if len(verbs) == 0 {
		d.Either(nil, block)
		return
	}
	neutral := []schema.Field{providers.ListField("tools", verbs, f.Value.Range)}
	if len(refs) > 0 {
		neutral = append(neutral, providers.ListField("mcp", refs, f.Value.Range))
	}
	d.Either(neutral, block)
}

// mcpRef reads mcp__SERVER and mcp__SERVER__TOOL.
func mcpRef(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	ref := strings.Replace(rest, "__", "/", 1)
	return ref, ok && !strings.ContainsAny(rest, "*/") && mcpTools([]string{ref})[0] == name
}

// names reads a list of tools: every text in it is cut at commas and blanks
// outside of parentheses.
func (d *decoder) names(f schema.Field) []string {
	texts, others := []string{f.Value.Text()}, []*schema.Node(nil)
	if f.Value.Kind == schema.List {
		texts, others = providers.Texts(f.Value)
	} else if f.Value.Kind != schema.String {
		texts = nil
	}
	for _, n := range others {
		d.Drop(n.Range, "Claude Code takes texts there.", "an item of %s that is %s", f.Key, n.Kind)
	}
	names := []string{}
	for _, text := range texts {
		for _, name := range split(text) {
			base, pattern, cut := strings.Cut(name, "(")
			if full, ok := aliases[base]; ok {
				base = full
			}
			if cut {
				base += "(" + pattern
			}
			names = append(names, base)
		}
	}
	return names
}

// split cuts a text at commas and white space outside of parentheses.
func split(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		}
		return depth == 0 && (r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r')
	})
}

// disallowed reads the deny-list; without items it denies nothing.
func (d *decoder) disallowed(f schema.Field) {
	names := d.names(f)
	if len(names) == 0 {
		if f.Value.Kind != schema.Null && f.Value.Kind != schema.List {
			d.Drop(f.Range, "Claude Code takes a list of tools there.", "disallowedTools")
		}
		return
	}
	block := providers.ListField("disallowed_tools", names, f.Value.Range)
	if slices.Equal(names, tools.Native(schema.Delegate)) {
		d.Either([]schema.Field{providers.ListField("delegates", []string{}, f.Value.Range)}, block)
		return
	}
	d.Either(nil, block)
}

// skills reads a list of names, or one text with them.
func (d *decoder) skills(f schema.Field) {
	if f.Value.Kind == schema.String {
		f.Value = providers.ListNode(split(f.Value.Str), f.Value.Range)
	}
	if v := d.Fit("skills", f); v != nil && len(v.Items) > 0 {
		d.Set("skills", v)
	}
}

// model reads a name that the client can use; blank means the parent's.
func (d *decoder) model(f schema.Field) {
	name := strings.TrimSpace(f.Value.Text())
	switch {
	case f.Value.Kind == schema.Null || f.Value.Kind == schema.String && name == "":
		return
	case f.Value.Kind != schema.String:
		d.Drop(f.Range, "Claude Code takes text there, and the parent's model otherwise.", "a model that is %s", f.Value.Kind)
		return
	case !isModel(name):
		d.Drop(f.Value.Range, "Claude Code sends it as it stands, and the subagent fails to start. "+modelHint, "the model %q", name)
		return
	}
	block := providers.TextField("model", name, f.Value.Range)
	for _, tier := range []string{"light", "standard", "deep"} {
		if models[tier] == name {
			d.Either([]schema.Field{providers.TextField("tier", tier, f.Value.Range)}, block)
			return
		}
	}
	d.Either(nil, block)
}

// effort reads a level in any case.
func (d *decoder) effort(f schema.Field) {
	level := strings.ToLower(strings.TrimSpace(f.Value.Text()))
	if level == "med" {
		level = "medium"
	}
	if f.Value.Kind == schema.String {
		f.Value = providers.TextNode(level, f.Value.Range)
	}
	v := d.Fit("effort", f)
	switch {
	case v == nil:
	case slices.Contains([]string{"low", "medium", "high"}, v.Str):
		d.Either([]schema.Field{f}, f)
	default:
		d.Set("effort", v)
	}
}
