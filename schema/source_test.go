package schema

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

func TestSourcePositions(t *testing.T) {
	src := NewSource("m.yml", []byte("\ufeffab\r\ncä😀d\n\n"))
	if got := string(src.Bytes); got != "ab\r\ncä😀d\n\n" {
		t.Fatalf("the byte order mark is still there: %q", got)
	}
	for _, tt := range []struct{ offset, line, column int }{
		{0, 1, 1}, {2, 1, 3}, {3, 1, 4}, {4, 2, 1}, {5, 2, 2}, {7, 2, 3}, {11, 2, 4}, {12, 2, 5}, {13, 3, 1}, {14, 4, 1},
	} {
		want := hcl.Pos{Line: tt.line, Column: tt.column, Byte: tt.offset}
		if got := src.Pos(tt.offset); got != want {
			t.Errorf("Pos(%d) = %v, want %v", tt.offset, got, want)
		}
		if got := src.offset(tt.line, tt.column); got != tt.offset {
			t.Errorf("offset(%d, %d) = %d, want %d", tt.line, tt.column, got, tt.offset)
		}
	}
	for name, got := range map[string]int{
		"before the file": src.Pos(-5).Byte, "line 0": len(src.Bytes) - src.offset(0, 1), "a line that is not there": len(src.Bytes) - src.offset(9, 1),
	} {
		if got != 0 {
			t.Errorf("%s: %d", name, got)
		}
	}
	if got := src.Pos(99); got.Byte != len(src.Bytes) || got.Line != 4 {
		t.Errorf("behind the file: %v", got)
	}
	if got := src.offset(2, 99); got != 12 {
		t.Errorf("a column behind the line: %d", got)
	}
	if got := src.lineEnd(1); got != 2 {
		t.Errorf("the line ends at %d", got)
	}
	if r := src.Range(5, 2); r.End.Byte != 5 {
		t.Errorf("a range ends before it starts: %v", r)
	}
}

// Lines of many blocks, of wide and narrow characters, are counted right.
func TestSourceLongLines(t *testing.T) {
	line := strings.Repeat("ab😀ä", 1500)
	text := "x\n" + line + "\r\n" + strings.Repeat("y", 3000) + "\n" + line
	src := NewSource("m.yml", []byte(text))
	want := hcl.Pos{Line: 1, Column: 1}
	for i, r := range text {
		want.Byte = i
		if got := src.Pos(i); got != want {
			t.Fatalf("Pos(%d) = %v, want %v", i, got, want)
		}
		if got := src.offset(want.Line, want.Column); got != i {
			t.Fatalf("offset(%d, %d) = %d, want %d", want.Line, want.Column, got, i)
		}
		want.Column++
		if r == '\n' {
			want.Line, want.Column = want.Line+1, 1
		}
	}
	if got := src.offset(2, 1_000_000); got != len("x\n"+line+"\r") {
		t.Errorf("behind a long line: %d", got)
	}
	if got := src.offset(4, 1_000_000); got != len(text) {
		t.Errorf("behind the last line: %d", got)
	}
}

// blocks are manifests whose preamble holds the word needle, enclosed in marks
// where its place can be told exactly.
func TestPlacesInBlocks(t *testing.T) {
	for name, tt := range map[string]struct {
		marked string
		exact  bool
	}{
		"literal":                       {"preamble: |\n  one\n  two «needle» x\n", true},
		"literal, first line":           {"preamble: |\n  «needle»\n", true},
		"kept line feeds":               {"preamble: |+\n\n\n  a\n  b «needle»\n\n\n", true},
		"stripped line feeds":           {"preamble: |-\n  a\n  «needle»\n", true},
		"no line feed at the end":       {"preamble: |\n  a\n  «needle»", true},
		"deeper lines":                  {"preamble: |\n  a\n      b «needle»\n    c\n", true},
		"blank lines between":           {"preamble: |\n  a\n\n \n  «needle»\n", true},
		"indentation indicator":         {"preamble: |2\n     a\n   «needle»\n", true},
		"indicator and kept line feeds": {"preamble: |1+\n   «needle»\n\n", true},
		"comment behind the indicator":  {"preamble: | # ours\n  a\n  «needle»\n", true},
		"carriage returns":              {"preamble: |\r\n  one\r\n  two «needle» x\r\n", true},
		"wide characters":               {"preamble: |\n  ä日😀 «needle» ö\n", true},
		"tab behind the indentation":    {"preamble: |\n  a\n  \t«needle»\n", true},
		"anchor before the indicator":   {"preamble: &p |\n  a\n  «needle»\n", true},
		"tag on a line of its own":      {"preamble: «!!str»\n  |\n  a\n  needle\n", false},
		"folded":                        {"preamble: «>»\n  one\n  two needle\n", false},
		"plain":                         {"preamble: «a needle b»\n", false},
		"double-quoted":                 {"preamble: «\"a\\n needle\"»\n", false},
		"plain over two lines":          {"preamble: «one»\n  needle\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			text, spots := unmark(t, "m.yml", tt.marked)
			root, diags := parse(NewSource("m.yml", []byte(text)))
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			n := root.Get("preamble")
			at := strings.Index(n.Str, "needle")
			got := n.PosIn(at, at+len("needle"))
			if got != spots[0] {
				t.Errorf("got %v, want %v", got, spots[0])
			}
			if (got != n.Range) != tt.exact {
				t.Errorf("exact is %v", got != n.Range)
			}
		})
	}
}

// A place in a block stays in the file and on one line, whatever bytes are
// asked for.
func TestPlacesInBlocksEverywhere(t *testing.T) {
	text := "preamble: |\n  a\n\n   ä x\n \n  end\n\n"
	root, _ := parse(NewSource("m.yml", []byte(text)))
	n := root.Get("preamble")
	for start := range len(n.Str) + 3 {
		for end := range len(n.Str) + 3 {
			r := n.PosIn(start-1, end)
			if r.Start.Line != r.End.Line || r.Start.Byte > r.End.Byte || r.End.Byte > len(text) {
				t.Fatalf("PosIn(%d, %d) = %v", start-1, end, r)
			}
			if start-1 < 0 || start-1 >= len(n.Str) || end <= start-1 || n.Str[start-1] == '\n' {
				continue
			}
			line, _, _ := strings.Cut(n.Str[start-1:], "\n")
			if got := text[r.Start.Byte:]; !strings.HasPrefix(got, line) {
				t.Fatalf("PosIn(%d, %d) points at %q, not at %q", start-1, end, got, line)
			}
		}
	}
}
