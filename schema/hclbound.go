package schema

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
)

// Bounds of what is given to the parser of HCL. It keeps every token in memory,
// goes one call deeper for each bracket, operator and directive, and joins the
// lines of a text one by one, copying what it has so far for each.
const (
	maxWords = 4 << 20 // words and punctuation marks: what prose of 16 MiB has
	maxParts = 1000    // tokens of an expression, with those around it
)

// tooManyWords gives the place from which on a text has too many tokens for the
// parser, or -1. It counts words and marks wherever they stand.
func tooManyWords(b []byte) int {
	words, inside := 0, false
	for i, c := range b {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
		if letter && inside || c == ' ' {
			inside = letter
			continue
		}
		inside = letter
		if words++; words > maxWords {
			return i
		}
	}
	return -1
}

// nesting follows the brackets, texts and directives of an HCL text.
type nesting struct {
	levels []nestingLevel
	total  int  // tokens of all levels
	joins  bool // the parser is to join the lines of texts in expressions: they count as well
}

// A nestingLevel is a bracket, a text or a sequence that is open.
type nestingLevel struct {
	kind  hclsyntax.TokenType // that opened it; TokenNil is the top of a document, TokenStringLit that of a template
	parts int                 // tokens of the expression so far; of a text, the directives that are open
}

func (l nestingLevel) isText() bool {
	return l.kind == hclsyntax.TokenOQuote || l.kind == hclsyntax.TokenOHeredoc || l.kind == hclsyntax.TokenStringLit
}

// tooNested gives the first token from which on an expression has too many
// parts, counting those of the expressions that it stands in, or nil.
func tooNested(tokens hclsyntax.Tokens, top hclsyntax.TokenType, joins bool) *hclsyntax.Token {
	n := nesting{levels: []nestingLevel{{kind: top}}, joins: joins}
	for i := range tokens {
		var next hclsyntax.Token
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		if n.read(tokens[i], next); n.total > maxParts {
			return &tokens[i]
		}
	}
	return nil
}

func (n *nesting) top() *nestingLevel { return &n.levels[len(n.levels)-1] }

func (n *nesting) add(parts int) {
	n.top().parts += parts
	n.total += parts
}

func (n *nesting) read(t, next hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		n.add(1)
		n.levels = append(n.levels, nestingLevel{kind: t.Type})
	case hclsyntax.TokenTemplateInterp:
		n.levels = append(n.levels, nestingLevel{kind: t.Type})
	case hclsyntax.TokenTemplateControl:
		switch word := string(next.Bytes); {
		case word == "if" || word == "for":
			n.add(1)
		case (word == "endif" || word == "endfor") && n.top().parts > 0:
			n.add(-1)
		}
		n.levels = append(n.levels, nestingLevel{kind: t.Type})
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
		if len(n.levels) > 1 {
			n.total -= n.top().parts
			n.levels = n.levels[:len(n.levels)-1]
		}
	case hclsyntax.TokenComma:
		n.restart()
	case hclsyntax.TokenNewline, hclsyntax.TokenComment:
		if kind := n.top().kind; kind == hclsyntax.TokenOBrace || kind == hclsyntax.TokenNil {
			n.restart()
		}
	case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
		if n.joins && len(n.levels) > 1 {
			n.add(1)
		}
	default:
		n.add(1)
	}
}

// restart begins another expression of the same level.
func (n *nesting) restart() {
	if !n.top().isText() {
		n.add(-n.top().parts)
	}
}

// parseExpression reads an expression that starts at a byte of its text.
func parseExpression(text, filename string, at int) (hclsyntax.Expression, hcl.Diagnostics) {
	src, start := []byte(text), hcl.Pos{Line: 1, Column: 1, Byte: at}
	if i := tooManyWords(src); i >= 0 {
		return nil, hcl.Diagnostics{longExpression(byteRange(at+i, at+i+1))}
	}
	tokens, _ := hclsyntax.LexExpression(src, filename, start)
	if t := tooNested(tokens, hclsyntax.TokenNil, true); t != nil {
		return nil, hcl.Diagnostics{longExpression(t.Range)}
	}
	return hclsyntax.ParseExpression(src, filename, start)
}

func longExpression(at hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError, Subject: &at,
		Summary: fmt.Sprintf("an expression of more than %d parts", maxParts), Detail: "Take it apart, or put the values into vars.",
	}
}

// byteRange is a range of a text of which only the bytes matter.
func byteRange(start, end int) hcl.Range {
	return hcl.Range{Start: hcl.Pos{Byte: start}, End: hcl.Pos{Byte: end}}
}

// parserPlace is a place in a detail of the library's. It is about the text that
// the library was given, and not told. parserHint is a word that it proposes,
// of several that are as near not always the same.
var (
	parserPlace = lazyregexp.New(` at \S+:\d+,\d+(-\d+(,\d+)?)?`)
	parserHint  = lazyregexp.New(` Did you mean "[^"]*"\?`)
)

// expressionDetail gives the detail of a problem of the library with an
// expression of a text, with the nearest of the names that the expression can
// use.
func expressionDetail(d *hcl.Diagnostic, text string, functions, variables []string) string {
	detail := parserHint().ReplaceAllString(parserPlace().ReplaceAllString(d.Detail, ""), "")
	names := map[string][]string{"Call to unknown function": functions, "Unknown variable": variables}[d.Summary]
	if names == nil || d.Subject == nil || d.Subject.End.Byte > len(text) {
		return detail
	}
	if near := Nearest(text[d.Subject.Start.Byte:d.Subject.End.Byte], names); near != "" {
		detail += fmt.Sprintf(" Did you mean %q?", near)
	}
	return detail
}

// withoutLines gives the text with other literals of the same length: one in
// place of several in a row, so that the parser has nothing to join. Whoever
// reads the tree takes literal text from the source. The problems are those of
// escapes in what was replaced.
func withoutLines(src []byte, tokens hclsyntax.Tokens) ([]byte, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	out := bytes.Clone(src)
	for i := 0; i < len(tokens); i++ {
		kind, first := tokens[i].Type, i
		if kind != hclsyntax.TokenStringLit && kind != hclsyntax.TokenQuotedLit {
			continue
		}
		for i+1 < len(tokens) && tokens[i+1].Type == kind {
			i++
		}
		if i == first {
			continue
		}
		if kind == hclsyntax.TokenQuotedLit {
			for _, t := range tokens[first : i+1] {
				_, problems := hclsyntax.ParseStringLiteralToken(t)
				diags = append(diags, problems...)
			}
		}
		text := out[tokens[first].Range.Start.Byte:tokens[i].Range.End.Byte]
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		for at := range text {
			text[at] = '.' // no marker of a heredoc has one
		}
	}
	return out, diags
}
