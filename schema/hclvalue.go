package schema

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// expr reads a literal.
func (h *hclReader) expr(e hclsyntax.Expression, depth int) *Node {
	n := &Node{Range: h.rangeOf(e.Range())}
	if h.values++; h.over() {
		return n
	}
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		h.text(n, e)
	case *hclsyntax.LiteralValueExpr:
		h.scalar(n, e.Val, e.SrcRange)
	case *hclsyntax.UnaryOpExpr:
		if lit, ok := e.Val.(*hclsyntax.LiteralValueExpr); ok && e.Op == hclsyntax.OpNegate && lit.Val.Type() == cty.Number {
			h.scalar(n, lit.Val, e.SrcRange)
			return n
		}
		h.notLiteral(n.Range)
	case *hclsyntax.ParenthesesExpr:
		return h.expr(e.Expression, depth)
	case *hclsyntax.TupleConsExpr:
		n.Kind, n.Items = List, []*Node{}
		if h.tooDeep(n.Range, depth) {
			return n
		}
		for _, item := range e.Exprs {
			n.Items = append(n.Items, h.expr(item, depth+1))
		}
	case *hclsyntax.ObjectConsExpr:
		n.Kind = Map
		if h.tooDeep(n.Range, depth) {
			return n
		}
		for _, item := range e.Items {
			key := h.rangeOf(item.KeyExpr.Range())
			if name, ok := h.key(item.KeyExpr); ok {
				h.set(n, Field{name, key, h.expr(item.ValueExpr, depth+1)})
				continue
			}
			h.problem(CodeSyntax, key, "a key must be a word or a text in quotes", "Put it in quotes; write $${ for ${ and %%{ for %{.")
		}
	default:
		h.notLiteral(n.Range)
	}
	return n
}

func (h *hclReader) notLiteral(at hcl.Range) {
	h.problem(CodeSyntax, at, "a manifest holds literal values",
		`Put text in quotes. Expressions are evaluated in the instructions of an entry with template = true alone.`)
}

// scalar reads a number, a boolean or a null.
func (h *hclReader) scalar(n *Node, v cty.Value, r hcl.Range) {
	n.Str = string(r.SliceBytes(h.src.Bytes))
	switch {
	case v.IsNull():
		n.Kind = Null
	case v.Type() == cty.Bool:
		n.Kind, n.Bool = Bool, v.True()
	default:
		if err := n.setNumber(strings.Join(strings.Fields(n.Str), "")); err != nil {
			h.problem(CodeSyntax, n.Range, err.Error(), "Write a number in the range of a 64-bit float.")
		}
	}
}

// key reads the key of an object.
func (h *hclReader) key(e hclsyntax.Expression) (string, bool) {
	if word := hcl.ExprAsKeyword(e); word != "" {
		return word, true
	}
	if wrapped, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = wrapped.Wrapped
	}
	if _, ok := e.(*hclsyntax.TemplateExpr); !ok {
		return "", false
	}
	n := &Node{Range: h.rangeOf(e.Range())}
	h.text(n, e)
	return n.Str, n.interpolation == nil
}

// text reads a quoted text or a heredoc, from the bytes of the file: the
// expression language would bring it into normal form C. A text with an
// interpolation is kept as a template; whether one may stand there is for the
// entry to say.
func (h *hclReader) text(n *Node, e hclsyntax.Expression) {
	n.Kind = String
	source := string(e.Range().SliceBytes(h.src.Bytes))
	n.interpolation = h.interpolation(e)
	quoted, isQuoted := strings.CutPrefix(source, `"`)
	switch {
	case n.interpolation != nil:
		n.hclTemplate = templateOf(source)
		n.Str = n.hclTemplate
	case isQuoted:
		n.Str = unquoteHCL(strings.TrimSuffix(quoted, `"`))
		if strings.Contains(n.Str, "${") || strings.Contains(n.Str, "%{") {
			n.hclTemplate = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(n.Str)
		}
	default:
		content, _ := heredoc(source)
		if n.Str = unescapeTemplate(content); n.Str != content {
			n.hclTemplate = content
		}
	}
	if !isQuoted {
		_, indent := heredoc(source)
		n.block = &blockText{src: h.src, offset: e.Range().Start.Byte + strings.IndexByte(source, '\n') + 1, indent: indent}
	}
}

// interpolation gives the place of the first part of a text that is not
// literal, or nil.
func (h *hclReader) interpolation(e hclsyntax.Expression) *hcl.Range {
	var parts []hclsyntax.Expression
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		parts = e.Parts
	case *hclsyntax.TemplateWrapExpr:
		parts = []hclsyntax.Expression{e.Wrapped}
	}
	for _, part := range parts {
		if lit, ok := part.(*hclsyntax.LiteralValueExpr); !ok || lit.Val.Type() != cty.String {
			return new(h.rangeOf(part.Range()))
		}
	}
	return nil
}

// literals reports interpolations where no template can stand. It leaves those
// in the instructions of an entry to the merged manifest, which knows whether
// the entry is one; the other keys that may speak of a pack need for_each.
func (h *hclReader) literals(root *Node) {
	for _, f := range root.Fields {
		if f.Key != "subagents" || f.Value.Kind != List {
			h.literal(f.Value)
			continue
		}
		for _, item := range f.Value.Items {
			packs := item.Get("for_each") != nil
			for _, f := range item.Fields {
				if f.Key == "instructions" || packs && slices.Contains(expanded, f.Key) {
					continue
				}
				h.literal(f.Value)
			}
		}
	}
}

func (h *hclReader) literal(n *Node) {
	if n.interpolation != nil {
		h.diags = append(h.diags, interpolated(*n.interpolation))
	}
	for _, item := range n.Items {
		h.literal(item)
	}
	for _, f := range n.Fields {
		h.literal(f.Value)
	}
}

// interpolated is the problem of an interpolation where no template stands.
func interpolated(at hcl.Range) *hcl.Diagnostic {
	return Problem(CodeSyntax, at, "a manifest holds literal values",
		"Write $${ for ${ and %%{ for %{. Templates are evaluated in the instructions of an entry with template = true.")
}
