package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// plainName is what a name must look like once nothing is left to expand.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// expanded lists the keys that may speak of the pack in an entry with
// for_each, beside the body.
var expanded = []string{"name", "slug", "title", "description", "role"}

// expand makes the entries of an item: itself, or one for each stable pack.
func (b *builder) expand(this *layer, item *Node) []*Entry {
	e := adopt(item)
	if e.ForEach == "" {
		b.plain(item, false)
		return []*Entry{e}
	}
	packs := this.doc.Packs // of a locked entry those of its own layer and beneath
	if b.top.doc.Packs != nil && !e.lockedIn(this) {
		packs = b.top.doc.Packs
	}
	if packs == nil {
		b.diags = append(b.diags, Problem(CodePackMissing, item.Get("for_each").Range, "for_each: packs, and there are no packs", "List them under packs."))
	}
	var entries []*Entry
	for i := range packs {
		if packs[i].Stability == "stable" {
			entries = append(entries, b.forPack(item, &packs[i]))
		}
	}
	return entries
}

// forPack makes the entry of one pack.
func (b *builder) forPack(item *Node, pack *Pack) *Entry {
	out := &Node{Kind: Map, Range: item.Range}
	for _, f := range item.Fields {
		if f.Key == "for_each" {
			continue
		}
		if slices.Contains(expanded, f.Key) && f.Value.Kind == String {
			text, diags := expandText(f.Value, packScope(pack))
			if b.once(diags, pack); len(diags) > 0 {
				continue
			}
			value := *f.Value
			value.Str, value.block, value.hclTemplate, value.interpolation = text, nil, "", nil
			f.Value = &value
		}
		out.Fields = append(out.Fields, f)
	}
	if out.Get("origin") == nil {
		at := item.Get("for_each").Range
		out.Fields = append(out.Fields, Field{"origin", at, mapNode(at,
			Field{"kind", at, textNode(at, "generated")}, Field{"source", at, textNode(at, pack.ID)})})
	}
	b.plain(out, true)
	e := adopt(out)
	e.Pack = pack
	return e
}

// once reports problems of an entry with a pack, but not what another pack has
// brought up at the same place.
func (b *builder) once(diags hcl.Diagnostics, pack *Pack) {
	for _, d := range diags {
		known := func(o *hcl.Diagnostic) bool { return *o.Subject == *d.Subject && o.Summary == d.Summary }
		if !slices.ContainsFunc(b.diags, known) {
			d.Detail += fmt.Sprintf(" The pack is %q.", pack.ID)
			b.diags = append(b.diags, d)
		}
	}
}

// plain checks that the names of an entry are plain: the pattern of the schema
// lets expressions pass, for entries with for_each, and has not seen what they
// were expanded to.
func (b *builder) plain(item *Node, fromPack bool) {
	for _, key := range []string{"name", "slug"} {
		value := item.Get(key)
		if value == nil || value.Kind != String {
			continue
		}
		n := utf8.RuneCountInString(value.Str)
		unseen := fromPack || n > 64 || strings.Contains(value.Str, "${")
		if !unseen || plainName.MatchString(value.Str) && n >= 2 && n <= 64 {
			continue
		}
		detail := textRules[key]
		if strings.Contains(value.Str, "${") {
			detail += " Expressions stand in names only with for_each: packs."
		}
		b.diags = append(b.diags, Problem(CodeBadName, value.Range, fmt.Sprintf("%q is not valid for %q", clip(value.Str), key), detail))
	}
}

// usesTemplate says whether the body of an entry is a template.
func (e *Entry) usesTemplate() bool {
	return e.Pack != nil || e.Resolved.Template != nil && *e.Resolved.Template
}

// Expand gives the instructions for the agent's host, its template evaluated if
// it is one. native gives the host's names of a tool.
func (a *Agent) Expand(native func(Verb) []string) (string, hcl.Diagnostics) {
	if !a.Entry.usesTemplate() || a.Entry.bodyNode == nil {
		return a.Instructions, nil
	}
	return expandText(a.Entry.bodyNode, agentScope(a, native))
}
