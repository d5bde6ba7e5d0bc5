package opencode

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// tools are the keys of permission that stand for the verbs. edit is what edit,
// write and apply_patch ask for. Observed on 1.18.33.
var tools = providers.Tools{
	Names: []providers.ToolName{
		{Verb: schema.Read, Native: []string{"read"}},
		{Verb: schema.ListFiles, Native: []string{"glob", "list"}},
		{Verb: schema.Search, Native: []string{"grep"}},
		{Verb: schema.Edit, Native: []string{"edit"}},
		{Verb: schema.Shell, Native: []string{"bash"}},
		{Verb: schema.WebFetch, Native: []string{"webfetch"}},
		{Verb: schema.WebSearch, Native: []string{"websearch"}},
		{Verb: schema.Delegate, Native: []string{taskKey}},
		{Verb: schema.Skill, Native: []string{"skill"}},
		{Verb: schema.Todo, Native: []string{todoKey}},
	},
	Baseline: []string{"read", "glob", "grep", "list"},
	Reading:  []string{"lsp", "question", "plan_enter", "plan_exit", "invalid"},
	// Aliases are tools that ask under another's key.
	Aliases: []providers.ToolName{
		{Verb: schema.Edit, Native: []string{"write", "apply_patch", "patch", "multiedit"}},
		{Verb: schema.Read, Native: []string{"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"}},
	},
}

const (
	taskKey = "task"
	todoKey = "todowrite"
	// codeKey is the tool through which V2, and V1 as an experiment, calls MCP
	// tools from a program; each call asks under the tool's own key. Read in the
	// 1.18.33 program; documentation of V2.
	codeKey = "execute"
	// underscored matches every MCP tool, which is SERVER_TOOL, and the keys of
	// underscoredKeys. No tool of the client that asks under its own name has an
	// underscore. Read in the 1.18.33 program.
	underscored = "*_*"
)

// deniable are the keys that an allow-list denies unless a verb stands for
// them, in the order in which they are written. The keys with an underscore
// are denied together.
var deniable = []string{
	"read", "edit", "glob", "grep", "list", "bash", taskKey, "webfetch", "websearch", todoKey, "skill", "lsp", "question", codeKey,
}

// underscoredKeys are the known keys that a re-allowed server could match.
var underscoredKeys = []string{"doom_loop", "external_directory", "plan_enter", "plan_exit"}

// actionOnly are the keys that take no patterns. Observed on 1.18.33.
var actionOnly = []string{todoKey, "question", "webfetch", "websearch", "doom_loop"}

func isKey(key string) bool {
	return slices.Contains(deniable, key) || slices.Contains(underscoredKeys, key)
}

// clean writes a name of a server or a tool as the client does: characters
// outside [A-Za-z0-9_-] become an underscore. Observed on 1.18.33.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// serverKey writes SERVER or SERVER/TOOL as a key of permission.
func serverKey(ref string) string {
	server, tool, one := strings.Cut(ref, "/")
	if !one {
		return clean(server) + "_*"
	}
	return clean(server) + "_" + clean(tool)
}
