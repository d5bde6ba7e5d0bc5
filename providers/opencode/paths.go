package opencode

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// places: ~/.opencode and OPENCODE_CONFIG_DIR are read too, and beat these.
// Observed on 1.18.33.
var places = []providers.Place{
	{Scope: schema.ProjectScope, Home: ".opencode", Dir: "agents", Ext: ".md"},
	{
		Scope: schema.UserScope, Home: ".config/opencode", Dir: "agents", Ext: ".md",
		Env: []providers.EnvDir{{Name: "XDG_CONFIG_HOME", Sub: "opencode"}},
	},
}
