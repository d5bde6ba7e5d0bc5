package providers

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Fence says where the front matter of a Markdown file stands: byte offsets
// of its text and of the body. Each host has a rule of its own for it.
type Fence struct{ Start, End, Body int }

// LineFence finds the front matter by its lines, as most readers do: a first
// line that is --- and the next one that starts with it. Words may stand behind
// the first, as the name of the format. It is not ok where there is no first
// line, or no closing one unless open says that the end of the file is one.
func LineFence(text []byte, words []string, open bool) (f Fence, ok bool) {
	first, _, more := bytes.Cut(text, []byte("\n"))
	rest, ok := strings.CutPrefix(strings.TrimRight(string(first), " \t\r"), "---")
	if !ok || !more {
		return Fence{}, false
	}
	for _, word := range append(words, "") {
		if ok = rest == word; ok {
			break
		}
	}
	if !ok {
		return Fence{}, false
	}
	f.Start = len(first) + 1
	for at := f.Start; at < len(text); {
		line, next := text[at:], len(text)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		if bytes.HasPrefix(line, []byte("---")) {
			f.End, f.Body = at, AfterFence(text, at+3)
			return f, true
		}
		at = next
	}
	f.End, f.Body = len(text), len(text)
	return f, open
}

// AfterFence gives the start of the body: the line after a fence that ends at an
// offset, or what stands behind the fence on its line.
func AfterFence(text []byte, end int) int {
	line := text[end:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if len(bytes.TrimSpace(line)) > 0 {
		return end
	}
	return min(end+len(line)+1, len(text))
}

// Head reads the front matter as YAML, with the places that it has in the file.
// Of two equal keys the last counts if lastWins says so.
func (f Fence) Head(src *schema.Source, lastWins bool) (*schema.Node, hcl.Diagnostics) {
	return schema.ParseYAML(f.masked(src), lastWins)
}

// masked gives a source in which the front matter alone stands, where it stood.
func (f Fence) masked(src *schema.Source) *schema.Source {
	text := bytes.Clone(src.Bytes[:f.End])
	for i := range f.Start {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return schema.NewSource(src.Name, text)
}

// Repaired reads the front matter again after each of its lines went through
// repair, which may change but not add lines. It says whether that helped. Places
// are exact to the line.
func (f Fence) Repaired(src *schema.Source, lastWins bool, repair func(line string) string) (*schema.Node, hcl.Diagnostics, bool) {
	lines := strings.Split(string(f.masked(src).Bytes), "\n")
	for i, line := range lines {
		lines[i] = repair(line)
	}
	n, diags := schema.ParseYAML(schema.NewSource(src.Name, []byte(strings.Join(lines, "\n"))), lastWins)
	if diags.HasErrors() {
		return nil, diags, false
	}
	starts := lineStarts(src.Bytes)
	settle(n, func(r hcl.Range) hcl.Range {
		line := min(r.Start.Line, len(starts)) - 1
		end := len(src.Bytes)
		if line+1 < len(starts) {
			end = starts[line+1] - 1
		}
		return src.Range(starts[line], end)
	})
	for _, d := range diags {
		d.Subject = nil // of a text that is not in the file
	}
	return n, diags, true
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// settle gives every node and key of a tree another place.
func settle(n *schema.Node, place func(hcl.Range) hcl.Range) {
	n.Range = place(n.Range)
	for _, item := range n.Items {
		settle(item, place)
	}
	for i := range n.Fields {
		n.Fields[i].Range = place(n.Fields[i].Range)
		settle(n.Fields[i].Value, place)
	}
}

// Marked says whether a file carries the line that is written into every file of
// ours that can have a comment: on its first line, or on the first line of its
// front matter. The same words further down are somebody's text.
func Marked(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(bytes.TrimRight(first, "\r")) == "---" {
		first, _, _ = bytes.Cut(rest, []byte("\n"))
	}
	return string(bytes.TrimRight(first, "\r")) == "# "+Marker
}
