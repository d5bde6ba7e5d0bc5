package manifestfmt

import (
	"strings"

	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// writeYAML writes a manifest for people, with an empty line before every long
// part and between entries.
func writeYAML(root *schema.Node) []byte {
	if len(root.Fields) == 0 {
		return []byte("{}\n")
	}
	w, long := &yamltext.Writer{}, false
	for _, f := range root.Fields {
		text := yamlPart(f)
		before := long
		if long = strings.Count(text, "\n") > 1; long || before {
			gap(w)
		}
		w.WriteString(text)
	}
	return []byte(w.String())
}

// gap writes an empty line between two parts. One behind a block that ends with
// empty lines would be part of it.
func gap(w *yamltext.Writer) {
	if text := w.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		w.WriteByte('\n')
	}
}

// yamlPart writes a key of the root.
func yamlPart(f schema.Field) string {
	w := &yamltext.Writer{}
	if f.Key != "subagents" || f.Value.Kind != schema.List || len(f.Value.Items) == 0 {
		w.Field(f, 0)
		return w.String()
	}
	w.WriteString(f.Key + ":\n")
	for i, item := range f.Value.Items {
		if i > 0 {
			gap(w)
		}
		w.Item(item, 2)
	}
	return w.String()
}
