package codex

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// tools are the client's names, for templates and messages: a role file has no
// list of tools. Reading, listing and searching have no tools of their own and
// go through the shell. Observed on 0.171.0.
var tools = providers.Tools{
	Names: []providers.ToolName{
		{Verb: schema.Edit, Native: []string{"apply_patch"}},
		{Verb: schema.Shell, Native: []string{"exec_command"}},
		{Verb: schema.WebSearch, Native: []string{"web_search"}},
		{Verb: schema.Delegate, Native: []string{"spawn_agent"}},
	},
	Aliases: []providers.ToolName{
		{Verb: schema.Shell, Native: []string{"write_stdin"}},
		{Verb: schema.Todo, Native: []string{"update_plan"}}, // 0.148.0
	},
}
