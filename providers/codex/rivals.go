package codex

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// rivals is what the client prefers to an installed file. Observed on 0.171.0,
// offline.
var rivals = []providers.Rival{
	{Base: providers.InRoot, Paths: []string{"config.toml"}, Table: true, Why: "Codex takes the table [agents.NAME] and drops the file"},
	{Scope: schema.UserScope, Base: providers.Upward, Paths: []string{".codex/agents/NAME.toml"}, Why: "in a trusted project Codex prefers the project's subagent"},
	{Scope: schema.UserScope, Base: providers.Upward, Paths: []string{".codex/config.toml"}, Table: true, Why: "in a trusted project Codex prefers the project's table [agents.NAME]"},
}
