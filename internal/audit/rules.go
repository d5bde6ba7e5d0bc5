package audit

import "github.com/seed-337579fc/subagents/schema"

// A Rule is a kind of finding. Its code is stable.
type Rule struct {
	Code     schema.Code
	Severity Severity
	Title    string // what it is, in a few words
	Why      string
	Fix      string // what to do, unless the finding says it better
}

// The codes.
const (
	CodeUnrestricted  schema.Code = "unrestricted-tools"
	CodeNoTools       schema.Code = "no-tools"
	CodeUnknownTool   schema.Code = "unknown-tool"
	CodePattern       schema.Code = "pattern-ignored"
	CodeNoModel       schema.Code = "no-model"
	CodeBypass        schema.Code = "bypass-mode"
	CodeEasyMode      schema.Code = "accepting-mode"
	CodeAutoApproved  schema.Code = "auto-approved"
	CodeHook          schema.Code = "hook-command"
	CodeServer        schema.Code = "mcp-command"
	CodeUnpinned      schema.Code = "unpinned-server"
	CodePlainHTTP     schema.Code = "mcp-plain-http"
	CodeSecret        schema.Code = "secret"
	CodeHidden        schema.Code = "hidden-unicode"
	CodeOverride      schema.Code = "override-phrase"
	CodeDropped       schema.Code = "dropped"
	CodeNoEffect      schema.Code = "no-effect"
	CodeReadAs        schema.Code = "read-as"
	CodeHeadCut       schema.Code = "head-cut"
	CodeNotLoaded     schema.Code = "not-loaded"
	CodeRoleIgnored   schema.Code = "codex-role-ignored"
	CodeClientStops   schema.Code = "client-stops"
	CodeFailOpen      schema.Code = "opencode-fail-open"
	CodeAllowAll      schema.Code = "opencode-allow-all"
	CodeReadAllow     schema.Code = "opencode-read-allow"
	CodeWidens        schema.Code = "opencode-widens"
	CodeRuleOrder     schema.Code = "opencode-rule-order"
	CodeBuiltin       schema.Code = "shadows-builtin"
	CodeDuplicate     schema.Code = "duplicate-name"
	CodeShadowed      schema.Code = "shadowed"
	CodeSymlink       schema.Code = "symlink-not-loaded"
	CodeNotRead       schema.Code = "not-read"
	CodeUnreadable    schema.Code = "unreadable"
	CodeNoReason      schema.Code = "suppression-without-reason"
	CodeUnusedIgnored schema.Code = "unused-suppression"
)

