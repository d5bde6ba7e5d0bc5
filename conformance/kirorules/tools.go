package kirorules

import (
	"slices"
	"strings"
)

// Tool names by engine. Sources: the tools page of the documentation, Amazon Q's native set for the older spellings,
// and a third-party reading of the V3 registry of 2.15.
var (
	toolsOfBoth = []string{
		"read", "write", "shell", "grep", "glob", "code", "web_fetch", "web_search", "subagent", "knowledge", "introspect", "*",
		"fs_read", "fs_write", "execute_bash", "@builtin",
	}
	toolsOfV2 = []string{
		"aws", "use_aws", "use_subagent", "delegate", "todo", "todo_list", "thinking", "report", "report_issue", "gh_issue", "session", "execute_cmd",
	}
	toolsOfV3 = []string{"web", "spec", "context", "@mcp", "@powers", "@subagent", "@subagent-explicit"}
)

// modelAliases are Claude Code's names, which Kiro takes for ids of its own and sends as they stand (K#11386).
var modelAliases = []string{"sonnet", "opus", "haiku", "fable", "inherit", "default"}

func isModel(c *checker, name string, value any) {
	isText(c, name, value)
	if model, _ := value.(string); slices.Contains(modelAliases, strings.ToLower(model)) {
		c.broken("model-alias", "model %q is no Kiro id and is used as it stands (K#11386)", model)
	}
}

func isToolList(c *checker, name string, value any) {
	if text, ok := value.(string); ok && c.format == inMarkdown {
		for tool := range strings.SplitSeq(text, ",") {
			c.checkTool(strings.TrimSpace(tool))
		}
		return
	}
	for _, tool := range c.texts(name, value) {
		c.checkTool(tool)
	}
}

func (c *checker) checkTool(tool string) {
	switch {
	case slices.Contains(toolsOfBoth, tool):
	case strings.HasPrefix(tool, "@") && !slices.Contains(toolsOfV3, tool):
		if server, _, _ := strings.Cut(tool[1:], "/"); server == "" {
			c.broken("tool-unknown", "%q names no MCP server", tool)
		}
	case slices.Contains(toolsOfV3, tool), strings.HasPrefix(tool, "subagent/"):
		if c.format == inJSON {
			c.uneven("tool-v3", "V2 is not known to have the tool %q", tool)
		}
	case slices.Contains(toolsOfV2, tool):
		c.uneven("tool-v2", "V3 has no tool %q", tool)
	default:
		c.broken("tool-unknown", "%q is no Kiro tool; both engines ignore it silently", tool)
	}
}

func isAllowedTools(c *checker, name string, value any) {
	tools := c.texts(name, value)
	for i, tool := range tools {
		switch {
		case tool == "*":
			c.broken("allowed-all", "allowedTools takes no bare *")
		case strings.HasPrefix(tool, "mcp_"):
			c.broken("allowed-mcp", "%q does nothing, an MCP tool is written @server/tool (aws/amazon-q-developer-cli#2510)", tool)
		}
		if slices.Contains(tools[:i], tool) {
			c.broken("allowed-twice", "allowedTools holds %q twice, and the schema wants each once", tool)
		}
	}
}

// checkAllowed reports tools that are allowed but not offered: they stay out (K#6714).
func (c *checker) checkAllowed(object map[string]any) {
	tools, _ := object["tools"].([]any)
	allowed, _ := object["allowedTools"].([]any)
	for _, item := range allowed {
		tool, _ := item.(string)
		if tool == "" || strings.ContainsAny(tool, "*?@") || slices.Contains(tools, any("*")) || slices.Contains(tools, any("@builtin")) {
			continue
		}
		if !slices.Contains(tools, item) {
			c.broken("allowed-not-offered", "allowedTools names %q, which tools does not (K#6714)", tool)
		}
	}
}

// toolsSettings of V2, by tool; the aliases are those of its loader.
var settingKeys = map[string][]string{
	"read":      {"allowedPaths", "deniedPaths", "allowReadOnly"},
	"write":     {"allowedPaths", "deniedPaths"},
	"shell":     {"allowedCommands", "deniedCommands", "denyByDefault", "autoAllowReadonly"},
	"aws":       {"allowedServices", "deniedServices", "autoAllowReadonly"},
	"web_fetch": {"trusted", "blocked"},
	"subagent":  {"availableAgents", "trustedAgents", "allowedAgents"},
}

var settingAliases = map[string]string{
	"fsRead": "read", "fs_read": "read", "grep": "read", "glob": "read",
	"fsWrite": "write", "fs_write": "write",
	"execute_bash": "shell", "executeBash": "shell", "execute_cmd": "shell", "executeCmd": "shell",
	"use_aws": "aws", "useAws": "aws", "webFetch": "web_fetch",
	"use_subagent": "subagent", "agent_crew": "subagent", "agentCrew": "subagent", "crew": "subagent",
}

func isToolsSettings(c *checker, name string, value any) {
	for tool, raw := range c.object(name, value) {
		settings := c.object(name+"."+tool, raw)
		if strings.HasPrefix(tool, "@") {
			continue // an MCP tool's settings are its own
		}
		if alias, ok := settingAliases[tool]; ok {
			tool = alias
		}
		known, ok := settingKeys[tool]
		if !ok {
			c.broken("setting-unknown", "toolsSettings has no tool %q", tool)
			continue
		}
		for setting := range settings {
			if !slices.Contains(known, setting) {
				c.broken("setting-unknown", "toolsSettings.%s has no setting %q", tool, setting)
			}
		}
	}
}
