package schema

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// A Source is one manifest file: its name as the user wrote it and its bytes.
// Places are found in steps that do not depend on the length of a line, since a
// manifest that a program wrote can be one line of megabytes.
type Source struct {
	Name  string
	Bytes []byte

	lines []int // the byte offset at which each line starts
	runes []int // the characters that start before each block of blockSize bytes
}

const blockSize = 1024

// NewSource wraps the bytes of a file, which are not copied. A byte order mark
// at the start is no part of the text.
func NewSource(name string, data []byte) *Source {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := &Source{Name: name, Bytes: data}
	s.lines = append(make([]int, 0, 1+bytes.Count(data, []byte("\n"))), 0)
	for at := bytes.IndexByte(data, '\n'); at >= 0; {
		s.lines = append(s.lines, at+1)
		next := bytes.IndexByte(data[at+1:], '\n')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	s.runes = make([]int, 1, 1+len(data)/blockSize)
	for at := blockSize; at <= len(data); at += blockSize {
		s.runes = append(s.runes, s.runes[len(s.runes)-1]+runeStarts(data[at-blockSize:at]))
	}
	return s
}

// runeStarts counts the bytes at which a character starts.
func runeStarts(b []byte) (n int) {
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// before counts the characters that start before an offset.
func (s *Source) before(offset int) int {
	block := offset / blockSize
	return s.runes[block] + runeStarts(s.Bytes[block*blockSize:offset])
}

// line gives the index of the line on which an offset stands.
func (s *Source) line(offset int) int { return sort.SearchInts(s.lines, offset+1) - 1 }

// Pos gives the position of a byte offset; the column counts characters from 1.
func (s *Source) Pos(offset int) hcl.Pos {
	offset = min(max(offset, 0), len(s.Bytes))
	line := s.line(offset)
	start := s.lines[line]
	return s.forward(hcl.Pos{Line: line + 1, Column: 1, Byte: start}, offset-start)
}

// forward moves a position by a number of bytes on its line.
func (s *Source) forward(at hcl.Pos, bytes int) hcl.Pos {
	end := at.Byte + bytes
	if bytes < blockSize {
		at.Column += runeStarts(s.Bytes[at.Byte:end])
	} else {
		at.Column += s.before(end) - s.before(at.Byte)
	}
	at.Byte = end
	return at
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
	at, end := s.lines[line-1], s.endOf(line-1)
	skip := column - 1 // characters to go
	if skip >= blockSize {
		target := s.before(at) + skip // the character that is wanted, from the start of the file
		block := sort.SearchInts(s.runes, target+1) - 1
		if start := block * blockSize; start > at {
			at, skip = start, target-s.runes[block]
			for at < end && !utf8.RuneStart(s.Bytes[at]) {
				at++ // the rest of a character that starts in the block before
			}
		}
	}
	for ; skip > 0 && at < end; skip-- {
		_, n := utf8.DecodeRune(s.Bytes[at:])
		at += n
	}
	return min(at, end)
}

// endOf gives the offset of the line feed, or of the end of the file, that ends
// a line.
func (s *Source) endOf(line int) int {
	if line+1 < len(s.lines) {
		return s.lines[line+1] - 1
	}
	return len(s.Bytes)
}

// lineEnd gives the offset of the line feed (or the end of the file) that ends
// the line on which offset stands, less a carriage return before it.
func (s *Source) lineEnd(offset int) int {
	return s.lineEndFrom(s.line(min(offset, len(s.Bytes)))+1, offset)
}

// lineEndFrom is [Source.lineEnd] where the line, from 1, is known.
func (s *Source) lineEndFrom(line, offset int) int {
	end := s.endOf(min(max(line, 1), len(s.lines)) - 1)
	if end > offset && s.Bytes[end-1] == '\r' {
		end--
	}
	return end
}

// File is the form in which the diagnostic writer of HCL takes a source.
func (s *Source) File() *hcl.File { return &hcl.File{Bytes: s.Bytes} }
