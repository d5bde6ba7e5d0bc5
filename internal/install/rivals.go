package install

import (
	"github.com/seed-337579fc/subagents/schema"
)

// A rival is a place where a host may find another subagent of the same name
// that it would prefer to the installed one.
type rival struct {
	provider schema.ProviderID
	scope    schema.Scope // of the installed file; "": either
	format   string       // of the installed file; "": any
	base     base
	paths    []string // below the base, slash-separated; NAME stands for the file's stem
	table    bool     // the path is a config.toml, and the rival its [agents.NAME]
	why      string
}

// A base is where the paths of a rival start.
type base string

// The bases.
const (
	inProject base = "project" // the project's directory
	upward    base = "upward"  // that, and its parents up to the root of the repository
	outside   base = "outside" // those parents alone
	checkout  base = "main"    // the main checkout of a linked worktree that has no folder of its own
	inHome    base = "home"    // the person's home
	inRoot    base = "root"    // the host's configuration directory
	absolute  base = "/"       // the top of the file system
	// Any other base is a variable that holds a directory.
	recipePath     base = "GOOSE_RECIPE_PATH"
	openCodeConfig base = "OPENCODE_CONFIG_DIR"
)

var (
	recipesHere = []string{"NAME.yaml", "NAME.json", ".goose/recipes/NAME.yaml", ".goose/recipes/NAME.json", ".agents/recipes/NAME.yaml", ".agents/recipes/NAME.json"}
	agentsHere  = []string{".goose/agents/NAME.md", ".claude/agents/NAME.md", ".agents/agents/NAME.md"}
	openCode    = []string{".opencode/agents/NAME.md", ".opencode/agent/NAME.md"}
)

// rivals is what the hosts were observed to prefer. Sources: Claude Code
// 2.1.332, Codex 0.171.0, goose 1.52.0 and OpenCode 1.x as run offline; Kiro's
// documentation (custom-agents/configuration-reference).
var rivals = []rival{
	{schema.ClaudeID, "", "", absolute, []string{"etc/claude-code/.claude/agents/NAME.md"}, false, "managed settings win over every other scope"},
	{schema.ClaudeID, schema.UserScope, "", upward, []string{".claude/agents/NAME.md"}, false, "Claude Code prefers the project's subagent"},
	{schema.ClaudeID, schema.UserScope, "", checkout, []string{".claude/agents/NAME.md"}, false, "a worktree without .claude/agents reads the main checkout's"},

	{schema.CodexID, "", "", inRoot, []string{"config.toml"}, true, "Codex takes the table [agents.NAME] and drops the file"},
	{schema.CodexID, schema.UserScope, "", upward, []string{".codex/agents/NAME.toml"}, false, "in a trusted project Codex prefers the project's subagent"},
	{schema.CodexID, schema.UserScope, "", upward, []string{".codex/config.toml"}, true, "in a trusted project Codex prefers the project's table [agents.NAME]"},

	{schema.GooseID, schema.ProjectScope, "recipe", inProject, recipesHere[:2], false, "goose looks into the project's own directory first"},
	{schema.GooseID, schema.ProjectScope, "agent", inProject, recipesHere, false, "goose prefers a recipe to an agent of that name"},
	{schema.GooseID, schema.UserScope, "", inProject, recipesHere, false, "goose prefers the project's recipe"},
	{schema.GooseID, schema.UserScope, "", inProject, agentsHere, false, "goose prefers the project's agent, and reads Claude's files as agents too"},
	{schema.GooseID, schema.UserScope, "", recipePath, []string{"NAME.yaml", "NAME.json"}, false, "goose prefers a recipe on $GOOSE_RECIPE_PATH"},
	{schema.GooseID, schema.UserScope, "", inHome, []string{".goose/recipes/NAME.yaml", ".goose/recipes/NAME.json"}, false, "goose prefers a recipe in ~/.goose"},
	{schema.GooseID, schema.UserScope, "agent", inRoot, []string{"recipes/NAME.yaml", "recipes/NAME.json"}, false, "goose prefers a recipe to an agent of that name"},
	{schema.GooseID, schema.UserScope, "agent", inHome, []string{".agents/recipes/NAME.yaml", ".agents/recipes/NAME.json"}, false, "goose prefers a recipe to an agent of that name"},
	{schema.GooseID, schema.UserScope, "agent", inHome, []string{".goose/agents/NAME.md", ".agents/agents/NAME.md"}, false, "goose prefers the agents of ~/.goose and ~/.agents"},

	{schema.KiroID, schema.UserScope, "", inProject, []string{".kiro/agents/NAME.json", ".kiro/agents/NAME.md"}, false, "in a trusted workspace Kiro prefers the workspace's agent"},
	{schema.KiroID, "", "json", inRoot, []string{"agents/NAME.md"}, false, "Kiro 3 reads both formats, and may take the Markdown file of that name"},

	{schema.OpenCodeID, schema.UserScope, "", upward, openCode, false, "OpenCode lays the project's agent over it, key by key"},
	{schema.OpenCodeID, schema.ProjectScope, "", outside, openCode, false, "OpenCode 1 lays the outer agent over it, key by key"},
	{schema.OpenCodeID, "", "", inRoot, []string{"agent/NAME.md"}, false, "of agent/ and agents/ OpenCode takes one, in no fixed order"},
	{schema.OpenCodeID, "", "", inHome, openCode, false, "OpenCode lays the agent of ~/.opencode over it, key by key"},
	{schema.OpenCodeID, "", "", openCodeConfig, []string{"agents/NAME.md", "agent/NAME.md"}, false, "OpenCode lays the agent of $OPENCODE_CONFIG_DIR over it, key by key"},
}
