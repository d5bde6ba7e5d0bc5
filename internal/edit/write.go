package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// written gives the text of an entry, which depends on how far its dash is
// indented; in a list with brackets it has none.
func (f *File) written(entry *schema.Node) func(indent int) string {
	return func(indent int) string {
		if indent < 0 {
			return flowText(entry, f.json)
		}
		w := &writer{}
		w.fields(entry, indent+2)
		text := strings.Repeat(" ", indent) + "- " + strings.TrimLeft(w.b.String(), " ")
		return strings.ReplaceAll(text, "\n", f.newline())
	}
}

// writer writes YAML in lines.
type writer struct{ b strings.Builder }

func (w *writer) fields(n *schema.Node, indent int) {
	for _, f := range n.Fields {
		fmt.Fprintf(&w.b, "%s%s:", strings.Repeat(" ", indent), scalar(f.Key, false))
		w.value(f.Value, indent+2)
	}
}

// value writes what stands behind a colon, with the line feed that ends it.
func (w *writer) value(n *schema.Node, indent int) {
	switch {
	case n.Kind == schema.Map && len(n.Fields) > 0:
		w.b.WriteString("\n")
		w.fields(n, indent)
	case n.Kind == schema.List && len(n.Items) > 0 && !short(n):
		w.b.WriteString("\n")
		for _, item := range n.Items {
			w.item(item, indent)
		}
	case n.Kind == schema.String && literal(n.Str):
		w.literal(n.Str, indent)
	default:
		w.b.WriteString(" " + flowText(n, false) + "\n")
	}
}

func (w *writer) item(n *schema.Node, indent int) {
	if n.Kind == schema.Map && len(n.Fields) > 0 {
		inner := &writer{}
		inner.fields(n, indent+2)
		w.b.WriteString(strings.Repeat(" ", indent) + "- " + strings.TrimLeft(inner.b.String(), " "))
		return
	}
	w.b.WriteString(strings.Repeat(" ", indent) + "-")
	w.value(n, indent+2)
}

// short says whether a list fits on one line: scalars alone, and not many.
func short(n *schema.Node) bool {
	for _, item := range n.Items {
		if item.Kind == schema.Map || item.Kind == schema.List || item.Kind == schema.String && strings.Contains(item.Str, "\n") {
			return false
		}
	}
	return len(flowText(n, false)) <= 90
}

// literal says whether a text can stand line by line, as it is.
func literal(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == ' ' || s[0] == '\n' || strings.HasSuffix(s, "\n\n") || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r != '\n' && !plainRune(r) {
			return false
		}
	}
	return true
}

// plainRune says whether a character may stand in YAML as it is.
func plainRune(r rune) bool {
	return r >= ' ' && r < 0x7F || r >= 0xA0 && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r != 0xFFFE && r != 0xFFFF
}

func (w *writer) literal(s string, indent int) {
	w.b.WriteString(" |")
	if !strings.HasSuffix(s, "\n") {
		w.b.WriteString("-")
	}
	w.b.WriteString("\n")
	for line := range strings.Lines(s) {
		if line != "\n" {
			w.b.WriteString(strings.Repeat(" ", indent))
		}
		w.b.WriteString(line)
	}
	if !strings.HasSuffix(s, "\n") {
		w.b.WriteString("\n")
	}
}

// flowText writes a value on one line.
func flowText(n *schema.Node, asJSON bool) string {
	var parts []string
	switch n.Kind {
	case schema.Map:
		for _, f := range n.Fields {
			parts = append(parts, scalar(f.Key, asJSON)+": "+flowText(f.Value, asJSON))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.List:
		for _, item := range n.Items {
			parts = append(parts, flowText(item, asJSON))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case schema.String:
		return scalar(n.Str, asJSON)
	case schema.Null:
		return "null"
	}
	return n.Str
}

// word is what can stand without quotes anywhere: no sign that YAML gives a
// meaning to.
var word = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_./()+-]*( [A-Za-z0-9_./()+;'-]+)*$`)

// scalar writes a text: plain where that is safe, else in double quotes.
func scalar(s string, asJSON bool) string {
	if !asJSON && len(s) < 1000 && word().MatchString(s) && (&yaml.Node{Kind: yaml.ScalarNode, Value: s}).ShortTag() == "!!str" && !words[strings.ToLower(s)] {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text always encodes
	}
	text := strings.TrimSuffix(b.String(), "\n")
	var out strings.Builder
	for _, r := range text {
		if plainRune(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// words are plain scalars that older readers take for something else than text.
var words = map[string]bool{"yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}
