package kirorules

import (
	"encoding/json"
	"slices"
	"strings"
)

func isNumber(c *checker, name string, value any) {
	if _, ok := value.(json.Number); !ok {
		c.wrongType(name, "a number")
	}
}

func isAny(*checker, string, any) {}

func oneOf(values ...string) func(*checker, string, any) {
	return func(c *checker, name string, value any) {
		if text, ok := value.(string); !ok || !slices.Contains(values, text) {
			c.wrongType(name, "one of "+strings.Join(values, ", "))
		}
	}
}

// serverFields of both transports. A server needs command or url, an empty one is of neither kind.
var serverFields = map[string]func(*checker, string, any){
	"type": oneOf("stdio", "http", "registry"), "command": isText, "args": isTextList, "env": isTextMap,
	"url": isText, "headers": isTextMap, "oauthScopes": isTextList, "oauth": isAny,
	"timeout": isNumber, "disabled": isBool, "disabledTools": isTextList, "requestTimeout": isNumber,
}

func isServers(c *checker, name string, value any) {
	for server, raw := range c.object(name, value) {
		where := name + "." + server
		fields := c.object(where, raw)
		c.fields(where, fields, serverFields)
		if (fields["command"] == nil) == (fields["url"] == nil) {
			c.broken("mcp-transport", "%s needs either command or url", where)
		}
	}
}

var knowledgeFields = map[string]func(*checker, string, any){
	"type": oneOf("knowledgeBase"), "source": isText, "name": isText, "description": isText,
	"indexType": oneOf("best", "fast"), "include": isTextList, "exclude": isTextList, "autoUpdate": isBool,
}

func isResources(c *checker, name string, value any) {
	list, ok := value.([]any)
	if !ok {
		c.wrongType(name, "a list")
	}
	for _, item := range list {
		source, isURI := item.(string)
		if base, isBase := item.(map[string]any); isBase {
			c.fields(name+"[]", base, knowledgeFields)
			source, isURI = base["source"].(string)
		}
		if !isURI || !strings.HasPrefix(source, "file://") && !strings.HasPrefix(source, "skill://") {
			c.broken("resource-scheme", "resource %q is neither file:// nor skill://: V2 refuses the file", source)
		}
	}
}

// Hooks have two shapes: V2's object of arrays and V3's array of objects.
var (
	objectTriggers = []string{"agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"}
	objectHook     = map[string]func(*checker, string, any){
		"command": isText, "matcher": isText, "timeout_ms": isNumber, "max_output_size": isNumber, "cache_ttl_seconds": isNumber,
	}
	arrayHook = map[string]func(*checker, string, any){
		"name": isText, "trigger": isText, "action": isAny, "description": isText, "matcher": isText, "timeout": isNumber,
		"enabled": isBool, "confirm": isBool,
	}
)

func isHooks(c *checker, name string, value any) {
	switch hooks := value.(type) {
	case []any:
		if c.format == inJSON {
			c.broken("hooks-shape", "V2 wants hooks as an object of triggers and refuses the file")
		}
		for _, item := range hooks {
			c.fields(name+"[]", c.object(name+"[]", item), arrayHook)
		}
	case map[string]any:
		if c.format == inMarkdown {
			c.broken("hooks-shape", "V3 up to 2.18 drops a file whose hooks are an object")
		}
		for trigger, list := range hooks {
			c.checkTrigger(name+"."+trigger, trigger, list)
		}
	default:
		c.wrongType(name, "an object of triggers")
	}
}

func (c *checker) checkTrigger(where, trigger string, list any) {
	if !slices.Contains(objectTriggers, trigger) {
		c.broken("hook-trigger", "%s is no trigger: %s", where, strings.Join(objectTriggers, ", "))
	}
	entries, ok := list.([]any)
	if !ok {
		c.wrongType(where, "a list") // aws/amazon-q-developer-cli#2357
	}
	for _, entry := range entries {
		fields := c.object(where+"[]", entry)
		c.fields(where+"[]", fields, objectHook)
		if fields["command"] == nil {
			c.broken("hook-command", "%s needs a command", where)
		}
	}
}

var (
	capabilities = []string{
		"fs_read", "fs_write", "shell", "web_fetch", "web_search", "mcp", "subagent", "all",
		"filesystem", "skill", "diagnostics", "context", "builtin", "power", "sandbox_network",
	}
	policies = []string{"allow-all", "edit-workspace", "dev-shell", "read-all", "read-only-shell", "read-workspace"}

	ruleFields = map[string]func(*checker, string, any){
		"capability": oneOf(capabilities...), "effect": oneOf("allow", "deny", "ask"), "match": isTextList, "exclude": isTextList,
	}
)

// isPermissions: an object with rules. A bare list, which early documentation showed, drops the file (K#9490, K#9662).
func isPermissions(c *checker, name string, value any) {
	object := c.object(name, value)
	if object == nil {
		return
	}
	rules, ok := object["rules"].([]any)
	if !ok {
		c.wrongType(name+".rules", "a list")
	}
	for _, rule := range rules {
		fields := c.object(name+".rules[]", rule)
		c.fields(name+".rules[]", fields, ruleFields)
		if fields["capability"] == nil || fields["effect"] == nil {
			c.broken("permission-rule", "a rule needs capability and effect")
		}
	}
	for field, list := range object {
		switch field {
		case "rules":
		case "policies":
			for _, policy := range c.texts(name+".policies", list) {
				oneOf(policies...)(c, name+".policies[]", policy)
			}
		default:
			c.broken("unknown-key", "%s.%s is not known", name, field)
		}
	}
}
