package claude

import "github.com/seed-337579fc/subagents/providers"

const (
	seen  = "observed on 2.1.332"
	docs  = "documentation: sub-agents"
	trust = "the folder is trusted"
)

var capabilities = []providers.Capability{
	{Setting: "description", Level: providers.Enforced, Why: "The calling model sees the whole text.", Source: seen},
	{
		Setting: "description#backslash-n", Level: providers.Unsupported, Code: "text-loss",
		Why: "The client turns a backslash followed by n in a description into a line feed.", Source: seen,
	},
	{Setting: "title", Level: providers.Unsupported, Why: "An agent file has no title.", Source: docs},
	{Setting: "version", Level: providers.Unsupported, Why: "An agent file has no version.", Source: docs},
	{Setting: "access", Level: providers.Inherited, Why: "Nothing is restricted; the session's own permissions hold.", Source: seen},
	{Setting: "access=read-only", Level: providers.Enforced, Why: "Written as a list of tools that cannot write.", Source: seen},
	{
		Setting: "access=read-only+shell", Level: providers.Advisory, Code: "shell-not-enforced",
		Why: "The shell is given whole; nothing keeps its commands from writing.", Source: seen + "; anthropics/claude-code#61651",
	},
	{Setting: "tools", Level: providers.Enforced, Why: "A tool that is not listed is not offered to the model.", Source: seen},
	{
		Setting: "tools=todo", Level: providers.Unsupported, Code: "tool-dropped",
		Why: "The client does not give its to-do list to subagents.", Source: seen,
	},
	{
		Setting: "tools#stripped", Level: providers.Enforced, Code: "tool-stripped-read-only",
		Why: "access: read-only takes tools away that can write.", Source: "rule of subagents",
	},
	{Setting: "mcp", Level: providers.Enforced, Why: "Listed servers and tools are offered; the servers come from the session.", Source: seen},
	{
		Setting: "mcp#without-tools", Level: providers.Inherited, Code: "mcp-inherited",
		Why: "Without a tools list the subagent gets every server of the session.", Source: seen,
	},
	{Setting: "tier", Level: providers.Enforced, Why: "Written as model.", Source: seen},
	{Setting: "effort", Level: providers.Enforced, Why: "Sent with every request, cut to what the model supports.", Source: seen},
	{Setting: "skills", Level: providers.Enforced, Why: "Preloaded skills go into the context; the others are announced in the body.", Source: seen},
	{
		Setting: "delegates", Level: providers.Advisory,
		Why:    "A subagent may start subagents or not; which ones is said in the body alone, since the client ignores names there.",
		Source: seen,
	},
	{Setting: "delegates=none", Level: providers.Enforced, Why: "The tool that starts subagents is taken away.", Source: seen},
	{Setting: "isolation", Level: providers.Enforced, Why: "Runs in a git worktree of its own; outside git, or before the first commit, it does not start.", Source: seen},
	{Setting: "isolation=none", Level: providers.Enforced, Why: "The default.", Source: seen},
	{Setting: "gate", Level: providers.Enforced, Why: "Written as a Stop hook; exit status 2 hands the output back.", Source: seen},
	{
		Setting: "gate", Level: providers.Enforced, Scope: "project", Code: "needs-trust", When: trust,
		Why: "Hooks of a project's agents run only in a trusted folder.", Source: seen + "; anthropics/claude-code#80391",
	},
	{Setting: "hooks", Level: providers.Enforced, Why: "Written as hooks of the agent.", Source: seen},
	{
		Setting: "hooks", Level: providers.Enforced, Scope: "project", Code: "needs-trust", When: trust,
		Why: "Hooks of a project's agents run only in a trusted folder.", Source: seen + "; anthropics/claude-code#80391",
	},

	{Setting: "claude.model", Level: providers.Enforced, Why: "Sent with every request, unless the call or CLAUDE_CODE_SUBAGENT_MODEL names another.", Source: seen},
	{Setting: "claude.effort", Level: providers.Enforced, Why: "Sent with every request, cut to what the model supports.", Source: seen},
	{Setting: "claude.tools", Level: providers.Enforced, Why: "A tool that is not listed is not offered to the model.", Source: seen},
	{
		Setting: "claude.tools#pattern", Level: providers.Advisory, Code: "pattern-ignored",
		Why: "A pattern in parentheses grants the whole tool.", Source: seen + "; anthropics/claude-code#61651",
	},
	{Setting: "claude.disallowed_tools", Level: providers.Enforced, Why: "Taken away before tools applies.", Source: seen},
	{
		Setting: "claude.disallowed_tools#pattern", Level: providers.Advisory, Code: "pattern-ignored",
		Why: "A pattern in parentheses takes the whole tool away.", Source: seen,
	},
	{
		Setting: "claude.permission_mode", Level: providers.Advisory,
		Why: "Takes effect in a session in default mode; a parent in acceptEdits, auto or bypassPermissions overrides it.", Source: seen + "; " + docs,
	},
	{
		Setting: "claude.permission_mode=bypassPermissions", Level: providers.Advisory,
		Why: "Keeps the parent's mode unless the session is in bypass itself.", Source: seen,
	},
	{Setting: "claude.max_turns", Level: providers.Enforced, Why: "The run ends after so many turns.", Source: seen},
	{Setting: "claude.skills", Level: providers.Enforced, Why: "Preloaded whole.", Source: seen},
	{Setting: "claude.mcp_servers", Level: providers.Enforced, Why: "The servers are connected for the subagent.", Source: seen},
	{
		Setting: "claude.mcp_servers", Level: providers.Enforced, Scope: "project", Code: "needs-trust", When: trust,
		Why: "Servers configured in a project's agents start only in a trusted folder.", Source: seen + "; anthropics/claude-code#95650",
	},
	{Setting: "claude.hooks", Level: providers.Enforced, Why: "Run at the events that they name.", Source: seen},
	{
		Setting: "claude.hooks", Level: providers.Enforced, Scope: "project", Code: "needs-trust", When: trust,
		Why: "Hooks of a project's agents run only in a trusted folder.", Source: seen + "; anthropics/claude-code#80391",
	},
	{
		Setting: "claude.mcp_servers#narrowed", Level: providers.Enforced, Code: "mcp-server-narrowed",
		Why:    "The tools list does not name this server, so it is disallowed: the client would give all of its tools. Name it in mcp to use it.",
		Source: seen,
	},
	{
		Setting: "claude.mcp_servers#whole", Level: providers.Advisory, Code: "mcp-server-whole",
		Why: "The tools list names single tools of this server; the client gives all tools of a server that is configured in the file.", Source: seen,
	},
	{Setting: "claude.memory", Level: providers.Enforced, Why: "A memory folder is kept; the client adds Read, Write and Edit for it.", Source: seen},
	{
		Setting: "claude.memory#narrowed", Level: providers.Enforced, Code: "memory-read-only",
		Why:    "Write and Edit, which the client adds for memory, are disallowed because the tools list does not have them.",
		Source: seen,
	},
	{Setting: "claude.background", Level: providers.Enforced, Why: "Runs without blocking its caller, with the smaller set of tools for that.", Source: seen},
	{Setting: "claude.isolation", Level: providers.Enforced, Why: "Runs in a git worktree of its own; outside git, or before the first commit, it does not start.", Source: seen},
	{Setting: "claude.isolation=remote", Level: providers.Advisory, Why: "Runs in a git worktree on this machine, as for worktree; nothing else is documented.", Source: seen},
	{Setting: "claude.color", Level: providers.Enforced, Why: "Display only.", Source: seen},
	{
		Setting: "claude.initial_prompt", Level: providers.Advisory,
		Why: "Used only when the agent is the main thread, never for a spawned subagent.", Source: seen,
	},
	{Setting: "claude.omit_claude_md", Level: providers.Enforced, Why: "CLAUDE.md is not given to it.", Source: seen},
	{Setting: "claude.auto_compact_window", Level: providers.Enforced, Why: "The context is compacted at this size.", Source: seen},
	{Setting: "claude.experimental", Level: providers.Enforced, Why: "Read as it is; may change with any release.", Source: seen},
	{Setting: "claude.extra", Level: providers.Advisory, Why: "Written as it stands; whether the client knows the key is not checked.", Source: "rule of subagents"},
}
