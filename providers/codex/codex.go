// Package codex knows Codex CLI: a subagent is a role file in TOML, in the
// agents folder of a project's .codex or of the client's home.
//
// A role file may hold any key of config.toml, and one key that the client does
// not know drops the whole file. Few of the keys act on a spawned agent, and
// there is no list of tools; the capability table says which is which.
//
// Facts name the client versions that they were observed on, offline; the
// others name a documentation page or a public issue of openai/codex.
package codex

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Provider is Codex CLI.
type Provider struct{}

// Facts gives the tables.
func (Provider) Facts() *providers.Facts { return &facts }

var facts = providers.Facts{
	ID:           schema.CodexID,
	Title:        "Codex",
	Client:       "Codex CLI 0.171.0",
	Observed:     []string{"0.148.0", "0.149.0", "0.160.1", "0.171.0"},
	Proof:        "the real client lists and spawns every rendered subagent in the conformance suite",
	Places:       places,
	Rivals:       rivals,
	Inputs:       inputs,
	Tools:        tools,
	Reserved:     reserved,
	Capabilities: capabilities,
	Generic:      providers.Generic{Name: "default", Source: "0.171.0"},
	Observe:      providers.Observe{TrimDescription: true},
}

// reserved are the built-in roles, which a file of the same name replaces.
// Observed on 0.171.0.
var reserved = []string{"default", "explorer", "worker"}
