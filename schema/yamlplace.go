package schema

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
)

// block finds out where the lines of a literal block scalar stand.
func (c *yamlConverter) block(y *yaml.Node) *blockText {
	b := &blockText{src: c.src, offset: c.src.offset(y.Line+1, 1)}
	number := y.Line
	for line := range strings.SplitSeq(y.Value, "\n") {
		number++
		if indent := leading(line); indent < len(line) {
			at := c.src.offset(number, 1)
			b.indent = leading(string(c.src.Bytes[at:c.src.lineEnd(at)])) - indent
			break
		}
	}
	return b
}

// leading counts the spaces that a line starts with.
func leading(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// rangeOf gives the range of a node without its anchor and tag, which never
// spans lines: a text up to its closing quote, a flow list or map up to its
// closing bracket, anything longer up to the end of its first line.
func (c *yamlConverter) rangeOf(y *yaml.Node) hcl.Range {
	at := hcl.Pos{Line: y.Line, Column: y.Column, Byte: c.src.offset(y.Line, y.Column)}
	line := c.src.Bytes[at.Byte:c.src.lineEndFrom(y.Line, at.Byte)]
	if y.Kind != yaml.AliasNode {
		n := propertiesLength(line)
		at, line = c.src.forward(at, n), line[n:]
	}
	n := len(line)
	switch {
	case y.Kind == yaml.AliasNode:
		n = min(len(y.Value)+1, n)
	case y.Style&yaml.FlowStyle != 0:
		n = flowLength(line)
	case y.Kind != yaml.ScalarNode:
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		n = quotedLength(line)
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && bytes.HasPrefix(line, []byte(y.Value)):
		n = len(y.Value)
	}
	return hcl.Range{Filename: c.src.Name, Start: at, End: c.src.forward(at, n)}
}

// propertiesLength gives the length of the anchor and the tag before a value,
// or 0 where the value stands on a later line.
func propertiesLength(line []byte) int {
	rest := line
	for len(rest) > 0 && (rest[0] == '&' || rest[0] == '!') {
		n := bytes.IndexAny(rest, " \t")
		if n < 0 {
			return 0
		}
		rest = bytes.TrimLeft(rest[n:], " \t")
	}
	if len(rest) == 0 || rest[0] == '#' {
		return 0
	}
	return len(line) - len(rest)
}

// quotedLength gives the length of the quoted scalar at the start of a line,
// or of the line where it goes on below.
func quotedLength(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch {
		case line[0] == '"' && line[i] == '\\':
			i++
		case line[i] == line[0] && line[0] == '\'' && i+1 < len(line) && line[i+1] == '\'':
			i++
		case line[i] == line[0]:
			return i + 1
		}
	}
	return len(line)
}

// flowLength gives the length of the flow list or map at the start of a line,
// or of the line where it goes on below.
func flowLength(line []byte) int {
	depth, fresh := 0, true // fresh: a quote here opens a text
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case (b == '"' || b == '\'') && fresh:
			i += quotedLength(line[i:]) - 1
			fresh = false
		case b == '[' || b == '{':
			depth, fresh = depth+1, true
		case b == ']' || b == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		default:
			fresh = b == ',' || b == ':' || b == ' ' || b == '\t'
		}
	}
	return len(line)
}

var (
	yamlLine   = lazyregexp.New(`^(yaml: )?(line \d+: )?`)
	yamlAnchor = lazyregexp.New(`unknown anchor '(.*)' referenced`)
)

// yamlSyntax turns an error of the YAML reader into a diagnostic on one line.
func yamlSyntax(src *Source, err error) *hcl.Diagnostic {
	what := strings.TrimPrefix(err.Error(), yamlLine().FindString(err.Error()))
	start := src.offset(faultLine(src, err), 1)
	end := src.lineEnd(start)
	text := src.Bytes[start:end]
	indent := len(text) - len(bytes.TrimLeft(text, " \t"))
	tab := bytes.IndexByte(text[:indent], '\t')
	start += indent
	detail := "Check indentation and quoting on this line and the one before it."
	switch m := yamlAnchor().FindStringSubmatch(what); {
	case m != nil:
		detail = "Define the anchor with & before the alias."
		if at := bytes.Index(src.Bytes[start:end], []byte("*"+m[1])); at >= 0 {
			start += at
			end = start + len("*"+m[1])
		}
	case tab >= 0:
		detail = "YAML forbids tabs for indentation. Use spaces."
		start += tab - indent
		end = start + 1
	case strings.Contains(what, "mapping values are not allowed"):
		detail = `Text that contains ": " must stand in double quotes.`
	case strings.Contains(what, "cannot start any token"):
		detail = "Text that begins with @, %, ` or a tab must stand in double quotes."
	case strings.Contains(what, "unexpected end of stream"):
		detail = "The quote that opens here is never closed."
	case strings.Contains(what, "expected ',' or"):
		detail = "The list or map that opens here is never closed."
	}
	return Problem(CodeSyntax, src.Range(start, end), "not valid YAML: "+what, detail)
}

// maxSearch bounds the part of a file in which a fault is searched for.
const maxSearch = 1 << 20

// faultLine finds the line of a syntax error. The reader tells at most where
// the map or list around it starts, but it fails as soon as it meets the fault:
// the line is the first after which it says the same of the file cut off there.
func faultLine(src *Source, err error) int {
	fails := func(lines int) bool {
		end := src.lineEnd(src.offset(lines, 1))
		again := yamlError(bytes.NewReader(src.Bytes[:end]))
		return again != nil && again.Error() == err.Error()
	}
	r := &lineReader{src: src}
	if yamlError(r) == nil {
		return 1 // cannot be: it failed before
	}
	last := max(r.lines, 1)
	if last == 1 || !fails(last-1) {
		return last
	}
	if src.lines[last-1] > maxSearch {
		return last
	}
	return 1 + sort.Search(last-1, func(i int) bool { return fails(i + 1) })
}

// yamlError reads everything and gives the first error.
func yamlError(r io.Reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the reader gave up")
		}
	}()
	for dec := yaml.NewDecoder(r); ; {
		if err := dec.Decode(new(yaml.Node)); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// lineReader hands out a source one line at a time and counts them.
type lineReader struct {
	src   *Source
	at    int
	lines int
}

func (r *lineReader) Read(p []byte) (int, error) {
	if r.at >= len(r.src.Bytes) {
		return 0, io.EOF
	}
	line := r.src.Bytes[r.at:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	n := copy(p, line)
	r.at += n
	if n == len(line) {
		r.lines++
	}
	return n, nil
}
