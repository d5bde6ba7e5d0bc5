package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// parseJSON reads a JSON document into a tree. It is strict: one value, no
// comments, no trailing commas, no duplicate keys, no unpaired surrogates.
func parseJSON(src *Source) (*Node, hcl.Diagnostics) {
	p := &jsonParser{src: src, dec: json.NewDecoder(bytes.NewReader(src.Bytes))}
	p.dec.UseNumber()
	root, err := p.value(0)
	if err == nil {
		if _, err = p.token(); errors.Is(err, io.EOF) {
			if root.Kind == Null {
				return nil, hcl.Diagnostics{emptyManifest(src)}
			}
			return root, p.diags
		}
		if err == nil {
			err = p.fail(CodeSyntax, "more than one JSON value", "A manifest is a single JSON object.")
		}
	}
	var d *located
	if !errors.As(err, &d) {
		d = p.syntax(err)
	}
	return nil, append(p.diags, d.diagnostic)
}

type jsonParser struct {
	src        *Source
	dec        *json.Decoder
	start, end int // of the token read last
	diags      hcl.Diagnostics
}

// located is a diagnostic on its way up as an error.
type located struct{ diagnostic *hcl.Diagnostic }

func (l *located) Error() string { return l.diagnostic.Error() }

func (p *jsonParser) fail(code Code, summary, detail string) error {
	return &located{Problem(code, p.src.Range(p.start, p.end), summary, detail)}
}

// syntax places an error of the token reader. That of the whole text is asked
// for: only there the offset is always the one behind the wrong byte.
func (p *jsonParser) syntax(err error) *located {
	at, what := len(p.src.Bytes), "the file ends in the middle of a value"
	var whole json.RawMessage
	if s, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(p.src.Bytes, &whole)); ok && int(s.Offset) <= len(p.src.Bytes) {
		if !strings.Contains(s.Error(), "unexpected end") {
			at, what = int(s.Offset)-1, s.Error()
		}
	} else if !ok {
		what = err.Error()
	}
	return &located{Problem(CodeSyntax, p.src.Range(at, min(at+1, p.src.lineEnd(at))), "not valid JSON: "+what,
		"Write plain JSON: no comments, no trailing commas, double quotes around keys and text.")}
}

// token reads one token and notes where it stands.
func (p *jsonParser) token() (json.Token, error) {
	from := int(p.dec.InputOffset())
	t, err := p.dec.Token()
	p.end = int(p.dec.InputOffset())
	for from < p.end && strings.IndexByte(" \t\r\n,:", p.src.Bytes[from]) >= 0 {
		from++
	}
	p.start = from
	return t, err
}

func (p *jsonParser) value(depth int) (*Node, error) {
	t, err := p.token()
	if err != nil {
		return nil, err
	}
	if _, opens := t.(json.Delim); opens && depth >= maxDepth {
		return nil, p.fail(CodeTooDeep, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
	}
	n := &Node{Range: p.src.Range(p.start, p.end), Str: string(p.src.Bytes[p.start:p.end])}
	switch t := t.(type) {
	case nil:
		n.Kind = Null
	case bool:
		n.Kind, n.Bool = Bool, t
	case json.Number:
		if err := n.setNumber(t.String()); err != nil {
			return nil, p.fail(CodeSyntax, err.Error(), "Write a number in the range of a 64-bit float.")
		}
	case string:
		n.Kind, n.Str = String, t
		if err := p.surrogates(); err != nil {
			return nil, err
		}
	case json.Delim:
		if t == '[' {
			return n, p.list(n, depth)
		}
		return n, p.object(n, depth)
	}
	return n, nil
}

func (p *jsonParser) list(n *Node, depth int) error {
	n.Kind, n.Items = List, []*Node{}
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	_, err := p.token()
	return err
}

func (p *jsonParser) object(n *Node, depth int) error {
	n.Kind = Map
	seen := map[string]hcl.Range{}
	for p.dec.More() {
		t, err := p.token()
		if err != nil {
			return err
		}
		key, at := t.(string), p.src.Range(p.start, p.end)
		if err := p.surrogates(); err != nil {
			return err
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if first, ok := seen[key]; ok {
			p.diags = append(p.diags, duplicateKey(key, at, first))
			continue
		}
		seen[key] = at
		n.Fields = append(n.Fields, Field{Key: key, Range: at, Value: value})
	}
	_, err := p.token()
	return err
}

func duplicateKey(key string, at, first hcl.Range) *hcl.Diagnostic {
	return Problem(CodeDuplicateKey, at, fmt.Sprintf("duplicate key %q", clip(key)),
		fmt.Sprintf("The key is already set on line %d. Keep one of the two.", first.Start.Line))
}

// surrogates checks the text that was read last.
func (p *jsonParser) surrogates() error {
	if !loneSurrogate(p.src.Bytes[p.start:p.end]) {
		return nil
	}
	return p.fail(CodeSyntax, "an unpaired surrogate escape is no character",
		`Write both halves (\ud83d\ude00) or the character itself.`)
}

// loneSurrogate says whether a JSON string literal escapes half a surrogate
// pair, which encoding/json would turn into U+FFFD without a word.
func loneSurrogate(literal []byte) bool {
	for i := 0; i+1 < len(literal); i++ {
		if literal[i] != '\\' {
			continue
		}
		i++
		if literal[i] != 'u' {
			continue
		}
		hi := hex4(literal, i+1)
		i += 4
		if hi < 0xD800 || hi > 0xDFFF {
			continue
		}
		if hi >= 0xDC00 || i+2 >= len(literal) || literal[i+1] != '\\' || literal[i+2] != 'u' {
			return true
		}
		if lo := hex4(literal, i+3); lo < 0xDC00 || lo > 0xDFFF {
			return true
		}
		i += 6
	}
	return false
}

// hex4 reads four hexadecimal digits, which the decoder has checked.
func hex4(b []byte, at int) int {
	v := 0
	for _, c := range b[min(at, len(b)):min(at+4, len(b))] {
		v = v<<4 | strings.IndexByte("0123456789abcdef", c|0x20)
		if c >= '0' && c <= '9' {
			v = v&^0xF | int(c-'0')
		}
	}
	return v
}
