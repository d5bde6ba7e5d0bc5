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
	out := &Node{Kind: Map, Range: root.Range, Fields: []Field{{"subagents", list.Range, list.Value}}}
	if list.Value.Kind == List {
		entries := *list.Value
		entries.Items = make([]*Node, len(list.Value.Items))
		for i, item := range list.Value.Items {
			entries.Items[i] = l.entry(item)
		}
		out.Fields[0].Value = &entries
	}
	return out, l.diags
}

type legacyReader struct{ diags hcl.Diagnostics }

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
	if item.Kind != Map {
		return item
	}
	e := *item
	e.Fields = slices.Clone(item.Fields)
	e.Fields = append(e.Fields, Field{"targets", item.Range, &Node{Kind: List, Items: []*Node{}, Range: item.Range}})
	enabled := false
	for i, f := range e.Fields {
		if f.Key != "providers" || f.Value.Kind != Map {
			continue
		}
		blocks := *f.Value
		blocks.Fields = slices.Clone(f.Value.Fields)
		for j, b := range blocks.Fields {
			blocks.Fields[j].Value = l.block(b.Key, b.Value)
			on := b.Value.Get("enabled")
			enabled = enabled || on != nil && on.Bool
		}
		e.Fields[i].Value = &blocks
	}
	absent := e.Get("state").Text() == "absent"
	if e.Get("providers") == nil && !absent {
		l.diags = append(l.diags, Problem(CodeMissingKey, item.Range, `"providers" is missing`,
			"Add a block for codex, claude or goose, with enabled: true for each host that is to get the subagent."))
	}
	if !enabled || absent {
		for _, key := range []string{"description", "instructions"} {
			if e.Get(key) == nil {
				e.Fields = append(e.Fields, Field{key, item.Range, textNode(item.Range, "(not rendered)")})
			}
		}
	}
	return &e
}

// block turns one provider block.
func (l *legacyReader) block(host string, block *Node) *Node {
	if block.Kind != Map {
		return block
	}
	b := *block
	b.Fields = nil
	for _, f := range block.Fields {
		switch {
		case f.Key == "extra_frontmatter" && host == string(ClaudeID) && f.Value.Kind == Map:
			l.frontMatter(&b, f)
		case f.Key == "mcp_servers" && host == string(CodexID) && f.Value.Kind == List:
			l.drop(f.Range, "a bare list of names in mcp_servers", "Codex takes a table for each server; without the key it uses the ones of its own configuration.")
		default:
			b.Fields = append(b.Fields, f)
		}
	}
	if b.Field("enabled") == nil {
		b.Fields = append(b.Fields, Field{"enabled", block.Range, boolNode(block.Range, false)})
	}
	if b.Field("format") == nil && host == string(GooseID) {
		b.Fields = append(b.Fields, Field{"format", block.Range, textNode(block.Range, "recipe")})
	}
	if b.Field("scope") == nil {
		b.Fields = append(b.Fields, Field{"scope", block.Range, textNode(block.Range, string(UserScope))})
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

// frontMatter spreads extra_frontmatter: what the block models goes there, the
// rest into extra.
func (l *legacyReader) frontMatter(block *Node, f Field) {
	extra := mapNode(f.Value.Range)
	for _, key := range f.Value.Fields {
		ours, known := modelled[key.Key]
		switch {
		case slices.Contains(managed, key.Key):
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

func (l *legacyReader) drop(at hcl.Range, what, detail string) {
	l.diags = append(l.diags, Warning(CodeCompat, at, what+" is left out", detail))
}

// forgive turns problems inside a provider block that the host would meet by
// dropping the value into warnings, and takes the values out of the tree.
func forgive(root *Node, problems hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range problems {
		if code := CodeOf(d); code != CodeBadValue && code != CodeWrongType {
			continue
		}
		for _, item := range root.Get("subagents").List() {
			for _, block := range providersOf(item) {
				for i, f := range block.Value.Fields {
					if f.Key == "enabled" || f.Key == "scope" || !within(*d.Subject, f.Value) {
						continue
					}
					block.Value.Fields = slices.Delete(block.Value.Fields, i, i+1)
					d.Severity, d.Extra = hcl.DiagWarning, CodeCompat
					d.Summary += fmt.Sprintf("; %q is left out", f.Key)
					break
				}
			}
		}
	}
	return problems
}

func providersOf(item *Node) []Field {
	blocks := item.Get("providers")
	if blocks == nil || blocks.Kind != Map {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(blocks.Fields), func(f Field) bool { return f.Value.Kind != Map })
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
