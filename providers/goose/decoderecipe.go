package goose

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// recipe reads a recipe. Its name is that of the file; its texts are templates.
func (d *decoder) recipe(stem string, keys *schema.Node, diags hcl.Diagnostics) {
	d.Out.Name = stem
	if !d.mapping(keys, diags) {
		return
	}
	if inner := keys.Get("recipe"); inner != nil {
		d.Warn(providers.CodeReadAs, inner.Range, "Everything beside it is lost to the client.", "goose reads the value of recipe in place of the whole file")
		if !d.mapping(inner, nil) {
			return
		}
	}
	d.Set("format", providers.TextNode(asRecipe, d.Out.At))
	for _, key := range []string{"title", "description"} {
		if f := d.keys.Field(key); f == nil || f.Value.Kind == schema.Null {
			d.notLoaded(d.keys.Range, "Add "+key+".", "a recipe without %s", key)
		}
	}
	t := d.templates()
	d.Description(t.literal(d.text("description")), "Recipe "+stem+".")
	d.texts(t)
	d.titles(t, stem)
	for _, f := range d.keys.Fields {
		if f.Value.Kind != schema.Null {
			d.recipeKey(t, f)
		}
	}
	t.check()
}

// texts sets instructions and prompt; at least one is there. A prompt alone
// becomes the instructions.
func (d *decoder) texts(t *templates) {
	body, prompt := d.text("instructions"), d.text("prompt")
	hasBody, hasPrompt := strings.TrimSpace(body) != "", strings.TrimSpace(prompt) != ""
	switch {
	case !hasBody && !hasPrompt:
		d.notLoaded(d.keys.Range, "Add instructions.", "a recipe without instructions and prompt")
		return
	case !hasBody:
		d.Warn(providers.CodeReadAs, d.keys.Get("prompt").Range, "The entry has it as its instructions.", "the recipe has a prompt alone")
		d.Body(t.live(prompt))
		return
	case hasPrompt:
		at := d.keys.Get("prompt").Range
		d.Set("prompt", providers.TextNode(t.live(prompt), at))
	}
	if d.ours && !hasPrompt {
		body = unescape(body) // for the rendering of delegation
	}
	d.Body(t.live(body))
}

// titles sets title and version, unless they are what is written without them.
func (d *decoder) titles(t *templates, stem string) {
	if title := t.literal(d.text("title")); strings.TrimSpace(title) != "" && title != providers.ManifestName(stem) {
		at := d.keys.Get("title").Range
		d.Either([]schema.Field{providers.TextField("title", title, at)}, providers.TextField("title", title, at))
	}
	if version := t.literal(d.text("version")); version != "" {
		at := d.keys.Get("version").Range
		block := providers.TextField("version", version, at)
		if semver().MatchString(version) {
			d.Either([]schema.Field{block}, block)
		} else {
			d.Either(nil, block)
		}
	}
}

