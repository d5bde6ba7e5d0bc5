package edit

import (
	"bytes"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// An extent is where an entry stands. In a list of lines it begins with the
// line of its dash and ends behind the line feed of its last line; in a list
// with brackets it is the value alone.
type extent struct {
	start, end int
	head       int // where the comments right above it begin
	indent     int // of the dash; -1 in a list with brackets
}

// flow says whether the list has brackets. A list without entries has.
func (f *File) flow() bool {
	return f.list != nil && (f.byteAt(f.list.Range.Start.Byte) == '[' || len(f.list.Items) == 0)
}

func (f *File) extent(i int) extent {
	if f.flow() {
		return f.flowExtent(i)
	}
	e := extent{start: f.dashLine(i)}
	e.indent = bytes.IndexByte(f.src.Bytes[e.start:], '-')
	e.head = e.start
	for above := f.lineBefore(e.head); e.head > 0 && f.isComment(above, e.indent); above = f.lineBefore(e.head) {
		e.head = above
	}
	limit := f.listLimit()
	if i+1 < len(f.list.Items) {
		limit = f.extent(i + 1).head
	}
	e.end = limit
	for e.end > e.start {
		last := f.lineBefore(e.end)
		if !f.isBlank(last) && !f.isComment(last, e.indent) {
			break
		}
		e.end = last
	}
	return e
}

var dash = lazyregexp.New(`^ *-(\s|$)`)

// dashLine gives the start of the line with the dash of an entry.
func (f *File) dashLine(i int) int {
	at := f.lineStart(f.list.Items[i].Range.Start.Byte)
	for at > 0 && !dash().Match(f.line(at)) {
		at = f.lineBefore(at)
	}
	return at
}

// listLimit gives the start of the first line behind the list that holds
// another key of the manifest, or the end of the file.
func (f *File) listLimit() int {
	limit, from := len(f.src.Bytes), f.list.Items[len(f.list.Items)-1].Range.Start.Byte
	for _, field := range f.root.Fields {
		if at := field.Range.Start.Byte; at > from && at < limit {
			limit = f.lineStart(at)
		}
	}
	return limit
}

// lineStart gives the start of the line of an offset.
func (f *File) lineStart(at int) int { return bytes.LastIndexByte(f.src.Bytes[:at], '\n') + 1 }

// lineBefore gives the start of the line before one that starts at an offset.
func (f *File) lineBefore(start int) int {
	if start == 0 {
		return 0
	}
	return f.lineStart(start - 1)
}

// nextLine gives the start of the line after that of an offset.
func (f *File) nextLine(at int) int {
	if i := bytes.IndexByte(f.src.Bytes[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(f.src.Bytes)
}

// line gives the line that starts at an offset, without its end.
func (f *File) line(start int) []byte {
	return bytes.TrimRight(f.src.Bytes[start:f.nextLine(start)], "\r\n")
}

func (f *File) isBlank(start int) bool { return len(bytes.TrimSpace(f.line(start))) == 0 }

// isComment says whether a line is a comment that cannot be part of an entry: one
// that is indented no deeper than its dash.
func (f *File) isComment(start, indent int) bool {
	line := f.line(start)
	text := bytes.TrimLeft(line, " ")
	return len(text) > 0 && text[0] == '#' && len(line)-len(text) <= indent
}

// newline is how lines end in the file.
func (f *File) newline() string {
	if i := bytes.IndexByte(f.src.Bytes, '\n'); i > 0 && f.src.Bytes[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineAt inserts lines at the start of a line, or behind a file whose last line
// is not ended.
func (f *File) lineAt(at int, text string) splice {
	if !strings.HasSuffix(text, f.newline()) {
		text += f.newline()
	}
	if at > 0 && f.src.Bytes[at-1] != '\n' {
		text = f.newline() + text
	}
	return splice{at, at, text}
}

// inserts lists the ways to add an entry, whose text depends on how far its dash
// is indented.
func (f *File) inserts(text func(indent int) string) []candidate {
	field := f.root.Field(listKey)
	switch {
	case f.flow() && len(f.list.Items) == 0 && !f.json && f.byteAt(f.root.Range.Start.Byte) != '{':
		start, end := f.list.Range.Start.Byte, f.list.Range.End.Byte
		for start > field.Range.End.Byte+1 && f.src.Bytes[start-1] == ' ' {
			start--
		}
		return []candidate{{{start, end, ""}, f.lineAt(f.nextLine(end), text(2))}, f.flowInsert(text(-1))}
	case f.flow():
		return []candidate{f.flowInsert(text(-1))}
	case f.list != nil:
		last := f.extent(len(f.list.Items) - 1)
		lines := text(last.indent)
		if f.spaced() {
			lines = f.newline() + lines
		}
		limit := f.listLimit()
		return []candidate{{f.lineAt(last.end, lines)}, {f.lineAt(limit, lines)}}
	case f.json || f.byteAt(f.root.Range.Start.Byte) == '{':
		return []candidate{f.keyInsert(text(-1))}
	case field != nil: // the key without a value
		value := field.Value.Range
		at := f.nextLine(field.Range.End.Byte)
		return []candidate{{f.lineAt(at, text(2))}, {{value.Start.Byte, value.End.Byte, ""}, f.lineAt(at, text(2))}}
	}
	end := len(f.src.Bytes)
	return []candidate{{f.lineAt(end, listKey+":"+f.newline()+text(2))}}
}

// spaced says whether blank lines stand between the entries.
func (f *File) spaced() bool {
	n := len(f.list.Items)
	if n < 2 {
		return true
	}
	return f.isBlank(f.lineBefore(f.extent(n - 1).head))
}

// removals lists the ways to take an entry out.
func (f *File) removals(i int) []candidate {
	if f.flow() {
		return f.flowRemovals(i)
	}
	e := f.extent(i)
	n := len(f.list.Items)
	if n == 1 {
		key := f.root.Field(listKey).Range.End.Byte
		colon := key + bytes.IndexByte(f.src.Bytes[key:], ':') + 1
		return []candidate{{{colon, colon, " []"}, {e.head, e.end, ""}}}
	}
	if i == n-1 {
		start := e.head
		for start > 0 && f.isBlank(f.lineBefore(start)) {
			start = f.lineBefore(start)
		}
		return []candidate{{{start, e.end, ""}}, {{e.head, e.end, ""}}}
	}
	end := e.end
	for end < len(f.src.Bytes) && f.isBlank(end) {
		end = f.nextLine(end)
	}
	return []candidate{{{e.head, end, ""}}, {{e.head, e.end, ""}}}
}

// copied gives the text of an entry under another name, and without a slug,
// which stands on a line of its own.
func (f *File) copied(i int, name string) func(indent int) string {
	e, item := f.extent(i), f.list.Items[i]
	at := item.Get("name").Range
	cut := []splice{{at.Start.Byte - e.start, at.End.Byte - e.start, f.flowText(&schema.Node{Kind: schema.String, Str: name})}}
	if slug := item.Field("slug"); slug != nil {
		start := f.lineStart(slug.Range.Start.Byte)
		end := f.nextLine(start)
		if start == e.start { // the dash stays
			start = slug.Range.Start.Byte
			end += len(f.line(end)) - len(bytes.TrimLeft(f.line(end), " "))
		}
		cut = append(cut, splice{start - e.start, end - e.start, ""})
	}
	inside := at.Start.Byte >= e.start && at.End.Byte <= e.end
	return func(indent int) string {
		if !inside || indent != e.indent {
			return ""
		}
		part := &File{src: schema.NewSource("", f.src.Bytes[e.start:e.end])}
		text := string(part.apply(cut))
		if indent >= 0 && !strings.HasSuffix(text, "\n") {
			text += f.newline()
		}
		return text
	}
}
