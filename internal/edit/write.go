package edit

import (
	"strings"

	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// written gives the text of an entry, which depends on how far its dash is
// indented; in a list with brackets it has none.
func (f *File) written(entry *schema.Node) func(indent int) string {
	return func(indent int) string {
		if indent < 0 {
			return f.flowText(entry)
		}
		w := inserted()
		w.Item(entry, indent)
		text := w.String()
		return strings.ReplaceAll(text, "\n", f.newline())
	}
}

// inserted gives a writer of lines that go in between others.
func inserted() *yamltext.Writer { return &yamltext.Writer{Inserted: true} }

// flowText writes a value on one line.
func (f *File) flowText(n *schema.Node) string {
	if f.json {
		return yamltext.JSON(n)
	}
	return yamltext.Flow(n)
}
