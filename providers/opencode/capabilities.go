package opencode

import "github.com/seed-337579fc/subagents/providers"

const (
	seen   = "observed on 1.18.33"
	inCode = "read in the 1.18.33 program"
	docs   = "documentation: agents (V1)"
	rule   = "rule of subagents"
)

var capabilities = []providers.Capability{
	{Setting: "description", Level: providers.Enforced, Why: "The calling model sees the whole text.", Source: seen},
	{Setting: "title", Level: providers.Unsupported, Why: "An agent file has no title.", Source: docs},
	{Setting: "version", Level: providers.Unsupported, Why: "An agent file has no version.", Source: docs},
	{Setting: "access", Level: providers.Inherited, Why: "Nothing is restricted; the session's own permissions hold.", Source: seen},
	{Setting: "access=read-only", Level: providers.Enforced, Why: "Written as denials of the tools that are not for reading.", Source: seen},
	{
		Setting: "access=read-only+shell", Level: providers.Advisory, Code: "shell-not-enforced",
		Why: "The shell is given whole; nothing keeps its commands from writing, unless opencode.permission names the commands.", Source: seen,
	},
	{Setting: "tools", Level: providers.Enforced, Why: "Written as denials of the other tools, so that the session's own denials and questions stay.", Source: seen},
	{
		Setting: "tools#denials", Level: providers.Enforced, Code: "denies-more",
		Why: "The denial of MCP tools also denies files outside the project, those of skills and temporary ones included, and repeats of the same call. " +
			"A tool that a plugin adds is denied only if its name has an underscore.",
		Source: seen + " and " + inCode,
	},
	{
		Setting: "tools#todowrite", Level: providers.Unsupported, Code: "tool-dropped",
		Why: "The client denies a subagent its to-do list unless a rule names todowrite; opencode.permission can.", Source: seen,
	},
	{
		Setting: "tools#task", Level: providers.Unsupported, Code: "tool-dropped",
		Why: "The client denies a subagent to start others unless a rule names task; delegates writes one, and opencode.permission can.", Source: seen,
	},
	{
		Setting: "tools#stripped", Level: providers.Enforced, Code: "tool-stripped-read-only",
		Why: "access: read-only takes away what can write.", Source: rule,
	},
	{
		Setting: "mcp", Level: providers.Enforced,
		Why: "All MCP tools are denied and those of the servers allowed again. SERVER_ also matches a server whose name begins so.", Source: seen,
	},
	{
		Setting: "mcp#allowed", Level: providers.Enforced, Code: "mcp-allowed",
		Why: "Leaving a server out of a denial takes an allow, which also lifts what the configuration denies or asks about its tools.", Source: seen,
	},
	{
		Setting: "mcp#without-tools", Level: providers.Inherited, Code: "mcp-inherited",
		Why: "Without a tools list the subagent gets every server of the session.", Source: seen,
	},
	{Setting: "tier", Level: providers.Enforced, Why: "Written as model, and an effort of the models table as variant.", Source: seen},
	{
		Setting: "tier#no-model", Level: providers.Inherited, Code: "no-model-for-tier",
		Why: "No models table names a model for the tier, so that none is written; a subagent uses its caller's.", Source: seen,
	},
	{
		Setting: "effort", Level: providers.Unsupported,
		Why: "Efforts are variants of a model, with names of its provider: opencode.variant, or the effort of a models table.", Source: seen,
	},
	{Setting: "skills", Level: providers.Advisory, Why: "Announced in the body, and the tool that loads skills is not denied.", Source: docs},
	{Setting: "skills#preload", Level: providers.Unsupported, Why: "The body asks for the skill to be loaded first.", Source: docs},
	{
		Setting: "delegates", Level: providers.Enforced, Code: "delegation-asks",
		Why: "Others are denied, and a person is asked about these, in a run without a person they are refused: an allow would lift what the configuration denies. " +
			"A subagent can start others only where the session's subagent_depth is above 1.",
		Source: seen + " and " + inCode,
	},
	{Setting: "delegates=none", Level: providers.Enforced, Why: "task is denied.", Source: seen},
	{Setting: "isolation", Level: providers.Unsupported, Why: "A subagent works in the session's directory.", Source: docs},
	{Setting: "isolation=none", Level: providers.Enforced, Why: "The only way.", Source: docs},
	{Setting: "gate", Level: providers.Unsupported, Why: "An agent file has no hooks.", Source: docs},
	{Setting: "hooks", Level: providers.Unsupported, Why: "An agent file has no hooks.", Source: docs},

	{Setting: "opencode.mode", Level: providers.Enforced, Why: "Decides who can start it.", Source: seen},
	{
		Setting: "opencode.mode=primary", Level: providers.Enforced, Code: "not-a-subagent",
		Why: "Only a person can start it; it is not offered to other agents.", Source: seen,
	},
	{Setting: "opencode.model", Level: providers.Enforced, Why: "Sent with every request.", Source: seen},
	{Setting: "opencode.variant", Level: providers.Enforced, Why: "Applied to the agent's own model; one that the model does not have is ignored.", Source: seen},
	{
		Setting: "opencode.variant#no-model", Level: providers.Unsupported, Code: "variant-without-model",
		Why: "Applied only beside a model of the agent's own.", Source: seen,
	},
	{Setting: "opencode.temperature", Level: providers.Enforced, Why: "Sent with every request.", Source: seen},
	{Setting: "opencode.top_p", Level: providers.Enforced, Why: "Sent with every request.", Source: seen},
	{Setting: "opencode.steps", Level: providers.Advisory, Why: "At the last step the model is told to stop; one that goes on is not cut off.", Source: seen},
	{Setting: "opencode.color", Level: providers.Enforced, Why: "Display only.", Source: seen},
	{Setting: "opencode.hidden", Level: providers.Advisory, Why: "Leaves the menu for people; other agents are still offered it.", Source: seen},
	{Setting: "opencode.permission", Level: providers.Enforced, Why: "The last rule that matches decides.", Source: seen},
	{
		Setting: "opencode.permission#env", Level: providers.Enforced, Code: "env-files-allowed",
		Why: "Also lifts the question that the client asks before it reads .env files.", Source: seen,
	},
	{
		Setting: "opencode.permission#asks", Level: providers.Enforced, Code: "questions-lifted",
		Why: "Also lifts the questions about files outside the project or about repeats of the same call.", Source: seen,
	},
	{Setting: "opencode.options", Level: providers.Advisory, Code: "sent-to-provider", Why: "Goes into the request; the provider may refuse it.", Source: seen},
	{
		Setting: "opencode.extra", Level: providers.Advisory, Code: "sent-to-provider",
		Why: "A key that the client does not know goes into the request; the provider may refuse it.", Source: seen + "; anomalyco/opencode#11320",
	},
}
