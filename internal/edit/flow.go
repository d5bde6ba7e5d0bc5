package edit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// brackets finds the bracket that closes the one at an offset, and the commas
// between what they enclose. end is -1 where none does.
func brackets(text []byte, at int) (end int, commas []int) {
	depth, fresh := 0, true // fresh: a quote here opens a text
	for i := at; i < len(text); i++ {
		switch b := text[i]; {
		case (b == '"' || b == '\'') && fresh:
			i = quoteEnd(text, i)
			fresh = false
		case b == '#' && i > 0 && (text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == '\n'):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case b == '[' || b == '{':
			depth, fresh = depth+1, true
		case b == ']' || b == '}':
			if depth--; depth == 0 {
				return i, commas
			}
			fresh = false
		case b == ',':
			if depth == 1 {
				commas = append(commas, i)
			}
			fresh = true
		default:
			fresh = b == ':' || b == ' ' || b == '\t' || b == '\n' || b == '\r'
		}
	}
	return -1, nil
}

// quoteEnd gives the offset of the quote that closes the one at an offset.
func quoteEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[at] == '"' && text[i] == '\\':
			i++
		case text[i] != text[at]:
		case text[at] == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i
		}
	}
	return len(text) - 1
}

// segments cuts what stands between the brackets of the list at its commas. A
// blank last one, behind a trailing comma, is left out.
func (f *File) segments() (list [][2]int, end int) {
	start := f.list.Range.Start.Byte
	end, commas := brackets(f.src.Bytes, start)
	if end < 0 {
		return nil, start
	}
	at := start + 1
	for _, comma := range commas {
		list, at = append(list, [2]int{at, comma}), comma+1
	}
	if len(bytes.TrimSpace(f.src.Bytes[at:end])) > 0 {
		list = append(list, [2]int{at, end})
	}
	return list, end
}

func (f *File) flowExtent(i int) extent {
	list, end := f.segments()
	if i >= len(list) {
		return extent{start: end, end: end, head: end, indent: -1}
	}
	start, limit := f.skipBlank(list[i][0]), list[i][1]
	end = start + len(bytes.TrimRight(f.src.Bytes[start:limit], " \t\r\n"))
	if open := bytes.IndexByte(f.src.Bytes[start:limit], '{'); open >= 0 {
		if last, _ := brackets(f.src.Bytes[:limit], start+open); last >= 0 {
			end = last + 1
		}
	}
	return extent{start: start, end: end, head: start, indent: -1}
}

// skipBlank gives the first offset from at on that is neither blank nor in a
// comment.
func (f *File) skipBlank(at int) int {
	for at < len(f.src.Bytes) {
		switch f.src.Bytes[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '#':
			at = f.nextLine(at)
		default:
			return at
		}
	}
	return at
}

// flowInsert adds an entry before the closing bracket, on a line of its own if
// the one before it has one.
func (f *File) flowInsert(text string) candidate {
	list, end := f.segments()
	if len(list) == 0 {
		return candidate{{f.list.Range.Start.Byte + 1, end, text}}
	}
	last := f.flowExtent(len(list) - 1)
	gap := " "
	line := f.lineStart(last.start)
	if indent := f.src.Bytes[line:last.start]; len(bytes.TrimSpace(indent)) == 0 {
		gap = f.newline() + string(indent)
		text = f.pretty(text, gap)
	}
	return candidate{{last.end, last.end, "," + gap + text}}
}

// pretty spreads an entry in JSON over lines, each after gap.
func (f *File) pretty(text, gap string) string {
	var b bytes.Buffer
	if !f.json || json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return strings.ReplaceAll(b.String(), "\n", gap)
}

// flowRemovals takes an entry out with the comma behind it, or, of the last one,
// before it.
func (f *File) flowRemovals(i int) []candidate {
	list, _ := f.segments()
	e := f.flowExtent(i)
	switch {
	case i >= len(list):
		return nil
	case i+1 < len(list):
		return []candidate{{{e.start, f.flowExtent(i + 1).start, ""}}}
	case i > 0:
		return []candidate{{{f.flowExtent(i - 1).end, e.end, ""}}}
	}
	return []candidate{{{e.start, e.end, ""}}}
}

// keyInsert adds the list itself to a manifest with brackets.
func (f *File) keyInsert(text string) candidate {
	if field := f.root.Field(listKey); field != nil {
		value := field.Value.Range
		return candidate{{value.Start.Byte, value.End.Byte, "[" + text + "]"}}
	}
	start := f.root.Range.Start.Byte
	end, _ := brackets(f.src.Bytes, start)
	if end < 0 {
		return nil
	}
	key := listKey
	if f.json {
		key = `"` + listKey + `"`
	}
	inside := bytes.TrimRight(f.src.Bytes[start+1:end], " \t\r\n")
	at := start + 1 + len(inside)
	gap := " "
	if bytes.ContainsRune(f.src.Bytes[start:end], '\n') {
		gap = f.newline() + "  "
		text = f.pretty(text, gap)
	}
	if len(bytes.TrimSpace(inside)) > 0 {
		gap = "," + gap
	}
	return candidate{{at, at, gap + key + ": [" + text + "]"}}
}
