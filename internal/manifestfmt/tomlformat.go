package manifestfmt

import (
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// formatTOML puts the lines of a TOML manifest in order and leaves the values as
// they are, since the library writes no comments: one empty line at most, one
// before every header, nothing before a key and at the end of a line.
func formatTOML(src *schema.Source) []byte {
	text := strings.ReplaceAll(string(src.Bytes), "\r\n", "\n")
	var out []string
	var s tomlScanner
	for line := range strings.SplitSeq(strings.TrimRight(text, " \t\n"), "\n") {
		within, listed := s.quote != "", s.depth > 0
		s.line(line)
		if !within && s.quote == "" {
			line = strings.TrimRight(line, " \t")
		}
		if within {
			out = append(out, line)
			continue
		}
		if !listed {
			line = strings.TrimLeft(line, " \t")
		}
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		if !listed && strings.HasPrefix(line, "[") {
			out = beforeHeader(out)
		}
		out = append(out, line)
	}
	end := lineEnd(src.Bytes)
	return []byte(strings.Join(out, end) + end)
}

// beforeHeader makes sure of an empty line before a header and the comments right
// above it.
func beforeHeader(out []string) []string {
	at := len(out)
	for at > 0 && strings.HasPrefix(out[at-1], "#") {
		at--
	}
	if at == 0 || out[at-1] == "" {
		return out
	}
	return append(out[:at:at], append([]string{""}, out[at:]...)...)
}

// tomlScanner follows texts and brackets from line to line.
type tomlScanner struct {
	quote string // of the text of several lines that is open
	depth int    // brackets of values that are open
}

func (s *tomlScanner) line(line string) {
	header := s.quote == "" && s.depth == 0 && strings.HasPrefix(strings.TrimSpace(line), "[")
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case s.quote != "":
			i += s.text(rest)
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			s.quote = rest[:3]
			i += 3
		case rest[0] == '"', rest[0] == '\'':
			i += quotedLength(rest)
		case rest[0] == '#':
			return
		default:
			if !header {
				s.depth += strings.Count(rest[:1], "[") + strings.Count(rest[:1], "{") - strings.Count(rest[:1], "]") - strings.Count(rest[:1], "}")
			}
			i++
		}
	}
}

// text goes on in a text of several lines, and gives how far.
func (s *tomlScanner) text(rest string) int {
	switch {
	case rest[0] == '\\' && s.quote == `"""`:
		return min(2, len(rest))
	case strings.HasPrefix(rest, s.quote):
		n := 3
		for n < len(rest) && n < 5 && rest[n] == s.quote[0] {
			n++ // quotes of the text right before the three that end it
		}
		s.quote = ""
		return n
	}
	return 1
}

// quotedLength gives the length of the text in quotes that a line goes on with.
func quotedLength(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && rest[0] == '"':
			i++
		case rest[i] == rest[0]:
			return i + 1
		}
	}
	return len(rest)
}
