package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// unmark takes the marks « and » out of a text and gives the places that they
// enclosed, counted here on their own so that [Source] is held against it.
// A byte order mark at the start counts for nothing, as in a Source.
func unmark(t testing.TB, name, marked string) (text string, spots []hcl.Range) {
	t.Helper()
	marked, hasMark := strings.CutPrefix(marked, "\ufeff")
	var b strings.Builder
	pos := hcl.Pos{Line: 1, Column: 1}
	open := -1
	for len(marked) > 0 {
		r, size := utf8.DecodeRuneInString(marked)
		switch r {
		case '«':
			open = len(spots)
			spots = append(spots, hcl.Range{Filename: name, Start: pos})
		case '»':
			if open < 0 {
				t.Fatalf("a mark is closed that was not opened in %q", b.String())
			}
			spots[open].End, open = pos, -1
		default:
			b.WriteString(marked[:size])
			pos.Byte += size
			pos.Column++
			if r == '\n' {
				pos.Line, pos.Column = pos.Line+1, 1
			}
		}
		marked = marked[size:]
	}
	if open >= 0 {
		t.Fatal("a mark is not closed")
	}
	if hasMark {
		return "\ufeff" + b.String(), spots
	}
	return b.String(), spots
}

// found is a problem with its place, for comparison.
type found struct {
	code Code
	at   hcl.Range
}

func (f found) String() string {
	return fmt.Sprintf("%s at %d:%d-%d:%d, bytes %d-%d", f.code,
		f.at.Start.Line, f.at.Start.Column, f.at.End.Line, f.at.End.Column, f.at.Start.Byte, f.at.End.Byte)
}

// lines sorts problems by place and code and writes one on a line.
func lines(list []found) string {
	slices.SortFunc(list, func(a, b found) int {
		if a.at.Start.Byte != b.at.Start.Byte {
			return a.at.Start.Byte - b.at.Start.Byte
		}
		return strings.Compare(string(a.code), string(b.code))
	})
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = "  " + f.String()
	}
	return strings.Join(out, "\n")
}

// expectPlaces loads a marked manifest: the codes belong to the marks in their
// order, several for one mark with a blank between, and nothing else may be
// reported.
func expectPlaces(t *testing.T, name, marked string, codes ...Code) {
	t.Helper()
	text, spots := unmark(t, name, marked)
	if len(spots) != len(codes) {
		t.Fatalf("%d marks and %d codes", len(spots), len(codes))
	}
	var want, got []found
	for i, at := range spots {
		for code := range strings.FieldsSeq(string(codes[i])) {
			want = append(want, found{Code(code), at})
		}
	}
	_, diags := Load(NewSource(name, []byte(text)), Options{})
	for _, d := range diags {
		got = append(got, found{CodeOf(d), *d.Subject})
		if d.Summary == "" || d.Detail == "" {
			t.Errorf("%s lacks a summary or says nothing of what to write: %v", CodeOf(d), d)
		}
	}
	if w, g := lines(want), lines(got); w != g {
		t.Errorf("in\n%s\nwant\n%s\ngot\n%s\n%v", text, w, g, diags)
	}
}

// places is a table of marked manifests.
type places []struct {
	name   string
	marked string
	codes  []Code
}

func (p places) run(t *testing.T, file string) {
	for _, tt := range p {
		t.Run(tt.name, func(t *testing.T) { expectPlaces(t, file, tt.marked, tt.codes...) })
	}
}

// one is a manifest with a single entry; the text given is put below its keys.
const one = "subagents:\n  - name: aa\n    description: Use it when needed.\n    instructions: Do it.\n"
