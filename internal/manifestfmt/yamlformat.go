package manifestfmt

import (
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// formatYAML lays the lines of a YAML manifest out anew: keys in their order, two
// spaces for each level, the dashes of a list two spaces below its key, one empty
// line at most, and one before every long part of the root and of the list of
// entries. It moves lines and their margins and writes no value, so that comments,
// anchors, quotes and blocks stay what they are. A text without blocks at the
// root stays as it is.
func formatYAML(data []byte) []byte {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil || len(doc.Content) == 0 {
		return data // it has been read before
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	f := &yamlFormatter{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), fixed: redefines(&doc)}
	end := lineEnd(data)
	out := f.document(doc.Content[0])
	return []byte(strings.Join(out, end) + end)
}

type yamlFormatter struct {
	lines []string
	fixed bool // an anchor is defined twice: nothing changes its place
}

// A part is a key or an item of a block, with its lines.
type part struct {
	key, value *yaml.Node // key is nil for an item
	start      int        // first line, comments above it included
	line       int        // the line of the key or the dash
	end        int        // the line behind it
}

// document formats everything.
func (f *yamlFormatter) document(root *yaml.Node) []string {
	from, to := 0, len(f.lines)
	for i, line := range f.lines {
		if line == "---" {
			from = i + 1
			break
		}
		if !isGap(line) && !strings.HasPrefix(line, "%") {
			break
		}
	}
	if last := slices.Index(f.lines[from:], "..."); last >= 0 {
		to = from + last
	}
	if !isBlock(root) {
		return f.lines
	}
	body := f.block(root, documentShape(), from, to, 0, 0)
	if body == nil {
		return f.lines
	}
	for len(body) > 0 && body[0] == "" {
		body = body[1:]
	}
	head := f.lines[:from]
	for len(head) > 0 && head[0] == "" {
		head = head[1:]
	}
	return slices.Concat(head, body, f.lines[to:])
}

func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// margin counts the spaces that a line begins with.
func margin(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// isGap says whether a line is empty or a comment.
func isGap(line string) bool { return strings.TrimSpace(line) == "" || isComment(line) }

// block formats the keys or items between two lines, which begin at a column, for
// a margin. nil says that they are written in a way that is left alone.
func (f *yamlFormatter) block(n *yaml.Node, s *shape, from, to, column, indent int) []string {
	parts := f.parts(n, from, to, column)
	if parts == nil {
		return nil
	}
	tail := f.gapAbove(to, parts[len(parts)-1].line, column, parts[len(parts)-1].value)
	parts[len(parts)-1].end = tail
	var out []string
	spaced := s == documentShape() || s != nil && s == documentShape().fields["subagents"]
	long := false
	head := f.head(n, s, parts)
	if out = f.gap(parts[0].start, head, indent); len(out) > 0 && head < parts[0].line {
		out = append(out, "")
	}
	parts[0].start = head
	for i, p := range f.ordered(n, s, parts) {
		lines := f.part(n, s, p, column, indent)
		if lines == nil {
			return nil
		}
		gap := f.gap(p.start, p.line, indent)
		if len(out) == 0 || out[len(out)-1] == "" {
			gap = trimGap(gap) // an empty line more would belong to a block that keeps them
		}
		before := long
		long = len(lines) > 1
		if spaced && i > 0 && (long || before) && (len(gap) == 0 || gap[0] != "") && out[len(out)-1] != "" {
			gap = append([]string{""}, gap...)
		}
		out = append(append(out, gap...), lines...)
	}
	rest := f.gap(tail, to, indent)
	if len(out) > 0 && out[len(out)-1] == "" {
		rest = trimGap(rest)
	}
	for len(rest) > 0 && rest[len(rest)-1] == "" {
		rest = rest[:len(rest)-1]
	}
	return append(out, rest...)
}

func trimGap(gap []string) []string {
	for len(gap) > 0 && gap[0] == "" {
		gap = gap[1:]
	}
	return gap
}

// parts finds the parts of a block.
func (f *yamlFormatter) parts(n *yaml.Node, from, to, column int) []part {
	var parts []part
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, part{key: n.Content[i], value: n.Content[i+1], line: n.Content[i].Line - 1})
		}
	} else {
		line := from
		for _, item := range n.Content {
			for line < to && !f.isDash(line, column) {
				line++
			}
			parts = append(parts, part{value: item, line: line})
			line++
		}
	}
	for i := range parts {
		p := &parts[i]
		if p.line < from || p.line >= to || !f.begins(p, column, i == 0) || i > 0 && p.line <= parts[i-1].line {
			return nil
		}
		if i == 0 {
			p.start = from
			continue
		}
		p.start = f.gapAbove(p.line, parts[i-1].line, column, parts[i-1].value)
		parts[i-1].end = p.start
	}
	parts[len(parts)-1].end = to
	return parts
}

