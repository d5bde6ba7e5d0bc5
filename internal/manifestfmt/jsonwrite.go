package manifestfmt

import (
	"strings"

	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// writeJSON writes a manifest with an indentation of two spaces, and lists of
// short values on one line.
func writeJSON(root *schema.Node) []byte {
	var b strings.Builder
	jsonValue(&b, root, 0)
	b.WriteByte('\n')
	return []byte(b.String())
}

func jsonValue(b *strings.Builder, n *schema.Node, indent int) {
	switch {
	case n.Kind == schema.String:
		b.WriteString(yamltext.Quote(n.Str))
	case n.Kind == schema.Map && len(n.Fields) > 0:
		jsonLines(b, '{', '}', indent, len(n.Fields), func(i int) {
			b.WriteString(yamltext.Quote(n.Fields[i].Key) + ": ")
			jsonValue(b, n.Fields[i].Value, indent+2)
		})
	case n.Kind == schema.List && len(n.Items) > 0 && !yamltext.FitsOneLine(n):
		jsonLines(b, '[', ']', indent, len(n.Items), func(i int) { jsonValue(b, n.Items[i], indent+2) })
	case n.Kind == schema.List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			jsonValue(b, item, indent)
		}
		b.WriteByte(']')
	case n.Kind == schema.Map:
		b.WriteString("{}")
	default:
		b.WriteString(yamltext.Scalar(n))
	}
}

// jsonLines writes the parts of an object or a list, each on lines of its own.
func jsonLines(b *strings.Builder, open, end byte, indent, n int, part func(i int)) {
	b.WriteByte(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat(" ", indent+2))
		part(i)
	}
	b.WriteString("\n" + strings.Repeat(" ", indent))
	b.WriteByte(end)
}
