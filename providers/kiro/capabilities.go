package kiro

import (
	"slices"

	"github.com/seed-337579fc/subagents/providers"
)

// Where the rows come from. None was observed: there is no client to observe.
const (
	docs   = "documentation, not observed: custom-agents/configuration-reference"
	docsV2 = "documentation, not observed: CLI 2.x custom-agents reference"
	probe  = "third-party reading of shipped builds (2.13 to 2.21), not observed"
	rule   = "rule of subagents"
)

// versions is the code of a note on a key that not every engine or release
// treats alike.
const versions = "kiro-version-dependent"

var capabilities = slices.Concat(neutral, universal, blockKeys, leftOut)

// neutral are the rows of the neutral keys.
var neutral = []providers.Capability{
	{Setting: "description", Level: providers.Enforced, Why: "The calling model chooses by name and description.", Source: docs + "; " + probe},
	{Setting: "title", Level: providers.Unsupported, Why: "An agent file has no title.", Source: docs},
	{Setting: "version", Level: providers.Unsupported, Why: "An agent file has no version.", Source: docs},
	{Setting: "access", Level: providers.Inherited, Why: "Nothing is restricted; the session's own permissions hold.", Source: docs},
	{Setting: "access=read-only", Level: providers.Enforced, Why: "Written as a list of tools that cannot write.", Source: docs + "; " + probe},
	{
		Setting: "access=read-only+shell", Level: providers.Advisory, Code: "shell-not-enforced",
		Why: "The shell is given whole; nothing keeps its commands from writing.", Source: docs,
	},
	{
		Setting: "tools", Level: providers.Enforced, Why: "A tool that is not listed is not offered, in both engines. V3's write can delete files too.",
		Source: docs + "; " + probe,
	},
	{Setting: "tools=skill", Level: providers.Unsupported, Code: "tool-dropped", Why: "There is no tool for skills.", Source: docs},
	{
		Setting: "tools=todo", Level: providers.Advisory, Code: versions,
		Why: "CLI 2.x has the tool; whether 3.x does is told both ways.", Source: docs + "; " + probe,
	},
	{
		Setting: "tools#stripped", Level: providers.Enforced, Code: "tool-stripped-read-only",
		Why: "access: read-only takes away what can write.", Source: rule,
	},
	{Setting: "mcp", Level: providers.Enforced, Why: "Written as @SERVER and @SERVER/TOOL in the list of tools.", Source: docs},
	{
		Setting: "mcp#without-tools", Level: providers.Inherited, Code: "mcp-inherited",
		Why: "Without a tools list the agent gets every server that it has.", Source: docs,
	},
	{
		Setting: "mcp#no-server", Level: providers.Inherited, Code: "mcp-not-included",
		Why:    "An agent has the servers of mcp.json only with kiro.include_mcp_json: true, and otherwise those of kiro.mcp_servers.",
		Source: docs,
	},
	{Setting: "tier", Level: providers.Enforced, Why: "Written as model.", Source: docs + "; kirodotdev/Kiro#10889 and kirodotdev/Kiro#11386 report releases that did not apply it"},
	{
		Setting: "tier#no-model", Level: providers.Inherited, Code: "no-model-for-tier",
		Why: "No models table names a model for the tier, so that none is written; the agent uses its parent's or the default.", Source: docs,
	},
	{Setting: "tier#markdown", Level: providers.Advisory, Code: versions, Why: effortInMarkdown, Source: probe},
	{Setting: "tier#json", Level: providers.Unsupported, Code: "effort-not-in-json", Why: effortInJSON, Source: probe},
	{Setting: "effort", Level: providers.Advisory, Code: versions, Why: effortInMarkdown, Source: probe},
	{Setting: "effort#json", Level: providers.Unsupported, Code: "effort-not-in-json", Why: effortInJSON, Source: probe},
	{
		Setting: "skills", Level: providers.Advisory,
		Why: "Announced in the body; skill:// addresses in kiro.resources load them.", Source: docs + "; kirodotdev/Kiro#11515",
	},
	{Setting: "skills#preload", Level: providers.Unsupported, Why: "The body asks for the skill to be loaded first.", Source: docs},
	{
		Setting: "delegates", Level: providers.Advisory,
		Why: "An agent may start others or not; which ones is said in the body alone.", Source: docs,
	},
	{Setting: "delegates=none", Level: providers.Enforced, Why: "The tool that starts subagents is not listed.", Source: docs + "; " + probe},
	{
		Setting: "delegates#spelled-out", Level: providers.Enforced, Code: "tools-spelled-out",
		Why: "Everything but subagent has no name of its own, so that each known tool is listed. A tool of a later release is missing from the list, and so is, " +
			"for CLI 2.x, a server of mcp.json that neither mcp nor kiro.mcp_servers names.",
		Source: docs + "; " + probe,
	},
	{
		Setting: "delegates#stripped", Level: providers.Enforced, Code: "tool-stripped-delegates",
		Why: "delegates: [] takes from the list that defaults gave what starts subagents.", Source: rule,
	},
	{Setting: "isolation", Level: providers.Unsupported, Why: "An agent works in the session's directory.", Source: docs},
	{Setting: "isolation=none", Level: providers.Enforced, Why: "The only way.", Source: docs},
	{
		Setting: "gate", Level: providers.Unsupported,
		Why: "The engines want hooks in different shapes, and do not run them for a subagent.", Source: probe + "; kirodotdev/Kiro#10003",
	},
	{
		Setting: "hooks", Level: providers.Unsupported,
		Why:    "The engines want hooks in different shapes, and do not run them for a subagent; kiro.hooks has those of CLI 2.x.",
		Source: probe + "; kirodotdev/Kiro#10003",
	},
}

