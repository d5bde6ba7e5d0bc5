package kiro

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// rivals is what the client prefers to an installed file, by its documentation
// (custom-agents/configuration-reference); not observed.
var rivals = []providers.Rival{
	{Scope: schema.UserScope, Base: providers.InProject, Paths: []string{".kiro/agents/NAME.json", ".kiro/agents/NAME.md"}, Why: "in a trusted workspace Kiro prefers the workspace's agent"},
	{Format: "json", Base: providers.InRoot, Paths: []string{"agents/NAME.md"}, Why: "Kiro 3 reads both formats, and may take the Markdown file of that name"},
}