var rules = []Rule{
	{CodeBypass, Error, "permission checks are switched off", "Nobody is asked before the subagent acts.", "Remove it; grant single tools in its place."},
	{CodeAllowAll, Error, "every permission is allowed", "It comes after the client's own rules and lifts what they ask or deny, for .env files and paths outside of the project too.", "Remove it: without it the session's rules hold. Deny what the subagent does not need."},
	{CodeSecret, Error, "a secret stands in the file", "Everybody who can read the file, and the model, can read it.", "Take it out, revoke it, and name an environment variable in its place."},
	{CodeHidden, Error, "characters that people cannot see", "The model reads them; a reviewer does not. They can hide instructions or turn text around.", "Remove them. Where they belong to the text, write them as an escape or accept them with a reason."},
	{CodeFailOpen, Error, "the client loads it with every right", "With broken YAML OpenCode takes the whole file for the prompt of an agent that may do everything, and says nothing.", "Put the values in double quotes."},
	{CodeClientStops, Error, "the client does not start with it", "One bad value here stops the client for every command and every agent.", "Correct or remove the value."},
	{CodeHeadCut, Error, "the front matter ends early", "The client loses every key behind it, the list of tools included.", `Write three hyphens in a value as "\x2d\x2d\x2d" in double quotes.`},

	{CodeAutoApproved, Warning, "tools run without being asked", "The subagent can use them without anybody's consent.", "Approve only tools that change nothing."},
	{CodeHook, Warning, "a hook runs a command", "The command runs on the person's machine, with the person's rights, each time the event occurs.", "Read the command; accept it with a reason if it is yours."},
	{CodeServer, Warning, "an MCP server runs a command", "The program starts on the person's machine, with the person's rights.", "Configure the server on the host and name it here; accept it with a reason if it is yours."},
	{CodeUnpinned, Warning, "a server's version is not fixed", "Each start fetches and runs what the registry serves that day.", "Name an exact version."},
	{CodePlainHTTP, Warning, "a server is reached without encryption", "Anybody on the way can read and change what is said.", "Use https."},
	{CodeReadAllow, Warning, "reading is allowed without asking", "It lifts the client's question before a .env file is read.", `Remove it, or keep the question: {"*": "allow", "*.env": "ask", "*.env.*": "ask"}.`},
	{CodeRuleOrder, Warning, "a wide rule behind narrower ones", "The last rule that matches wins, so that the narrower ones have no effect.", `Put "*" first.`},
	{CodePattern, Warning, "a pattern that grants the whole tool", "The client takes the name and ignores what stands in parentheses.", "Leave the tool out, or limit it in the host's settings."},
	{CodeNoTools, Warning, "no tools at all", "Many people take this for every tool; the host takes it for none.", "List the tools, or, for none, accept it with a reason."},
	{CodeUnknownTool, Warning, "a tool that the host does not have", "The host leaves it out without a word.", "Write the host's own name of the tool."},
	{CodeDropped, Warning, "the host ignores it", "What it promises does not happen.", "Remove it, or write what the host takes."},
	{CodeNotLoaded, Warning, "the host does not load the file", "The subagent is not there, and hosts seldom say so.", "Correct it, or move the file away."},
	{CodeRoleIgnored, Warning, "Codex ignores the role", "Codex starts without it, and its exit code stays 0.", "Correct it."},
	{CodeBuiltin, Warning, "it has the name of a built-in", "It takes the place of the host's own, or is never reached.", "Give it another name."},
	{CodeDuplicate, Warning, "two of one name", "The host takes one of them, and which is not always defined.", "Rename one, or remove it."},
	{CodeSymlink, Warning, "the host does not follow the link", "The subagent is not there.", "Put a regular file there."},
	{CodeNotRead, Warning, "the host does not read a file of this name", "The subagent is not there.", "Give it the host's extension, in the folder itself."},
	{CodeUnreadable, Warning, "the file cannot be read", "What it says is unknown.", "Make it readable, or remove it."},
	{CodeNoReason, Warning, "a suppression without a reason", "It is not honoured.", "Write why it is acceptable behind the code."},

	{CodeUnrestricted, Note, "no limit on tools", "It has every tool that the session has.", "List the tools that it needs."},
	{CodeEasyMode, Note, "a mode that asks less", "Some actions happen without a question.", "Leave the mode to the session."},
	{CodeWidens, Note, "a permission is raised", "It comes after the session's own rules and lifts what they ask or deny.", "Remove it, or write deny for what the subagent must not do."},
	{CodeNoModel, Note, "no model", "It runs on its caller's model, whatever that costs.", "Name a model, or a tier in the manifest."},
	{CodeOverride, Note, "words that override the operator", "Text like this is common in files that turn an agent against its operator.", "Read the file before you use it."},
	{CodeNoEffect, Note, "accepted and not applied", "The client takes the key and does nothing with it.", "Remove it; do not rely on it."},
	{CodeReadAs, Note, "read otherwise than it looks", "The client makes something else of it.", "Write it as the client reads it."},
	{CodeShadowed, Note, "another one of that name wins", "The host takes the other file.", "Rename one, or remove it."},
	{CodeUnusedIgnored, Note, "a suppression that suppresses nothing", "What it accepted is gone.", "Remove it."},
}

// Rules lists the kinds of findings, the worst first.
func Rules() []Rule { return rules }

// rule gives the rule of a code.
func rule(code schema.Code) Rule {
	for _, r := range rules {
		if r.Code == code {
			return r
		}
	}
	panic("audit: no rule " + string(code)) // a mistake of ours, which the tests find
}
