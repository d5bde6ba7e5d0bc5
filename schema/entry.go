package schema

import "github.com/hashicorp/hcl/v2"

// Entry is one subagent, as it is written.
type Entry struct {
	// Name is the identity of the subagent, unique in the manifest, at most 64 characters. With for_each it holds ${pack.id}.
	Name string `json:"name" jsonschema:"required,pattern=^([a-z][a-z0-9]*(-[a-z0-9]+)*|.*\\$\\{.*)$,minLength=2,example=code-reviewer"`
	// Slug is the file stem and the native name. Default: the name.
	Slug string `json:"slug,omitempty" jsonschema:"pattern=^([a-z][a-z0-9]*(-[a-z0-9]+)*|.*\\$\\{.*)$,minLength=2"`
	// Description says what the subagent does and when to use it; the calling model chooses by it. Copied verbatim.
	Description string `json:"description" jsonschema:"required,pattern=\\S"`
	// State absent renders nothing and removes what was installed.
	State string `json:"state,omitempty" jsonschema:"enum=present,enum=absent"`
	// Instructions are the body, in Markdown. Exactly one of instructions and instructions_file is required.
	Instructions *string `json:"instructions,omitempty"`
	// InstructionsFile is a Markdown file with the body, relative to the manifest and inside its directory.
	InstructionsFile string `json:"instructions_file,omitempty" jsonschema:"minLength=1"`
	// ForEach expands the entry into one subagent per stable pack.
	ForEach string `json:"for_each,omitempty" jsonschema:"enum=packs"`
	Neutral
	// Providers holds a block per host for what only that host understands.
	Providers Blocks `json:"providers,omitempty"`

	Node     *Node     `json:"-"`
	At       hcl.Range `json:"-"` // of the name, or of the entry where it has none
	Resolved Neutral   `json:"-"` // the neutral keys with the defaults beneath them
	Body     string    `json:"-"` // the instructions, wherever they were written
	Layer    string    `json:"-"` // the manifest file that it stands in
	Pack     *Pack     `json:"-"` // what it was expanded from

	OverriddenBy *Entry `json:"-"` // the entry of a later layer that took its place

	settings   []Setting
	startable  []string // the delegates by their native names
	base       *layer   // the root values that hold for it
	files      place    // where the files that it names are read
	bodyNode   *Node    // where Body stands
	bodySource *Source  // the instructions file, if it has one
	legacy     bool     // from a manifest in the agent_tools_subagents spelling
}

// Neutral holds the keys that mean the same on every host. They may stand in
// an entry and in defaults.
type Neutral struct {
	// Title for display. Default: the name.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Role is one line that says who the subagent is; the first line of the body after guard and preamble.
	Role string `json:"role,omitempty" jsonschema:"pattern=^[^\\r\\n]*\\S[^\\r\\n]*$"`
	// Kind: an executor does the work, a reviewer judges it. Inferred from tools and access when absent.
	Kind string `json:"kind,omitempty" jsonschema:"enum=executor,enum=reviewer"`
	// Version of the definition, as semantic versioning.
	Version string `json:"version,omitempty" jsonschema:"pattern=^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$,example=1.0.0"`
	// Tags select entries with --tag; an entry without tags always applies.
	Tags []string `json:"tags,omitempty" jsonschema:"uniqueItems=true"`
	// Targets limits the entry to some hosts.
	Targets []ProviderID `json:"targets,omitempty" jsonschema:"enum=claude,enum=codex,enum=goose,enum=kiro,enum=opencode,uniqueItems=true"`
	// Access says what the subagent may change.
	Access string `json:"access,omitempty" jsonschema:"enum=read-only,enum=workspace-write"`
	// AllowReadOnlyShell lets a read-only entry list shell, for reviewers that run read commands. No host enforces that such a shell only reads.
	AllowReadOnlyShell *bool `json:"allow_read_only_shell,omitempty"`
	// Tools is the allow-list, in neutral verbs. Absent restricts nothing; empty means the host's read baseline.
	Tools []Verb `json:"tools,omitempty" jsonschema:"enum=read,enum=list,enum=search,enum=edit,enum=shell,enum=web_fetch,enum=web_search,enum=delegate,enum=skill,enum=todo,uniqueItems=true"`
	// MCP names the MCP servers it may use: SERVER or SERVER/TOOL. The servers themselves are configured on the host.
	MCP []string `json:"mcp,omitempty" jsonschema:"pattern=^[^/]+(/[^/]+)?$,uniqueItems=true"`
	// Tier of model. Never a model name: models map a tier to one for each host.
	Tier string `json:"tier,omitempty" jsonschema:"enum=light,enum=standard,enum=deep"`
	// Effort of reasoning.
	Effort string `json:"effort,omitempty" jsonschema:"enum=low,enum=medium,enum=high"`
	// Skills to preload or to announce.
	Skills []SkillRef `json:"skills,omitempty"`
	// Delegates are the subagents it may start. Empty: it may start none. Absent: the host decides.
	Delegates []string `json:"delegates,omitempty" jsonschema:"uniqueItems=true"`
	// Isolation: worktree runs it in a git worktree of its own.
	Isolation string `json:"isolation,omitempty" jsonschema:"enum=none,enum=worktree"`
	// Gate is a command that must pass before it may stop.
	Gate *Gate `json:"gate,omitempty"`
	// Hooks maps an event of Claude Code to commands.
	Hooks map[string][]Hook `json:"hooks,omitempty"`
	// Result is the report contract that ends the body: a key of results.
	Result string `json:"result,omitempty" jsonschema:"minLength=1"`
	// AttachOn lists the risk classes that a reviewer applies to. Absent: it always applies.
	AttachOn []string `json:"attach_on,omitempty" jsonschema:"uniqueItems=true"`
	// PreferHost suggests where it should run.
	PreferHost string `json:"prefer_host,omitempty" jsonschema:"enum=any,enum=claude,enum=codex,enum=goose,enum=kiro,enum=opencode"`
	// Origin says where the definition comes from. Never rendered.
	Origin *Origin `json:"origin,omitempty"`
	// Require turns a weaker fidelity than the one named into an error: setting → level.
	Require map[string]string `json:"require,omitempty"`
	// Template makes the instructions an HCL template.
	Template *bool `json:"template,omitempty"`
	// Locked forbids a later layer to replace the entry.
	Locked *bool `json:"locked,omitempty"`
}

// A Verb is a neutral name of a tool.
type Verb string

// The closed vocabulary of tools.
const (
	Read      Verb = "read"
	ListFiles Verb = "list"
	Search    Verb = "search"
	Edit      Verb = "edit"
	Shell     Verb = "shell"
	WebFetch  Verb = "web_fetch"
	WebSearch Verb = "web_search"
	Delegate  Verb = "delegate"
	Skill     Verb = "skill"
	Todo      Verb = "todo"
)

// Verbs lists the vocabulary in its order.
func Verbs() []Verb {
	return []Verb{Read, ListFiles, Search, Edit, Shell, WebFetch, WebSearch, Delegate, Skill, Todo}
}

// Mutating says whether a tool can change files.
func (v Verb) Mutating() bool { return v == Edit || v == Shell }

// Present says whether the entry is to be rendered at all.
func (e *Entry) Present() bool { return e.State != "absent" }

// Stem is the file stem and native name of the entry.
func (e *Entry) Stem() string {
	if e.Slug != "" {
		return e.Slug
	}
	return e.Name
}

// RiskClasses gives the risk classes that hold for the entry: class → globs.
func (e *Entry) RiskClasses() map[string][]string { return e.base.doc.RiskClasses }
