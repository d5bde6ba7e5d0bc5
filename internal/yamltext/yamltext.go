// Package yamltext writes trees as YAML for people: maps line by line, short lists
// on one line, texts of several lines as blocks where that gives the same text, and
// everything else in double quotes where a reader could take it for something else.
//
// What it writes means the same to readers of YAML 1.1 and 1.2.
package yamltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// A Writer collects the text of a tree.
type Writer struct {
	strings.Builder

	// Inserted says that the text goes in between others: no block may take in
	// empty lines that follow.
	Inserted bool
}

// Fields writes the keys of a map, each on a line of its own.
func (w *Writer) Fields(n *schema.Node, indent int) {
	for _, f := range n.Fields {
		w.Field(f, indent)
	}
}

// Field writes a key with its value.
func (w *Writer) Field(f schema.Field, indent int) {
	w.WriteString(strings.Repeat(" ", indent) + Key(f.Key) + ":")
	w.Value(f.Value, indent)
}

// Value writes what stands behind a colon or a dash, with its last line feed.
// indent is that of the key or the dash.
func (w *Writer) Value(n *schema.Node, indent int) {
	switch {
	case n.Kind == schema.Map && len(n.Fields) > 0:
		w.WriteByte('\n')
		w.Fields(n, indent+2)
	case n.Kind == schema.List && len(n.Items) > 0 && !FitsOneLine(n):
		w.WriteByte('\n')
		for _, item := range n.Items {
			w.Item(item, indent+2)
		}
	case n.Kind == schema.String && w.Block(n.Str):
		w.block(n.Str, indent+2)
	default:
		w.WriteString(" " + Flow(n) + "\n")
	}
}

// Item writes one item of a list. The first key of a map stands behind the dash.
func (w *Writer) Item(n *schema.Node, indent int) {
	dash := strings.Repeat(" ", indent) + "-"
	if n.Kind == schema.Map && len(n.Fields) > 0 {
		inner := Writer{Inserted: w.Inserted}
		inner.Fields(n, indent+2)
		w.WriteString(dash + " " + inner.String()[indent+2:])
		return
	}
	w.WriteString(dash)
	w.Value(n, indent)
}

// lineWidth is what a list on one line may take.
const lineWidth = 100

// FitsOneLine says whether a list is short enough for brackets.
func FitsOneLine(n *schema.Node) bool {
	for _, item := range n.Items {
		if item.Kind == schema.Map || item.Kind == schema.List {
			return false
		}
	}
	return len(Flow(n)) <= lineWidth
}

// Block says whether a text of several lines is written as a block: it means
// itself there, since it has no character that a reader of YAML takes for
// something else.
func (w *Writer) Block(s string) bool {
	if w.Inserted && strings.HasSuffix(s, "\n\n") {
		return false
	}
	return strings.Contains(s, "\n") && strings.Trim(s, "\n") != "" && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !Plain(r) }) < 0
}

// Plain says whether a character stands in a file as it is: no control
// character, no line break of some reader, nothing that is no character.
func Plain(r rune) bool {
	return r >= ' ' && r < 0x7F || r >= 0xA0 && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r != 0xFFFE && r != 0xFFFF
}

// block writes a text line by line. The indentation is spelled out where the
// first line that is not blank would hide it.
func (w *Writer) block(s string, indent int) {
	w.WriteString(" |")
	if lead := strings.TrimLeft(s, "\n"); lead[0] == ' ' || lead[0] == '\t' {
		w.WriteByte('2')
	}
	body := strings.TrimRight(s, "\n")
	switch trailing := len(s) - len(body); {
	case trailing == 0:
		w.WriteByte('-')
	case trailing > 1:
		w.WriteByte('+')
	}
	w.WriteByte('\n')
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			w.WriteString(strings.Repeat(" ", indent) + line)
		}
		w.WriteByte('\n')
	}
	w.WriteString(strings.Repeat("\n", max(len(s)-len(body)-1, 0)))
}

// Flow writes a value on one line.
func Flow(n *schema.Node) string { return line(n, Key, Text) }

// JSON writes a value on one line as JSON, which is YAML too.
func JSON(n *schema.Node) string { return line(n, Quote, Quote) }

func line(n *schema.Node, key, text func(string) string) string {
	var parts []string
	switch n.Kind {
	case schema.Map:
		for _, f := range n.Fields {
			parts = append(parts, key(f.Key)+": "+line(f.Value, key, text))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.List:
		for _, item := range n.Items {
			parts = append(parts, line(item, key, text))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case schema.String:
		return text(n.Str)
	}
	return Scalar(n)
}

// Key writes a key; a long one needs a sign of its own that nobody reads.
func Key(key string) string {
	if plainText().MatchString(key) && !slices.Contains(reserved, strings.ToLower(key)) {
		return key
	}
	return Quote(key)
}

var (
	// plainText is what can stand without quotes anywhere: words without a sign
	// that YAML gives a meaning to, the first of which begins with a letter.
	plainText = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_./()+@=;!'"-]*( [A-Za-z0-9_./()+@=;'"-]+)*$`)
	// reserved are words that some reader of YAML takes for no text.
	reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// Text writes a text on one line.
func Text(s string) string {
	if len(s) < 500 && plainText().MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	return Quote(s)
}

// Quote writes a text in double quotes with the escapes of JSON, which YAML has,
// too.
func Quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text always encodes
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if Plain(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// number is a number that every spelling takes as it is.
var number = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Scalar writes what is no text: a number as it was written, if every spelling
// takes it.
func Scalar(n *schema.Node) string {
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
