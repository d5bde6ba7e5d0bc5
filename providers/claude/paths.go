package claude

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// places: with CLAUDE_CONFIG_DIR set, ~/.claude/agents is not read. Observed
// on 2.1.332.
var places = []providers.Place{
	{Scope: schema.ProjectScope, Home: ".claude", Dir: "agents", Ext: ".md"},
	{Scope: schema.UserScope, Home: ".claude", Dir: "agents", Ext: ".md", Env: []providers.EnvDir{{Name: "CLAUDE_CONFIG_DIR"}}},
}
