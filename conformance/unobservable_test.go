package conformance

import "github.com/seed-337579fc/subagents/schema"

// unobservable says for each row of a capability table that has no showing why no run can show it. "*" is the reason
// for a whole table.
var unobservable = map[schema.ProviderID]map[string]string{
	schema.ClaudeID: {
		"claude.color": "it is shown in the client's own window alone, and neither list nor request has it",
	},
	schema.CodexID: {},
	schema.GooseID: {},
	schema.KiroID: {
		"*": "it is proprietary, needs a login and is in no package registry; the files are checked by rules",
	},
}
