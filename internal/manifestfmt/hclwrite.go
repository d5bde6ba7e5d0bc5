package manifestfmt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// writeHCL writes a manifest as HCL: entries, packs, policies, skills and
// provider blocks as blocks with a name, other maps as blocks where their keys
// let them, a text of several lines as a heredoc where that is exact.
func (w *tree) writeHCL(root *schema.Node) []byte {
	h := &hclWriter{tree: w}
	h.body(root, documentShape(), 0, true)
	return formatHCL([]byte(h.b.String()))
}

type hclWriter struct {
	*tree
	b strings.Builder
}

func (h *hclWriter) line(indent int, format string, args ...any) {
	h.b.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&h.b, format+"\n", args...)
}

// hclLists are the lists of the root that are blocks: type and key of the name.
var hclLists = map[string][2]string{"subagents": {"subagent", "name"}, "packs": {"pack", "id"}, "policies": {"policy", "name"}}

// hclMaps are the maps whose values are blocks with the key for a name.
var hclMaps = map[string]string{"skills": "skill", "providers": "provider"}

// body writes what stands between the brackets of a block. The root has an empty
// line before each block.
func (h *hclWriter) body(n *schema.Node, s *shape, indent int, root bool) {
	for _, f := range n.Fields {
		block, isList := hclLists[f.Key]
		named, isMap := hclMaps[f.Key]
		switch {
		case root && isList && allMaps(f.Value.Items) && len(f.Value.Items) > 0:
			for _, item := range f.Value.Items {
				h.b.WriteByte('\n')
				h.named(block[0], block[1], item, s.child(f.Key).item(), indent)
			}
		case isMap && s.isObject() && f.Value.Kind == schema.Map && len(f.Value.Fields) > 0 && allFields(f.Value):
			for _, inner := range f.Value.Fields {
				h.gap(root)
				h.line(indent, "%s %s {", named, h.quoted(inner.Key))
				h.body(inner.Value, s.child(f.Key).child(inner.Key), indent+2, false)
				h.line(indent, "}")
			}
		case f.Value.Kind == schema.Map && asBlock(f):
			h.gap(root)
			h.line(indent, "%s {", f.Key)
			h.body(f.Value, s.child(f.Key), indent+2, false)
			h.line(indent, "}")
		default:
			h.attribute(f, indent)
		}
	}
}

func (h *hclWriter) gap(root bool) {
	if root {
		h.b.WriteByte('\n')
	}
}

// named writes an item of a list as a block. A name that is a template cannot be
// its label.
func (h *hclWriter) named(block, id string, n *schema.Node, s *shape, indent int) {
	name := n.Get(id)
	if name == nil || name.Kind != schema.String || h.templated[name] {
		h.line(indent, "%s {", block)
		h.body(n, s, indent+2, false)
		h.line(indent, "}")
		return
	}
	rest := *n
	rest.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f schema.Field) bool { return f.Key == id })
	h.line(indent, "%s %s {", block, h.quoted(name.Str))
	h.body(&rest, s, indent+2, false)
	h.line(indent, "}")
}

// attribute writes a key with its value.
func (h *hclWriter) attribute(f schema.Field, indent int) {
	if !identifier().MatchString(f.Key) {
		h.cannot(f.Range, fmt.Sprintf("%q cannot be a key of a block in HCL", f.Key), "Use letters, digits, _ and -.")
		return
	}
	h.b.WriteString(strings.Repeat(" ", indent) + f.Key + " = ")
	h.value(f.Value, indent)
	h.b.WriteByte('\n')
}

// identifier is a word that is a key without quotes; other letters than these
// are read as well, and never written.
var identifier = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// asBlock says whether a map can be a block: its keys are words, and the block is
// not one of those that mean something else.
func asBlock(f schema.Field) bool {
	if len(f.Value.Fields) == 0 || !identifier().MatchString(f.Key) || slices.Contains([]string{"subagent", "pack", "policy", "skill", "provider"}, f.Key) {
		return false
	}
	for _, inner := range f.Value.Fields {
		if !identifier().MatchString(inner.Key) {
			return false
		}
	}
	return true
}

func allMaps(items []*schema.Node) bool {
	return !slices.ContainsFunc(items, func(n *schema.Node) bool { return n.Kind != schema.Map })
}

func allFields(n *schema.Node) bool {
	return !slices.ContainsFunc(n.Fields, func(f schema.Field) bool { return f.Value.Kind != schema.Map })
}

