package schema

// Kiro is the block of Kiro, after its custom-agent references for CLI 2.x and
// 3.0. The client is proprietary: the facts are documented, not observed.
type Kiro struct {
	BlockCommon
	// Format of the file. Default: json.
	Format string `json:"format,omitempty" jsonschema:"enum=json,enum=markdown,enum=both"`
	// Model id of Kiro.
	Model string `json:"model,omitempty" jsonschema:"minLength=1,example=claude-sonnet-4.5"`
	// Tools is the native list, verbatim. Empty means none.
	Tools []string `json:"tools,omitempty" jsonschema:"minLength=1"`
	// AllowedTools run without asking (CLI 2.x).
	AllowedTools []string `json:"allowed_tools,omitempty" jsonschema:"minLength=1,uniqueItems=true"`
	// ToolsSettings maps a tool to its settings (CLI 2.x).
	ToolsSettings map[string]Value `json:"tools_settings,omitempty"`
	// ToolAliases maps a tool to another name (CLI 2.x).
	ToolAliases map[string]string `json:"tool_aliases,omitempty"`
	// Resources put into the context: file:// and skill:// addresses, or knowledge bases.
	Resources []KiroResource `json:"resources,omitempty"`
	// Hooks maps a trigger to commands (CLI 2.x).
	Hooks map[string][]KiroHook `json:"hooks,omitempty"`
	// MCPServers of the agent.
	MCPServers map[string]KiroMCP `json:"mcp_servers,omitempty"`
	// IncludeMCPJSON adds the servers of mcp.json.
	IncludeMCPJSON *bool `json:"include_mcp_json,omitempty"`
	// Permissions of the agent (CLI 3.0).
	Permissions *KiroPermissions `json:"permissions,omitempty"`
	// ExcludedTools are removed after tools applies (CLI 3.0).
	ExcludedTools []string `json:"excluded_tools,omitempty" jsonschema:"minLength=1"`
	// EffortLevel of reasoning, verbatim (CLI 3.0).
	EffortLevel string `json:"effort_level,omitempty" jsonschema:"minLength=1"`
	// WelcomeMessage shown when a person switches to the agent.
	WelcomeMessage string `json:"welcome_message,omitempty" jsonschema:"minLength=1"`
	// KeyboardShortcut that switches to the agent (CLI).
	KeyboardShortcut string `json:"keyboard_shortcut,omitempty" jsonschema:"pattern=^(ctrl|shift)\\+[A-Za-z0-9]$"`
}

// KiroDefaults is [Kiro] in defaults.
type KiroDefaults struct {
	Kiro
	// Models maps a tier to a model.
	Models Models `json:"models,omitempty"`
}

// KiroResource is an address, or a knowledge base.
type KiroResource struct {
	Address   string
	Knowledge *KiroKnowledge
}

// KiroKnowledge is an indexed source of knowledge.
type KiroKnowledge struct {
	// Type of resource.
	Type string `json:"type" jsonschema:"required,enum=knowledgeBase"`
	// Source as a file:// address.
	Source string `json:"source" jsonschema:"required,pattern=^file://"`
	// Name of the knowledge base.
	Name string `json:"name" jsonschema:"required,minLength=1"`
	// Description of what it holds.
	Description string `json:"description,omitempty"`
	// IndexType: quality of the index.
	IndexType string `json:"index_type,omitempty" jsonschema:"enum=best,enum=fast"`
	// Include globs.
	Include []string `json:"include,omitempty"`
	// Exclude globs.
	Exclude []string `json:"exclude,omitempty"`
	// AutoUpdate keeps the index fresh.
	AutoUpdate *bool `json:"auto_update,omitempty"`
}

// KiroHook is a command of a hook.
type KiroHook struct {
	// Command to run.
	Command string `json:"command" jsonschema:"required,minLength=1"`
	// Matcher is a native tool name.
	Matcher string `json:"matcher,omitempty"`
	// TimeoutMS in milliseconds.
	TimeoutMS *int `json:"timeout_ms,omitempty" jsonschema:"minimum=1"`
	// MaxOutputSize in bytes.
	MaxOutputSize *int `json:"max_output_size,omitempty" jsonschema:"minimum=1"`
	// CacheTTLSeconds keeps the output.
	CacheTTLSeconds *int `json:"cache_ttl_seconds,omitempty" jsonschema:"minimum=0"`
}

// KiroMCP is an MCP server: command for stdio, or url for HTTP.
type KiroMCP struct {
	// Type of transport.
	Type string `json:"type,omitempty" jsonschema:"enum=stdio,enum=http,enum=registry"`
	// Command that a stdio server is started with.
	Command string `json:"command,omitempty" jsonschema:"minLength=1"`
	// Args of the command.
	Args []string `json:"args,omitempty"`
	// Env of the command.
	Env map[string]string `json:"env,omitempty"`
	// URL of an HTTP server.
	URL string `json:"url,omitempty" jsonschema:"minLength=1"`
	// Headers to send.
	Headers map[string]string `json:"headers,omitempty"`
	// OAuthScopes to ask for.
	OAuthScopes []string `json:"oauth_scopes,omitempty"`
	// OAuth settings, verbatim.
	OAuth Value `json:"oauth,omitempty"`
	// Timeout in milliseconds.
	Timeout *int `json:"timeout,omitempty" jsonschema:"minimum=1"`
	// Disabled switches it off.
	Disabled *bool `json:"disabled,omitempty"`
	// DisabledTools of the server.
	DisabledTools []string `json:"disabled_tools,omitempty"`
}

// KiroPermissions are the permission rules of CLI 3.0.
type KiroPermissions struct {
	// Rules in order; a deny wins.
	Rules []KiroRule `json:"rules" jsonschema:"required"`
	// Policies are presets.
	Policies []string `json:"policies,omitempty" jsonschema:"enum=allow-all,enum=edit-workspace,enum=dev-shell,enum=read-all,enum=read-only-shell,enum=read-workspace"`
}

// KiroRule is a permission rule.
type KiroRule struct {
	// Capability that the rule is about.
	Capability string `json:"capability" jsonschema:"required,enum=fs_read,enum=fs_write,enum=shell,enum=web_fetch,enum=web_search,enum=mcp,enum=subagent,enum=all,enum=filesystem,enum=skill,enum=diagnostics,enum=context,enum=builtin,enum=power,enum=sandbox_network"`
	// Effect of the rule.
	Effect string `json:"effect" jsonschema:"required,enum=allow,enum=deny,enum=ask"`
	// Match patterns.
	Match []string `json:"match,omitempty"`
	// Exclude patterns.
	Exclude []string `json:"exclude,omitempty"`
}
