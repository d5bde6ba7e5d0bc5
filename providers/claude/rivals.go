package claude

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// rivals is what the client prefers to an installed file. Observed on 2.1.332,
// offline; managed settings by the documentation.
var rivals = []providers.Rival{
	{Base: providers.Absolute, Paths: []string{"etc/claude-code/.claude/agents/NAME.md"}, Why: "managed settings win over every other scope"},
	{Scope: schema.UserScope, Base: providers.Upward, Paths: []string{".claude/agents/NAME.md"}, Why: "Claude Code prefers the project's subagent"},
	{Scope: schema.UserScope, Base: providers.Checkout, Paths: []string{".claude/agents/NAME.md"}, Why: "a worktree without .claude/agents reads the main checkout's"},
}