// semver is what an entry's version looks like.
var semver = lazyregexp.New(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// recipeKey reads one of the other keys.
func (d *decoder) recipeKey(t *templates, f schema.Field) {
	switch f.Key {
	case "title", "description", "version", "instructions", "prompt", "recipe":
	case "parameters":
		d.parameters(f)
	case "settings":
		d.settings(t, f)
	case "extensions":
		d.extensionsOf(t, f)
	case "activities", "sub_recipes", "response", "retry":
		f.Value = t.tree(f.Value)
		if f.Key == "sub_recipes" {
			f.Value = withTextValues(f.Value)
		}
		d.strict(f)
	case "author":
		if f.Value.Kind != schema.Map {
			d.notLoaded(f.Value.Range, "Write a mapping with contact and metadata.", "the author is %s", f.Value.Kind)
			return
		}
		f.Value = t.tree(f.Value)
		d.Extra(f)
	default:
		d.Drop(f.Range, "It is no field of a recipe, and goose ignores it.", "%s", f.Key)
	}
}

// strict reads a key whose values have to be right; keys that the client does
// not know are left out.
func (d *decoder) strict(f schema.Field) {
	if v := d.fitWhole(f); v != nil {
		d.Set(f.Key, v)
	}
}

// fitWhole gives a native value without the keys that the client ignores. If
// anything else is lost, the client refuses the recipe.
func (d *decoder) fitWhole(f schema.Field) *schema.Node {
	v, misfits := schema.BlockValue(schema.GooseID, f.Key, f.Value)
	for _, m := range misfits {
		if v == nil || len(v.Items) < len(f.Value.Items) {
			d.notLoaded(m.At, "For "+f.Key+": "+m.Why+".", "%s is not as goose wants it", f.Key)
			return nil
		}
		d.Drop(m.At, "goose ignores it: "+m.Why+".", "part of %s", f.Key)
	}
	return v
}

// parameters reads the declarations; a default and options of any scalar type
// are texts.
func (d *decoder) parameters(f schema.Field) {
	if f.Value.Kind != schema.List || len(f.Value.Items) == 0 {
		if f.Value.Kind != schema.List {
			d.notLoaded(f.Value.Range, "Write a list.", "parameters is %s", f.Value.Kind)
		}
		return
	}
	list := *f.Value
	list.Items = slices.Clone(list.Items)
	for i, item := range list.Items {
		p := *item
		p.Fields = slices.Clone(p.Fields)
		for j, field := range p.Fields {
			p.Fields[j].Value = asText(field.Value)
		}
		list.Items[i] = &p
	}
	f.Value = &list
	d.strict(f)
}

// asText turns the scalars of a value, or of a list, into the texts that they
// look like.
func asText(n *schema.Node) *schema.Node {
	switch n.Kind {
	case schema.Bool, schema.Int, schema.Float:
		return providers.TextNode(n.Str, n.Range)
	case schema.List:
		list := *n
		list.Items = make([]*schema.Node, len(n.Items))
		for i, item := range n.Items {
			list.Items[i] = asText(item)
		}
		return &list
	}
	return n
}

// withTextValues turns the values of sub-recipes into texts, as the client does.
func withTextValues(n *schema.Node) *schema.Node {
	if n.Kind != schema.List {
		return n
	}
	list := *n
	list.Items = slices.Clone(n.Items)
	for i, item := range list.Items {
		values := item.Get("values")
		if values == nil || values.Kind != schema.Map {
			continue
		}
		texts := *values
		texts.Fields = slices.Clone(values.Fields)
		for j, f := range texts.Fields {
			texts.Fields[j].Value = asText(f.Value)
			if k := f.Value.Kind; k == schema.List || k == schema.Map {
				texts.Fields[j].Value = providers.TextNode(jsonOf(f.Value), f.Value.Range)
			}
		}
		sub := *item
		sub.Fields = slices.Clone(item.Fields)
		for j := range sub.Fields {
			if sub.Fields[j].Key == "values" {
				sub.Fields[j].Value = &texts
			}
		}
		list.Items[i] = &sub
	}
	return &list
}

// settings: the model and its provider stand on their own in a block.
func (d *decoder) settings(t *templates, f schema.Field) {
	f.Value = t.tree(f.Value)
	v := d.fitWhole(f)
	if v == nil {
		return
	}
	rest := &schema.Node{Kind: schema.Map, Range: v.Range}
	for _, s := range v.Fields {
		switch s.Key {
		case "goose_model":
			d.model(&s, "model")
		case "goose_provider":
			d.Set("provider", s.Value)
		default:
			rest.Fields = append(rest.Fields, s)
		}
	}
	if len(rest.Fields) > 0 {
		d.Set("settings", rest)
	}
}

// extensionsOf reads the extensions; none is something else than no key. Keys
// that the type of an extension does not have are left out.
func (d *decoder) extensionsOf(t *templates, f schema.Field) {
	list := *t.tree(f.Value)
	list.Items = slices.Clone(list.Items)
	for i, item := range list.Items {
		kind := item.Get("type").Text()
		kept := *item
		kept.Fields = nil
		for _, key := range item.Fields {
			if keysOf[kind] == nil || key.Key == "type" || key.Key == "name" || slices.Contains(keysOf[kind], key.Key) {
				kept.Fields = append(kept.Fields, key)
				continue
			}
			d.Drop(key.Range, "goose ignores it there.", "%s, in an extension of type %s,", key.Key, kind)
		}
		list.Items[i] = &kept
		for _, need := range needs[kind] {
			if n := item.Get(need); n == nil || n.Kind == schema.Null {
				d.notLoaded(item.Range, "Add "+need+".", "an extension of type %s without %s", kind, need)
			}
		}
		if n := item.Get("available_tools"); n.IsNull() {
			d.notLoaded(n.Range, "Leave the key out to give every tool.", "available_tools is null")
		}
	}
	f.Value = &list
	d.strict(f)
}

// needs lists what an extension of a type has to have beside its name.
var needs = map[string][]string{"stdio": {"cmd", "args"}, "streamable_http": {"uri"}}
