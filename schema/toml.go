package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads a TOML document into a tree. TOML has no null: in an entry, a
// provider block, defaults and the root, unset = ["key"] stands for key: null.
func parseTOML(src *Source) (*Node, hcl.Diagnostics) {
	t := tomlReader{src: src, keys: keyIndex{}, tables: map[*Node]tomlTable{}}
	root := &Node{Kind: Map, Range: src.Range(0, src.lineEnd(0))}
	if d := t.read(root); d != nil {
		return nil, append(t.diags, d)
	}
	if deep := tooDeep(root, 0); deep != nil {
		return nil, hcl.Diagnostics{Problem(CodeTooDeep, deep.Range, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")}
	}
	if len(root.Fields) == 0 {
		return nil, hcl.Diagnostics{emptyManifest(src)}
	}
	t.nulls(root)
	return root, t.diags
}

// tooDeep gives the first map or list that has too many others around it.
func tooDeep(n *Node, depth int) *Node {
	if n.Kind != Map && n.Kind != List {
		return nil
	}
	if depth >= maxDepth {
		return n
	}
	for _, item := range n.Items {
		if deep := tooDeep(item, depth+1); deep != nil {
			return deep
		}
	}
	for _, f := range n.Fields {
		if deep := tooDeep(f.Value, depth+1); deep != nil {
			return deep
		}
	}
	return nil
}

type tomlReader struct {
	src      *Source
	p        unstable.Parser
	keys     keyIndex
	tables   map[*Node]tomlTable
	sections int // headers and inline tables so far
	values   int
	at       int // the end of what was read last
	diags    hcl.Diagnostics
}

// read fills the root with the document's tables. The problem is that of a text
// that is no TOML, or that has too many values.
func (t *tomlReader) read(root *Node) *hcl.Diagnostic {
	t.p.Reset(t.src.Bytes)
	table, section := root, 0
	for t.p.NextExpression() {
		e := t.p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		switch e.Kind {
		case unstable.KeyValue:
			t.keyValue(table, e, section)
		case unstable.Table:
			table, section = t.table(root, e, false), t.newSection()
		case unstable.ArrayTable:
			table, section = t.table(root, e, true), t.newSection()
		}
		if t.over() {
			return Problem(CodeTooLarge, t.src.Range(t.at, t.at), fmt.Sprintf("more than %d values", maxValues), "Split the manifest, and name the parts in include.")
		}
	}
	err := t.p.Error()
	if err == nil {
		return nil
	}
	start, length := len(t.src.Bytes), 1
	if p, ok := errors.AsType[*unstable.ParserError](err); ok {
		start, length = int(t.p.Range(p.Highlight).Offset), max(len(p.Highlight), 1)
	}
	return Problem(CodeSyntax, t.src.Range(start, min(start+length, max(start, t.src.lineEnd(start)))), "not valid TOML: "+err.Error(),
		"Check quoting and brackets. Texts of several lines stand between three quotes.")
}

// over says that there are more values than may be.
func (t *tomlReader) over() bool { return t.values > maxValues }

func (t *tomlReader) rangeOf(n *unstable.Node) hcl.Range {
	start := int(n.Raw.Offset)
	return t.src.Range(start, min(start+int(n.Raw.Length), t.src.lineEnd(start)))
}

// key reads one part of a key.
func (t *tomlReader) key(n *unstable.Node) (name string, where hcl.Range) {
	t.at = int(n.Raw.Offset + n.Raw.Length)
	return string(n.Data), t.rangeOf(n)
}

// value reads a value.
func (t *tomlReader) value(v *unstable.Node) *Node {
	n := &Node{Str: string(v.Data)}
	if t.values++; t.over() {
		return n // read reports it
	}
	switch v.Kind {
	case unstable.Array:
		n.Kind, n.Items = List, []*Node{}
		t.enclosed(n, '[', ']', func() {
			for items := v.Children(); items.Next() && !t.over(); {
				if item := items.Node(); item.Kind != unstable.Comment {
					n.Items = append(n.Items, t.value(item))
				}
			}
		})
		return n
	case unstable.InlineTable:
		n.Kind = Map
		section := t.newSection()
		t.tables[n] = tomlTable{how: tomlInline}
		t.enclosed(n, '{', '}', func() {
			for items := v.Children(); items.Next() && !t.over(); {
				if item := items.Node(); item.Kind == unstable.KeyValue {
					t.keyValue(n, item, section)
				}
			}
		})
		return n
	}
	n.Range, t.at = t.rangeOf(v), int(v.Raw.Offset+v.Raw.Length)
	switch v.Kind {
	case unstable.Bool:
		n.Kind, n.Bool = Bool, n.Str == "true"
	case unstable.Integer, unstable.Float:
		if err := n.setNumber(strings.ReplaceAll(strings.TrimPrefix(n.Str, "+"), "_", "")); err != nil {
			t.diags = append(t.diags, Problem(CodeSyntax, n.Range, err.Error(), "Write a finite number."))
		}
	case unstable.String:
		n.Kind, n.block = String, t.block(v)
	default: // dates and times, which are texts to a manifest
		n.Kind = String
		if err := toml.Unmarshal([]byte("x="+n.Str), new(struct{ X any })); err != nil {
			t.diags = append(t.diags, Problem(CodeSyntax, n.Range, "not valid TOML: "+strings.TrimPrefix(err.Error(), "toml: "), "Put it in quotes if it is meant as text."))
		}
	}
	return n
}

// enclosed reads what stands between two brackets; the parser does not say
// where they are.
func (t *tomlReader) enclosed(n *Node, open, end byte, inside func()) {
	start := t.bracket(open)
	inside()
	t.bracket(end)
	n.Range = t.src.Range(start, min(t.at, t.src.lineEnd(start)))
}

// bracket finds the next bracket behind what was read last: only white space,
// commas, the sign of a key and comments can stand before it.
func (t *tomlReader) bracket(b byte) int {
	data := t.src.Bytes
	for t.at < len(data) && data[t.at] != b {
		if data[t.at] == '#' {
			t.at = t.src.lineEnd(t.at)
			continue
		}
		t.at++
	}
	t.at = min(t.at+1, len(data))
	return t.at - 1
}

// block locates the lines of a text of several lines that stands in the file as
// it is: in single quotes, or in double ones without an escape.
func (t *tomlReader) block(v *unstable.Node) *blockText {
	raw := string(t.p.Raw(v.Raw))
	rest, ok := strings.CutPrefix(raw, "'''")
	if !ok {
		if rest, ok = strings.CutPrefix(raw, `"""`); !ok || strings.Contains(raw, `\`) {
			return nil
		}
	}
	start := int(v.Raw.Offset) + 3
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		start += 2
	case strings.HasPrefix(rest, "\n"):
		start++
	default:
		return nil
	}
	return &blockText{src: t.src, offset: start}
}

// nulls turns unset = ["key"] into nulls, in the tables of the manifest that a
// layer of settings lies beneath.
func (t *tomlReader) nulls(root *Node) {
	t.unset(root)
	settle := func(n *Node) {
		t.unset(n)
		if blocks := n.Get("providers"); blocks != nil {
			t.unset(blocks)
			for _, f := range blocks.Fields {
				t.unset(f.Value)
			}
		}
	}
	if d := root.Get("defaults"); d != nil {
		settle(d)
	}
	for _, item := range root.Get("subagents").List() {
		settle(item)
	}
}

func (t *tomlReader) unset(n *Node) {
	f := n.Field("unset")
	if f == nil || f.Value.Kind != List {
		return
	}
	items, out := f.Value.Items, *n
	out.Fields = nil
	for _, other := range n.Fields {
		if other.Key != "unset" {
			out.Fields = append(out.Fields, other)
		}
	}
	keys := keyIndex{}
	for _, item := range items {
		switch first := keys.find(&out, item.Str); {
		case item.Kind != String:
			t.diags = append(t.diags, Problem(CodeWrongType, item.Range, fmt.Sprintf("%q must be a list of texts", "unset"), "Write the names of keys in quotes."))
		case first == nil:
			out.Fields = append(out.Fields, Field{Key: item.Str, Range: item.Range, Value: &Node{Kind: Null, Range: item.Range}})
		case first.Value.Kind == Null:
			t.diags = append(t.diags, Problem(CodeDuplicateKey, item.Range, fmt.Sprintf("%q is unset twice", clip(item.Str)), "Keep one of the two."))
		default:
			t.diags = append(t.diags, Problem(CodeDuplicateKey, item.Range, fmt.Sprintf("%q is set and unset", clip(item.Str)), "Keep one of the two."))
		}
	}
	n.Fields = out.Fields
}
