package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// Update changes the entry that has the name of another one to that. Only the
// keys whose values differ are touched: the rest of the entry keeps its comments,
// order and quoting, too.
func (f *File) Update(entry *schema.Node) ([]byte, error) {
	i, err := f.must(entry.Get("name").Text())
	if err != nil {
		return nil, err
	}
	want := f.entries()
	want[i] = entry.Interface()
	u := updater{f: f}
	u.mapping(f.list.Items[i], entry, f.extent(i).end)
	careful := u.splices
	u = updater{f: f, whole: true}
	u.mapping(f.list.Items[i], entry, f.extent(i).end)
	return f.first(want, careful, u.splices)
}

// An updater collects the splices that turn one entry into another.
type updater struct {
	f       *File
	whole   bool // write the lines of a text with their head, which may hold a comment
	splices candidate
}

func (u *updater) splice(start, end int, text string) {
	u.splices = append(u.splices, splice{start, end, text})
}

// mapping changes one mapping into another; limit is where its text ends at the
// latest.
func (u *updater) mapping(old, wanted *schema.Node, limit int) {
	for i, field := range old.Fields {
		next := limit
		if i+1 < len(old.Fields) {
			next = old.Fields[i+1].Range.Start.Byte
		}
		end := u.f.fieldEnd(field, next)
		value := wanted.Get(field.Key)
		switch {
		case value == nil:
			u.remove(old, i, end)
		case same(field.Value, value):
		case field.Value.Kind == schema.Map && value.Kind == schema.Map && len(field.Value.Fields) > 0 && len(value.Fields) > 0:
			u.mapping(field.Value, value, end)
		default:
			u.value(field, value, end)
		}
	}
	var added []schema.Field
	for _, field := range wanted.Fields {
		if old.Field(field.Key) == nil {
			added = append(added, field)
		}
	}
	if len(added) > 0 {
		u.add(old, added, limit)
	}
}

// same says whether two values are alike, the order of keys included.
func same(a, b *schema.Node) bool {
	return yamltext.JSON(a) == yamltext.JSON(b)
}

// fieldEnd gives the end of the text of a key and its value: in a mapping with
// brackets that of the value, else the end of its last line that is neither blank
// nor a comment. next is where something else begins.
func (f *File) fieldEnd(field schema.Field, next int) int {
	start := field.Value.Range.Start.Byte
	switch f.byteAt(start) {
	case '{', '[':
		if end, _ := brackets(f.src.Bytes, start); end >= 0 {
			return end + 1
		}
	case '*':
		return field.Value.Range.End.Byte
	}
	if len(bytes.TrimSpace(f.src.Bytes[start:min(field.Value.Range.End.Byte, len(f.src.Bytes))])) > 0 && !f.goesOn(field, next) {
		return field.Value.Range.End.Byte
	}
	indent := field.Range.Start.Column - 1
	end := f.nextLine(field.Range.Start.Byte)
	for at := end; at < next && at < len(f.src.Bytes); at = f.nextLine(at) {
		line := f.line(at)
		deep := len(line) - len(bytes.TrimLeft(line, " "))
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case deep > indent, deep == indent && line[deep] == '-':
			end = f.nextLine(at)
		default:
			return end
		}
	}
	return end
}

