// Package markdown writes texts into Markdown so that they show as they are.
package markdown

import "strings"

var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`, "\n", " ", "\r", " ",
)

// Text writes a text on one line, also inside a table, with what Markdown would
// obey escaped. It is not for the start of a line, where more would count.
func Text(s string) string { return special.Replace(s) }

// Code writes a text as code, also inside a table.
func Code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	s = strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`).Replace(s)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// Row writes a row of a table from cells that are Markdown already.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// Head writes the heads of a table.
func Head(heads ...string) string {
	return Row(heads...) + strings.Repeat("|---", len(heads)) + "|\n"
}
