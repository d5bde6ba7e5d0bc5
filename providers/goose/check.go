package goose

import (
	"github.com/seed-337579fc/subagents/schema"
)

// recipeOnly are the keys of the block that an agent file has no place for.
// Observed on 1.52.0.
var recipeOnly = []string{
	"provider", "title", "version", "activities", "extensions", "parameters", "prompt", "settings", "sub_recipes", "response", "retry",
}

// checkRecipeOnly refuses keys that need a recipe. Where an entry chooses the
// agent format against defaults that are made for recipes, what they give is
// left out with a note.
func (e *encoder) checkRecipeOnly() {
	format, _ := e.a.Setting("goose.format")
	for _, key := range recipeOnly {
		full := e.a.BlockKey(key)
		s, ok := e.a.Setting(full)
		if !ok || s.Value.Kind == schema.Null {
			continue
		}
		if s.Rank < schema.FromBlock && format.Rank > s.Rank {
			e.out.Use(full+"#agent", "", s.At())
			continue
		}
		e.fail("needs-recipe", s.At(), "Add format: recipe to the block, or remove the key.", "a goose agent file has no %s", key)
	}
	for _, key := range []string{"title", "version"} {
		if s, ok := e.a.Setting(key); ok && s.Value.Kind != schema.Null {
			e.out.Use(key+"#agent", s.Value.Brief(), s.At())
		}
	}
}
