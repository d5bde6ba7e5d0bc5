package manifestfmt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// writeYAML writes a manifest for people: maps line by line, short lists on one
// line, texts of several lines as blocks where that gives the same text, and an
// empty line before every long part.
func writeYAML(root *schema.Node) []byte {
	if len(root.Fields) == 0 {
		return []byte("{}\n")
	}
	w, long := &yamlWriter{}, false
	for _, f := range root.Fields {
		part := &yamlWriter{}
		part.field(f, 0)
		text := part.b.String()
		before := long
		if long = strings.Count(text, "\n") > 1; long || before {
			w.gap()
		}
		w.b.WriteString(text)
	}
	return []byte(w.b.String())
}

// yamlWriter writes nodes as YAML.
type yamlWriter struct{ b strings.Builder }

// gap writes an empty line between two parts. One behind a block that ends with
// empty lines would be part of it.
func (w *yamlWriter) gap() {
	if text := w.b.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		w.b.WriteByte('\n')
	}
}

// fields writes the keys of a map.
func (w *yamlWriter) fields(n *schema.Node, indent int) {
	for _, f := range n.Fields {
		w.field(f, indent)
	}
}

func (w *yamlWriter) field(f schema.Field, indent int) {
	w.b.WriteString(strings.Repeat(" ", indent) + yamlKey(f.Key) + ":")
	if f.Key == "subagents" && indent == 0 && f.Value.Kind == schema.List && len(f.Value.Items) > 0 {
		w.b.WriteByte('\n')
		for i, item := range f.Value.Items {
			if i > 0 {
				w.gap()
			}
			w.item(item, 2)
		}
		return
	}
	w.value(f.Value, indent)
}

// value writes what stands behind a colon or a dash, with its last line feed.
// indent is that of the key or the dash.
func (w *yamlWriter) value(n *schema.Node, indent int) {
	switch {
	case n.Kind == schema.Map && len(n.Fields) > 0:
		w.b.WriteByte('\n')
		w.fields(n, indent+2)
	case n.Kind == schema.List && len(n.Items) > 0 && !fitsOneLine(n):
		w.b.WriteByte('\n')
		for _, item := range n.Items {
			w.item(item, indent+2)
		}
	case n.Kind == schema.String && fitsBlock(n.Str):
		w.block(n.Str, indent+2)
	default:
		w.b.WriteString(" " + yamlFlow(n) + "\n")
	}
}

// item writes one item of a list. The first key of a map stands behind the dash.
func (w *yamlWriter) item(n *schema.Node, indent int) {
	dash := strings.Repeat(" ", indent) + "-"
	if n.Kind == schema.Map && len(n.Fields) > 0 {
		inner := yamlWriter{}
		inner.fields(n, indent+2)
		w.b.WriteString(dash + " " + inner.b.String()[indent+2:])
		return
	}
	w.b.WriteString(dash)
	w.value(n, indent)
}

// lineWidth is what a list on one line may take.
const lineWidth = 100

// fitsOneLine says whether a list is short enough for brackets.
func fitsOneLine(n *schema.Node) bool {
	for _, item := range n.Items {
		if item.Kind == schema.Map || item.Kind == schema.List {
			return false
		}
	}
	return len(yamlFlow(n)) <= lineWidth
}

// fitsBlock says whether a text of several lines means itself as a block: it has
// no character that a reader of YAML takes for something else.
func fitsBlock(s string) bool {
	return strings.Contains(s, "\n") && strings.Trim(s, "\n") != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && !plainRune(r)
	}) < 0
}

// plainRune says whether a character stands in a file as it is: no control
// character, no line break of some reader, nothing that is no character.
func plainRune(r rune) bool {
	return r >= ' ' && r < 0x7F || r >= 0xA0 && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r != 0xFFFE && r != 0xFFFF
}

// block writes a text line by line. The indentation is spelled out where the
// first line that is not blank would hide it.
func (w *yamlWriter) block(s string, indent int) {
	w.b.WriteString(" |")
	if lead := strings.TrimLeft(s, "\n"); lead[0] == ' ' || lead[0] == '\t' {
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
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			w.b.WriteString(strings.Repeat(" ", indent) + line)
		}
		w.b.WriteByte('\n')
	}
	w.b.WriteString(strings.Repeat("\n", max(len(s)-len(body)-1, 0)))
}

// yamlFlow writes a value on one line.
func yamlFlow(n *schema.Node) string {
	var parts []string
	switch n.Kind {
	case schema.Map:
		for _, f := range n.Fields {
			parts = append(parts, yamlKey(f.Key)+": "+yamlFlow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.List:
		for _, item := range n.Items {
			parts = append(parts, yamlFlow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case schema.String:
		return yamlText(n.Str)
	}
	return scalar(n)
}

// yamlKey writes a key; a long one needs a sign of its own that nobody reads.
func yamlKey(key string) string {
	if plainText().MatchString(key) && !slices.Contains(reserved, strings.ToLower(key)) {
		return key
	}
	return quote(key)
}

var (
	// plainText is what can stand without quotes anywhere: words without a sign
	// that YAML gives a meaning to, the first of which begins with a letter.
	plainText = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_./()+@=;!'"-]*( [A-Za-z0-9_./()+@=;'"-]+)*$`)
	// reserved are words that some reader of YAML takes for no text.
	reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

func yamlText(s string) string {
	if len(s) < 500 && plainText().MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	return quote(s)
}

// quote writes a text in double quotes with the escapes of JSON, which YAML has,
// too.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text always encodes
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if plainRune(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// number is a number that every spelling takes as it is.
var number = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// scalar writes what is no text: a number as it was written, if every spelling
// takes it.
func scalar(n *schema.Node) string {
	switch {
	case n.Kind == schema.Null:
		return "null"
	case n.Kind == schema.Bool:
		return strconv.FormatBool(n.Bool)
	case number().MatchString(n.Str):
		return n.Str
	case n.Kind == schema.Int:
		return strconv.FormatInt(n.Int, 10)
	}
	text := strconv.FormatFloat(n.Float, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
