package goose

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The files of a project that are taken for subagents, the first first.
var (
	recipesHere = []string{"NAME.yaml", "NAME.json", ".goose/recipes/NAME.yaml", ".goose/recipes/NAME.json", ".agents/recipes/NAME.yaml", ".agents/recipes/NAME.json"}
	agentsHere  = []string{".goose/agents/NAME.md", ".claude/agents/NAME.md", ".agents/agents/NAME.md"}
)

// rivals is what the client prefers to an installed file. Observed on 1.52.0,
// offline.
var rivals = []providers.Rival{
	{Scope: schema.ProjectScope, Format: asRecipe, Base: providers.InProject, Paths: recipesHere[:2], Why: "goose looks into the project's own directory first"},
	{Scope: schema.ProjectScope, Format: asAgent, Base: providers.InProject, Paths: recipesHere, Why: "goose prefers a recipe to an agent of that name"},
	{Scope: schema.UserScope, Base: providers.InProject, Paths: recipesHere, Why: "goose prefers the project's recipe"},
	{Scope: schema.UserScope, Base: providers.InProject, Paths: agentsHere, Why: "goose prefers the project's agent, and reads Claude's files as agents too"},
	{Scope: schema.UserScope, Base: "GOOSE_RECIPE_PATH", Paths: []string{"NAME.yaml", "NAME.json"}, Why: "goose prefers a recipe on $GOOSE_RECIPE_PATH"},
	{Scope: schema.UserScope, Base: providers.InHome, Paths: []string{".goose/recipes/NAME.yaml", ".goose/recipes/NAME.json"}, Why: "goose prefers a recipe in ~/.goose"},
	{Scope: schema.UserScope, Format: asAgent, Base: providers.InRoot, Paths: []string{"recipes/NAME.yaml", "recipes/NAME.json"}, Why: "goose prefers a recipe to an agent of that name"},
	{Scope: schema.UserScope, Format: asAgent, Base: providers.InHome, Paths: []string{".agents/recipes/NAME.yaml", ".agents/recipes/NAME.json"}, Why: "goose prefers a recipe to an agent of that name"},
	{Scope: schema.UserScope, Format: asAgent, Base: providers.InHome, Paths: []string{".goose/agents/NAME.md", ".agents/agents/NAME.md"}, Why: "goose prefers the agents of ~/.goose and ~/.agents"},
}
