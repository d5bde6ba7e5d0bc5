package goose

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// places: in a project .goose beats .claude and .agents, which goose reads too;
// folders in it are not looked into. Observed on 1.52.0.
var places = []providers.Place{
	{Scope: schema.ProjectScope, Format: asAgent, Home: ".goose", Dir: "agents", Ext: ".md"},
	{Scope: schema.ProjectScope, Format: asRecipe, Home: ".goose", Dir: "recipes", Ext: ".yaml"},
	{Scope: schema.UserScope, Format: asAgent, Home: ".config/goose", Dir: "agents", Ext: ".md", Env: roots},
	{Scope: schema.UserScope, Format: asRecipe, Home: ".config/goose", Dir: "recipes", Ext: ".yaml", Env: roots},
}

// roots move the configuration, the first one that is set. Observed on 1.52.0.
var roots = []providers.EnvDir{{Name: "GOOSE_PATH_ROOT", Sub: "config"}, {Name: "XDG_CONFIG_HOME", Sub: "goose"}}
