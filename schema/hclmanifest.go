package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// parseHCL reads an HCL document into a tree. Attributes are keys; the blocks
// subagent "NAME", provider "HOST", skill "ID", pack "ID" and policy "NAME"
// add to the list or map of that name, any other block without a label is a
// map. Values are literals: nothing is evaluated.
func parseHCL(src *Source) (*Node, hcl.Diagnostics) {
	h := hclReader{src: src, keys: keyIndex{}}
	body := h.parse()
	if body == nil {
		return nil, h.diags
	}
	root := h.body(body, src.Range(0, src.lineEnd(0)), 0)
	switch {
	case h.over():
		return nil, hcl.Diagnostics{Problem(CodeTooLarge, src.Range(0, 0), fmt.Sprintf("more than %d values", maxValues), "Split the manifest, and name the parts in include.")}
	case len(root.Fields) == 0 && len(h.diags) == 0:
		return nil, hcl.Diagnostics{emptyManifest(src)}
	}
	h.literals(root)
	return root, h.diags
}

// parse gives the syntax tree, or nil where there is none to go on with.
func (h *hclReader) parse() *hclsyntax.Body {
	src := h.src
	if at := tooManyWords(src.Bytes); at >= 0 {
		h.problem(CodeTooLarge, src.Range(at, at+1), "too many words for HCL", "Split the manifest, and name the parts in include.")
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(src.Bytes, src.Name, hcl.InitialPos)
	if t := tooNested(tokens, hclsyntax.TokenNil, false); t != nil {
		h.problem(CodeTooDeep, h.rangeOf(t.Range), fmt.Sprintf("brackets nested too deep, or an expression of more than %d parts", maxParts), "Flatten the document.")
		return nil
	}
	masked, problems := withoutLines(src.Bytes, tokens)
	file, more := hclsyntax.ParseConfig(masked, src.Name, hcl.InitialPos)
	body := file.Body.(*hclsyntax.Body)
	whole := true
	for _, d := range append(problems, more...) {
		if d.Summary == "Attribute redefined" && d.Subject != nil {
			h.redefined(body, *d.Subject)
			continue
		}
		whole = false
		h.syntax(d)
	}
	if !whole {
		return nil
	}
	return body
}

// maxSyntaxProblems is how many syntax problems of one file are told: after the
// first, the parser does not know where it is.
const maxSyntaxProblems = 20

// syntax takes over a problem of the parser, the first of those at one place.
func (h *hclReader) syntax(d *hcl.Diagnostic) {
	where := h.src.Range(0, 0)
	if d.Subject != nil {
		where = h.rangeOf(*d.Subject)
	}
	if n := len(h.diags); n == maxSyntaxProblems || n > 0 && h.diags[n-1].Subject.Start == where.Start {
		return
	}
	h.problem(CodeSyntax, where, "not valid HCL: "+d.Summary, parserPlace().ReplaceAllString(d.Detail, ""))
}

// redefined reports an attribute that its body has already.
func (h *hclReader) redefined(b *hclsyntax.Body, at hcl.Range) {
	name := string(at.SliceBytes(h.src.Bytes))
	for inner := b; inner != nil; {
		b, inner = inner, nil
		for _, block := range b.Blocks {
			if block.OpenBraceRange.Start.Byte < at.Start.Byte && at.Start.Byte < block.CloseBraceRange.End.Byte {
				inner = block.Body
			}
		}
	}
	if first := b.Attributes[name]; first != nil {
		h.diags = append(h.diags, duplicateKey(name, h.rangeOf(at), h.rangeOf(first.NameRange)))
	}
}

type hclReader struct {
	src    *Source
	keys   keyIndex
	values int
	diags  hcl.Diagnostics
}

// over says that there are more values than may be.
func (h *hclReader) over() bool { return h.values > maxValues }

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
	if h.tooDeep(at, depth) {
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

// tooDeep reports a map or list that has too many others around it.
func (h *hclReader) tooDeep(at hcl.Range, depth int) bool {
	if depth < maxDepth {
		return false
	}
	h.problem(CodeTooDeep, at, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
	return true
}

// set adds a key that must not be there yet.
func (h *hclReader) set(n *Node, f Field) {
	if first := h.keys.find(n, f.Key); first != nil {
		h.diags = append(h.diags, duplicateKey(f.Key, f.Range, first.Range))
		return
	}
	n.Fields = append(n.Fields, f)
}

func (h *hclReader) block(n *Node, b *hclsyntax.Block, depth int) {
	at := h.rangeOf(b.TypeRange)
	into, known := labelled[b.Type]
	switch {
	case len(b.Labels) > 1, known && into.id == "" && len(b.Labels) == 0:
		h.problem(CodeSyntax, at, fmt.Sprintf("a block %s needs one name", b.Type), fmt.Sprintf("Write %s \"NAME\" { … }.", b.Type))
	case !known && len(b.Labels) > 0:
		h.problem(CodeSyntax, h.rangeOf(b.LabelRanges[0]), fmt.Sprintf("a block %s has no name", b.Type),
			"Named blocks are subagent, provider, skill, pack and policy.")
	case !known:
		h.set(n, Field{b.Type, at, h.body(b.Body, at, depth+1)})
	case into.id == "":
		label := h.rangeOf(b.LabelRanges[0])
		m := h.into(n, into.key, at, &Node{Kind: Map, Range: at})
		h.set(m, Field{h.label(b), label, h.body(b.Body, label, depth+2)})
	default:
		h.item(n, b, into.key, into.id, depth)
	}
}

// into gives the map or list that blocks add to. What an attribute of that name
// holds instead is for the schema to report.
func (h *hclReader) into(n *Node, key string, at hcl.Range, empty *Node) *Node {
	if f := h.keys.find(n, key); f != nil {
		if f.Value.Kind != empty.Kind {
			return empty
		}
		return f.Value
	}
	n.Fields = append(n.Fields, Field{key, at, empty})
	return empty
}

// item adds a block to a list. Its label is the id, which may stand inside
// instead: an entry with for_each has an expression for a name, and a label
// cannot hold one.
func (h *hclReader) item(n *Node, b *hclsyntax.Block, key, id string, depth int) {
	at := h.rangeOf(b.TypeRange)
	list := h.into(n, key, at, &Node{Kind: List, Items: []*Node{}, Range: at})
	if len(b.Labels) == 0 {
		list.Items = append(list.Items, h.body(b.Body, at, depth+2))
		return
	}
	label := h.rangeOf(b.LabelRanges[0])
	value := h.body(b.Body, label, depth+2)
	if f := value.Field(id); f != nil {
		h.diags = append(h.diags, duplicateKey(id, f.Range, label))
		return
	}
	value.Fields = slices.Insert(value.Fields, 0, Field{id, label, &Node{Kind: String, Str: h.label(b), Range: label}})
	list.Items = append(list.Items, value)
}

// label gives the label of a block as the file spells it.
func (h *hclReader) label(b *hclsyntax.Block) string {
	source := string(b.LabelRanges[0].SliceBytes(h.src.Bytes))
	if quoted, ok := strings.CutPrefix(source, `"`); ok {
		return unquoteHCL(strings.TrimSuffix(quoted, `"`))
	}
	return source
}