// value writes a literal.
func (h *hclWriter) value(n *schema.Node, indent int) {
	inner := strings.Repeat(" ", indent+2)
	switch n.Kind {
	case schema.String:
		h.text(n, indent)
	case schema.Map:
		if len(n.Fields) == 0 {
			h.b.WriteString("{}")
			return
		}
		h.b.WriteString("{\n")
		for _, f := range n.Fields {
			h.b.WriteString(inner + h.key(f.Key) + " = ")
			h.value(f.Value, indent+2)
			h.b.WriteByte('\n')
		}
		h.b.WriteString(strings.Repeat(" ", indent) + "}")
	case schema.List:
		h.list(n, indent)
	default:
		h.b.WriteString(yamltext.Scalar(n))
	}
}

// list writes a list: on one line, or with an item on each. A heredoc must end
// before the comma, which would stand on its last line.
func (h *hclWriter) list(n *schema.Node, indent int) {
	if yamltext.FitsOneLine(n) {
		h.b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				h.b.WriteString(", ")
			}
			h.inline(item, indent)
		}
		h.b.WriteByte(']')
		return
	}
	h.b.WriteString("[\n")
	for _, item := range n.Items {
		h.b.WriteString(strings.Repeat(" ", indent+2))
		h.inline(item, indent+2)
		h.b.WriteString(",\n")
	}
	h.b.WriteString(strings.Repeat(" ", indent) + "]")
}

// inline is value without a heredoc for a text.
func (h *hclWriter) inline(n *schema.Node, indent int) {
	if n.Kind == schema.String {
		h.b.WriteString(h.quoted(n.Str))
		return
	}
	h.value(n, indent)
}

// key writes the key of an object. Words of the language stand in quotes.
func (h *hclWriter) key(key string) string {
	if identifier().MatchString(key) && !slices.Contains([]string{"for", "true", "false", "null"}, key) {
		return key
	}
	return h.quoted(key)
}

// escapeTemplate makes literal text of what would be read as a template.
var escapeTemplate = strings.NewReplacer("${", "$${", "%{", "%%{")

func (h *hclWriter) quoted(s string) string {
	return `"` + escapeTemplate.Replace(schema.EscapeHCL(s)) + `"`
}

// text writes a text: a heredoc if that says exactly it, else in quotes.
func (h *hclWriter) text(n *schema.Node, indent int) {
	content := n.Str
	if !h.templated[n] {
		content = escapeTemplate.Replace(content)
	}
	if strings.HasSuffix(n.Str, "\n") && strings.IndexFunc(n.Str, func(r rune) bool { return r != '\n' && r != '\t' && !yamltext.Plain(r) }) < 0 {
		h.heredoc(content, indent)
		return
	}
	if !h.templated[n] {
		h.b.WriteString(h.quoted(n.Str))
		return
	}
	quoted, ok := schema.QuoteTemplate(n.Str)
	if !ok {
		h.cannot(n.Range, "this is no template, so HCL cannot hold it as one", "Mend the template, or take template: true out.")
	}
	h.b.WriteString(quoted)
}

// heredoc writes lines between markers, indented if that can be undone: a line
// of them begins with no white space. Blank lines are never indented.
func (h *hclWriter) heredoc(content string, indent int) {
	marker := "EOT"
	lines := strings.SplitAfter(strings.TrimSuffix(content, "\n"), "\n")
	for n := 1; slices.ContainsFunc(lines, func(line string) bool { return strings.TrimSpace(line) == marker }); n++ {
		marker = fmt.Sprintf("EOT%d", n)
	}
	begins := func(line string) bool {
		text := strings.TrimSpace(line)
		return text != "" && !unicode.IsSpace([]rune(line)[0])
	}
	if !slices.ContainsFunc(lines, begins) {
		h.b.WriteString("<<" + marker + "\n" + content + marker)
		return
	}
	margin := strings.Repeat(" ", indent+2)
	h.b.WriteString("<<-" + marker + "\n")
	for _, line := range strings.SplitAfter(strings.TrimSuffix(content, "\n"), "\n") {
		if strings.TrimSpace(line) != "" {
			h.b.WriteString(margin)
		}
		h.b.WriteString(line)
	}
	h.b.WriteString("\n" + strings.Repeat(" ", indent) + marker)
}
