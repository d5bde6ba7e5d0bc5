package matrix

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is the room that a text takes on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// fit cuts a text to the room it may take.
func fit(s string, room int) string {
	if columns(s) <= room {
		return s
	}
	if room < 1 {
		return ""
	}
	var b strings.Builder
	taken := 1 // of the ellipsis
	for _, r := range s {
		if taken += runeColumns(r); taken > room {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}

// pad fills a text up to the room it has.
func pad(s string, room int) string {
	return s + strings.Repeat(" ", max(0, room-columns(s)))
}

// wrap breaks a text at blanks into lines that fit. A word that is longer than a
// line stays whole.
func wrap(s string, room int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= room:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
