package goose

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// taken are names that stand for something else in a template, so that no
// parameter can have them. Observed on 1.52.0.
var taken = []string{"recipe_dir", "self", "true", "false", "none", "True", "False", "None", "not"}

// parameters checks the declarations and gives their keys. goose refuses the
// recipe for each of these faults. Observed on 1.52.0.
func (e *encoder) parameters() parameters {
	const code = "bad-parameter"
	keys := parameters{}
	for i, p := range e.block.Parameters {
		at := e.parameterAt(i)
		_, twice := keys[p.Key]
		keys[p.Key] = false
		switch {
		case twice:
			e.fail(schema.CodeDuplicateKey, at, "Remove one of the two.", "the parameter %q is declared twice", p.Key)
		case slices.Contains(taken, p.Key):
			e.fail(code, at, "Choose another key.", "%q means something else in a template and cannot be a parameter", p.Key)
		case p.Requirement == "optional" && p.Default == nil:
			e.fail(code, at, "Add default, or write requirement: required.", "the optional parameter %q has no default", p.Key)
		case p.InputType == "file" && p.Default != nil:
			e.fail(code, at, "Remove the default.", "the parameter %q is a file and has a default", p.Key)
		case p.Default != nil && evaluated(*p.Default) && e.block.Prompt == "":
			e.fail(code, at, "Remove the braces, or give the recipe a prompt: delegation evaluates the text that the default was put into.",
				"the default of the parameter %q has template characters", p.Key)
		}
	}
	if len(keys) > 0 {
		e.out.Use("goose.parameters#in-text", "", e.a.At("goose.parameters"))
	}
	return keys
}

func (e *encoder) parameterAt(i int) hcl.Range {
	s, _ := e.a.Setting("goose.parameters")
	if item := s.Value.Items[i]; item.Get("key") != nil {
		return item.Get("key").Range
	}
	return s.At()
}

// checkUses: a parameter that no text uses makes goose refuse the recipe. What
// looks like a use and is not declared is written as literal text.
func (e *encoder) checkUses(keys parameters) {
	for i, p := range e.block.Parameters {
		if p.Key != "" && !keys[p.Key] && !slices.Contains(taken, p.Key) {
			e.fail("unused-parameter", e.parameterAt(i), "Write {{ "+p.Key+" }} in the instructions or the prompt, or remove the parameter: goose refuses the recipe.",
				"no text uses the parameter %q", p.Key)
		}
	}
	if len(keys) == 0 {
		return
	}
	for _, text := range []struct {
		at hcl.Range
		s  string
	}{{e.bodyAt(), e.a.Body}, {e.a.At("goose.prompt"), e.block.Prompt}} {
		for _, key := range keys.undeclared(text.s) {
			detail := "Declare it under parameters if it is to be replaced."
			var known []string
			for _, p := range e.block.Parameters {
				known = append(known, p.Key)
			}
			if near := schema.Nearest(key, known); near != "" {
				detail = "Did you mean {{ " + near + " }}?"
			}
			e.warn("undeclared-parameter", text.at, detail, "{{ %s }} is no parameter and is written as literal text", key)
		}
	}
}

type wireParameter struct {
	Key         string   `json:"key"`
	InputType   string   `json:"input_type"`
	Requirement string   `json:"requirement"`
	Description string   `json:"description"`
	Default     *string  `json:"default,omitempty"`
	Options     []string `json:"options,omitzero"`
}

func wireParameters(list []schema.GooseParameter) []wireParameter {
	out := make([]wireParameter, len(list))
	for i, p := range list {
		out[i] = wireParameter(p)
	}
	return out
}
