package schema

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A templatePart is a piece of a template. The library has the tokens and the
// expressions; the pieces between them are read here, because its own reader
// brings literal text into Unicode normal form C.
type templatePart struct {
	kind partKind
	text string               // literal text
	expr hclsyntax.Expression // what is interpolated, the condition, or what a loop goes through
	key  string               // variables of a loop
	val  string
	body []templatePart // of a loop, or where the condition is true
	els  []templatePart
}

type partKind int

const (
	partLiteral partKind = iota
	partValue
	partIf
	partFor
)

// parseTemplate takes a template apart. The places of problems are bytes of the
// text.
func parseTemplate(text, filename string) ([]templatePart, hcl.Diagnostics) {
	if at := tooManyWords([]byte(text)); at >= 0 {
		return nil, hcl.Diagnostics{longExpression(byteRange(at, at+1))}
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(text), filename, hcl.InitialPos)
	if t := tooNested(tokens, hclsyntax.TokenStringLit, true); t != nil {
		return nil, hcl.Diagnostics{longExpression(t.Range)}
	}
	p := templateParser{text: text, filename: filename, tokens: tokens}
	parts, end := p.parts()
	if end.word != "" {
		p.fail(end.at, fmt.Sprintf("%%{ %s } closes nothing", end.word), "Take it out, or open what it belongs to.")
	}
	return parts, p.diags
}

type templateParser struct {
	text     string
	filename string
	tokens   hclsyntax.Tokens
	next     int
	trim     bool // the text that follows loses white space at its start
	broken   bool // a sequence is never closed: nothing that follows can be told
	diags    hcl.Diagnostics
}

func (p *templateParser) fail(at hcl.Range, summary, detail string) {
	p.diags = append(p.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at})
}

// A directive is what stands in %{ … }.
type directive struct {
	word string
	rest string // behind the word
	from int    // byte at which the rest starts
	at   hcl.Range
}

// parts reads up to a directive that closes or continues something, which it
// gives; its word is empty at the end of the template.
func (p *templateParser) parts() (parts []templatePart, end directive) {
	literal := false // the token before was text, the last part
	for {
		t := p.tokens[p.next]
		if t.Type == hclsyntax.TokenEOF {
			return parts, directive{}
		}
		p.next++
		if sequence := t.Type == hclsyntax.TokenTemplateInterp || t.Type == hclsyntax.TokenTemplateControl; sequence && literal && t.Bytes[len(t.Bytes)-1] == '~' {
			last := &parts[len(parts)-1]
			last.text = strings.TrimRightFunc(last.text, unicode.IsSpace)
		}
		literal = t.Type == hclsyntax.TokenStringLit
		switch t.Type {
		case hclsyntax.TokenStringLit:
			parts = append(parts, p.literal(t))
		case hclsyntax.TokenTemplateInterp:
			d := p.sequence(t)
			parts = append(parts, templatePart{kind: partValue, expr: p.expression(d)})
		case hclsyntax.TokenTemplateControl:
			d := p.directive(t)
			switch d.word {
			case "if":
				parts = append(parts, p.condition(d))
			case "for":
				parts = append(parts, p.loop(d))
			case "else", "endif", "endfor":
				return parts, d
			}
		default:
			p.fail(t.Range, "this cannot stand in a template", "Write $${ for ${ and %%{ for %{.")
		}
	}
}

func (p *templateParser) literal(t hclsyntax.Token) templatePart {
	text := unescapeTemplate(string(t.Bytes))
	if p.trim {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	p.trim = false
	return templatePart{kind: partLiteral, text: text}
}

// sequence reads up to the bracket that closes a sequence.
func (p *templateParser) sequence(open hclsyntax.Token) directive {
	p.trim = false
	start := open.Range.End.Byte
	for depth := 1; ; p.next++ {
		t := p.tokens[p.next]
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenTemplateSeqEnd:
			depth--
		case hclsyntax.TokenEOF:
			p.broken = true
			p.fail(open.Range, fmt.Sprintf("%s is never closed", open.Bytes), "Write the closing bracket, or $${ for ${ and %%{ for %{.")
			return directive{at: open.Range}
		}
		if depth > 0 {
			continue
		}
		p.next++
		p.trim = t.Bytes[0] == '~'
		end := t.Range.Start.Byte
		return directive{rest: p.text[start:end], from: start, at: byteRange(open.Range.Start.Byte, t.Range.End.Byte)}
	}
}

// directive reads a directive.
func (p *templateParser) directive(open hclsyntax.Token) directive {
	d := p.sequence(open)
	word := strings.TrimLeftFunc(d.rest, unicode.IsSpace)
	n := 0
	for n < len(word) && isNameByte(word[n]) {
		n++
	}
	d.from += len(d.rest) - len(word) + n
	d.word, d.rest = word[:n], word[n:]
	switch d.word {
	case "if", "for":
	case "else", "endif", "endfor":
		if strings.TrimSpace(d.rest) != "" {
			p.fail(d.at, fmt.Sprintf("%%{ %s } stands alone", d.word), "Take out what follows the word.")
		}
	default:
		if !p.broken {
			p.fail(d.at, fmt.Sprintf("%%{ %s } is no directive", clip(strings.TrimSpace(word))), "Write if, else, endif, for or endfor; %%{ is a literal %{.")
		}
		d.word = ""
	}
	return d
}

// expression reads the expression of a sequence. It is nil with a problem.
func (p *templateParser) expression(d directive) hclsyntax.Expression {
	if p.broken {
		return nil
	}
	expr, diags := parseExpression(d.rest, p.filename, d.from)
	p.diags = append(p.diags, diags...)
	return expr
}

func (p *templateParser) condition(d directive) templatePart {
	part := templatePart{kind: partIf, expr: p.expression(d)}
	var end directive
	if part.body, end = p.parts(); end.word == "else" {
		part.els, end = p.parts()
	}
	p.closed(d, end, "endif")
	return part
}

func (p *templateParser) loop(d directive) templatePart {
	part := templatePart{kind: partFor}
	head, coll, ok := cutWord(d.rest, "in")
	names := strings.Split(head, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
		ok = ok && hclsyntax.ValidIdentifier(names[i])
	}
	if !ok || len(names) > 2 {
		p.fail(d.at, "a loop needs variables and a list", "Write %{ for item in list } or %{ for key, value in map }.")
	} else {
		part.val = names[len(names)-1]
		if len(names) == 2 {
			part.key = names[0]
		}
		part.expr = p.expression(directive{rest: coll, from: d.from + len(d.rest) - len(coll)})
	}
	var end directive
	part.body, end = p.parts()
	p.closed(d, end, "endfor")
	return part
}

// cutWord cuts a text around the first word of that spelling.
func cutWord(s, word string) (before, after string, ok bool) {
	for at := 0; ; {
		i := strings.Index(s[at:], word)
		if i < 0 {
			return s, "", false
		}
		at += i
		end := at + len(word)
		if at > 0 && unicode.IsSpace(rune(s[at-1])) && end < len(s) && !isNameByte(s[end]) {
			return s[:at], s[end:], true
		}
		at = end
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}

// closed checks that a directive is closed by the one that belongs to it.
func (p *templateParser) closed(open, end directive, want string) {
	switch {
	case p.broken || end.word == want:
	case end.word == "":
		p.fail(open.at, fmt.Sprintf("%%{ %s } is never closed", open.word), fmt.Sprintf("Write %%{ %s } where it ends.", want))
	default:
		p.fail(end.at, fmt.Sprintf("%%{ %s } stands where %%{ %s } must", end.word, want), fmt.Sprintf("Close %%{ %s } first.", open.word))
	}
}
