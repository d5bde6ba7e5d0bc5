package goose

import (
	"regexp"
	"slices"
	"strings"
)

// openers start an expression, a statement and a comment of MiniJinja.
var openers = []string{"{{", "{%", "{#"}

// evaluated says whether goose would read a text as more than text.
func evaluated(s string) bool {
	return slices.ContainsFunc(openers, func(o string) bool { return strings.Contains(s, o) })
}

// escapes writes each opener as an expression whose value it is. A raw block
// would be an error: goose makes raw blocks of its own before it evaluates.
// Observed on 1.37.0 and 1.52.0.
var escapes = strings.NewReplacer("{{", "{{ '{{' }}", "{%", "{{ '{%' }}", "{#", "{{ '{#' }}")

// escape writes a text so that one rendering gives it back.
func escape(s string) string {
	if !evaluated(s) {
		return s // the replacer would copy it
	}
	return escapes.Replace(s)
}

// hide writes a line of a recipe so that its rendering leaves it alone: the
// first brace of each opener becomes an escape of YAML. Openers stand in quoted
// texts only, since no mapping of the line starts with another. Unlike [escape]
// this also serves the readers of a recipe that do not render it, as the list of
// what can be delegated to. Observed on 1.52.0.
func hide(line string) string {
	if !evaluated(line) {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		if line[i] == '{' && evaluated(line[i:min(i+2, len(line))]) {
			b.WriteString(hidden)
			continue
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// hidden is an opening brace in a quoted text of YAML.
const hidden = `\u007b`

// use matches what stands for the value of a parameter.
var use = regexp.MustCompile(`\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}`)

// parameters are the keys that a recipe declares, with whether they are used.
type parameters map[string]bool

// write is [hide] for a line in which parameters stand for their values: what
// the rendering of the file puts in. A line that is rendered once more after
// that is escaped first.
func (p parameters) write(line string, again bool) string {
	if len(p) == 0 {
		return piece(line, again, false)
	}
	var b strings.Builder
	rest := 0
	for _, m := range use.FindAllStringSubmatchIndex(line, -1) {
		key := line[m[2]:m[3]]
		if _, declared := p[key]; !declared {
			continue
		}
		p[key] = true
		b.WriteString(piece(line[rest:m[0]], again, true))
		b.WriteString(line[m[0]:m[1]])
		rest = m[1]
	}
	b.WriteString(piece(line[rest:], again, false))
	return b.String()
}

// piece writes what stands between the uses of parameters. A brace right before
// one would become part of it.
func piece(s string, again, before bool) string {
	if again {
		s = escape(s)
	}
	head, brace := strings.CutSuffix(s, "{")
	switch {
	case !before || !brace:
		return hide(s)
	case again:
		return hide(head + "{{ '{' }}")
	}
	return hide(head) + hidden
}

// undeclared lists the uses of keys that the recipe does not declare.
func (p parameters) undeclared(s string) []string {
	var keys []string
	for _, m := range use.FindAllStringSubmatch(s, -1) {
		if _, declared := p[m[1]]; !declared && !slices.Contains(keys, m[1]) {
			keys = append(keys, m[1])
		}
	}
	return keys
}
