package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// heredoc gives the lines of a heredoc as they stand between its markers, and
// the number of characters that were taken off before each: <<- takes what all
// lines have.
func heredoc(source string) (content string, indent int) {
	first, last := strings.IndexByte(source, '\n')+1, strings.LastIndexByte(source, '\n')+1
	content = source[first:max(first, last)]
	if !strings.HasPrefix(source, "<<-") {
		return content, 0
	}
	return dedent(content)
}

// dedent takes the white space off the lines of an indented heredoc that all
// lines with text have, and says how many characters that is. Blank lines stay
// as they are.
func dedent(content string) (string, int) {
	lines := strings.SplitAfter(content, "\n")
	indent := -1
	for _, line := range lines {
		if n, ok := margin(line); ok && (indent < 0 || n < indent) {
			indent = n
		}
	}
	for i, line := range lines {
		if _, ok := margin(line); !ok {
			continue
		}
		for range indent {
			_, size := utf8.DecodeRuneInString(line)
			line = line[size:]
		}
		lines[i] = line
	}
	return strings.Join(lines, ""), max(indent, 0)
}

// margin counts the white space that a line starts with; not ok for a line that
// has nothing else.
func margin(line string) (int, bool) {
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	return utf8.RuneCountInString(line[:len(line)-len(text)]), text != ""
}

// templateOf gives the template that a quoted text or a heredoc spells: the
// escapes of a quoted text are undone in its literal parts, those of templates
// stay.
func templateOf(source string) string {
	if !strings.HasPrefix(source, `"`) {
		content, _ := heredoc(source)
		return content
	}
	tokens, _ := hclsyntax.LexExpression([]byte(source), "", hcl.InitialPos)
	var b strings.Builder
	quotes, done := 0, 0
	for _, t := range tokens {
		switch {
		case t.Type == hclsyntax.TokenOQuote:
			quotes++
		case t.Type == hclsyntax.TokenCQuote:
			quotes--
		case t.Type == hclsyntax.TokenQuotedLit && quotes == 1:
			b.WriteString(source[done:t.Range.Start.Byte])
			b.WriteString(unescapeHCL(string(t.Bytes), false))
			done = t.Range.End.Byte
		}
	}
	b.WriteString(source[done:])
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), `"`)
}

// HCLTemplates gives the byte ranges of the texts of an HCL file that have a
// sequence in them, in quotes or as heredocs, with their quotes and markers.
func HCLTemplates(src *Source) [][2]int {
	tokens, _ := hclsyntax.LexConfig(src.Bytes, src.Name, hcl.InitialPos)
	var ranges [][2]int
	depth, start, template := 0, 0, false
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			if depth++; depth == 1 {
				start, template = t.Range.Start.Byte, false
			}
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			template = true
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			if depth--; depth == 0 && template {
				ranges = append(ranges, [2]int{start, t.Range.End.Byte})
			}
		}
	}
	return ranges
}

// QuoteTemplate writes a template as a quoted text of HCL, whose value as a
// template is that text again. It is not ok for what is no template.
func QuoteTemplate(text string) (quoted string, ok bool) {
	if _, diags := parseTemplate(text, ""); diags.HasErrors() {
		return "", false
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(text), "", hcl.InitialPos)
	var b strings.Builder
	depth, done := 0, 0
	b.WriteByte('"')
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenTemplateSeqEnd:
			depth--
		case hclsyntax.TokenStringLit:
			if depth == 0 {
				b.WriteString(text[done:t.Range.Start.Byte])
				b.WriteString(EscapeHCL(string(t.Bytes)))
				done = t.Range.End.Byte
			}
		}
	}
	return b.String() + text[done:] + `"`, true
}

// EscapeHCL writes a text as it stands between the quotes of HCL, but for the
// signs of a template.
func EscapeHCL(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unquoteHCL undoes the escapes of a quoted text. The parser has checked them.
func unquoteHCL(s string) string { return unescapeHCL(s, true) }

// unescapeHCL undoes the escapes with a backslash and, if asked to, those of
// templates.
func unescapeHCL(s string, templates bool) string {
	if !strings.ContainsAny(s, "\\$%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "$${"), strings.HasPrefix(s[i:], "%%{"):
			if templates {
				i++
			}
			b.WriteString(s[i : i+2])
			i++
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		default:
			i++
			switch c := s[i]; c {
			case 'n', 'r', 't':
				b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[c])
			case 'u', 'U':
				digits := map[byte]int{'u': 4, 'U': 8}[c]
				r, _ := strconv.ParseUint(s[i+1:min(i+1+digits, len(s))], 16, 32)
				b.WriteRune(rune(r))
				i += digits
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// unescapeTemplate undoes the two escapes of a template.
func unescapeTemplate(s string) string {
	return strings.NewReplacer("$${", "${", "%%{", "%{").Replace(s)
}
