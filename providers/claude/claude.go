// Package claude knows Claude Code: agent files are Markdown with front matter
// in the agents folder of a project or of the client's configuration.
//
// Facts marked "2.1.332" were observed on the client of that version, offline;
// the others name a documentation page or a public issue of
// anthropics/claude-code.
package claude

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Provider is Claude Code.
type Provider struct{}

// Facts gives the tables.
func (Provider) Facts() *providers.Facts { return &facts }

var facts = providers.Facts{
	ID:           schema.ClaudeID,
	Title:        "Claude Code",
	Client:       "Claude Code 2.1.332",
	Observed:     []string{"2.1.332"},
	Proof:        "the real client lists and spawns every rendered subagent in the conformance suite",
	Places:       places,
	Rivals:       rivals,
	Inputs:       inputs,
	Tools:        tools,
	Reserved:     reserved,
	Models:       models,
	Capabilities: capabilities,
	Generic:      providers.Generic{Name: "general-purpose", Source: "2.1.332"},
	Observe: providers.Observe{
		TrimBody:          true,
		BackslashNewline:  true,
		FoldedIntoShell:   []string{"Grep", "Glob"},
		NeverForSubagents: []string{"TodoWrite", "AskUserQuestion", "ExitPlanMode", "EnterPlanMode"},
	},
}

// maxFile is the size from which the client skips a file, with nothing but a
// debug line. Observed on 2.1.332.
const maxFile = 1 << 20

// reserved are the built-in agents, which a file of the same name replaces or
// collides with. Observed on 2.1.332.
var reserved = []string{
	"general-purpose", "explore", "plan", "claude", "statusline-setup", "claude-code-guide", "web-fetch", "fork",
}

// models is the tier table; the aliases follow the client's own releases.
var models = map[string]string{"light": "haiku", "standard": "sonnet", "deep": "opus"}
