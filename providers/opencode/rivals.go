package opencode

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// folders are the two names of a folder of agents.
var folders = []string{".opencode/agents/NAME.md", ".opencode/agent/NAME.md"}

// rivals is what the client prefers to an installed file. Observed on 1.x,
// offline.
var rivals = []providers.Rival{
	{Scope: schema.UserScope, Base: providers.Upward, Paths: folders, Why: "OpenCode lays the project's agent over it, key by key"},
	{Scope: schema.ProjectScope, Base: providers.Outside, Paths: folders, Why: "OpenCode 1 lays the outer agent over it, key by key"},
	{Base: providers.InRoot, Paths: []string{"agent/NAME.md"}, Why: "of agent/ and agents/ OpenCode takes one, in no fixed order"},
	{Base: providers.InHome, Paths: folders, Why: "OpenCode lays the agent of ~/.opencode over it, key by key"},
	{Base: "OPENCODE_CONFIG_DIR", Paths: []string{"agents/NAME.md", "agent/NAME.md"}, Why: "OpenCode lays the agent of $OPENCODE_CONFIG_DIR over it, key by key"},
}
