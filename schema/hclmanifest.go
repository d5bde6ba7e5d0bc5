package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// maxBrackets bounds the brackets that are open at once in an HCL document: its
// parser goes one call deeper for each.
const maxBrackets = 10_000

// parseHCL reads an HCL document into a tree. Attributes are keys; the blocks
// subagent "NAME", provider "HOST", skill "ID", pack "ID" and policy "NAME"
// add to the list or map of that name, any other block without a label is a
// map. Values are literals: nothing is evaluated.
func parseHCL(src *Source) (*Node, hcl.Diagnostics) {
	if at := tooManyBrackets(src.Bytes); at >= 0 {
		return nil, hcl.Diagnostics{Problem(CodeTooDeep, src.Range(at, at+1), "too many open brackets", "Flatten the document.")}
	}
	file, problems := hclsyntax.ParseConfig(src.Bytes, src.Name, hcl.InitialPos)
	h := hclReader{src: src}
	for _, d := range problems {
		where := src.Range(0, 0)
		if d.Subject != nil {
			where = src.Range(d.Subject.Start.Byte, min(d.Subject.End.Byte, src.lineEnd(d.Subject.Start.Byte)))
		}
		code := CodeSyntax
		if d.Summary == "Attribute redefined" {
			code = CodeDuplicateKey
		}
		h.diags = append(h.diags, Problem(code, where, "not valid HCL: "+d.Summary, d.Detail))
	}
	if problems.HasErrors() {
		return nil, h.diags
	}
	root := h.body(file.Body.(*hclsyntax.Body), src.Range(0, src.lineEnd(0)), 0)
	h.literals(root, false)
	return root, h.diags
}

func tooManyBrackets(b []byte) int {
	open := 0
	for i, c := range b {
		switch c {
		case '[', '{', '(':
			open++
		case ']', '}', ')':
			open = max(0, open-1)
		}
		if open > maxBrackets {
			return i
		}
	}
	return -1
}

type hclReader struct {
	src   *Source
	diags hcl.Diagnostics
}

func (h *hclReader) problem(code Code, at hcl.Range, summary, detail string) {
	h.diags = append(h.diags, Problem(code, at, summary, detail))
}

// rangeOf cuts a range to its first line and counts its columns as every other
// spelling does.
func (h *hclReader) rangeOf(r hcl.Range) hcl.Range {
	return h.src.Range(r.Start.Byte, min(r.End.Byte, h.src.lineEnd(r.Start.Byte)))
}

// labelled says what a block with a label adds to: a list, whose items hold the
// label under a key, or a map, whose keys are the labels.
var labelled = map[string]struct{ key, id string }{
	"subagent": {"subagents", "name"},
	"pack":     {"packs", "id"},
	"policy":   {"policies", "name"},
	"provider": {"providers", ""},
	"skill":    {"skills", ""},
}

