package goose

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// unescapes undo [escape] and what [parameters.write] writes before the use of
// a parameter.
var unescapes = strings.NewReplacer("{{ '{{' }}", "{{", "{{ '{%' }}", "{%", "{{ '{#' }}", "{#", "{{ '{' }}", "{")

// unescape gives the text that [escape] wrote.
func unescape(s string) string { return unescapes.Replace(s) }

// templates reads the texts of a recipe, which are templates. A parameter's use
// stays as it is; a quoted text stands for itself; what stands there literally
// for goose stays; the rest is told about.
type templates struct {
	d        *decoder
	declared []string
	used     map[string]bool
	unknown  []string // used, and not declared
	lost     bool     // there was more than uses of parameters
}

func (d *decoder) templates() *templates {
	t := &templates{d: d, used: map[string]bool{}}
	for _, p := range d.keys.Get("parameters").List() {
		t.declared = append(t.declared, p.Get("key").Text())
	}
	return t
}

var (
	// quoted is an expression that is a text.
	quoted = lazyregexp.New(`\{\{-? *(?:'([^'\\\n]*)'|"([^"\\\n]*)") *-?\}\}`)
	// statement is what MiniJinja evaluates beyond expressions, and comments.
	statement = lazyregexp.New(`\{[%#]`)
	// evaluatedMore is an expression that is more than a name.
	evaluatedMore = lazyregexp.New(`\{\{-? *([A-Za-z_]\w*(?:\.[\w.]+| *\|[^{}]*|\([^{}]*\))|-?\d[^{}]*) *-?\}\}`)
	// loose is the use of a parameter, in any spelling.
	loose = lazyregexp.New(`\{\{-?\s*([A-Za-z_][A-Za-z0-9_]*)\s*-?\}\}`)
)

// live reads a text in which parameters may be used.
func (t *templates) live(s string) string {
	if !evaluated(s) {
		return s
	}
	if t.d.ours {
		replaceUses(s, t.use) // braces that stand for themselves were hidden
		return s
	}
	var b strings.Builder
	rest := 0
	for _, m := range quoted().FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(t.code(s[rest:m[0]]))
		b.WriteString(t.text(s[max(m[2], m[4]):max(m[3], m[5])]))
		rest = m[1]
	}
	b.WriteString(t.code(s[rest:]))
	return b.String()
}

// code reads a piece of a text without quoted expressions.
func (t *templates) code(s string) string {
	rest := replaceUses(s, func(string) string { return "" })
	t.lost = t.lost || statement().MatchString(rest) || evaluatedMore().MatchString(rest)
	return replaceUses(s, t.use)
}

// text takes a piece that stands for itself. In a manifest it must not look like
// the use of a parameter.
func (t *templates) text(s string) string {
	replaceUses(s, func(key string) string {
		t.lost = t.lost || slices.Contains(t.declared, key)
		return ""
	})
	return s
}

// replaceUses puts something in the place of every use of a parameter. With one
// more brace before it, it is literal text.
func replaceUses(s string, with func(key string) string) string {
	var b strings.Builder
	rest := 0
	for _, m := range loose().FindAllStringSubmatchIndex(s, -1) {
		if m[0] > 0 && s[m[0]-1] == '{' {
			continue
		}
		b.WriteString(s[rest:m[0]] + with(s[m[2]:m[3]]))
		rest = m[1]
	}
	return b.String() + s[rest:]
}

// literal reads a text in which none may be.
func (t *templates) literal(s string) string {
	if !t.d.ours && replaceUses(s, func(string) string { return "" }) != s {
		t.lost = true
	}
	return t.live(s)
}

// use notes the use of a parameter and writes it as manifests have it.
func (t *templates) use(key string) string {
	switch {
	case slices.Contains(t.declared, key):
		t.used[key] = true
	case t.d.ours:
	case slices.Contains(taken, key):
		t.lost = true
	case !slices.Contains(t.unknown, key):
		t.unknown = append(t.unknown, key)
	}
	return "{{ " + key + " }}"
}

// tree reads all texts of a value.
func (t *templates) tree(n *schema.Node) *schema.Node {
	out := *n
	switch n.Kind {
	case schema.String:
		out.Str = t.live(n.Str)
	case schema.List:
		out.Items = make([]*schema.Node, len(n.Items))
		for i, item := range n.Items {
			out.Items[i] = t.tree(item)
		}
	case schema.Map:
		out.Fields = slices.Clone(n.Fields)
		for i, f := range n.Fields {
			out.Fields[i].Value = t.tree(f.Value)
		}
	}
	return &out
}

// check reports what the client refuses and what a manifest cannot say.
func (t *templates) check() {
	at := t.d.keys.Range
	for _, key := range t.unknown {
		t.d.notLoaded(at, "Declare it under parameters. Literal braces are written {{ '{{' }}.", "{{ %s }} is used and is no parameter", key)
	}
	for _, key := range t.declared {
		if !t.used[key] {
			t.d.notLoaded(at, "Use it, or remove it.", "no text uses the parameter %q", key)
		}
	}
	if t.lost {
		t.d.Warn(providers.CodeReadAs, at, "A manifest has uses of parameters alone: the rest stands in the entry as it was written, and becomes literal text.",
			"the recipe has template code that goose evaluates")
	}
}

// jsonOf writes a value as JSON on one line.
func jsonOf(n *schema.Node) string {
	data, err := json.Marshal(n.Interface())
	if err != nil {
		return err.Error()
	}
	return string(data)
}
