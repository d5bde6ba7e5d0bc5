package kiro

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The formats of an agent file, as Doc.Format says.
const (
	asJSON     = "json"
	asMarkdown = "markdown"
)

// places: V2 reads files at the top level of the folder only, so that all
// stand there. Documentation: custom-agents.
var places = []providers.Place{
	{Scope: schema.ProjectScope, Format: asJSON, Home: ".kiro", Dir: "agents", Ext: ".json"},
	{Scope: schema.ProjectScope, Format: asMarkdown, Home: ".kiro", Dir: "agents", Ext: ".md"},
	{Scope: schema.UserScope, Format: asJSON, Home: ".kiro", Dir: "agents", Ext: ".json", Env: home},
	{Scope: schema.UserScope, Format: asMarkdown, Home: ".kiro", Dir: "agents", Ext: ".md", Env: home},
}

var home = []providers.EnvDir{{Name: "KIRO_HOME"}}
