package schema

// Codex is the block of Codex CLI: the keys of a role file in their own
// spelling, after the configuration reference and what clients 0.148 to 0.171
// accept. Several are parsed by the client and not applied to a spawned agent;
// the capability table says which.
type Codex struct {
	BlockCommon
	// Model id.
	Model string `json:"model,omitempty" jsonschema:"minLength=1,example=gpt-6.1-sol"`
	// ReasoningEffort is written beside every model. Default: medium.
	ReasoningEffort string `json:"reasoning_effort,omitempty" jsonschema:"enum=none,enum=minimal,enum=low,enum=medium,enum=high,enum=xhigh,enum=max,enum=ultra"`
	// ReasoningSummary the model gives.
	ReasoningSummary string `json:"reasoning_summary,omitempty" jsonschema:"enum=auto,enum=concise,enum=detailed,enum=none"`
	// Verbosity of the model.
	Verbosity string `json:"verbosity,omitempty" jsonschema:"enum=low,enum=medium,enum=high"`
	// SandboxMode is parsed and not applied: a spawned agent runs in its parent's sandbox. Default: the entry's access.
	SandboxMode string `json:"sandbox_mode,omitempty" jsonschema:"enum=read-only,enum=workspace-write,enum=danger-full-access"`
	// ApprovalPolicy is parsed and not applied.
	ApprovalPolicy *CodexApproval `json:"approval_policy,omitempty"`
	// NicknameCandidates are display names.
	NicknameCandidates []string `json:"nickname_candidates,omitempty" jsonschema:"pattern=^[A-Za-z0-9 _-]*[A-Za-z0-9_-][A-Za-z0-9 _-]*$,minItems=1,uniqueItems=true"`
	// MCPServers of the role; applied up to 0.148, ignored from 0.149. Absent: those of the session.
	MCPServers map[string]CodexMCP `json:"mcp_servers,omitempty"`
	// Skills can only be switched off for a role.
	Skills *CodexSkills `json:"skills,omitempty"`
	// Features can only be switched off for a role.
	Features map[string]bool `json:"features,omitempty"`
	// WebSearch is applied up to 0.148, ignored from 0.149.
	WebSearch string `json:"web_search,omitempty" jsonschema:"enum=disabled,enum=cached,enum=indexed,enum=live"`
	// ServiceTier is applied in 0.148 and 0.149, ignored from 0.160.1.
	ServiceTier string `json:"service_tier,omitempty" jsonschema:"minLength=1"`
}

// CodexDefaults is [Codex] in defaults.
type CodexDefaults struct {
	Codex
	// Models maps a tier to a model.
	Models Models `json:"models,omitempty"`
}

// CodexApproval is an approval policy: a word, or the granular table.
type CodexApproval struct {
	Word     string
	Granular *CodexGranular
}

// CodexGranular says for each kind of request whether it is put to the person.
type CodexGranular struct {
	// SandboxApproval requests.
	SandboxApproval *bool `json:"sandbox_approval" jsonschema:"required"`
	// Rules requests.
	Rules *bool `json:"rules" jsonschema:"required"`
	// MCPElicitations requests.
	MCPElicitations *bool `json:"mcp_elicitations" jsonschema:"required"`
	// RequestPermissions requests.
	RequestPermissions *bool `json:"request_permissions,omitempty"`
	// SkillApproval requests.
	SkillApproval *bool `json:"skill_approval,omitempty"`
}

// CodexMCP is an MCP server of Codex: command for stdio, or url for HTTP.
type CodexMCP struct {
	// Command that a stdio server is started with.
	Command string `json:"command,omitempty" jsonschema:"minLength=1"`
	// Args of the command.
	Args []string `json:"args,omitempty"`
	// Env of the command.
	Env map[string]string `json:"env,omitempty"`
	// EnvVars are passed on from the client's environment.
	EnvVars []string `json:"env_vars,omitempty"`
	// Cwd of the command.
	Cwd string `json:"cwd,omitempty"`
	// URL of an HTTP server.
	URL string `json:"url,omitempty" jsonschema:"minLength=1"`
	// BearerTokenEnvVar names the variable that holds the token.
	BearerTokenEnvVar string `json:"bearer_token_env_var,omitempty"`
	// HTTPHeaders to send.
	HTTPHeaders map[string]string `json:"http_headers,omitempty"`
	// EnvHTTPHeaders maps a header to the variable that holds its value.
	EnvHTTPHeaders map[string]string `json:"env_http_headers,omitempty"`
	// Enabled false switches it off.
	Enabled *bool `json:"enabled,omitempty"`
	// Required stops the client when the server does not start.
	Required *bool `json:"required,omitempty"`
	// StartupTimeoutSec in seconds.
	StartupTimeoutSec *float64 `json:"startup_timeout_sec,omitempty"`
	// ToolTimeoutSec in seconds.
	ToolTimeoutSec *float64 `json:"tool_timeout_sec,omitempty"`
	// DefaultToolsApprovalMode of the server's tools.
	DefaultToolsApprovalMode string `json:"default_tools_approval_mode,omitempty" jsonschema:"enum=auto,enum=prompt,enum=writes,enum=approve"`
	// SupportsParallelToolCalls lets the client call its tools at the same time.
	SupportsParallelToolCalls *bool `json:"supports_parallel_tool_calls,omitempty"`
	// Scopes for OAuth.
	Scopes []string `json:"scopes,omitempty"`
	// OAuthResource to ask a token for (url).
	OAuthResource string `json:"oauth_resource,omitempty" jsonschema:"minLength=1"`
	// EnabledTools is an allow-list.
	EnabledTools []string `json:"enabled_tools,omitempty"`
	// DisabledTools is a deny-list.
	DisabledTools []string `json:"disabled_tools,omitempty"`
}

// CodexSkills configures the skills of a role.
type CodexSkills struct {
	// Config switches single skills.
	Config []CodexSkill `json:"config,omitempty"`
	// Bundled skills.
	Bundled *CodexBundledSkills `json:"bundled,omitempty"`
	// IncludeInstructions about skills in the context.
	IncludeInstructions *bool `json:"include_instructions,omitempty"`
	// MaxContextTokens for skills.
	MaxContextTokens *int `json:"max_context_tokens,omitempty" jsonschema:"minimum=1"`
}

// CodexBundledSkills switches the skills that come with the client.
type CodexBundledSkills struct {
	// Enabled false switches them off.
	Enabled *bool `json:"enabled" jsonschema:"required"`
}

// CodexSkill switches one skill, named by name or by path.
type CodexSkill struct {
	// Name of the skill.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Path of the skill.
	Path string `json:"path,omitempty" jsonschema:"minLength=1"`
	// Enabled false switches it off; true cannot switch it on again.
	Enabled *bool `json:"enabled" jsonschema:"required"`
}
