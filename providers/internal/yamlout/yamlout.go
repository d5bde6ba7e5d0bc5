// Package yamlout writes YAML that every reader of the hosts reads alike:
// values on one line, in the JSON subset, with whatever a reader may refuse,
// fold or cut at written as an escape.
package yamlout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Value writes any JSON value on one line. Texts are double-quoted; mappings
// are sorted unless the value marshals itself in another order.
func Value(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("writing a value as YAML: %w", err)
	}
	return escape(strings.TrimSuffix(b.String(), "\n")), nil
}

// Text writes a double-quoted scalar.
func Text(s string) string {
	out, err := Value(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return out
}

// escape rewrites what is legal JSON and not safe YAML. All of it can occur
// inside quotes only. Three hyphens in a row end the front matter for readers
// that look for them without parsing.
func escape(s string) string {
	safe := func(r rune) bool {
		return r < 0x7F || r > 0x9F && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r != 0xFFFE && r != 0xFFFF
	}
	if strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) >= 0 {
		var b strings.Builder
		for _, r := range s {
			if safe(r) {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		}
		s = b.String()
	}
	return strings.ReplaceAll(s, "---", `\u002d\u002d\u002d`)
}

// A FrontMatter is the head of a Markdown file: keys in the order in which they
// are added, behind a comment that says whose the file is.
type FrontMatter struct {
	b   bytes.Buffer
	err error
}

// NewFrontMatter starts a head with a comment.
func NewFrontMatter(comment string) *FrontMatter {
	f := &FrontMatter{}
	f.b.WriteString("---\n# " + comment + "\n")
	return f
}

// Text adds a key with a double-quoted text.
func (f *FrontMatter) Text(key, value string) { f.line(key, Text(value)) }

// Value adds a key with any value, on one line.
func (f *FrontMatter) Value(key string, value any) {
	s, err := Value(value)
	if err != nil && f.err == nil {
		f.err = err
	}
	f.line(key, s)
}

// Raw adds lines that are YAML already.
func (f *FrontMatter) Raw(lines string) { f.b.WriteString(lines) }

func (f *FrontMatter) line(key, value string) { f.b.WriteString(key + ": " + value + "\n") }

// File gives the whole file: the head, the closing line, and the body right
// after it.
func (f *FrontMatter) File(body string) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.b.Grow(len("---\n") + len(body))
	f.b.WriteString("---\n")
	f.b.WriteString(body)
	return f.b.Bytes(), nil
}

// Key writes a key: plain where it is a plain word, else quoted.
func Key(key string) string {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') && (i == 0 || r != '-') {
			return Text(key)
		}
	}
	if key == "" || strings.Contains(key, "---") || slices.Contains(words, strings.ToLower(key)) {
		return Text(key)
	}
	return key
}

// words are plain scalars that a reader may take for something else than text.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
