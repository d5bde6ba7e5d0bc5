package codex

import "github.com/seed-337579fc/subagents/providers"

const (
	seen    = "observed on 0.171.0"
	always  = "observed on 0.148.0, 0.149.0, 0.160.1 and 0.171.0"
	ours    = "rule of subagents"
	sandbox = always + "; openai/codex#45482, openai/codex#40130"
	bounded = "observed on 0.149.0, 0.160.1 and 0.171.0"
	servers = "openai/codex#40130, openai/codex PR #39299"
	trust   = "the folder is trusted"
)

// ignored is the code of a key that the client accepts and does not apply to a
// spawned agent.
const ignored = "key-ignored"

var capabilities = []providers.Capability{
	{Setting: "description", Level: providers.Enforced, Why: "The calling model sees it, without white space around it.", Source: seen},
	{
		Setting: "description", Level: providers.Enforced, Scope: "project", Code: "needs-trust", When: trust,
		Why: "Roles of a project load in a trusted folder alone; elsewhere the client skips them and says nothing.", Source: seen,
	},
	{Setting: "title", Level: providers.Unsupported, Why: "A role has no title.", Source: seen},
	{Setting: "version", Level: providers.Unsupported, Why: "A role has no version; the key would drop the file.", Source: seen},
	{
		Setting: "access", Level: providers.Advisory, Code: "sandbox-not-enforced",
		Why: "Written as sandbox_mode, which the client accepts; a spawned agent runs in its parent's sandbox all the same.", Source: sandbox,
	},
	{
		Setting: "tools", Level: providers.Inherited, Code: "tool-governed-by-sandbox",
		Why: "A role has no list of tools: the session's tools and sandbox govern each of them.", Source: seen,
	},
	{
		Setting: "tools#stripped", Level: providers.Inherited, Code: "tool-stripped-read-only",
		Why: "access: read-only takes the tool from the entry's list, and the session still decides: a role has no list of tools.", Source: ours,
	},
	{
		Setting: "mcp", Level: providers.Inherited, Code: "mcp-inherited",
		Why: "The subagent gets every MCP server of the session.", Source: seen + "; openai/codex#40130",
	},
	{Setting: "tier", Level: providers.Enforced, Why: "Written as model.", Source: seen},
	{
		Setting: "tier#no-model", Level: providers.Inherited, Code: "no-model-for-tier",
		Why: "No model is set for the tier under defaults.providers.codex.models; the session's model is used.", Source: ours,
	},
	{Setting: "effort", Level: providers.Enforced, Why: "Written as model_reasoning_effort and sent with every request.", Source: seen},
	{
		Setting: "effort#default", Level: providers.Enforced, Code: "effort-defaulted",
		Why:    "Nothing sets an effort. One is written beside every model, since the parent's may not be one that the model has.",
		Source: seen,
	},
	{Setting: "skills", Level: providers.Advisory, Code: "skill-announced", Why: "Announced in the body; the session decides which skills there are.", Source: ours},
	{
		Setting: "skills#preload", Level: providers.Unsupported, Code: "skill-not-preloaded",
		Why: "A role cannot put a skill into the context; the body asks to load it before the work starts.", Source: seen,
	},
	{Setting: "delegates", Level: providers.Advisory, Why: "Said in the body alone; a role cannot choose the roles that it may start.", Source: seen},
	{Setting: "delegates=none", Level: providers.Advisory, Why: "Said in the body alone; a role cannot be kept from starting others.", Source: seen},
	{Setting: "isolation", Level: providers.Unsupported, Why: "A spawned agent works in its parent's folder.", Source: seen},
	{Setting: "isolation=none", Level: providers.Enforced, Why: "The only way it works.", Source: seen},
	{Setting: "gate", Level: providers.Unsupported, Code: "gate-not-enforced", Why: "A role has no hooks.", Source: seen},
	{Setting: "hooks", Level: providers.Unsupported, Why: "A role has no hooks of its own.", Source: seen},

	{
		Setting: "codex.model", Level: providers.Enforced,
		Why: "Sent with every request, before the model that the call or the client's own default names.", Source: seen,
	},
	{Setting: "codex.reasoning_effort", Level: providers.Enforced, Why: "Sent with every request.", Source: seen},
	{
		Setting: "codex.reasoning_effort=ultra", Level: providers.Advisory, Code: "effort-replaced",
		Why:    "The client sends another effort in its place: max or xhigh for the models of its catalogue, medium or max for any other.",
		Source: "observed on 0.148.0 and 0.171.0",
	},
	{Setting: "codex.reasoning_summary", Level: providers.Enforced, Why: "Sent with every request.", Source: seen},
	{Setting: "codex.verbosity", Level: providers.Enforced, Why: "Sent with every request, if the model has the setting.", Source: seen},
	{
		Setting: "codex.sandbox_mode", Level: providers.Advisory, Code: "sandbox-not-enforced",
		Why: "Accepted; a spawned agent runs in its parent's sandbox all the same.", Source: sandbox,
	},
	{
		Setting: "codex.sandbox_mode#narrowed", Level: providers.Advisory, Code: "sandbox-narrowed",
		Why: "The entry is read-only: the wider mode of the defaults is not written.", Source: ours,
	},
	{
		Setting: "codex.approval_policy", Level: providers.Advisory, Code: ignored,
		Why: "Accepted; a spawned agent keeps its parent's policy.", Source: always + "; openai/codex PR #39299",
	},
	{Setting: "codex.nickname_candidates", Level: providers.Enforced, Why: "Display only.", Source: seen},
	{Setting: "codex.mcp_servers", Level: providers.Enforced, Until: "0.148.0", Why: "The role's servers are connected.", Source: "observed on 0.148.0"},
	{
		Setting: "codex.mcp_servers", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "Accepted and not applied; the subagent gets the servers of the session.", Source: bounded + "; " + servers,
	},
	{Setting: "codex.skills", Level: providers.Enforced, Why: "An entry with enabled: false takes the skill away.", Source: seen},
	{Setting: "codex.skills#on", Level: providers.Enforced, Until: "0.148.0", Why: "Applied to the role.", Source: "observed on 0.148.0"},
	{
		Setting: "codex.skills#on", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "What is off cannot be switched on again for a role.", Source: bounded + "; openai/codex#14161, openai/codex#29846",
	},
	{
		Setting: "codex.skills#settings", Level: providers.Enforced,
		Why: "false takes the bundled skills, or the list of skills, away from the role.", Source: always,
	},
	{
		Setting: "codex.skills#settings=max_context_tokens", Level: providers.Advisory, Code: "effect-unknown",
		Why: "Accepted; not seen to change what a spawned agent gets.", Source: always,
	},
	{Setting: "codex.features", Level: providers.Enforced, Why: "false switches a feature off for the role.", Source: seen},
	{Setting: "codex.features#on", Level: providers.Enforced, Until: "0.148.0", Why: "Applied to the role.", Source: "observed on 0.148.0"},
	{
		Setting: "codex.features#on", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "Accepted; a feature cannot be switched on for a role.", Source: bounded,
	},
	{Setting: "codex.features#other", Level: providers.Enforced, Until: "0.148.0", Why: "Applied to the role.", Source: "observed on 0.148.0"},
	{
		Setting: "codex.features#other", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "Accepted; the client lets a role switch off only the features that it names for that.", Source: bounded + "; openai/codex PR #39299",
	},
	{Setting: "codex.web_search", Level: providers.Enforced, Until: "0.148.0", Why: "Applied to the role.", Source: "observed on 0.148.0"},
	{
		Setting: "codex.web_search", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "Accepted and not applied; the session's setting holds.", Source: bounded + "; openai/codex PR #39299",
	},
	{
		Setting: "codex.service_tier", Level: providers.Enforced, Until: "0.149.0",
		Why: "Sent with every request.", Source: "observed on 0.148.0 and 0.149.0",
	},
	{
		Setting: "codex.service_tier", Level: providers.Advisory, Code: ignored, From: "0.160.1",
		Why: "Accepted and not applied; the session's tier is used.", Source: "observed on 0.160.1 and 0.171.0",
	},
	{
		Setting: "codex.extra", Level: providers.Enforced, Until: "0.148.0",
		Why:    "The whole file is a layer of configuration; a name or file in it that does not exist keeps the role from starting.",
		Source: "observed on 0.148.0",
	},
	{
		Setting: "codex.extra", Level: providers.Advisory, Code: ignored, From: "0.149.0",
		Why: "Keys of config.toml are accepted in a role; none of these acts on a spawned agent.", Source: seen + "; openai/codex PR #39299",
	},
}
