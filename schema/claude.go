package schema

// Claude is the block of Claude Code: the front matter keys of an agent file
// in snake_case, after its sub-agents reference and what client 2.1.332
// accepts.
type Claude struct {
	BlockCommon
	// Model alias (sonnet, opus, haiku, fable, inherit) or full Claude model id.
	Model string `json:"model,omitempty" jsonschema:"minLength=1,example=sonnet"`
	// Effort of reasoning.
	Effort string `json:"effort,omitempty" jsonschema:"enum=low,enum=medium,enum=high,enum=xhigh,enum=max"`
	// Tools is the native allow-list, verbatim. Empty means no tools at all.
	Tools []string `json:"tools,omitempty" jsonschema:"minLength=1"`
	// DisallowedTools are removed before tools applies.
	DisallowedTools []string `json:"disallowed_tools,omitempty" jsonschema:"minLength=1"`
	// PermissionMode of the subagent's session.
	PermissionMode string `json:"permission_mode,omitempty" jsonschema:"enum=default,enum=acceptEdits,enum=plan,enum=dontAsk,enum=auto,enum=bypassPermissions,enum=manual"`
	// MaxTurns is the number of turns after which it must stop.
	MaxTurns *int `json:"max_turns,omitempty" jsonschema:"minimum=1"`
	// Skills whose whole text is preloaded.
	Skills []string `json:"skills,omitempty" jsonschema:"minLength=1"`
	// MCPServers lists servers by name, or as {NAME: configuration}.
	MCPServers []ClaudeMCP `json:"mcp_servers,omitempty"`
	// Hooks maps an event to matchers.
	Hooks map[string][]ClaudeMatcher `json:"hooks,omitempty"`
	// Memory keeps a memory folder in the given scope. It adds Read, Write and Edit unless they are disallowed.
	Memory string `json:"memory,omitempty" jsonschema:"enum=user,enum=project,enum=local"`
	// Background runs the subagent without blocking its caller.
	Background *bool `json:"background,omitempty"`
	// Isolation of the subagent's files.
	Isolation string `json:"isolation,omitempty" jsonschema:"enum=worktree,enum=remote"`
	// Color in the user interface.
	Color string `json:"color,omitempty" jsonschema:"enum=red,enum=blue,enum=green,enum=yellow,enum=purple,enum=orange,enum=pink,enum=cyan"`
	// InitialPrompt is the first user message when the agent is the main thread.
	InitialPrompt string `json:"initial_prompt,omitempty" jsonschema:"pattern=\\S"`
	// OmitClaudeMD leaves the project's CLAUDE.md out of its context.
	OmitClaudeMD *bool `json:"omit_claude_md,omitempty"`
	// AutoCompactWindow is the number of tokens at which it compacts its context.
	AutoCompactWindow *int `json:"auto_compact_window,omitempty" jsonschema:"minimum=100000"`
	// Experimental settings.
	Experimental *ClaudeExperimental `json:"experimental,omitempty"`
}

// ClaudeDefaults is [Claude] in defaults.
type ClaudeDefaults struct {
	Claude
	// Models maps a tier to a model; {} switches the built-in table (haiku, sonnet, opus) off.
	Models Models `json:"models,omitempty"`
}

// ClaudeExperimental holds the one experimental key that the client reads.
type ClaudeExperimental struct {
	// CacheTTL of the prompt cache.
	CacheTTL string `json:"cache_ttl,omitempty" jsonschema:"enum=5m,enum=1h"`
}

// ClaudeMCP is one item of mcp_servers: a name, or a name with its configuration.
type ClaudeMCP struct {
	Name   string
	Config *ClaudeMCPConfig
}

// ClaudeMCPConfig is the configuration of a server, as in .mcp.json.
type ClaudeMCPConfig struct {
	// Type of transport. Default: stdio.
	Type string `json:"type,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse,enum=ws"`
	// Command that a stdio server is started with.
	Command string `json:"command,omitempty" jsonschema:"minLength=1"`
	// Args of the command.
	Args []string `json:"args,omitempty"`
	// Env of the command.
	Env map[string]string `json:"env,omitempty"`
	// URL of a remote server.
	URL string `json:"url,omitempty" jsonschema:"minLength=1"`
	// Headers for a remote server.
	Headers map[string]string `json:"headers,omitempty"`
}

// ClaudeMatcher is a matcher of a hook event with its handlers.
type ClaudeMatcher struct {
	// Matcher is a pattern over tool names.
	Matcher string `json:"matcher,omitempty"`
	// Hooks are the handlers.
	Hooks []ClaudeHandler `json:"hooks" jsonschema:"required"`
}

// ClaudeHandler is a handler of a hook. Which keys it needs depends on its type.
type ClaudeHandler struct {
	// Type of handler.
	Type string `json:"type" jsonschema:"required,enum=command,enum=prompt,enum=agent,enum=http,enum=mcp_tool"`
	// Command to run (command).
	Command string `json:"command,omitempty" jsonschema:"minLength=1"`
	// Args of the command (command).
	Args []string `json:"args,omitempty"`
	// Shell that runs the command (command).
	Shell string `json:"shell,omitempty" jsonschema:"enum=bash,enum=powershell"`
	// Async runs the command without waiting (command).
	Async *bool `json:"async,omitempty"`
	// AsyncRewake wakes the agent when an async command ends (command).
	AsyncRewake *bool `json:"async_rewake,omitempty"`
	// Prompt for the model (prompt, agent).
	Prompt string `json:"prompt,omitempty" jsonschema:"minLength=1"`
	// Model that answers (prompt, agent).
	Model string `json:"model,omitempty" jsonschema:"minLength=1"`
	// ContinueOnBlock goes on when the answer blocks (prompt).
	ContinueOnBlock *bool `json:"continue_on_block,omitempty"`
	// URL to post to (http).
	URL string `json:"url,omitempty" jsonschema:"minLength=1"`
	// Headers to send (http).
	Headers map[string]string `json:"headers,omitempty"`
	// AllowedEnvVars that may be used in headers (http).
	AllowedEnvVars []string `json:"allowed_env_vars,omitempty"`
	// Server that has the tool (mcp_tool).
	Server string `json:"server,omitempty" jsonschema:"minLength=1"`
	// Tool to call (mcp_tool).
	Tool string `json:"tool,omitempty" jsonschema:"minLength=1"`
	// Input of the tool (mcp_tool).
	Input Value `json:"input,omitempty"`
	// OnFailure: go on or block (command, http, mcp_tool).
	OnFailure string `json:"on_failure,omitempty" jsonschema:"enum=continue,enum=block"`
	// Cloud: where it runs in cloud sessions (command, http).
	Cloud string `json:"cloud,omitempty" jsonschema:"enum=device,enum=skip"`
	// If is a permission rule that must match.
	If string `json:"if,omitempty" jsonschema:"minLength=1"`
	// Timeout in seconds.
	Timeout *int `json:"timeout,omitempty" jsonschema:"minimum=1"`
	// StatusMessage shown while it runs.
	StatusMessage string `json:"status_message,omitempty"`
	// Once runs it a single time.
	Once *bool `json:"once,omitempty"`
}
