package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// legacyRoot is the root key of a manifest in the spelling of an existing
// public Ansible setup: a list of entries with name, slug, state, description,
// instructions and blocks for codex, claude and goose that are off until
// enabled.
const legacyRoot = "agent_tools_subagents"

// fromLegacy turns such a manifest into ours. The values keep their places, so
// that every later message points at what stands in the file.
func fromLegacy(root *Node) (*Node, hcl.Diagnostics) {
	l := &legacyReader{}
	list := root.Field(legacyRoot)
	for _, f := range root.Fields {
		if f.Key != legacyRoot {
			l.diags = append(l.diags, Problemf(CodeUnknownKey, f.Range, "Such a manifest has one root key. To use more, write a manifest with a subagents list.",
				"unknown key %q beside %s", f.Key, legacyRoot))
		}
	}
	if list.Value.Kind != List {
		l.error(CodeWrongType, list.Value, "Write a list of entries.", "%q must be a list, not %s", legacyRoot, list.Value.Kind)
	}
	entries := &Node{Kind: List, Items: []*Node{}, Range: list.Value.Range}
	for _, item := range list.Value.List() {
		if item.Kind != Map {
			l.error(CodeWrongType, item, "Write name, description, instructions and providers below each other.",
				"an entry of %s must be a mapping, not %s", legacyRoot, item.Kind)
			continue
		}
		entries.Items = append(entries.Items, l.entry(item))
	}
	return mapNode(root.Range, Field{"subagents", list.Range, entries}), l.diags
}

type legacyReader struct{ diags hcl.Diagnostics }

func (l *legacyReader) error(code Code, at *Node, detail, format string, args ...any) {
	l.diags = append(l.diags, Problemf(code, at.Range, detail, format, args...))
}

func (l *legacyReader) drop(at hcl.Range, what, detail string) {
	l.diags = append(l.diags, Warning(CodeCompat, at, what+" is left out", detail))
}

func textNode(at hcl.Range, s string) *Node { return &Node{Kind: String, Str: s, Range: at} }

func boolNode(at hcl.Range, b bool) *Node {
	return &Node{Kind: Bool, Bool: b, Str: fmt.Sprint(b), Range: at}
}

func mapNode(at hcl.Range, fields ...Field) *Node {
	return &Node{Kind: Map, Fields: fields, Range: at}
}

// entry turns one entry: no host is a target unless its block is enabled, and
// a text that no enabled block needs may be missing.
func (l *legacyReader) entry(item *Node) *Node {
	e := *item
	e.Fields = slices.Clone(item.Fields)
	if e.Field("targets") == nil {
		e.Fields = append(e.Fields, Field{"targets", item.Range, &Node{Kind: List, Items: []*Node{}, Range: item.Range}})
	}
	absent := e.Get("state").Text() == "absent"
	enabled := false
	providers := e.Field("providers")
	switch {
	case providers == nil || providers.Value.Kind == Null:
		if !absent {
			l.error(CodeMissingKey, item, "Add a block for codex, claude or goose, with enabled: true for each host that is to get the subagent.",
				`"providers" is missing`)
		}
	case providers.Value.Kind == Map:
		providers.Value, enabled = l.blocks(providers.Value)
	}
	if !enabled || absent {
		for _, key := range []string{"description", "instructions"} {
			if text := e.Get(key); text == nil || text.Kind == Null {
				e.Fields = slices.DeleteFunc(e.Fields, func(f Field) bool { return f.Key == key })
				e.Fields = append(e.Fields, Field{key, item.Range, textNode(item.Range, "(not rendered)")})
			}
		}
	}
	return &e
}

// blocks turns the provider blocks of an entry, and says whether one is on.
func (l *legacyReader) blocks(providers *Node) (blocks *Node, enabled bool) {
	out := *providers
	out.Fields = slices.Clone(providers.Fields)
	for i, f := range out.Fields {
		switch f.Value.Kind {
		case Null:
			l.error(CodeNullValue, f.Value, "Write its keys below it, enabled: true among them, or take it out.", "the block %q is empty", f.Key)
		case Map:
			out.Fields[i].Value = l.block(f.Key, f.Value)
			on := f.Value.Get("enabled")
			enabled = enabled || on != nil && on.Bool
		}
	}
	return &out, enabled
}