func (f *yamlFormatter) isDash(line, column int) bool {
	text := f.lines[line]
	return margin(text) == column && strings.HasPrefix(text[column:]+" ", "- ")
}

// begins says whether a part begins at a column with nothing before it; the first
// key of an item stands behind its dash.
func (f *yamlFormatter) begins(p *part, column int, first bool) bool {
	text := f.lines[p.line]
	if p.key == nil {
		return true
	}
	if p.key.Kind != yaml.ScalarNode || p.key.Anchor != "" || p.key.Style&yaml.TaggedStyle != 0 || p.key.Column != column+1 || len(text) <= column || text[column] == '?' {
		return false
	}
	before := strings.TrimLeft(text[:column], " ")
	return before == "" || first && strings.Trim(before, " ") == "-"
}

// gapAbove gives the first of the empty lines and comments right above a line. A
// comment that is indented further than the column belongs to what stands above,
// and so do the empty lines that a block text keeps.
func (f *yamlFormatter) gapAbove(line, above, column int, before *yaml.Node) int {
	start, text := line, lastText(before)
	if text == nil || text.Line > len(f.lines) {
		return f.gapFrom(start, above, column, math.MaxInt)
	}
	header := f.lines[text.Line-1]
	least := textMargin(header, f.lines[text.Line:line])
	if text == before {
		column = max(column, least-1) // nothing lies between the key and its text
	}
	start = f.gapFrom(start, above, column, least)
	if strings.Contains(blockHeader(header), "+") {
		for start < line && strings.TrimSpace(f.lines[start]) == "" {
			start++
		}
	}
	return start
}

// gapFrom goes up over comments that are indented no further than a column, and
// over empty lines, which have no more than so many blanks.
func (f *yamlFormatter) gapFrom(start, above, column, blanks int) int {
	for ; start-1 > above; start-- {
		line := f.lines[start-1]
		if !isGap(line) || isComment(line) && margin(line) > column || !isComment(line) && len(line) > blanks {
			break
		}
	}
	return start
}

// lastText gives the block text that a value ends with, or nil.
func lastText(n *yaml.Node) *yaml.Node {
	for isBlock(n) {
		n = n.Content[len(n.Content)-1]
	}
	if n.Kind != yaml.ScalarNode || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return nil
	}
	return n
}

// blockHeader gives the signs behind | or > at the end of a line.
func blockHeader(line string) string {
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimRight(line, " ")
	i := strings.LastIndexAny(line, "|>")
	return line[i+1:]
}

// gap writes empty lines and comments: each run of empty lines as one.
func (f *yamlFormatter) gap(start, end, indent int) []string {
	var out []string
	for _, line := range f.lines[start:max(start, end)] {
		text := strings.TrimSpace(line)
		switch {
		case text != "":
			out = append(out, strings.Repeat(" ", indent)+text)
		case len(out) == 0 || out[len(out)-1] != "":
			out = append(out, "")
		}
	}
	return out
}

// head gives the line behind the comments that stand at the top of the file
// rather than above its first key: all of them, or all but the last of several.
func (f *yamlFormatter) head(n *yaml.Node, s *shape, parts []part) int {
	p := parts[0]
	if s != documentShape() || n.Kind != yaml.MappingNode {
		return p.start
	}
	for line := p.line - 1; line > p.start; line-- {
		if strings.TrimSpace(f.lines[line]) == "" && slices.ContainsFunc(f.lines[p.start:line], isComment) {
			return line
		}
	}
	return p.line
}
