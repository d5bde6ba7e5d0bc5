package goose

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/yamlout"
	"github.com/seed-337579fc/subagents/schema"
)

// A recipe file is a template as a whole: goose renders its text, then reads it
// as YAML. Delegation renders the instructions once more. Every value stands on
// one line in the JSON subset of YAML.
type recipe struct {
	b    strings.Builder
	keys parameters
	err  error
}

// literal adds a key whose texts stand for themselves.
func (r *recipe) literal(key string, v any) { r.line(key, hide(r.value(v))) }

// live adds a key in whose texts parameters may be used.
func (r *recipe) live(key string, v any) { r.line(key, r.keys.write(r.value(v), false)) }

func (r *recipe) value(v any) string {
	s, err := yamlout.Value(v)
	if err != nil && r.err == nil {
		r.err = err
	}
	return s
}

func (r *recipe) line(key, value string) {
	r.b.WriteString(hide(yamlout.Key(key)) + ": " + value + "\n")
}

// recipeKeys are the keys that the encoder writes itself.
var recipeKeys = []string{
	"version", "title", "description", "instructions", "prompt", "parameters", "activities", "settings", "extensions", "sub_recipes",
	"response", "retry",
}

// recipe writes a recipe. One without a prompt can only be delegated to; one
// with a prompt is for goose run.
func (e *encoder) recipe() ([]byte, error) {
	b := e.block
	r := &recipe{keys: e.parameters()}
	r.b.WriteString("# " + providers.Marker + "\n")
	if version := e.either("version", b.Version, e.a.Version); version != "" {
		r.literal("version", version)
	}
	r.literal("title", cmp.Or(e.either("title", b.Title, e.a.Title), e.a.Name))
	r.literal("description", e.a.Description)
	e.bodyOf(r)
	if b.Parameters != nil {
		r.literal("parameters", wireParameters(b.Parameters))
	}
	if b.Activities != nil {
		r.live("activities", b.Activities)
	}
	if settings, ok := e.settings(); ok {
		r.live("settings", settings)
	}
	e.extensions(r)
	if b.Response != nil && e.checkResponse() {
		r.live("response", wireResponse{ordered{b.Response.JSONSchema.Node}})
	}
	if b.Retry != nil {
		r.live("retry", wireRetryOf(b.Retry))
	}
	e.recipeExtra(r)
	e.checkUses(r.keys)
	return []byte(r.b.String()), r.err
}

// either gives the block's value or the entry's, whichever ranks higher.
func (e *encoder) either(key, block, neutral string) string {
	if block != "" && e.a.Rank("goose."+key) > e.a.Rank(key) {
		return block
	}
	return neutral
}

// bodyOf writes instructions and prompt, and notes for which use they are
// written where that makes a difference.
func (e *encoder) bodyOf(r *recipe) {
	delegated := e.block.Prompt == ""
	body := r.value(e.a.Body)
	if r.keys.write(body, true) != r.keys.write(body, false) {
		fact := "instructions#template-run"
		if delegated {
			fact = "instructions#template-delegated"
		}
		e.out.Use(fact, "", e.bodyAt())
	}
	r.line("instructions", r.keys.write(body, delegated))
	if !delegated {
		r.live("prompt", e.block.Prompt)
	}
}

// settings puts the settings together: those of the block, with its model and
// provider where they are not in there.
func (e *encoder) settings() (wireSettings, bool) {
	s := wireSettings{}
	if b := e.block.Settings; b != nil {
		s = wireSettings(*b)
		if b.GooseModel != "" {
			e.checkModel(b.GooseModel, e.a.At("goose.settings"))
		}
		if b.MaxTurns != nil {
			e.out.Use("goose.settings#max-turns", strconv.Itoa(*b.MaxTurns), e.a.At("goose.settings"))
		}
	}
	s.GooseModel = e.merged("model", s.GooseModel, e.model())
	s.GooseProvider = e.merged("provider", s.GooseProvider, e.block.Provider)
	return s, s != wireSettings{} || e.block.Settings != nil
}

// merged decides between a key of settings and what says the same outside. Two
// different values in one block contradict each other.
func (e *encoder) merged(key, inside, outside string) string {
	in, out := e.a.Rank("goose.settings"), e.a.Rank("goose."+key)
	switch {
	case inside == "":
		return outside
	case outside == "" || in > out:
		return inside
	case in == out && inside != outside:
		e.fail("set-twice", e.a.At("goose."+key), "Keep one of the two.", "goose.%s is %q and goose.settings.goose_%s is %q", key, outside, key, inside)
	}
	return outside
}

// recipeExtra writes keys that the tool does not model; goose ignores those
// that it does not know.
func (e *encoder) recipeExtra(r *recipe) {
	e.diags = append(e.diags, providers.Extra(e.a, recipeKeys, func(key string, v schema.Value) {
		at := e.block.Extra.Field(key).Range
		switch {
		case key == "recipe":
			e.fail("unknown-native-key", at, "Remove it.", "goose would read the value of recipe in place of the whole file")
		case key == "author" && v.Kind != schema.Map:
			e.fail("bad-native-value", v.Range, "Write a mapping with contact and metadata.", "goose refuses a recipe whose author is not a mapping")
		default:
			r.live(key, v.Interface())
		}
	})...)
}