// block turns one provider block.
func (l *legacyReader) block(host string, block *Node) *Node {
	b := *block
	b.Fields = nil
	for _, f := range block.Fields {
		switch {
		case f.Key == "extra_frontmatter" && host == string(ClaudeID):
			l.frontMatter(block, &b, f)
		case f.Key == "tools" && host == string(ClaudeID) && f.Value.Kind == String:
			b.Fields = append(b.Fields, Field{f.Key, f.Range, splitList(f.Value)})
		case f.Key == "mcp_servers" && host == string(CodexID) && f.Value.Kind == List:
			l.drop(f.Range, "a bare list of names in mcp_servers", "Codex takes a table for each server; without the key it uses the ones of its own configuration.")
		default:
			b.Fields = append(b.Fields, f)
		}
	}
	at := block.Range
	standard := []Field{{"enabled", at, boolNode(at, false)}, {"scope", at, textNode(at, string(UserScope))}}
	if host == string(GooseID) {
		standard = append(standard, Field{"format", at, textNode(at, "recipe")})
	}
	for _, f := range standard {
		if b.Field(f.Key) == nil {
			b.Fields = append(b.Fields, f)
		}
	}
	return &b
}

// modelled maps the front matter keys of Claude Code that have a key of their
// own in the block to it; managed names those that extra_frontmatter never
// overrode.
var (
	modelled = map[string]string{
		"effort": "effort", "disallowedTools": "disallowed_tools", "permissionMode": "permission_mode",
		"maxTurns": "max_turns", "skills": "skills", "mcpServers": "mcp_servers", "hooks": "hooks", "memory": "memory",
		"background": "background", "isolation": "isolation", "color": "color", "initialPrompt": "initial_prompt",
		"omitClaudeMd": "omit_claude_md", "autoCompactWindow": "auto_compact_window",
	}
	managed = []string{"name", "description", "model", "tools"}
)

// frontMatter spreads extra_frontmatter over a block: what the block models goes
// there unless the block says it itself, the rest into extra.
func (l *legacyReader) frontMatter(from, block *Node, f Field) {
	if f.Value.Kind != Map {
		if f.Value.Kind != Null {
			l.error(CodeWrongType, f.Value, "Write a mapping.", "%q must be a mapping, not %s", f.Key, f.Value.Kind)
		}
		return
	}
	extra := mapNode(f.Value.Range)
	for _, key := range f.Value.Fields {
		ours, known := modelled[key.Key]
		switch {
		case slices.Contains(managed, key.Key) || known && from.Field(ours) != nil:
			l.drop(key.Range, fmt.Sprintf("%q in extra_frontmatter", key.Key), "It never overrides the managed key. Set the key of the block instead.")
		case known:
			value := key.Value
			if value.Kind == String && (ours == "disallowed_tools" || ours == "skills") {
				value = splitList(value)
			}
			block.Fields = append(block.Fields, Field{ours, key.Range, value})
		default:
			extra.Fields = append(extra.Fields, key)
		}
	}
	if len(extra.Fields) > 0 {
		block.Fields = append(block.Fields, Field{"extra", f.Range, extra})
	}
}

// splitList reads a comma list as the client does.
func splitList(n *Node) *Node {
	list := &Node{Kind: List, Items: []*Node{}, Range: n.Range}
	for _, item := range strings.FieldsFunc(n.Str, func(r rune) bool { return r == ',' || r == ' ' }) {
		list.Items = append(list.Items, textNode(n.Range, item))
	}
	return list
}

// droppable lists the keys of a Claude Code block whose value the client ignores
// when it cannot use it, and loads the agent all the same (observed on 2.1.332).
// A list of tools is not among them: without it the agent would get them all.
// Codex and goose refuse the whole file.
var droppable = []string{
	"effort", "permission_mode", "max_turns", "mcp_servers", "memory", "background", "isolation", "color", "initial_prompt",
	"omit_claude_md", "auto_compact_window",
}

// forgive turns problems that the host would meet by dropping the value into
// warnings, and takes the values out of the tree.
func forgive(root *Node, problems hcl.Diagnostics) hcl.Diagnostics {
	drop := map[*Node][]string{} // block → keys
	for _, d := range problems {
		if code := CodeOf(d); code != CodeBadValue && code != CodeWrongType {
			continue
		}
		for _, item := range root.Get("subagents").List() {
			block := item.At("providers", string(ClaudeID))
			for _, key := range droppable {
				if value := block.Get(key); value != nil && within(*d.Subject, value) {
					drop[block] = append(drop[block], key)
					d.Severity, d.Extra = hcl.DiagWarning, CodeCompat
				}
			}
		}
		if d.Severity == hcl.DiagWarning {
			d.Summary += "; the value is left out"
		}
	}
	for block, keys := range drop {
		block.Fields = slices.DeleteFunc(block.Fields, func(f Field) bool { return slices.Contains(keys, f.Key) })
	}
	return problems
}

// within says whether a range starts at a node or at anything inside it.
func within(r hcl.Range, n *Node) bool {
	if n.Range.Filename == r.Filename && n.Range.Start == r.Start {
		return true
	}
	for _, item := range n.Items {
		if within(r, item) {
			return true
		}
	}
	for _, f := range n.Fields {
		if f.Range.Start == r.Start || within(r, f.Value) {
			return true
		}
	}
	return false
}
