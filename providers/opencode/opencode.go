// Package opencode knows OpenCode: agent files are Markdown with front matter
// in the agents folder of a project or of the client's configuration, in the
// form of the first generation (V1), which the second translates.
//
// Facts marked "1.18.33" were observed on the client of that version, offline,
// or read in its program where that is said; the others name a documentation
// page or a public issue of anomalyco/opencode.
package opencode

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Provider is OpenCode.
type Provider struct{}

// Facts gives the tables.
func (Provider) Facts() *providers.Facts { return &facts }

var facts = providers.Facts{
	ID:           schema.OpenCodeID,
	Title:        "OpenCode",
	Client:       "OpenCode 1.18.33",
	Observed:     []string{"1.18.33"},
	Proof:        "the real client loads and spawns every rendered subagent in the conformance suite",
	Places:       places,
	Rivals:       rivals,
	Inputs:       inputs,
	Tools:        tools,
	Reserved:     reserved,
	Capabilities: capabilities,
	Generic:      providers.Generic{Name: "general", Source: "1.18.33"},
	SkipsLinks:   true, // observed on 1.18.33
	// The body is trimmed as JavaScript does it, a byte order mark included.
	Observe: providers.Observe{TrimBody: true},
}

// reserved are the built-in agents, whose fields a file of the same name
// overrides one by one, and constructor, a file of which keeps the client from
// loading any agent: it looks agents up in a plain object. Observed on 1.18.33.
var reserved = []string{
	"build", "plan", "general", "explore", "compaction", "title", "summary", "constructor",
}
