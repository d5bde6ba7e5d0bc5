package audit

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// A mark is a part of a text with what it is.
type mark struct {
	start, end int
	what       string
}

// hidden finds characters that change a text without being seen. Joiners count
// where neither a letter of a script that needs them nor an emoji stands around;
// tag characters count unless they spell the flag behind a black flag.
func hidden(text []byte) []mark {
	var marks []mark
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if what := nameOfHidden(r); what != "" && !legitimate(text, i, i+n, r) {
			if last := len(marks) - 1; last >= 0 && marks[last].end == i {
				marks[last].end = i + n
				i += n
				continue
			}
			marks = append(marks, mark{i, i + n, fmt.Sprintf("%s, U+%04X", what, r)})
		}
		i += n
	}
	return marks
}

const (
	zeroWidthNonJoiner = 0x200C
	zeroWidthJoiner    = 0x200D
	blackFlag          = 0x1F3F4
	firstTag, lastTag  = 0xE0000, 0xE007F
)

func nameOfHidden(r rune) string {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x061C, r == 0x200E, r == 0x200F:
		return "a character that turns the direction of text"
	case r == 0x200B, r == zeroWidthNonJoiner, r == zeroWidthJoiner, r == 0xFEFF, r == 0x180E, r >= 0x2060 && r <= 0x2064, r >= 0x206A && r <= 0x206F:
		return "a character without width"
	case r >= firstTag && r <= lastTag:
		return "a tag character"
	case r >= 0xE0100 && r <= 0xE01EF:
		return "a variation selector that carries data"
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0:
		return "a filler that looks like nothing"
	}
	return ""
}

// legitimate says whether a hidden character has a use where it stands.
func legitimate(text []byte, start, end int, r rune) bool {
	before, n := utf8.DecodeLastRune(text[:start])
	after, _ := utf8.DecodeRune(text[end:])
	switch {
	case r == 0xFEFF:
		return start == 0
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		if before == 0xFE0F { // the emoji variant of the sign before it
			before, _ = utf8.DecodeLastRune(text[:start-n])
		}
		return joins(before) && joins(after)
	case r >= firstTag && r <= lastTag:
		for before >= firstTag && before <= lastTag {
			start -= n
			before, n = utf8.DecodeLastRune(text[:start])
		}
		return before == blackFlag
	}
	return false
}

// joins says whether joiners have a use beside a character: signs and emoji, and
// letters and marks beyond the scripts that stand apart.
func joins(r rune) bool {
	if r >= 0x1F000 || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) {
		return r != utf8.RuneError
	}
	return r >= 0x0600 && unicode.In(r, unicode.L, unicode.M) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
