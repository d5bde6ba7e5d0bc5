package manifestfmt

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// CodeCannotHold is the code of a value that a spelling cannot hold.
const CodeCannotHold schema.Code = "cannot-hold"

// Options for writing.
type Options struct {
	// Template says that entries are templates where neither they nor the
	// manifest's own defaults say otherwise, as the defaults of a lower layer can.
	// HCL writes templates and other texts differently.
	Template bool
	// Sort puts keys in canonical order.
	Sort bool
}

// Write gives the text of a manifest in a spelling (see [schema.Spellings]). Keys
// keep their order as far as the spelling lets them; comments are not part of a
// tree. The diagnostics name what the spelling cannot hold.
func Write(root *schema.Node, spelling string, opt Options) ([]byte, hcl.Diagnostics, error) {
	w := tree{template: opt.Template, spelling: spelling}
	if opt.Sort {
		root = sorted(root, documentShape())
	}
	root = w.prepare(root)
	var data []byte
	switch spelling {
	case "yaml":
		data = writeYAML(root)
	case "json":
		data = writeJSON(root)
	case "toml":
		data = w.writeTOML(root)
	case "hcl":
		data = w.writeHCL(root)
	default:
		return nil, nil, fmt.Errorf("%q is no spelling of a manifest", spelling)
	}
	if w.diags.HasErrors() {
		return nil, w.diags, nil
	}
	return data, nil, w.prove(root, data)
}

// tree is what a writer works on.
type tree struct {
	template  bool
	spelling  string
	templated map[*schema.Node]bool // texts that are templates
	diags     hcl.Diagnostics
}

func (w *tree) cannot(at hcl.Range, summary, detail string) {
	w.diags = append(w.diags, schema.Problem(CodeCannotHold, at, summary, detail))
}

// expanded lists the keys that are templates beside the body in an entry with
// for_each.
var expanded = []string{"name", "slug", "title", "description", "role"}

// prepare gives a copy of the tree in which every text is what the YAML spelling
// would hold, and notes which of them are templates.
func (w *tree) prepare(root *schema.Node) *schema.Node {
	w.templated = map[*schema.Node]bool{}
	template := w.template
	if t := root.At("defaults", "template"); t != nil {
		template = t.Bool
	}
	out := *root
	out.Fields = slices.Clone(root.Fields)
	for i, f := range out.Fields {
		if f.Key != "subagents" || f.Value.Kind != schema.List {
			continue
		}
		list := *f.Value
		list.Items = slices.Clone(list.Items)
		for j, item := range list.Items {
			list.Items[j] = w.entry(item, template)
		}
		out.Fields[i].Value = &list
	}
	return &out
}

func (w *tree) entry(n *schema.Node, template bool) *schema.Node {
	packs := n.Get("for_each").Text() == "packs"
	if t := n.Get("template"); t != nil {
		template = t.Bool
	}
	e := *n
	e.Fields = slices.Clone(n.Fields)
	for i, f := range e.Fields {
		body := f.Key == "instructions" && (template || packs)
		if f.Value.Kind == schema.String && (body || packs && slices.Contains(expanded, f.Key)) {
			text := *f.Value
			text.Str = f.Value.Template()
			e.Fields[i].Value = &text
			w.templated[&text] = true
		}
	}
	return &e
}

// prove reads a result again: it must be the tree that was written.
func (w *tree) prove(root *schema.Node, data []byte) error {
	again, diags := schema.OwnTree(schema.NewSource("manifest."+w.spelling, data))
	if diags.HasErrors() {
		return fmt.Errorf("the %s that was written cannot be read again, which is a bug: %w", w.spelling, diags)
	}
	check := tree{template: w.template}
	if !same(check.prepare(again), root, documentShape()) {
		return fmt.Errorf("the %s that was written does not read as what it was written from, which is a bug", w.spelling)
	}
	return nil
}

// same says whether two trees mean the same: the order of keys counts where they
// are free.
func same(a, b *schema.Node, s *shape) bool {
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Fields) != len(b.Fields) {
		return false
	}
	switch a.Kind {
	case schema.List:
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i], s.item()) {
				return false
			}
		}
		return true
	case schema.Map:
		for i, f := range a.Fields {
			other := &b.Fields[i]
			if s.isObject() {
				other = b.Field(f.Key)
			}
			if other == nil || other.Key != f.Key || !same(f.Value, other.Value, s.child(f.Key)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
