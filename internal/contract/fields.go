package contract

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// A field says where the file of a host has a thing that a contract can name.
type field struct {
	provider schema.ProviderID
	format   string // empty: any
	name     string // in the contract
	get      func(keys *schema.Node) []string
}

// fields is where the hosts have what a contract can name; see each host's
// fact table for what it does with it.
var fields = []field{
	{schema.ClaudeID, "", "model", at("model")},
	{schema.ClaudeID, "", "effort", at("effort")},
	{schema.ClaudeID, "", "tools", at("tools")},
	{schema.ClaudeID, "", "mcp", at("mcpServers")},

	{schema.CodexID, "", "model", at("model")},
	{schema.CodexID, "", "effort", at("model_reasoning_effort")},
	{schema.CodexID, "", "sandbox", at("sandbox_mode")},
	{schema.CodexID, "", "mcp", at("mcp_servers")},

	{schema.GooseID, "agent", "model", at("model")},
	{schema.GooseID, "recipe", "model", at("settings", "goose_model")},
	{schema.GooseID, "recipe", "mcp", at("extensions")},

	{schema.KiroID, "", "model", at("model")},
	{schema.KiroID, "", "tools", at("tools")},
	{schema.KiroID, "markdown", "effort", at("effortLevel")},
	{schema.KiroID, "", "mcp", at("mcpServers")},

	{schema.OpenCodeID, "", "model", at("model")},
	{schema.OpenCodeID, "", "effort", at("variant")},
	{schema.OpenCodeID, "", "tools", permitted},
}

// at reads the names at a path.
func at(path ...string) func(*schema.Node) []string {
	return func(keys *schema.Node) []string { return names(keys.At(path...)) }
}

// names lists what a value names, whichever way the host writes a list: a text
// with commas, a list of texts, of mappings with a name or of one key each, or a
// mapping. It is nil for no value, and never nil for an empty one.
func names(n *schema.Node) []string {
	list := []string{}
	switch {
	case n == nil || n.IsNull():
		return nil
	case n.Kind == schema.Map:
		for _, f := range n.Fields {
			list = append(list, f.Key)
		}
	case n.Kind == schema.List:
		for _, item := range n.Items {
			list = append(list, itemName(item))
		}
	default:
		return commas(n.Text())
	}
	return list
}

func itemName(item *schema.Node) string {
	switch name := item.Get("name"); {
	case name != nil:
		return name.Text()
	case item.Kind == schema.Map && len(item.Fields) == 1:
		return item.Fields[0].Key
	}
	return item.Text()
}

// commas splits a text at its commas, but for those in brackets: Bash(a, b) is
// one tool.
func commas(text string) []string {
	list, depth, start := []string{}, 0, 0
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			add(text[start:i])
			start = i + 1
		}
	}
	add(text[start:])
	return list
}

// permitted lists the tools of OpenCode that a file does not deny. The last rule
// about a tool counts; a rule with patterns leaves a part of it.
func permitted(keys *schema.Node) []string {
	rules := keys.Get("permission")
	if rules == nil {
		return nil
	}
	list := []string{}
	for _, row := range all.Get(schema.OpenCodeID).Facts().Tools.Names {
		for _, tool := range row.Native {
			if !slices.Contains(list, tool) && !denied(rules, tool) {
				list = append(list, tool)
			}
		}
	}
	return list
}

func denied(rules *schema.Node, tool string) bool {
	if rules.Kind == schema.String {
		return rules.Text() == "deny"
	}
	deny := false
	for _, rule := range rules.Fields {
		if rule.Key == tool || rule.Key == "*" {
			deny = rule.Value.Text() == "deny"
		}
	}
	return deny
}
