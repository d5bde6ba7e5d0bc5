package goose

import (
	"slices"

	"github.com/seed-337579fc/subagents/providers"
)

const (
	seen      = "observed on 1.52.0"
	docs      = "documentation: recipes/recipe-reference"
	ours      = "rule of subagents"
	parent    = seen + "; aaif-goose/goose#9949, aaif-goose/goose#10835"
	run       = "run with goose run --recipe"
	delegated = "delegated to"
)

var capabilities = slices.Concat(neutral, blockKeys, leftOut())

// neutral are the rows of the neutral keys.
var neutral = []providers.Capability{
	{Setting: "description", Level: providers.Enforced, Why: "The calling model chooses by name and description.", Source: seen},
	{
		Setting: "description#cut", Level: providers.Advisory, Code: "description-cut",
		Why: "The calling model is shown the first 160 characters.", Source: seen,
	},
	{
		Setting: "instructions#template-in-agent", Level: providers.Advisory, Code: "template-escaped",
		Why:    "Delegation evaluates the body, so that its template characters are escaped; load and the desktop application show the escapes.",
		Source: seen + "; aaif-goose/goose PR #9518",
	},
	{
		Setting: "instructions#template-run", Level: providers.Advisory, Code: "template-escaped",
		Why:    "With a prompt the recipe is for goose run: its template characters are escaped once. Delegation evaluates the text a second time and gets it wrong.",
		Source: seen,
	},
	{
		Setting: "instructions#template-delegated", Level: providers.Advisory, Code: "template-escaped",
		Why:    "Without a prompt the recipe is for delegation: its template characters are escaped twice. goose run evaluates the text once and shows escapes.",
		Source: seen,
	},
	{
		Setting: "instructions#indent", Level: providers.Unsupported, Code: "text-loss",
		Why: "White space at the start of the body is cut, so that the first line loses its indentation.", Source: seen,
	},
	{Setting: "title", Level: providers.Enforced, Why: "Written as the title of the recipe.", Source: seen},
	{Setting: "version", Level: providers.Enforced, Why: "Written as the version of the recipe.", Source: seen},
	{
		Setting: "access", Level: providers.Inherited, Code: "access-not-enforced",
		Why: "goose has no rights of a subagent's own: it gets what its caller has.", Source: seen,
	},
	{
		Setting: "tools", Level: providers.Inherited, Code: "tool-governed-by-session",
		Why: "A subagent has no list of tools: it gets its caller's extensions.", Source: parent,
	},
	{
		Setting: "tools#stripped", Level: providers.Inherited, Code: "tool-stripped-read-only",
		Why: "access: read-only takes the tool from the entry's list, and the session still decides: a subagent has no list of tools.", Source: ours,
	},
	{
		Setting: "mcp", Level: providers.Inherited, Code: "mcp-inherited",
		Why: "A subagent gets the extensions of its caller.", Source: parent,
	},
	{Setting: "tier", Level: providers.Enforced, Why: "Written as the model.", Source: seen},
	{
		Setting: "tier#no-model", Level: providers.Inherited, Code: "no-model-for-tier",
		Why: "No model is set for the tier under defaults.providers.goose.models; the caller's model is used.", Source: ours,
	},
	{Setting: "effort", Level: providers.Unsupported, Why: "There is no setting for the effort of reasoning.", Source: seen},
	{Setting: "skills", Level: providers.Advisory, Code: "skill-announced", Why: "Announced in the body; the session decides which skills there are.", Source: ours},
	{
		Setting: "skills#preload", Level: providers.Unsupported, Code: "skill-not-preloaded",
		Why: "A skill cannot be put into the context; the body asks to load it before the work starts.", Source: seen,
	},
	{
		Setting: "delegates", Level: providers.Unsupported, When: delegated, Code: "delegation-unavailable",
		Why: "A subagent cannot start others: it does not get the tool.", Source: seen,
	},
	{
		Setting: "delegates", Level: providers.Advisory, When: run,
		Why: "Said in the body alone; the recipe can start others if its extensions have summon.", Source: seen + "; aaif-goose/goose#7355",
	},
	{Setting: "delegates=none", Level: providers.Enforced, When: delegated, Why: "A subagent cannot start others: it does not get the tool.", Source: seen},
	{
		Setting: "delegates=none", Level: providers.Advisory, When: run,
		Why: "Said in the body; the recipe can start others if its extensions have summon.", Source: seen,
	},
	{Setting: "isolation", Level: providers.Unsupported, Why: "A subagent works in its caller's folder.", Source: seen},
	{Setting: "isolation=none", Level: providers.Enforced, Why: "The only way it works.", Source: seen},
	{Setting: "gate", Level: providers.Unsupported, Code: "gate-not-enforced", Why: "A subagent has no hooks.", Source: seen},
	{Setting: "hooks", Level: providers.Unsupported, Why: "A subagent has no hooks.", Source: seen},
}

