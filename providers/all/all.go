// Package all lists the hosts.
package all

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/claude"
	"github.com/seed-337579fc/subagents/providers/codex"
	"github.com/seed-337579fc/subagents/providers/goose"
	"github.com/seed-337579fc/subagents/providers/kiro"
	"github.com/seed-337579fc/subagents/providers/opencode"
	"github.com/seed-337579fc/subagents/schema"
)

// Providers lists the hosts in the order in which everything lists them. A new
// host is one line here, one folder beside this one, and one block type in
// package schema.
var Providers = []providers.Provider{
	claude.Provider{},
	codex.Provider{},
	goose.Provider{},
	kiro.Provider{},
	opencode.Provider{},
}

// Get gives the host of an id, or nil.
func Get(id schema.ProviderID) providers.Provider {
	for _, p := range Providers {
		if p.Facts().ID == id {
			return p
		}
	}
	return nil
}

// HostTool recognises a tool by what any host calls it.
func HostTool(native string) (schema.Verb, bool) {
	for _, p := range Providers {
		if v, ok := p.Facts().Tools.Verb(native); ok && string(v) != native {
			return v, true
		}
	}
	return "", false
}
