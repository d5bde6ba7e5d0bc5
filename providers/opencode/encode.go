package opencode

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/yamlout"
	"github.com/seed-337579fc/subagents/schema"
)

// Encode writes the agent file in the form of V1. Keys stand in a fixed order;
// a key that nothing set is left out, but for mode, whose default differs
// between the generations.
func (Provider) Encode(a *providers.Agent) (providers.Output, hcl.Diagnostics) {
	e := encoder{a: a, block: a.Block.(*schema.OpenCode), front: yamlout.NewFrontMatter(providers.Marker)}
	e.front.Text("description", a.Description)
	e.front.Text("mode", e.mode())
	e.model()
	e.settings()
	done := e.permission()
	e.writeRules(done)
	e.note(done)
	e.passedOn()
	providers.Unpreloaded(a, &e.out)
	data, err := e.front.File(a.Body)
	if err != nil {
		e.fail("encode", a.Entry.At, "Check the values of the block.", "%v", err)
	}
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	e.out.Docs = []providers.Doc{{Data: data}}
	return e.out, e.diags
}

type encoder struct {
	a     *providers.Agent
	block *schema.OpenCode
	front *yamlout.FrontMatter
	out   providers.Output
	diags hcl.Diagnostics
}

func (e *encoder) fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Problemf(code, at, detail, format, args...))
}

func (e *encoder) mode() string {
	if e.block.Mode != "" {
		return e.block.Mode
	}
	return "subagent"
}

// model writes model and variant. Neutral effort has no place; the effort that
// a models table gives beside a model is in the host's own words, which here is
// the variant.
func (e *encoder) model() {
	a := e.a
	c := providers.Choose(a, &facts, e.block.Model, "", "")
	variant, key := e.block.Variant, "opencode.variant"
	if c.ModelKey == "tier" && a.Rank("tier") > a.Rank(key) {
		if effort := a.Models[a.Tier].Effort; effort != "" {
			variant, key = effort, "tier"
		}
	}
	if c.Model != "" {
		e.checkModel(c)
		e.front.Text("model", c.Model)
		e.out.Shown(c.ModelKey, c.Model)
	}
	if c.ModelKey == "" && a.Tier != "" {
		e.out.Use("tier#no-model", a.Tier, a.At("tier"))
	}
	if variant == "" {
		return
	}
	e.front.Text("variant", variant)
	if key != "tier" {
		e.out.Shown(key, variant)
	}
	if c.Model == "" {
		e.out.Use("opencode.variant#no-model", variant, a.At(key))
	}
}

// settings writes the keys that the block alone can set.
func (e *encoder) settings() {
	b := e.block
	if b.Temperature != nil {
		e.front.Value("temperature", *b.Temperature)
	}
	if b.TopP != nil {
		e.front.Value("top_p", *b.TopP)
	}
	if b.Steps != nil {
		e.front.Value("steps", *b.Steps)
	}
	if b.Color != "" {
		e.front.Text("color", b.Color)
	}
	if b.Hidden != nil {
		e.front.Value("hidden", *b.Hidden)
	}
}

// blockRules gives the block's own permission, as rules.
func (e *encoder) blockRules() rules {
	p := e.block.Permission
	if p == nil {
		return nil
	}
	s, _ := e.a.Setting("opencode.permission")
	e.checkRules(s.Value)
	block := rules(p.Rules)
	if p.Action != "" {
		block = rules{{Tool: all, Action: p.Action}}
	}
	if e.a.ReadOnly() {
		block = e.keepReading(block)
	}
	return block
}

// writeRules writes permission as a mapping in the order of the rules, with
// every key and action quoted.
func (e *encoder) writeRules(done rules) {
	if len(done) == 0 {
		return
	}
	e.front.Raw("permission:\n")
	for _, r := range done {
		key := "  " + yamlout.Text(r.Tool) + ":"
		switch {
		case r.Action != "":
			e.front.Raw(key + " " + yamlout.Text(r.Action) + "\n")
		case len(r.Patterns) == 0:
			e.front.Raw(key + " {}\n")
		default:
			e.front.Raw(key + "\n")
			for _, p := range r.Patterns {
				e.front.Raw("    " + yamlout.Text(p.Pattern) + ": " + yamlout.Text(p.Action) + "\n")
			}
		}
	}
}

// note tells what the rules mean beyond what they say.
func (e *encoder) note(done rules) {
	if action, from := done.last("read", "dir/.env"); action == allow {
		e.out.Use("opencode.permission#env", from, e.ruleAt(from))
	}
	for _, key := range []string{"doom_loop", "external_directory"} {
		if action, from := done.last(key, "/elsewhere/*"); action == allow {
			e.out.Use("opencode.permission#asks", from, e.ruleAt(from))
		}
	}
	if e.mode() == "primary" {
		return
	}
	for _, verb := range []schema.Verb{schema.Todo, schema.Delegate} {
		key := tools.Native(verb)[0]
		if slices.Contains(e.a.Tools, verb) && !done.has(key) {
			e.out.Use("tools#"+key, string(verb), providers.ItemAt(e.a, "tools", string(verb)))
		}
	}
}

// native are the keys that the encoder writes itself or must keep out: those
// that would rename the agent, take it away or be overwritten, and V2's, which
// V1 sends to the provider. Observed on 1.18.33.
var native = []string{
	"description", "mode", "model", "variant", "temperature", "top_p", "steps", "color", "hidden", "permission", "options",
	"name", "tools", "prompt", "disable", "maxSteps", "permissions", "system", "disabled", "request", prototype,
}

// passedOn writes options and extra, which go into the request to the provider.
func (e *encoder) passedOn() {
	if n := e.block.Options.Node; n != nil {
		e.checkPassed(n)
		e.front.Value("options", n.Interface())
	}
	e.diags = append(e.diags, providers.Extra(e.a, native, func(key string, v schema.Value) {
		e.checkPrototype(v.Node)
		e.front.Value(yamlout.Key(key), v.Interface())
	})...)
}
