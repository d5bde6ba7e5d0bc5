package goose

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/yamlout"
	"github.com/seed-337579fc/subagents/schema"
)

// Encode writes the agent file, or the recipe where the block asks for one. Keys
// stand in a fixed order; a key that nothing set is left out.
func (Provider) Encode(a *providers.Agent) (providers.Output, hcl.Diagnostics) {
	e := encoder{a: a, block: a.Block.(*schema.Goose)}
	e.format = cmp.Or(e.block.Format, asAgent)
	providers.Unlisted(a, &e.out)
	if utf8.RuneCountInString(a.Description) > shownRunes {
		e.out.Use("description#cut", "", a.Entry.Node.Get("description").Range)
	}
	var data []byte
	var err error
	if e.format == asRecipe {
		data, err = e.recipe()
	} else {
		data, err = e.agent()
	}
	if err != nil {
		e.fail("encode", a.Entry.At, "Check the values of the block.", "%v", err)
	}
	if len(data) > maxFile {
		e.fail("file-too-large", a.Entry.At, "Shorten the instructions.", "the %s of %q has %d bytes; goose skips files over %d", e.format, a.Name, len(data), maxFile)
	}
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	e.out.Docs = []providers.Doc{{Format: e.format, Data: data}}
	return e.out, e.diags
}

type encoder struct {
	a      *providers.Agent
	block  *schema.Goose
	format string
	out    providers.Output
	diags  hcl.Diagnostics
}

func (e *encoder) fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Problemf(code, at, detail, format, args...))
}

func (e *encoder) warn(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// agent writes an agent file. Its front matter is no template; its body is one
// when goose delegates to it.
func (e *encoder) agent() ([]byte, error) {
	e.checkRecipeOnly()
	front := yamlout.NewFrontMatter(providers.Marker)
	front.Text("name", e.a.Slug)
	front.Text("description", e.a.Description)
	if model := e.model(); model != "" {
		front.Text("model", model)
	}
	e.diags = append(e.diags, providers.Extra(e.a, []string{"name", "description", "model"}, func(key string, v schema.Value) {
		front.Value(yamlout.Key(key), v.Interface())
	})...)
	if evaluated(e.a.Body) {
		e.out.Use("instructions#template-in-agent", "", e.bodyAt())
	}
	e.noteIndent()
	return front.File(escape(e.a.Body))
}

// noteIndent: goose cuts white space around a body, so that a first line loses
// what it is indented by.
func (e *encoder) noteIndent() {
	if body := strings.TrimLeft(e.a.Body, "\r\n"); strings.TrimLeft(body, " \t") != body {
		e.out.Use("instructions#indent", "", e.bodyAt())
	}
}

// model decides the model, which goose sends as it stands.
func (e *encoder) model() string {
	c := providers.Choose(e.a, &facts, e.block.Model, "", "")
	if c.Model == "" {
		if e.a.Tier != "" && c.ModelKey == "" {
			e.out.Use("tier#no-model", e.a.Tier, e.a.At("tier"))
		}
		return ""
	}
	if c.EffortKey == "tier" {
		e.out.Use("effort", c.Effort, e.a.At("tier"))
	}
	e.checkModel(c.Model, e.a.At(c.ModelKey))
	e.out.Shown(c.ModelKey, c.Model)
	return c.Model
}

func (e *encoder) checkModel(model string, at hcl.Range) {
	const hint = "Write a model id of the provider, or leave it out to use the caller's model."
	switch {
	case strings.TrimSpace(model) == "":
		e.fail(schema.CodeBadValue, at, hint, "the model is blank; goose would ask for a model without a name")
	case strings.EqualFold(strings.TrimSpace(model), "inherit"):
		e.fail("foreign-model", at, hint, "goose would ask for a model that is called %q", model)
	}
}

// bodyAt gives the place of the instructions.
func (e *encoder) bodyAt() hcl.Range {
	for _, key := range []string{"instructions", "instructions_file"} {
		if n := e.a.Entry.Node.Get(key); n != nil {
			return n.Range
		}
	}
	return e.a.Entry.At
}
