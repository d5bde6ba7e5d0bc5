package manifestfmt

import (
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// ordered gives the parts of a map of known keys in their order, unless an alias
// would come before its anchor.
func (f *yamlFormatter) ordered(n *yaml.Node, s *shape, parts []part) []part {
	if n.Kind != yaml.MappingNode || !s.isObject() || f.fixed {
		return parts
	}
	keys := make([]string, len(parts))
	for i, p := range parts {
		keys[i] = p.key.Value
	}
	order := s.order(keys)
	if merge := slices.Index(keys, "<<"); merge >= 0 {
		order = slices.Insert(slices.DeleteFunc(order, func(i int) bool { return i == merge }), 0, merge)
	}
	out := make([]part, len(parts))
	defined := map[string]int{} // anchor → part
	for i, p := range parts {
		walk(p.value, func(n *yaml.Node) {
			if n.Anchor != "" {
				defined[n.Anchor] = i
			}
		})
	}
	done := map[int]bool{}
	for at, i := range order {
		out[at] = parts[i]
		done[i] = true
		broken := false
		walk(parts[i].value, func(n *yaml.Node) {
			if where, here := defined[n.Value]; n.Kind == yaml.AliasNode && here && !done[where] {
				broken = true
			}
		})
		if broken {
			return parts
		}
	}
	return out
}

// walk visits a node and what stands below it in the file.
func walk(n *yaml.Node, visit func(*yaml.Node)) {
	visit(n)
	for _, child := range n.Content {
		walk(child, visit)
	}
}

// redefines says whether an anchor is defined twice.
func redefines(doc *yaml.Node) bool {
	seen := map[string]bool{}
	twice := false
	walk(doc, func(n *yaml.Node) {
		twice = twice || n.Anchor != "" && seen[n.Anchor]
		seen[n.Anchor] = true
	})
	return twice
}

// part formats one part, without the comments above it.
func (f *yamlFormatter) part(n *yaml.Node, s *shape, p part, column, indent int) []string {
	if n.Kind == yaml.SequenceNode {
		return f.item(s, p, column, indent)
	}
	text := f.lines[p.line]
	first := strings.Repeat(" ", indent) + strings.TrimRight(text[min(column, len(text)):], " \t")
	if !isBlock(p.value) {
		return append([]string{first}, f.rest(p, p.line+1, column, indent)...)
	}
	return f.below(first, s.child(p.key.Value), p, indent)
}

// below formats a block that stands below its key, or below an anchor of its own.
func (f *yamlFormatter) below(first string, s *shape, p part, indent int) []string {
	line := p.line + 1
	for line < p.end && isGap(f.lines[line]) {
		line++
	}
	if line >= p.end {
		return nil // it begins on the line of its key after all
	}
	inner := f.block(p.value, s, p.line+1, p.end, margin(f.lines[line]), indent+2)
	if inner == nil {
		return nil
	}
	return append([]string{first}, trimGap(inner)...)
}

// item formats an item of a list. The first key of a map stands behind the dash,
// and comments above that key above the dash.
func (f *yamlFormatter) item(s *shape, p part, column, indent int) []string {
	text := strings.TrimRight(f.lines[p.line], " \t")
	dash := strings.Repeat(" ", indent) + "-"
	rest := strings.TrimLeft(text[column+1:], " ")
	inner := len(text) - len(rest) // column of what stands behind the dash
	switch {
	case !isBlock(p.value):
		first := dash
		if rest != "" {
			first += " " + rest
		}
		return append([]string{first}, f.rest(p, p.line+1, column, indent)...)
	case rest == "" || rest[0] == '#' || rest[0] == '&' || rest[0] == '!':
		below := f.below(strings.TrimRight(dash+" "+rest, " "), s.item(), p, indent)
		if rest != "" || below == nil || p.value.Kind == yaml.SequenceNode {
			return below
		}
		return behindDash(below[1:], indent)
	case p.value.Kind == yaml.SequenceNode:
		return nil
	}
	return behindDash(f.block(p.value, s.item(), p.line, p.end, inner, indent+2), indent)
}

// behindDash puts a dash before the first line of an item that is no comment.
func behindDash(lines []string, indent int) []string {
	for i, line := range lines {
		switch {
		case isComment(line):
			lines[i] = line[2:]
		case line != "":
			lines[i] = line[:indent] + "- " + line[indent+2:]
			return lines
		}
	}
	return nil
}

// rest moves the further lines of a value that is no block of keys or items: all
// by as much as its key, the lines of a block text to two spaces below it.
func (f *yamlFormatter) rest(p part, from, column, indent int) []string {
	lines := f.lines[from:p.end]
	by, least := indent-column, math.MaxInt
	if v := p.value; v.Kind == yaml.ScalarNode && v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		header := f.lines[v.Line-1]
		if least = textMargin(header, lines); least < math.MaxInt && !strings.ContainsAny(blockHeader(header), digits) {
			by = indent + 2 - least
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "" && len(line) <= least:
		case by >= 0:
			out[i] = strings.Repeat(" ", by) + line
		default:
			out[i] = line[min(-by, margin(line)):]
		}
	}
	return out
}

// digits in the header of a block text say how far it is indented.
const digits = "123456789"

// textMargin gives the margin of a block text: that of its first line that is not
// blank, or the least that its header can mean. A text without such a line has a
// margin beyond all lines.
func textMargin(header string, lines []string) int {
	signs := blockHeader(header)
	if i := strings.IndexAny(signs, digits); i >= 0 {
		return margin(header) + int(signs[i]-'0')
	}
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return margin(line)
		}
	}
	return math.MaxInt
}
