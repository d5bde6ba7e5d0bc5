package goose

import (
	"bytes"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// inputs: agents and recipes stand in folders of goose's own and in those that
// several hosts share; sub-folders and .yml are not read. The client also reads
// Claude Code's folder, which is taken for that host's. Observed on 1.52.0.
var inputs = []providers.Input{
	{Path: ".goose/agents/*.md", Form: asAgent},
	{Path: ".agents/agents/*.md", Form: asAgent},
	{Path: ".config/goose/agents/*.md", Form: asAgent},
	{Path: ".goose/recipes/*.yaml", Form: asRecipe},
	{Path: ".goose/recipes/*.json", Form: asRecipe},
	{Path: ".agents/recipes/*.yaml", Form: asRecipe},
	{Path: ".agents/recipes/*.json", Form: asRecipe},
	{Path: ".config/goose/recipes/*.yaml", Form: asRecipe},
	{Path: ".config/goose/recipes/*.json", Form: asRecipe},
}

// Decode reads an agent file or a recipe as the client does. Observed on
// 1.52.0.
func (Provider) Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	src := schema.NewSource(file.Name, file.Data)
	d := decoder{Decoder: facts.Decoder(src.Range(0, 0)), src: src, ours: providers.Marked(file.Data)}
	form := file.Form
	if form == "" {
		form = asRecipe
		if strings.EqualFold(path.Ext(file.Name), ".md") {
			form = asAgent
		}
	}
	stem := strings.TrimSuffix(path.Base(file.Name), path.Ext(file.Name))
	switch {
	case file.Keys != nil:
		d.Out.At = file.Keys.Range
		d.recipe(stem, file.WithText("instructions"), nil)
	case form == asAgent:
		d.agent()
	default:
		keys, diags := schema.ParseYAML(src, false)
		d.recipe(stem, keys, diags)
	}
	return d.Done()
}

type decoder struct {
	*providers.Decoder
	src  *schema.Source
	ours bool // written by this program
	keys *schema.Node
}

// notLoaded reports what makes the client skip a file.
func (d *decoder) notLoaded(at hcl.Range, detail, format string, args ...any) {
	d.Fail(providers.CodeNotLoaded, at, detail+" goose skips the file.", format, args...)
}

// mapping checks that a file has keys at all.
func (d *decoder) mapping(keys *schema.Node, diags hcl.Diagnostics) bool {
	d.Diags = append(d.Diags, diags...)
	if diags.HasErrors() {
		return false
	}
	if keys.Kind != schema.Map {
		d.notLoaded(keys.Range, "Write keys with values.", "it is %s, not keys with values", keys.Kind)
		return false
	}
	d.keys, d.Out.Keys = keys, keys
	return true
}

// text gives a scalar as the text that it looks like.
func (d *decoder) text(key string) string {
	n := d.keys.Get(key)
	if n != nil && (n.Kind == schema.List || n.Kind == schema.Map) {
		d.notLoaded(n.Range, "Write text, in quotes.", "%s is %s, not text", key, n.Kind)
	}
	return n.Text()
}

// agent reads Markdown with front matter.
func (d *decoder) agent() {
	fence, ok := findFence(d.src.Bytes)
	if !ok {
		d.Fail(providers.CodeNoHead, d.src.Range(0, 0), "Write keys between two lines ---. goose skips the file.", "there is no front matter")
		return
	}
	keys, diags := fence.Head(d.src, false)
	if !d.mapping(keys, diags) {
		return
	}
	switch name := d.keys.Get("name"); {
	case name == nil:
		d.notLoaded(keys.Range, "Add name.", "there is no name")
	case d.text("name") == "":
		d.notLoaded(name.Range, "Write a name.", "the name is empty")
	default:
		d.Out.Name, d.Out.At = name.Text(), name.Range
	}
	instead := "Agent"
	if model := d.text("model"); model != "" {
		instead += " (" + model + ")"
	}
	d.Description(d.text("description"), instead)
	d.body(string(d.src.Bytes[fence.Body:]))
	d.model(d.keys.Field("model"), "model")
	for _, f := range d.keys.Fields {
		switch f.Key {
		case "name", "description", "model":
		default:
			d.Drop(f.Range, "It has no effect in an agent file of goose.", "%s", f.Key)
		}
	}
	before := d.src.Bytes[:fence.End]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	if len(bytes.TrimSpace(line)) > 0 || fence.Body == fence.End+3 {
		d.Warn(providers.CodeHeadCut, d.src.Range(fence.End, fence.End+3), `Write the three hyphens as "\x2d\x2d\x2d" in double quotes.`,
			"goose ends the front matter here, and reads what follows as the body")
	}
}

// findFence: what stands between the first and the second --- anywhere is the
// front matter.
func findFence(text []byte) (f providers.Fence, ok bool) {
	const fence = "---"
	first := bytes.Index(text, []byte(fence))
	if first < 0 {
		return f, false
	}
	f.Start = first + len(fence)
	second := bytes.Index(text[f.Start:], []byte(fence))
	if second < 0 {
		return f, false
	}
	f.End = f.Start + second
	f.Body = providers.AfterFence(text, f.End+len(fence))
	return f, true
}

// body sets the body of an agent. One of ours is escaped; any other is a
// template that the client evaluates.
func (d *decoder) body(text string) {
	switch {
	case d.ours:
		text = unescape(text)
	case evaluated(text):
		d.Warn(providers.CodeReadAs, d.Out.At, "The entry has the text as it stands, and what is rendered from it arrives as it stands.",
			"goose evaluates {{ }}, {%% %%} and {# #} in the body of an agent")
	}
	d.Body(text)
}

// model reads a model, which the client sends as it stands.
func (d *decoder) model(f *schema.Field, key string) {
	switch {
	case f == nil || f.Value.Kind == schema.Null:
	case strings.TrimSpace(f.Value.Text()) == "", strings.EqualFold(strings.TrimSpace(f.Value.Text()), "inherit"):
		d.Drop(f.Range, "goose asks for a model of that name. Without the key the subagent has its caller's.", "the %s %q", f.Key, f.Value.Text())
	default:
		d.Set(key, providers.TextNode(f.Value.Text(), f.Value.Range))
	}
}
