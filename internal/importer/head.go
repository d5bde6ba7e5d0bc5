package importer

import (
	"path"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A head is the front matter of a Markdown file with the body behind it.
type head struct {
	keys  *schema.Node
	body  string
	taken map[string]bool
}

// head reads a Markdown file of a catalogue: front matter between two lines ---,
// with the quotes that people forget. Without one the file is skipped.
func (im *importer) head(f *file) (*head, bool) {
	src := schema.NewSource(f.shown, f.data)
	fence, ok := providers.LineFence(src.Bytes, []string{"yaml", "yml"}, false)
	if !ok {
		im.skip(f, schema.Problem(CodeNoSubagent, src.Range(0, 0), f.shown+" has no front matter", "Write name and description between two lines ---, the first on line 1."))
		return nil, false
	}
	keys, diags := fence.Head(src, false)
	if diags.HasErrors() {
		again, more, helped := fence.Repaired(src, false, quoteValue)
		if !helped {
			im.report(f, diags)
			return nil, false
		}
		im.warn(providers.CodeRescued, *diags[0].Subject, "Put the value in double quotes.", "a value that is no YAML without quotes")
		keys, diags = again, more
	}
	im.report(f, diags)
	if keys.Kind != schema.Map {
		im.skip(f, schema.Problemf(CodeNoSubagent, keys.Range, "Write KEY: VALUE lines.", "the front matter of %s is %s, not keys with values", f.shown, keys.Kind))
		return nil, false
	}
	return &head{keys: keys, body: string(src.Bytes[fence.Body:]), taken: map[string]bool{}}, true
}

// quoteValue puts a value with a colon in quotes, on a line at the margin.
func quoteValue(line string) string {
	m := looseValue().FindStringSubmatch(strings.TrimRight(line, " \t\r"))
	if m == nil {
		return line
	}
	return m[1] + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m[2]) + `"`
}

var looseValue = lazyregexp.New("^([A-Za-z0-9_-]+): +([^\"'\\[{|>&*!].*: .*)$")

// take gives a key and notes that it was read.
func (h *head) take(key string) *schema.Field {
	h.taken[key] = true
	f := h.keys.Field(key)
	if f != nil && f.Value.Kind == schema.Null {
		return nil
	}
	return f
}

// rest gives the keys that were not read.
func (h *head) rest() []schema.Field {
	var rest []schema.Field
	for _, f := range h.keys.Fields {
		if !h.taken[f.Key] && f.Value.Kind != schema.Null {
			rest = append(rest, f)
		}
	}
	return rest
}

// texts gives the items of a list, or of a text with commas.
func texts(n *schema.Node) []string {
	if n.Kind == schema.String {
		var list []string
		for _, s := range strings.Split(n.Str, ",") {
			if s = strings.TrimSpace(s); s != "" {
				list = append(list, s)
			}
		}
		return list
	}
	list, _ := providers.Texts(n)
	return list
}

// identity reads name and description; the body is all that follows.
func (im *importer) identity(f *file, h *head) (*definition, bool) {
	d := &definition{file: f, body: h.body, at: start(f)}
	d.name = strings.TrimSuffix(path.Base(f.shown), path.Ext(f.shown))
	if name := h.take("name"); name != nil && name.Value.Kind == schema.String && name.Value.Str != "" {
		d.name, d.at = name.Value.Str, name.Value.Range
	} else {
		im.warn(providers.CodeReadAs, d.at, "Write name.", "%s has no name; it gets that of the file", f.shown)
	}
	if text := h.take("description"); text != nil && text.Value.Kind == schema.String {
		d.description = text.Value.Str
	}
	if strings.TrimSpace(d.description) == "" {
		d.description = "Subagent " + d.name + "."
		im.warn(providers.CodeNoDescription, d.at, "The entry says \""+d.description+"\" Write what it does and when to use it.", "%s has no description, which an entry needs", f.shown)
	}
	if strings.TrimSpace(d.body) == "" {
		im.skip(f, schema.Problemf(providers.CodeNoBody, d.at, "An entry of a manifest needs instructions.", "%q has no instructions", d.name))
		return nil, false
	}
	return d, true
}
