package schema

import "github.com/hashicorp/hcl/v2"

// ProviderID names a host: claude, codex, goose, kiro or opencode.
type ProviderID string

// The hosts, in the order in which everything lists them.
const (
	ClaudeID   ProviderID = "claude"
	CodexID    ProviderID = "codex"
	GooseID    ProviderID = "goose"
	KiroID     ProviderID = "kiro"
	OpenCodeID ProviderID = "opencode"
)

// ProviderIDs lists the hosts in their order.
func ProviderIDs() []ProviderID {
	return []ProviderID{ClaudeID, CodexID, GooseID, KiroID, OpenCodeID}
}

// A Scope says for whom a file is installed: one person, or one project.
type Scope string

// The scopes.
const (
	UserScope    Scope = "user"
	ProjectScope Scope = "project"
)

// Document is the root of a manifest, as it is written.
type Document struct {
	// Version of the manifest format. Absent means 1.
	Version *int `json:"version,omitempty" jsonschema:"enum=1"`
	// Catalogue is the identity under which installed files are recorded; an install touches only files of its own catalogue. Default: the absolute path of the manifest.
	Catalogue string `json:"catalogue,omitempty" jsonschema:"minLength=1,example=platform-team"`
	// Targets are the hosts that subagents are rendered for. Default: all five.
	Targets []ProviderID `json:"targets,omitempty" jsonschema:"enum=claude,enum=codex,enum=goose,enum=kiro,enum=opencode,uniqueItems=true"`
	// Include lists manifests beneath this one: paths relative to this file, globs, builtin:NAME or builtin:*.
	Include []string `json:"include,omitempty" jsonschema:"example=team/*.yml"`
	// Guard is the short block before every body that says whose instructions count. default: the built-in text; none: no block; {text: …}: your own.
	Guard *Guard `json:"guard,omitempty"`
	// Preamble is shared instruction text put before every body.
	Preamble string `json:"preamble,omitempty"`
	// Vars are values for templates, as ${var.NAME}.
	Vars Value `json:"vars,omitempty"`
	// Results are named report contracts; an entry's result key appends one to its body.
	Results map[string]string `json:"results,omitempty"`
	// Skills is the catalogue of skills: id → what it is and when to use it.
	Skills map[string]SkillInfo `json:"skills,omitempty"`
	// Packs are the stacks that an entry with for_each: packs is expanded over.
	Packs []Pack `json:"packs,omitempty"`
	// RiskClasses maps a class of change to the path globs that belong to it; reviewers name classes in attach_on.
	RiskClasses map[string][]string `json:"risk_classes,omitempty"`
	// Policies are conditions that every resolved subagent must meet.
	Policies []Policy `json:"policies,omitempty"`
	// Defaults hold for every entry that does not say otherwise.
	Defaults Defaults `json:"defaults,omitempty"`
	// Subagents are the entries.
	Subagents []Entry `json:"subagents,omitempty"`
}

// Guard is the choice of the guard block.
type Guard struct {
	Off  bool   // guard: none
	Text string // own text; empty with Off false: the built-in text
}

// SkillInfo describes a skill of the catalogue.
type SkillInfo struct {
	// Description says what the skill holds.
	Description string `json:"description,omitempty"`
	// UseWhen says when to load it.
	UseWhen string `json:"use_when,omitempty"`
	// Preload puts the skill into the subagent's context at the start.
	Preload *bool `json:"preload,omitempty"`
}

// SkillRef names a skill in an entry, alone or with its own settings.
type SkillRef struct {
	// ID of the skill: its folder name, or PLUGIN:SKILL.
	ID string `json:"id" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._-]*(:[A-Za-z0-9][A-Za-z0-9._-]*)?$"`
	// Preload puts the skill into the subagent's context at the start.
	Preload *bool `json:"preload,omitempty"`
	// UseWhen says when to load it.
	UseWhen string `json:"use_when,omitempty"`

	Description string `json:"-"` // from the catalogue
}

// Pack is a technology stack that entries can be generated from.
type Pack struct {
	// ID of the pack, as ${pack.id}.
	ID string `json:"id" jsonschema:"required,pattern=^[a-z][a-z0-9]*(-[a-z0-9]+)*$"`
	// Stability: only a stable pack yields subagents.
	Stability string `json:"stability" jsonschema:"required,enum=stable,enum=experimental"`
	// Vars are values for templates, as ${pack.vars.NAME}.
	Vars Value `json:"vars,omitempty"`
}

// Policy is a named condition over every resolved subagent.
type Policy struct {
	// Name of the policy, shown with every failure.
	Name string `json:"name" jsonschema:"required,minLength=1"`
	// Condition is an HCL expression that must be true.
	Condition string `json:"condition" jsonschema:"required,minLength=1"`
	// Message says what is wrong when it is false.
	Message string `json:"message,omitempty"`
	// Severity of a failure. Default: error.
	Severity string `json:"severity,omitempty" jsonschema:"enum=error,enum=warning"`
	// When is an HCL expression; the policy holds only where it is true.
	When string `json:"when,omitempty"`
}

// Defaults hold for every entry: any neutral key, and a block per host.
type Defaults struct {
	Neutral
	// Providers holds what the blocks of a host say unless an entry says otherwise.
	Providers DefaultBlocks `json:"providers,omitempty"`
}

// Origin says where a definition comes from. It is never rendered.
type Origin struct {
	// Kind of origin.
	Kind string `json:"kind" jsonschema:"required,enum=authored,enum=generated,enum=imported,enum=learned"`
	// Source is the id of what it was generated, imported or learned from; required unless authored.
	Source string `json:"source,omitempty"`
	// GeneratedAt is when.
	GeneratedAt string `json:"generated_at,omitempty"`
}

// Gate is a command that must pass before a subagent may stop.
type Gate struct {
	// Command for the shell of the host; exit status 2 blocks the subagent and hands it the output.
	Command string `json:"command" jsonschema:"required,minLength=1"`
	// Apply to subagents that may write (the default), or to all.
	Apply string `json:"apply,omitempty" jsonschema:"enum=writers,enum=all"`
}

// Hook is a command of a neutral hook map.
type Hook struct {
	// Matcher limits the hook to tools whose name matches.
	Matcher string `json:"matcher,omitempty"`
	// Command to run.
	Command string `json:"command" jsonschema:"required,minLength=1"`
	// Timeout in seconds.
	Timeout *int `json:"timeout,omitempty" jsonschema:"minimum=1"`
}

// ModelChoice is the model of a tier.
type ModelChoice struct {
	// Model in the host's own spelling.
	Model string `json:"model" jsonschema:"required,minLength=1"`
	// Effort that goes with it, in the host's own words.
	Effort string `json:"effort,omitempty"`
}

// Value is any value of a manifest that the tool passes on as it is. It is the
// zero Value where the key is absent.
type Value struct{ *Node }

// A Manifest is a loaded, checked and typed manifest.
type Manifest struct {
	Document
	Root    *Node
	Sources []*Source

	entries    []*Entry // in order, each once
	overridden []*Entry
}

// Files gives the sources in the form that the diagnostic writer takes.
func (m *Manifest) Files() map[string]*hcl.File {
	files := make(map[string]*hcl.File, len(m.Sources))
	for _, s := range m.Sources {
		files[s.Name] = s.File()
	}
	return files
}
