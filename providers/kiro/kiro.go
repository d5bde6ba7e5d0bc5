// Package kiro knows Kiro: agents are JSON files, or Markdown files with front
// matter, in the agents folder of a project or of the client's configuration.
//
// Two engines read them. V2 (kiro-cli 1.x and 2.x, headless runs) reads JSON
// alone; V3 (kiro-cli 3.x, IDE 1.x, Web) reads both. The JSON written here
// keeps to what both accept; the keys that one of them refuses or drops come
// from the block of the manifest alone.
//
// The client is proprietary and in no registry, so that nothing here was
// observed. Every fact names where it was read: the documentation, the public
// predecessor aws/amazon-q-developer-cli, third parties who probed shipped
// builds, or a public issue of kirodotdev/Kiro.
package kiro

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Provider is Kiro.
type Provider struct{}

// Facts gives the tables.
func (Provider) Facts() *providers.Facts { return &facts }

var facts = providers.Facts{
	ID:           schema.KiroID,
	Title:        "Kiro",
	Client:       "Kiro CLI 2.x and 3.x, IDE 1.x (documented, not observed)",
	Proof:        "checked by rules, not by the client",
	Places:       places,
	Rivals:       rivals,
	Inputs:       inputs,
	Tools:        tools,
	Reserved:     reserved,
	Capabilities: capabilities,
	// The body of a Markdown file is trimmed by V3 (third-party reading of
	// 2.15); a prompt in JSON is taken as it is.
	Observe: providers.Observe{TrimBody: true},
}

// reserved are the names that V3 filters from every source, then the built-in
// agents. Names that end in -workflow are built in too. Third-party reading of
// 2.15.
var reserved = []string{
	"vibe", "spec", "quick-spec", "bug-fix", "plan", "autonomous",
	"default", "kiro_default", "kiro_planner", "kiro_guide", "context-gatherer", "general-task-execution",
	"custom-agent-creator", "semantic_reviewer", "planner", "coder", "spec-task-execution",
}

// reservedSuffix ends the names of further built-in agents.
const reservedSuffix = "-workflow"
