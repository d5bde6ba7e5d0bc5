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
// provider block and defaults, unset = ["key"] stands for key: null.
func parseTOML(src *Source) (*Node, hcl.Diagnostics) {
	// The decoder proves that the document is valid: it knows duplicate keys
	// and tables that are defined twice, which the parser does not.
	var whole map[string]any
	if err := toml.Unmarshal(src.Bytes, &whole); err != nil {
		return nil, hcl.Diagnostics{tomlSyntax(src, err)}
	}
	t := tomlReader{src: src}
	t.p.Reset(src.Bytes)
	root := &Node{Kind: Map, Range: src.Range(0, src.lineEnd(0))}
	at := root
	for t.p.NextExpression() {
		e := t.p.Expression()
		switch e.Kind {
		case unstable.KeyValue:
			t.keyValue(at, e)
		case unstable.Table:
			at = t.table(root, e, false)
		case unstable.ArrayTable:
			at = t.table(root, e, true)
		}
	}
	if err := t.p.Error(); err != nil {
		return nil, hcl.Diagnostics{tomlSyntax(src, err)}
	}
	t.nulls(root)
	t.depth(root, 0)
	return root, t.diags
}

func tomlSyntax(src *Source, err error) *hcl.Diagnostic {
	start, code := 0, CodeSyntax
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := d.Position()
		start = src.offset(row, 1) + column - 1
	}
	what := strings.TrimPrefix(err.Error(), "toml: ")
	detail := "Check quoting and brackets. Texts of several lines stand between three quotes."
	if strings.Contains(what, "already") || strings.Contains(what, "duplicate") {
		code, detail = CodeDuplicateKey, "Keep one of the two."
	}
	return Problem(code, src.Range(start, min(start+1, src.lineEnd(start))), "not valid TOML: "+what, detail)
}

type tomlReader struct {
	src   *Source
	p     unstable.Parser
	diags hcl.Diagnostics
}

func (t *tomlReader) rangeOf(n *unstable.Node) hcl.Range {
	start := int(n.Raw.Offset)
	return t.src.Range(start, min(start+int(n.Raw.Length), t.src.lineEnd(start)))
}

// table finds or makes the table that a header names.
func (t *tomlReader) table(root *Node, e *unstable.Node, array bool) *Node {
	at := root
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		name, last := string(key.Data), keys.IsLast()
		f := at.Field(name)
		if f == nil {
			at.Fields = append(at.Fields, Field{Key: name, Range: t.rangeOf(key), Value: &Node{Kind: Map, Range: t.rangeOf(key)}})
			f = &at.Fields[len(at.Fields)-1]
			if last && array {
				f.Value = &Node{Kind: List, Range: t.rangeOf(key)}
			}
		}
		at = f.Value
		if at.Kind != List {
			continue
		}
		if last && array {
			at.Items = append(at.Items, &Node{Kind: Map, Range: t.rangeOf(key)})
		}
		at = at.Items[len(at.Items)-1]
	}
	return at
}

// keyValue adds a key, which may have dots, to a table.
func (t *tomlReader) keyValue(at *Node, e *unstable.Node) {
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		name, where := string(key.Data), t.rangeOf(key)
		if keys.IsLast() {
			at.Fields = append(at.Fields, Field{Key: name, Range: where, Value: t.value(e.Value(), where)})
			return
		}
		f := at.Field(name)
		if f == nil {
			at.Fields = append(at.Fields, Field{Key: name, Range: where, Value: &Node{Kind: Map, Range: where}})
			f = &at.Fields[len(at.Fields)-1]
		}
		at = f.Value
	}
}

// value reads a value; key is the place of its key, for values that the parser
// gives no place to.
func (t *tomlReader) value(v *unstable.Node, key hcl.Range) *Node {
	n := &Node{Range: key, Str: string(v.Data)}
	if v.Raw.Length > 0 {
		n.Range = t.rangeOf(v)
	}
	switch v.Kind {
	case unstable.String, unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		n.Kind = String
		n.block = t.block(v)
	case unstable.Bool:
		n.Kind, n.Bool = Bool, n.Str == "true"
	case unstable.Integer, unstable.Float:
		if err := n.setNumber(strings.ReplaceAll(strings.TrimPrefix(n.Str, "+"), "_", "")); err != nil {
			t.diags = append(t.diags, Problem(CodeSyntax, n.Range, err.Error(), "Write a finite number."))
		}
	case unstable.Array:
		n.Kind, n.Items = List, []*Node{}
		for items := v.Children(); items.Next(); {
			if item := items.Node(); item.Kind != unstable.Comment {
				n.Items = append(n.Items, t.value(item, key))
			}
		}
	case unstable.InlineTable:
		n.Kind = Map
		for items := v.Children(); items.Next(); {
			if item := items.Node(); item.Kind == unstable.KeyValue {
				t.keyValue(n, item)
			}
		}
	}
	return n
}

// block locates the lines of a literal text of several lines.
func (t *tomlReader) block(v *unstable.Node) *blockText {
	raw := string(t.p.Raw(v.Raw))
	rest, ok := strings.CutPrefix(raw, "'''")
	if !ok {
		return nil
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
	settle := func(n *Node) {
		t.unset(n)
		if blocks := n.Get("providers"); blocks != nil {
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
	items := f.Value.Items
	var fields []Field
	for _, other := range n.Fields {
		if other.Key != "unset" {
			fields = append(fields, other)
		}
	}
	for _, item := range items {
		if n.Field(item.Str) != nil {
			t.diags = append(t.diags, Problem(CodeDuplicateKey, item.Range, fmt.Sprintf("%q is set and unset", item.Str), "Keep one of the two."))
			continue
		}
		fields = append(fields, Field{Key: item.Str, Range: item.Range, Value: &Node{Kind: Null, Range: item.Range}})
	}
	n.Fields = fields
}

// depth reports a document that is nested too deep.
func (t *tomlReader) depth(n *Node, depth int) bool {
	if depth > maxDepth {
		t.diags = append(t.diags, Problem(CodeTooDeep, n.Range, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document."))
		return false
	}
	for _, item := range n.Items {
		if !t.depth(item, depth+1) {
			return false
		}
	}
	for _, f := range n.Fields {
		if !t.depth(f.Value, depth+1) {
			return false
		}
	}
	return true
}
