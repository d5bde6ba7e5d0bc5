package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// A writer writes a tree as YAML for people: mappings line by line, short lists
// on one line, texts of several lines as blocks where that gives the same text.
type writer struct{ b strings.Builder }

// fields writes the keys of a mapping.
func (w *writer) fields(n *schema.Node, indent int) {
	for _, f := range n.Fields {
		w.b.WriteString(strings.Repeat(" ", indent) + scalar(f.Key) + ":")
		w.value(f.Value, indent)
	}
}

// value writes what stands behind a colon or a dash, with its last line feed.
// indent is that of the key or the dash.
func (w *writer) value(n *schema.Node, indent int) {
	switch {
	case n.Kind == schema.Map && len(n.Fields) > 0:
		w.b.WriteByte('\n')
		w.fields(n, indent+2)
	case n.Kind == schema.List && len(n.Items) > 0 && !onOneLine(n):
		w.b.WriteByte('\n')
		for _, item := range n.Items {
			w.item(item, indent+2)
		}
	case n.Kind == schema.String && blockable(n.Str):
		w.block(n.Str, indent+2)
	default:
		w.b.WriteString(" " + flow(n) + "\n")
	}
}

// item writes one item of a list. The first key of a mapping stands behind the
// dash.
func (w *writer) item(n *schema.Node, indent int) {
	dash := strings.Repeat(" ", indent) + "-"
	if n.Kind == schema.Map && len(n.Fields) > 0 {
		inner := writer{}
		inner.fields(n, indent+2)
		w.b.WriteString(dash + " " + inner.b.String()[indent+2:])
		return
	}
	w.b.WriteString(dash)
	w.value(n, indent)
}

// onOneLine says whether a list is short enough for brackets.
func onOneLine(n *schema.Node) bool {
	for _, item := range n.Items {
		if item.Kind == schema.Map || item.Kind == schema.List {
			return false
		}
	}
	return len(flow(n)) <= 100
}

// blockable says whether a text that has a line feed means itself as a block: no
// character in it that a reader of YAML takes for something else.
func blockable(s string) bool {
	return strings.Contains(s, "\n") && strings.Trim(s, "\n") != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && !printable(r)
	}) < 0
}

func printable(r rune) bool {
	return r >= ' ' && r < 0x7F || r >= 0xA0 && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r != 0xFFFD && r != 0xFFFE && r != 0xFFFF
}

// block writes a text line by line. The indentation is spelled out where the
// first line that is not blank would hide it.
func (w *writer) block(s string, indent int) {
	w.b.WriteString(" |")
	if lead := strings.TrimLeft(s, "\n"); strings.HasPrefix(lead, " ") || strings.HasPrefix(lead, "\t") {
		w.b.WriteByte('2')
	}
	body := strings.TrimRight(s, "\n")
	switch trailing := len(s) - len(body); {
	case trailing == 0:
		w.b.WriteByte('-')
	case trailing > 1:
		w.b.WriteByte('+')
	}
	w.b.WriteByte('\n')
	for _, line := range strings.Split(body, "\n") {
		if line != "" {
			w.b.WriteString(strings.Repeat(" ", indent) + line)
		}
		w.b.WriteByte('\n')
	}
	if n := len(s) - len(body); n > 1 {
		w.b.WriteString(strings.Repeat("\n", n-1))
	}
}

// flow writes a value on one line.
func flow(n *schema.Node) string {
	var parts []string
	switch n.Kind {
	case schema.Map:
		for _, f := range n.Fields {
			parts = append(parts, scalar(f.Key)+": "+flow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.List:
		for _, item := range n.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case schema.String:
		return scalar(n.Str)
	case schema.Null:
		return "null"
	}
	return n.Str
}

// plain is what can stand without quotes anywhere: words without a sign that
// YAML gives a meaning to, the first of which begins with a letter.
var plain = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_./()+@=;!'"-]*( [A-Za-z0-9_./()+@=;'"-]+)*$`)

// words mean something else than text to some reader of YAML.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// scalar writes a text: plain where every reader takes it for one, else in double
// quotes with the escapes of JSON.
func scalar(s string) string {
	if plain().MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) && len(s) < 500 {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text always encodes
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if printable(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}