// body reads attributes and blocks in the order of the file.
func (h *hclReader) body(b *hclsyntax.Body, at hcl.Range, depth int) *Node {
	n := &Node{Kind: Map, Range: at}
	if depth > maxDepth {
		h.problem(CodeTooDeep, at, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
		return n
	}
	type part struct {
		start int
		attr  *hclsyntax.Attribute
		block *hclsyntax.Block
	}
	var parts []part
	for _, a := range b.Attributes {
		parts = append(parts, part{a.SrcRange.Start.Byte, a, nil})
	}
	for _, block := range b.Blocks {
		parts = append(parts, part{block.TypeRange.Start.Byte, nil, block})
	}
	slices.SortFunc(parts, func(a, b part) int { return a.start - b.start })
	for _, p := range parts {
		if p.attr != nil {
			h.set(n, Field{p.attr.Name, h.rangeOf(p.attr.NameRange), h.expr(p.attr.Expr, depth+1)})
			continue
		}
		h.block(n, p.block, depth)
	}
	return n
}

// set adds a key that must not be there yet.
func (h *hclReader) set(n *Node, f Field) {
	if first := n.Field(f.Key); first != nil {
		h.diags = append(h.diags, duplicateKey(f.Key, f.Range, first.Range))
		return
	}
	n.Fields = append(n.Fields, f)
}

func (h *hclReader) block(n *Node, b *hclsyntax.Block, depth int) {
	at := h.rangeOf(b.TypeRange)
	into, known := labelled[b.Type]
	switch {
	case known && len(b.Labels) != 1:
		h.problem(CodeSyntax, at, fmt.Sprintf("a block %s needs one name", b.Type), fmt.Sprintf("Write %s \"NAME\" { … }.", b.Type))
		return
	case !known && len(b.Labels) > 0:
		h.problem(CodeSyntax, h.rangeOf(b.LabelRanges[0]), fmt.Sprintf("a block %s has no name", b.Type),
			"Named blocks are subagent, provider, skill, pack and policy.")
		return
	case !known:
		h.set(n, Field{b.Type, at, h.body(b.Body, at, depth+1)})
		return
	}
	label := h.rangeOf(b.LabelRanges[0])
	value := h.body(b.Body, label, depth+1)
	if into.id == "" {
		if n.Field(into.key) == nil {
			n.Fields = append(n.Fields, Field{into.key, at, &Node{Kind: Map, Range: at}})
		}
		if m := n.Get(into.key); m.Kind == Map {
			h.set(m, Field{b.Labels[0], label, value})
		}
		return
	}
	if value.Field(into.id) != nil {
		h.problem(CodeDuplicateKey, value.Field(into.id).Range, fmt.Sprintf("%q is the name of the block already", into.id), "Take it out.")
		return
	}
	value.Fields = slices.Insert(value.Fields, 0, Field{into.id, label, &Node{Kind: String, Str: b.Labels[0], Range: label}})
	if n.Field(into.key) == nil {
		n.Fields = append(n.Fields, Field{into.key, at, &Node{Kind: List, Items: []*Node{}, Range: at}})
	}
	if list := n.Get(into.key); list.Kind == List {
		list.Items = append(list.Items, value)
	}
}

// expr reads a literal.
func (h *hclReader) expr(e hclsyntax.Expression, depth int) *Node {
	n := &Node{Range: h.rangeOf(e.Range())}
	if depth > maxDepth {
		h.problem(CodeTooDeep, n.Range, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
		return n
	}
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		h.text(n, e)
	case *hclsyntax.LiteralValueExpr:
		h.scalar(n, e.Val, e.SrcRange)
	case *hclsyntax.UnaryOpExpr:
		if lit, ok := e.Val.(*hclsyntax.LiteralValueExpr); ok && e.Op == hclsyntax.OpNegate {
			h.scalar(n, lit.Val, e.SrcRange)
			return n
		}
		h.notLiteral(n.Range)
	case *hclsyntax.ParenthesesExpr:
		return h.expr(e.Expression, depth+1)
	case *hclsyntax.TupleConsExpr:
		n.Kind, n.Items = List, []*Node{}
		for _, item := range e.Exprs {
			n.Items = append(n.Items, h.expr(item, depth+1))
		}
	case *hclsyntax.ObjectConsExpr:
		n.Kind = Map
		for _, item := range e.Items {
			key := h.rangeOf(item.KeyExpr.Range())
			name, ok := h.key(item.KeyExpr)
			if !ok {
				h.problem(CodeSyntax, key, "a key must be a word or a text in quotes", "Put it in quotes.")
				continue
			}
			h.set(n, Field{name, key, h.expr(item.ValueExpr, depth+1)})
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

func (h *hclReader) scalar(n *Node, v cty.Value, r hcl.Range) {
	n.Str = string(r.SliceBytes(h.src.Bytes))
	switch {
	case v.IsNull():
		n.Kind = Null
	case v.Type() == cty.Bool:
		n.Kind, n.Bool = Bool, v.True()
	default:
		if err := n.setNumber(strings.ReplaceAll(n.Str, " ", "")); err != nil {
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
	return n.Str, true
}

// text reads a quoted text or a heredoc, from the bytes of the file: the
// expression language would bring it into normal form C. An interpolation is
// kept only in a heredoc, as a template; whether it may stand there is for the
// entry to say.
func (h *hclReader) text(n *Node, e hclsyntax.Expression) {
	n.Kind = String
	parts := []hclsyntax.Expression{e}
	if t, ok := e.(*hclsyntax.TemplateExpr); ok {
		parts = t.Parts
	}
	for _, part := range parts {
		if lit, ok := part.(*hclsyntax.LiteralValueExpr); !ok || lit.Val.Type() != cty.String {
			n.interpolation = new(h.rangeOf(part.Range()))
			break
		}
	}
	source := string(e.Range().SliceBytes(h.src.Bytes))
	if quoted, ok := strings.CutPrefix(source, `"`); ok {
		n.Str = unquoteHCL(strings.TrimSuffix(quoted, `"`))
		if n.interpolation == nil {
			n.hclTemplate = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(n.Str)
		}
		return
	}
	first, last := strings.IndexByte(source, '\n')+1, strings.LastIndexByte(source, '\n')+1
	content := source[first:max(first, last)]
	n.block = &blockText{src: h.src, offset: e.Range().Start.Byte + first}
	if strings.HasPrefix(source, "<<-") {
		content, n.block.indent = dedent(content)
	}
	n.Str, n.hclTemplate = unescapeTemplate(content), content
}

// dedent takes the white space off the lines of an indented heredoc that all
// lines with text have, and says how many characters that is.
func dedent(content string) (string, int) {
	lines := strings.SplitAfter(content, "\n")
	indent := -1
	for _, line := range lines {
		text := strings.TrimLeftFunc(line, unicode.IsSpace)
		if text == "" {
			continue
		}
		if n := utf8.RuneCountInString(line[:len(line)-len(text)]); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, line := range lines {
		for range indent {
			r, size := utf8.DecodeRuneInString(line)
			if r == '\n' || size == 0 {
				break
			}
			line = line[size:]
		}
		lines[i] = line
	}
	return strings.Join(lines, ""), max(indent, 0)
}

// unquoteHCL undoes the escapes of a quoted text. The parser has checked them.
func unquoteHCL(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "$${"), strings.HasPrefix(s[i:], "%%{"):
			b.WriteString(s[i+1 : i+3])
			i += 2
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		default:
			i++
			switch c := s[i]; c {
			case 'n', 'r', 't':
				b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[c])
			case 'u', 'U':
				digits := map[byte]int{'u': 4, 'U': 8}[c]
				r, _ := strconv.ParseUint(s[i+1:min(i+1+digits, len(s))], 16, 32)
				b.WriteRune(rune(r))
				i += digits
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// literals reports interpolations outside a template: the instructions, in a
// heredoc, of an entry that has template = true or for_each.
func (h *hclReader) literals(n *Node, allowed bool) {
	if n.interpolation != nil && !allowed {
		h.problem(CodeSyntax, *n.interpolation, "a manifest holds literal values",
			"Write $${ for ${ and %%{ for %{. Templates are evaluated in the instructions of an entry with template = true, as a heredoc.")
	}
	for _, item := range n.Items {
		h.literals(item, false)
	}
	templated := n.Get("for_each") != nil
	if t := n.Get("template"); t != nil && t.Bool {
		templated = true
	}
	for _, f := range n.Fields {
		h.literals(f.Value, templated && f.Key == "instructions" && f.Value.hclTemplate != "" ||
			n.Get("for_each") != nil && slices.Contains(expanded, f.Key))
	}
}
