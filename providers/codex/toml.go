package codex

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A file is TOML 1.0 in the order in which it is written: scalars first, then
// tables, since a key after a table's header belongs to the table.
type file struct{ b bytes.Buffer }

// A table is a mapping whose keys stand in the file in this order.
type table []pair

// A pair is a key with its value: a text, a truth value, a number, a list, a
// map[string]any, a table or a []table.
type pair struct {
	key   string
	value any
}

func newFile(comment string) *file {
	f := &file{}
	f.b.WriteString("# " + comment + "\n")
	return f
}

// text adds a key with a text on one line.
func (f *file) text(key, s string) { f.value(key, s) }

// value adds a key with a value on one line.
func (f *file) value(key string, v any) {
	f.b.WriteString(tomlKey(key) + " = " + inline(v) + "\n")
}

// prose adds a key with a text that people read: line by line where TOML has a
// form for it that needs no escapes, else on one line.
func (f *file) prose(key, s string) {
	if !literal(s) {
		f.value(key, s)
		return
	}
	f.b.Grow(len(key) + len(s) + 16)
	f.b.WriteString(tomlKey(key) + " = '''\n")
	f.b.WriteString(s)
	f.b.WriteString("'''\n")
}

// literal says whether a text can stand between ”' as it is. The client reads
// C1 characters, U+2028 and U+FEFF there as they are; control characters and a
// bare CR are an error, and no escape exists. Observed on 0.171.0.
func literal(s string) bool {
	return !strings.HasSuffix(s, "'") && !strings.Contains(s, "'''") && strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' || r == 0x7F
	}) < 0
}

// table adds a table under its header, then the tables in it. A header that
// would stand over nothing but other headers is left out.
func (f *file) table(path string, t table) {
	var nested table
	lines := table{}
	for _, p := range t {
		switch v := p.value.(type) {
		case table, []table:
			nested = append(nested, p)
		case map[string]any:
			nested = append(nested, pair{p.key, sorted(v)})
		default:
			lines = append(lines, p)
		}
	}
	if len(lines) > 0 || len(nested) == 0 {
		f.b.WriteString("\n[" + path + "]\n")
		for _, p := range lines {
			f.value(p.key, p.value)
		}
	}
	for _, p := range nested {
		below := path + "." + tomlKey(p.key)
		if t, ok := p.value.(table); ok {
			f.table(below, t)
			continue
		}
		for _, item := range p.value.([]table) {
			f.b.WriteString("\n[[" + below + "]]\n")
			for _, p := range item {
				f.value(p.key, p.value)
			}
		}
	}
}

// sorted turns a mapping without an order of its own into a table.
func sorted[V any](m map[string]V) table {
	t := make(table, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		t = append(t, pair{key, m[key]})
	}
	return t
}

// inline writes a value on one line.
func inline(v any) string {
	switch v := v.(type) {
	case string:
		return basic(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return number(v)
	case []string:
		return array(v, basic)
	case []any:
		return array(v, inline)
	case map[string]any:
		return inlineTable(sorted(v))
	case map[string]string:
		return inlineTable(sorted(v))
	}
	panic(fmt.Sprintf("%T has no form in TOML", v)) // a table of ours is wrong
}

func array[T any](items []T, write func(T) string) string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = write(item)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func inlineTable(t table) string {
	if len(t) == 0 {
		return "{}"
	}
	out := make([]string, len(t))
	for i, p := range t {
		out[i] = tomlKey(p.key) + " = " + inline(p.value)
	}
	return "{ " + strings.Join(out, ", ") + " }"
}

// number writes a fraction; a whole one keeps its point, since TOML tells the
// two kinds of numbers apart.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// basic writes a text as a basic string on one line.
func basic(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7F:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// tomlKey writes a key: bare where TOML allows it, else quoted.
func tomlKey(key string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if key == "" || strings.IndexFunc(key, func(r rune) bool { return !bare(r) }) >= 0 {
		return basic(key)
	}
	return key
}