const (
	effortInMarkdown = "Goes into Markdown as effortLevel, an undocumented key of CLI 3.x."
	effortInJSON     = "Left out of JSON: builds of CLI 2.x refuse a file with a key that they do not know. kiro.format: markdown has it."
)

// universal are the rows of the keys that both engines read.
var universal = []providers.Capability{
	{
		Setting: "kiro.format=markdown", Level: providers.Enforced, Code: versions,
		Why: "CLI 2.x, headless runs and kiro-cli agent do not read Markdown.", Source: docs + "; " + probe,
	},
	{
		Setting: "kiro.format=both", Level: providers.Enforced, Code: versions,
		Why: "CLI 2.x reads the JSON file; which of two files of one name 3.x takes is not documented.", Source: docs + "; kirodotdev/Kiro#10750",
	},
	{Setting: "kiro.model", Level: providers.Enforced, Why: "Used for the agent.", Source: docs + "; kirodotdev/Kiro#10889 and kirodotdev/Kiro#11386 report releases that did not apply it"},
	{Setting: "kiro.tools", Level: providers.Enforced, Why: "A tool that is not listed is not offered, in both engines.", Source: docs + "; " + probe},
}

// blockKeys are the rows of the block's further keys.
var blockKeys = []providers.Capability{
	{
		Setting: "kiro.allowed_tools", Level: providers.Advisory, Code: versions,
		Why: "CLI 2.x runs these without asking; 3.x has permissions instead.", Source: docsV2 + "; " + probe,
	},
	{
		Setting: "kiro.tools_settings", Level: providers.Advisory, Code: versions,
		Why:    "CLI 2.x applies it, except to a tool in allowed_tools; 3.x has permissions instead. 1.25.1 refused a file that has hooks beside settings of the shell.",
		Source: docsV2 + "; kirodotdev/Kiro#5710",
	},
	{
		Setting: "kiro.tool_aliases", Level: providers.Advisory, Code: versions,
		Why: "CLI 2.x renames the tools; 3.x drops the key.", Source: docsV2 + "; " + probe,
	},
	{
		Setting: "kiro.resources", Level: providers.Advisory, Code: versions,
		Why: "Put into the context of a session; not seen in that of a subagent.", Source: docs + "; kirodotdev/Kiro#10395 and kirodotdev/Kiro#6251",
	},
	{
		Setting: "kiro.hooks", Level: providers.Advisory, Code: versions,
		Why: "CLI 2.x runs them in a session; 3.x up to 2.18 drops a file with this shape, and later runs none.", Source: docsV2 + "; " + probe + "; kirodotdev/Kiro#10003",
	},
	{
		Setting: "kiro.mcp_servers", Level: providers.Advisory, Code: versions,
		Why: "Started for the agent; a tool of theirs has to be in the list of tools too.", Source: docs,
	},
	{
		Setting: "kiro.include_mcp_json", Level: providers.Advisory, Code: versions,
		Why: "The servers of mcp.json are the agent's too.", Source: docs,
	},
	{
		Setting: "kiro.permissions", Level: providers.Advisory, Code: versions,
		Why:    "CLI 3.x applies deny rules; for a subagent an allow rule with a match does not widen. 2.x takes a file with the key from about 2.21.",
		Source: docs + "; " + probe + "; kirodotdev/KiroCrew#8776",
	},
	{
		Setting: "kiro.permissions#added", Level: providers.Enforced, Code: "permissions-added",
		Why:    "permissions with no rules is written beside allowed_tools and tools_settings: without it 3.x skips the file. 2.x takes the key from about 2.21.",
		Source: probe + "; kirodotdev/Kiro#10733",
	},
	{
		Setting: "kiro.excluded_tools", Level: providers.Advisory, Code: versions,
		Why: "CLI 3.x takes these away after tools; builds of 2.x refuse the key.", Source: docs + "; " + probe,
	},
	{Setting: "kiro.effort_level", Level: providers.Advisory, Code: versions, Why: effortInMarkdown, Source: probe},
	{Setting: "kiro.effort_level#json", Level: providers.Unsupported, Code: "effort-not-in-json", Why: effortInJSON, Source: probe},
	{
		Setting: "kiro.welcome_message", Level: providers.Advisory, Code: versions,
		Why: "Shown when a person switches to the agent; nothing to a subagent.", Source: docs,
	},
	{
		Setting: "kiro.keyboard_shortcut", Level: providers.Advisory, Code: versions,
		Why: "CLI 2.x switches to the agent with it; nothing to a subagent, and 3.x drops the key.", Source: docsV2 + "; " + probe,
	},
	{
		Setting: "kiro.extra", Level: providers.Advisory, Code: versions,
		Why: "Written as it stands; builds of CLI 2.x refuse a file with a key that they do not know, 3.x drops the key.", Source: probe,
	},
}

// leftOut are the rows of the keys that 3.x would strip from Markdown, or for
// which it would drop the file.
var leftOut = []providers.Capability{
	{Setting: "kiro.allowed_tools#markdown", Level: providers.Unsupported, Code: versions, Why: notInMarkdown, Source: probe},
	{Setting: "kiro.tools_settings#markdown", Level: providers.Unsupported, Code: versions, Why: notInMarkdown, Source: probe},
	{Setting: "kiro.tool_aliases#markdown", Level: providers.Unsupported, Code: versions, Why: notInMarkdown, Source: probe},
	{Setting: "kiro.hooks#markdown", Level: providers.Unsupported, Code: versions, Why: notInMarkdown, Source: probe},
	{Setting: "kiro.keyboard_shortcut#markdown", Level: providers.Unsupported, Code: versions, Why: notInMarkdown, Source: probe},
}

const notInMarkdown = "Left out of Markdown, which CLI 3.x alone reads: it has no use for the key."