// blockKeys are the rows of the block, most of them about recipes.
var blockKeys = []providers.Capability{
	{Setting: "goose.model", Level: providers.Enforced, Why: "Sent to the provider as it stands.", Source: seen},
	{Setting: "goose.provider", Level: providers.Enforced, Why: "Written into the recipe's settings.", Source: seen},
	{Setting: "goose.title", Level: providers.Enforced, Why: "Written as the title of the recipe.", Source: seen},
	{Setting: "goose.version", Level: providers.Enforced, Why: "Written as the version of the recipe.", Source: seen},
	{Setting: "goose.activities", Level: providers.Advisory, Why: "Shown in the desktop application alone.", Source: docs},
	{Setting: "goose.extensions", Level: providers.Enforced, When: run, Why: "The recipe has exactly these extensions.", Source: seen + "; aaif-goose/goose#6678"},
	{
		Setting: "goose.extensions", Level: providers.Inherited, When: delegated, Code: "extensions-inherited",
		Why: "Ignored: a subagent gets the extensions of its caller.", Source: parent,
	},
	{
		Setting: "goose.extensions#all-tools", Level: providers.Advisory, Code: "all-tools",
		Why: "An empty available_tools gives every tool of the extension.", Source: seen + "; aaif-goose/goose#12345",
	},
	{
		Setting: "goose.extensions#writes", Level: providers.Advisory, Code: "access-not-enforced",
		Why: "The entry is read-only and the extensions of the defaults give it a tool that can write.", Source: ours,
	},
	{Setting: "goose.parameters", Level: providers.Enforced, Why: "Asked for, and put into the texts that use them.", Source: seen},
	{
		Setting: "goose.parameters#in-text", Level: providers.Advisory, Code: "parameter-in-text",
		Why:    "A value is put into the text of the file before it is read as YAML: a quotation mark or backslash in it breaks the recipe, a line feed becomes a space.",
		Source: seen,
	},
	{Setting: "goose.prompt", Level: providers.Enforced, Why: "The first message of goose run --recipe.", Source: seen},
	{Setting: "goose.settings", Level: providers.Enforced, Why: "Provider, model and temperature are applied.", Source: seen},
	{Setting: "goose.settings#max-turns", Level: providers.Enforced, When: delegated, Why: "The subagent ends after so many turns.", Source: seen},
	{
		Setting: "goose.settings#max-turns", Level: providers.Advisory, When: run, Code: "key-ignored",
		Why: "goose run ignores it; its option --max-turns and GOOSE_MAX_TURNS set the limit.", Source: seen,
	},
	{Setting: "goose.sub_recipes", Level: providers.Enforced, When: run, Why: "The recipe can start them.", Source: seen},
	{
		Setting: "goose.sub_recipes", Level: providers.Unsupported, When: delegated, Code: "delegation-unavailable",
		Why: "A subagent cannot start others: it does not get the tool.", Source: seen,
	},
	{
		Setting: "goose.sub_recipes#without-extensions", Level: providers.Advisory, Code: "extensions-lost",
		Why: "With sub_recipes and no extensions, a recipe gets the tools to start others and none of the session's.", Source: seen,
	},
	{Setting: "goose.response", Level: providers.Enforced, Why: "The answer has to meet the schema.", Source: seen},
	{Setting: "goose.retry", Level: providers.Enforced, Why: "The recipe is run again until its checks pass.", Source: seen},
	{
		Setting: "goose.extra", Level: providers.Advisory, Code: "key-ignored",
		Why: "Written as it stands; goose ignores keys that it does not know.", Source: seen,
	},
}

// leftOut are the rows of what has a place in a recipe and is left out of an
// agent file.
func leftOut() []providers.Capability {
	settings := []string{"title", "version"}
	for _, key := range recipeOnly {
		settings = append(settings, "goose."+key)
	}
	var rows []providers.Capability
	for _, s := range settings {
		rows = append(rows, providers.Capability{Setting: s + "#agent", Level: providers.Unsupported, Why: "An agent file has no place for it.", Source: seen})
	}
	return rows
}
