package schema

// OpenCode is the block of OpenCode: the front matter keys of an agent file in
// its V1 form, which both generations of the client read.
type OpenCode struct {
	BlockCommon
	// Mode: a subagent is started by others, a primary agent by the person, all by both. Default: subagent.
	Mode string `json:"mode,omitempty" jsonschema:"enum=subagent,enum=primary,enum=all"`
	// Model as PROVIDER/MODEL.
	Model string `json:"model,omitempty" jsonschema:"pattern=^[^/\\s]+/\\S+$,example=anthropic/claude-sonnet-4-5"`
	// Variant of the model.
	Variant string `json:"variant,omitempty" jsonschema:"minLength=1"`
	// Temperature of sampling.
	Temperature *float64 `json:"temperature,omitempty"`
	// TopP of sampling.
	TopP *float64 `json:"top_p,omitempty"`
	// Steps after which it must stop.
	Steps *int `json:"steps,omitempty" jsonschema:"minimum=1"`
	// Color as #RRGGBB or a word of the theme.
	Color string `json:"color,omitempty" jsonschema:"pattern=^(#[0-9A-Fa-f]{6}|primary|secondary|accent|success|warning|error|info)$"`
	// Hidden leaves it out of the menu.
	Hidden *bool `json:"hidden,omitempty"`
	// Permission: an action, or a map of tool to action or to {pattern: action}. The last match wins, so order counts.
	Permission *OpenCodePermission `json:"permission,omitempty"`
	// Options are sent to the provider of the model as they are.
	Options Value `json:"options,omitempty"`
}

// OpenCodeDefaults is [OpenCode] in defaults.
type OpenCodeDefaults struct {
	OpenCode
	// Models maps a tier to a model.
	Models Models `json:"models,omitempty"`
}

// OpenCodePermission is an action for everything, or rules in order.
type OpenCodePermission struct {
	Action string
	Rules  []OpenCodeRule
}

// OpenCodeRule is what a permission says of one tool: an action, or actions by
// pattern, in order.
type OpenCodeRule struct {
	Tool     string
	Action   string
	Patterns []OpenCodePattern
}

// OpenCodePattern is an action for the arguments that match a pattern.
type OpenCodePattern struct{ Pattern, Action string }
