package claude

import (
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// tools are the client's built-in tools; names are case-sensitive. Observed on
// 2.1.332.
var tools = providers.Tools{
	Names: []providers.ToolName{
		{Verb: schema.Read, Native: []string{"Read"}},
		{Verb: schema.ListFiles, Native: []string{"Glob"}},
		{Verb: schema.Search, Native: []string{"Grep"}},
		{Verb: schema.Edit, Native: []string{"Edit", "Write"}},
		{Verb: schema.Shell, Native: []string{"Bash"}},
		{Verb: schema.WebFetch, Native: []string{"WebFetch"}},
		{Verb: schema.WebSearch, Native: []string{"WebSearch"}},
		{Verb: schema.Delegate, Native: []string{"Agent"}},
		{Verb: schema.Skill, Native: []string{"Skill"}},
	},
	Baseline: []string{"Read", "Grep", "Glob"},
	Reading: []string{
		"ListAgents", "ListMcpResourcesTool", "ReadMcpResourceTool", "LSP", "ReportFindings", "SendMessage",
		"TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskUpdate", "TodoWrite", "ToolSearch", "mcp__*",
	},
	Other:   known,
	Aliases: []providers.ToolName{{Verb: schema.Delegate, Native: []string{"Task"}}},
}

// known lists the further tool names of the documentation and of the 2.1.332
// program. The list changes with releases, so that another name is a warning.
var known = strings.Fields(`
	NotebookEdit Artifact AskUserQuestion CronCreate CronDelete CronList EndConversation EnterPlanMode ExitPlanMode
	EnterWorktree ExitWorktree Monitor PowerShell PushNotification RemoteTrigger ScheduleWakeup SendUserFile
	ShareOnboardingGuide TaskStop WaitForMcpServers Workflow REPL Poll Yield GetTask StructuredOutput KillShell KillBash *`)

// toolName cuts the pattern off a native tool: Bash(git:*) is Bash. The client
// grants the whole tool (observed on 2.1.332; anthropics/claude-code#61651).
func toolName(native string) (name string, pattern bool) {
	name, _, pattern = strings.Cut(native, "(")
	return name, pattern
}

func isKnown(name string) bool { return tools.Known(name) }

// mcpTools writes SERVER or SERVER/TOOL as the client names them: characters
// outside [A-Za-z0-9_-] become an underscore. Observed on 2.1.332.
func mcpTools(refs []string) []string {
	clean := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return '_'
		}, s)
	}
	var names []string
	for _, ref := range refs {
		server, tool, one := strings.Cut(ref, "/")
		name := "mcp__" + clean(server)
		if one {
			name += "__" + clean(tool)
		}
		names = append(names, name)
	}
	return names
}
