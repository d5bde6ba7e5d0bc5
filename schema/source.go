package schema

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// A Source is one manifest file: its name as the user wrote it and its bytes.
type Source struct {
	Name  string
	Bytes []byte

	lines []int // the byte offset at which each line starts
}

// NewSource wraps the bytes of a file, which are not copied. A byte order mark
// at the start is no part of the text.
func NewSource(name string, data []byte) *Source {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := &Source{Name: name, Bytes: data}
	s.lines = append(s.lines, 0)
	for i, b := range data {
		if b == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// Pos gives the position of a byte offset; the column counts characters from 1.
func (s *Source) Pos(offset int) hcl.Pos {
	offset = min(max(offset, 0), len(s.Bytes))
	line := sort.SearchInts(s.lines, offset+1) - 1
	return hcl.Pos{
		Line:   line + 1,
		Column: utf8.RuneCount(s.Bytes[s.lines[line]:offset]) + 1,
		Byte:   offset,
	}
}

// Range gives the range of the bytes from start up to end.
func (s *Source) Range(start, end int) hcl.Range {
	return hcl.Range{Filename: s.Name, Start: s.Pos(start), End: s.Pos(max(start, end))}
}

// offset turns a line and column, both from 1 and counted in characters, into
// a byte offset on that line: its end where the line has fewer characters.
func (s *Source) offset(line, column int) int {
	if line < 1 || line > len(s.lines) {
		return len(s.Bytes)
	}
	at := s.lines[line-1]
	for ; column > 1 && at < len(s.Bytes) && s.Bytes[at] != '\n'; column-- {
		_, n := utf8.DecodeRune(s.Bytes[at:])
		at += n
	}
	return at
}

// lineEnd gives the offset of the line feed (or the end of the file) that ends
// the line on which offset stands, less a carriage return before it.
func (s *Source) lineEnd(offset int) int {
	end := offset
	for end < len(s.Bytes) && s.Bytes[end] != '\n' {
		end++
	}
	if end > offset && s.Bytes[end-1] == '\r' {
		end--
	}
	return end
}

// File is the form in which the diagnostic writer of HCL takes a source.
func (s *Source) File() *hcl.File { return &hcl.File{Bytes: s.Bytes} }
