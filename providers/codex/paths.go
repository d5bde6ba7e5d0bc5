package codex

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// places: a project's .codex/agents needs no config.toml beside it, and the
// extension is exactly .toml. Observed on 0.171.0.
var places = []providers.Place{
	{Scope: schema.ProjectScope, Home: ".codex", Dir: "agents", Ext: ".toml"},
	{Scope: schema.UserScope, Home: ".codex", Dir: "agents", Ext: ".toml", Env: []providers.EnvDir{{Name: "CODEX_HOME"}}},
}