// goesOn says whether a value has lines below that of its key.
func (f *File) goesOn(field schema.Field, next int) bool {
	value := field.Value
	switch first := f.byteAt(value.Range.Start.Byte); {
	case value.Kind == schema.Map || value.Kind == schema.List:
		return true
	case first == '|' || first == '>':
		return true
	case first == '"' || first == '\'':
		return f.src.Bytes[value.Range.End.Byte-1] != first || value.Range.End.Byte-value.Range.Start.Byte < 2
	}
	after := f.nextLine(value.Range.Start.Byte)
	return after < next && !f.isBlank(after) && leadingBlanks(f.line(after)) > field.Range.Start.Column-1 && !strings.HasPrefix(strings.TrimSpace(string(f.line(after))), "#")
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// value puts another value behind a key.
func (u *updater) value(field schema.Field, value *schema.Node, end int) {
	start := field.Value.Range.Start.Byte
	rest := "" // a comment behind the value
	if u.f.onLine(field, end) || u.f.flowed(field) {
		if !inserted().Block(value.Str) || u.f.json || u.f.flowed(field) {
			u.splice(start, end, u.f.flowText(value))
			return
		}
		line := u.f.lineEndOf(u.f.nextLine(end))
		rest = strings.TrimRight(string(u.f.src.Bytes[end:line]), " ")
		end = line
	}
	if b := u.f.byteAt(start); b == '|' && !u.whole && value.Kind == schema.String {
		u.lines(field, value.Str, end)
		return
	}
	w := inserted()
	w.Value(value, field.Range.Start.Column-1)
	head, more, _ := strings.Cut(strings.TrimSuffix(w.String(), "\n"), "\n")
	text := head + rest
	if more != "" {
		text += "\n" + more
	}
	colon := field.Range.End.Byte + bytes.IndexByte(u.f.src.Bytes[field.Range.End.Byte:], ':') + 1
	u.splice(colon, u.f.lineEndOf(end), strings.ReplaceAll(text, "\n", u.f.newline()))
}

// lineEndOf takes the line feed before an offset off.
func (f *File) lineEndOf(end int) int {
	if end > 0 && f.src.Bytes[end-1] == '\n' {
		end--
		if end > 0 && f.src.Bytes[end-1] == '\r' {
			end--
		}
	}
	return end
}

// onLine says whether a key and its value stand on one line, which may go on with
// a comment.
func (f *File) onLine(field schema.Field, end int) bool {
	start := field.Value.Range.Start.Byte
	return start > field.Range.Start.Byte && !bytes.ContainsRune(f.src.Bytes[field.Range.Start.Byte:f.lineEndOf(end)], '\n') && f.byteAt(start) != '|' && f.byteAt(start) != '>'
}

// flowed says whether a key stands in a mapping with brackets.
func (f *File) flowed(field schema.Field) bool {
	for at := field.Range.Start.Byte - 1; at >= 0; at-- {
		switch f.src.Bytes[at] {
		case ' ', '\t', '\r':
		case '\n':
			if !f.json {
				return f.insideBrackets(field.Range.Start.Byte)
			}
		case '{', ',':
			return true
		default:
			return f.json
		}
	}
	return f.json
}

// insideBrackets says whether brackets around an offset open on a line before,
// which is so where the list or an entry of it is written with them.
func (f *File) insideBrackets(at int) bool {
	for _, item := range f.list.List() {
		start := item.Range.Start.Byte
		if f.byteAt(start) != '{' || start > at {
			continue
		}
		if end, _ := brackets(f.src.Bytes, start); end > at {
			return true
		}
	}
	return false
}

// lines puts other lines into a text that stands line by line, under the head
// that it has.
func (u *updater) lines(field schema.Field, text string, end int) {
	first := u.f.nextLine(field.Value.Range.Start.Byte)
	indent := field.Range.Start.Column - 1 + 2
	for at := first; at < end; at = u.f.nextLine(at) {
		if !u.f.isBlank(at) {
			// The text's own blanks at the start of a line belong to it.
			own := leadingBlanks([]byte(strings.TrimLeft(field.Value.Str, "\n")))
			indent = leadingBlanks(u.f.line(at)) - own
			break
		}
	}
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		if line != "\n" {
			b.WriteString(strings.Repeat(" ", max(indent, 0)))
		}
		b.WriteString(strings.TrimSuffix(line, "\n") + u.f.newline())
	}
	u.splice(first, max(end, first), b.String())
}

// remove takes a key out, with its line or lines.
func (u *updater) remove(old *schema.Node, i, end int) {
	field := old.Fields[i]
	start := field.Range.Start.Byte
	if u.f.flowed(field) {
		switch {
		case i+1 < len(old.Fields):
			u.splice(start, old.Fields[i+1].Range.Start.Byte, "")
		case i > 0:
			before := old.Fields[i-1]
			u.splice(u.f.fieldEnd(before, start), end, "")
		default:
			u.splice(start, end, "")
		}
		return
	}
	line := u.f.lineStart(start)
	if lead := bytes.TrimLeft(u.f.src.Bytes[line:start], " "); len(lead) > 0 {
		// Behind the dash of the entry: the next key takes its place.
		if i+1 < len(old.Fields) {
			u.splice(start, old.Fields[i+1].Range.Start.Byte, "")
		}
		return
	}
	if end == 0 || u.f.src.Bytes[end-1] != '\n' {
		end = u.f.nextLine(end)
	}
	u.splice(line, end, "")
}

// add puts keys at the end of a mapping.
func (u *updater) add(old *schema.Node, added []schema.Field, limit int) {
	if len(old.Fields) == 0 || u.f.flowed(old.Fields[0]) {
		u.addFlow(old, added)
		return
	}
	last := old.Fields[len(old.Fields)-1]
	at := u.f.fieldEnd(last, limit)
	if at == 0 || u.f.src.Bytes[at-1] != '\n' {
		at = u.f.nextLine(at)
	}
	w := inserted()
	w.Fields(&schema.Node{Kind: schema.Map, Fields: added}, old.Fields[0].Range.Start.Column-1)
	u.splices = append(u.splices, u.f.lineAt(at, strings.ReplaceAll(w.String(), "\n", u.f.newline())))
}

// addFlow puts keys before the closing bracket of a mapping.
func (u *updater) addFlow(old *schema.Node, added []schema.Field) {
	start := old.Range.Start.Byte
	end, _ := brackets(u.f.src.Bytes, start)
	if end < 0 {
		return
	}
	text := u.f.flowText(&schema.Node{Kind: schema.Map, Fields: added})
	text = text[1 : len(text)-1]
	at := end
	for at > start+1 && slices.Contains([]byte(" \t\r\n"), u.f.src.Bytes[at-1]) {
		at--
	}
	if len(old.Fields) > 0 {
		text = ", " + text
	}
	u.splice(at, at, text)
}
