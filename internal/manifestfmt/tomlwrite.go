package manifestfmt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/schema"
)

// writeTOML writes a manifest as TOML. A table begins with its plain keys, its
// tables follow; where the order of keys has a meaning that this would change,
// and inside lists, a table stands in braces.
func (w *tree) writeTOML(root *schema.Node) []byte {
	t := &tomlWriter{tree: w}
	t.table(root, documentShape(), nil)
	return []byte(strings.TrimPrefix(t.b.String(), "\n"))
}

type tomlWriter struct {
	*tree
	b strings.Builder
}

// table writes the keys of a table whose header has been written.
func (t *tomlWriter) table(n *schema.Node, s *shape, path []string) {
	var tables []schema.Field
	var nulls []string
	for _, f := range n.Fields {
		switch {
		case f.Value.Kind == schema.Null && unsets(path):
			nulls = append(nulls, tomlText(f.Key))
		case f.Value.Kind == schema.Map && ownHeader(f.Value, s.child(f.Key)), isTableList(f.Value, path, f.Key):
			tables = append(tables, f)
		default:
			t.b.WriteString(tomlKey(f.Key) + " = ")
			t.value(f.Value, false)
			t.b.WriteByte('\n')
		}
	}
	if len(nulls) > 0 {
		t.b.WriteString("unset = [" + strings.Join(nulls, ", ") + "]\n")
	}
	for _, f := range tables {
		t.header(f, s.child(f.Key), append(slices.Clone(path), f.Key))
	}
}

// header writes a table with its header, or a list of tables.
func (t *tomlWriter) header(f schema.Field, s *shape, path []string) {
	keys := make([]string, len(path))
	for i, key := range path {
		keys[i] = tomlKey(key)
	}
	name := strings.Join(keys, ".")
	if f.Value.Kind == schema.List {
		for _, item := range f.Value.Items {
			fmt.Fprintf(&t.b, "\n[[%s]]\n", name)
			t.table(item, s.item(), path)
		}
		return
	}
	if !onlyTables(f.Value, s) {
		fmt.Fprintf(&t.b, "\n[%s]\n", name)
	}
	t.table(f.Value, s, path)
}

// onlyTables says whether a table has nothing but tables of their own header, so
// that it needs none.
func onlyTables(n *schema.Node, s *shape) bool {
	for _, f := range n.Fields {
		if f.Value.Kind != schema.Map || !ownHeader(f.Value, s.child(f.Key)) {
			return false
		}
	}
	return len(n.Fields) > 0
}

// ownHeader says whether a map can be a table with a header: its keys may come
// in the order that this needs.
func ownHeader(n *schema.Node, s *shape) bool {
	behind := false // a table has been seen
	for _, f := range n.Fields {
		table := f.Value.Kind == schema.Map && ownHeader(f.Value, s.child(f.Key))
		if !table && behind && !s.isObject() {
			return false
		}
		behind = behind || table
	}
	return true
}

// isTableList says whether a list is one of entries, packs or policies, each a
// table.
func isTableList(n *schema.Node, path []string, key string) bool {
	if len(path) > 0 || n.Kind != schema.List || len(n.Items) == 0 || !slices.Contains([]string{"subagents", "packs", "policies"}, key) {
		return false
	}
	return !slices.ContainsFunc(n.Items, func(item *schema.Node) bool { return item.Kind != schema.Map })
}

// unsets says whether unset = [...] in a table says what a null says: at the root,
// in an entry, in defaults, and in their providers and the blocks of those.
func unsets(path []string) bool {
	switch len(path) {
	case 0:
		return true
	case 1, 2, 3:
		return (path[0] == "subagents" || path[0] == "defaults") && (len(path) == 1 || path[1] == "providers")
	}
	return false
}

// value writes what stands behind the sign. In braces everything is on one line,
// but for the texts.
func (t *tomlWriter) value(n *schema.Node, inline bool) {
	switch n.Kind {
	case schema.String:
		t.b.WriteString(tomlText(n.Str))
	case schema.Null:
		t.cannot(n.Range, "TOML has no null", "Leave the key out; at the root, in an entry, its provider blocks and defaults, unset = [\"key\"] says it.")
	case schema.Map:
		t.list(n, inline, '{', '}', len(n.Fields), func(i int) {
			t.b.WriteString(tomlKey(n.Fields[i].Key) + " = ")
			t.value(n.Fields[i].Value, true)
		})
	case schema.List:
		t.list(n, inline, '[', ']', len(n.Items), func(i int) { t.value(n.Items[i], inline) })
	default:
		t.b.WriteString(yamltext.Scalar(n))
	}
}

// list writes the parts of a list or of a table in braces: on one line, or, for
// a long list, on a line each.
func (t *tomlWriter) list(n *schema.Node, inline bool, open, end byte, parts int, part func(i int)) {
	lines := !inline && open == '[' && !yamltext.FitsOneLine(n)
	t.b.WriteByte(open)
	for i := range parts {
		switch {
		case lines:
			t.b.WriteString("\n  ")
		case i > 0:
			t.b.WriteString(", ")
		}
		part(i)
		if lines {
			t.b.WriteByte(',')
		}
	}
	if lines && parts > 0 {
		t.b.WriteByte('\n')
	}
	t.b.WriteByte(end)
}

var bareKey = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

func tomlKey(key string) string {
	if bareKey().MatchString(key) {
		return key
	}
	return yamltext.Quote(key)
}

// tomlText writes a text: one of several lines as it is between three quotes if
// nothing in it would be read otherwise, else with escapes.
func tomlText(s string) string {
	if !strings.Contains(s, "\n") {
		return yamltext.Quote(s)
	}
	plain := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !yamltext.Plain(r) }) < 0
	switch {
	case plain && !strings.Contains(s, `\`) && !strings.Contains(s, `"""`) && !strings.HasSuffix(s, `"`):
		return `"""` + "\n" + s + `"""`
	case plain && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'"):
		return "'''\n" + s + "'''"
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		quoted := yamltext.Quote(line)
		lines[i] = quoted[1 : len(quoted)-1]
	}
	return `"""` + "\n" + strings.Join(lines, "\n") + `"""`
}
