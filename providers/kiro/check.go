package kiro

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// alias matches the model aliases of Claude Code, which Kiro would pass on as
// they stand. Issue 11386 (2.21.4).
var alias = regexp.MustCompile(`^(?i:(sonnet|opus|haiku|fable|inherit|best|opusplan|default)(\[1m\])?)$`)

// triggers are those of V2; it refuses a file with any other. Documented;
// BeppeTemp/cartographer#157 (2.20.0).
var triggers = []string{"agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"}

// check finds what an engine would refuse, drop or misread, before anything is
// written.
func (e *encoder) check() {
	e.checkName()
	e.checkPrompt()
	e.checkToolNames()
	e.checkServers()
	e.checkHooks()
	e.checkNulls()
	if e.a.ReadOnly() {
		e.keepReading()
	}
}

// checkName finds the reserved names that are a pattern; the others are in the
// table.
func (e *encoder) checkName() {
	if strings.HasSuffix(e.a.Slug, reservedSuffix) {
		e.fail(schema.CodeReservedName, e.a.Entry.At, "Rename it, give it a slug, or take kiro from its targets.",
			"Kiro keeps names that end in %s for itself: %q", reservedSuffix, e.a.Slug)
	}
}

// checkPrompt: a prompt in JSON that starts with file:// is the name of a file.
// Documented.
func (e *encoder) checkPrompt() {
	const scheme = "file://"
	start := strings.TrimSpace(e.a.Body[:min(len(e.a.Body), 64)])
	if !e.writes(asJSON) || len(start) < len(scheme) || !strings.EqualFold(start[:len(scheme)], scheme) {
		return
	}
	at := e.a.Entry.At
	for _, key := range []string{"instructions", "instructions_file"} {
		if n := e.a.Entry.Node.Get(key); n != nil {
			at = n.Range
		}
	}
	e.fail("prompt-is-address", at, "Begin the body with another word, give the entry a role, or set kiro.format: markdown.",
		"the body of %q starts with %s, which Kiro takes for the name of a file that holds the prompt", e.a.Name, scheme)
}

func (e *encoder) checkModel(c providers.Choice) {
	if !alias.MatchString(c.Model) {
		return
	}
	const hint = "Write an id of Kiro such as auto or claude-sonnet-4.5, or leave it out."
	if c.ModelKey == "tier" {
		e.fail("foreign-model", e.a.At("tier"), hint, "the model %q of tier %q is an alias of Claude Code, which Kiro does not know", c.Model, e.a.Tier)
		return
	}
	e.fail("foreign-model", e.a.At(c.ModelKey), hint, "%q is an alias of Claude Code, which Kiro does not know", c.Model)
}

// checkToolNames warns about names that the client would ignore.
func (e *encoder) checkToolNames() {
	lists := map[string][]string{
		"tools": e.block.Tools, "allowed_tools": e.block.AllowedTools, "excluded_tools": e.block.ExcludedTools,
		"tools_settings": slices.Sorted(maps.Keys(e.block.ToolsSettings)), "tool_aliases": slices.Sorted(maps.Keys(e.block.ToolAliases)),
	}
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		for _, name := range lists[key] {
			switch at := e.itemAt(key, name); {
			case name == "": // no text at all, which has been told
			case key == "allowed_tools" && name == everyTool:
				e.warn("no-effect", at, "Name the tools, or write @builtin.", "Kiro takes no bare * in allowed_tools")
			case key == "allowed_tools" && strings.ContainsAny(name, "*?"), isKnown(name):
			default:
				e.warn("unknown-native-tool", at, e.toolHint(name), "Kiro has no tool %s and ignores the name", name)
			}
		}
	}
}

// toolHint says what to write instead of an unknown name, which may be another
// host's.
func (e *encoder) toolHint(name string) string {
	const rule = "Tool names are case-sensitive. Servers' tools are written @SERVER/TOOL."
	near := ""
	if e.a.HostTool != nil {
		verb, _ := e.a.HostTool(name)
		near = strings.Join(tools.Native(verb), ", ")
	}
	if near == "" {
		near = schema.Nearest(name, allNames())
	}
	if near == "" {
		return rule
	}
	return "Did you mean " + near + "? " + rule
}

func (e *encoder) checkServers() {
	for _, ref := range e.a.MCP {
		server, _, _ := strings.Cut(ref, "/")
		at := providers.ItemAt(e.a, "mcp", ref)
		switch {
		case slices.Contains(specialServers, server):
			e.fail("reserved-mcp-server", at, "Give the server another name, or take kiro from the targets.",
				"@%s is not a server on Kiro but a name for a group of tools", server)
		case strings.ContainsAny(ref, "*?"):
			e.fail("reserved-mcp-server", at, "Name the server alone to mean all its tools.", "Kiro has no pattern for servers: %q", ref)
		}
		_, own := e.block.MCPServers[server]
		if included := e.block.IncludeMCPJSON; !own && (included == nil || !*included) {
			e.out.Use("mcp#no-server", ref, at)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.block.MCPServers)) {
		s, at := e.block.MCPServers[name], e.keyAt("mcp_servers", name)
		off := s.Disabled != nil && *s.Disabled || s.Type == "registry"
		switch {
		case slices.Contains(specialServers, name):
			e.fail("reserved-mcp-server", at, "Give the server another name.", "@%s is not a server on Kiro but a name for a group of tools", name)
		case s.Command != "" && s.URL != "":
			e.fail("bad-mcp-server", at, "Keep command for stdio, or url for HTTP.", "the server %q has both command and url", name)
		case !off && s.Type == "http" && s.URL == "":
			e.fail("bad-mcp-server", at, "Add url.", "the server %q of type http has no url", name)
		case !off && (s.Type == "stdio" || s.URL == "") && s.Type != "http" && s.Command == "":
			e.fail("bad-mcp-server", at, "Add command, or type: http with a url.", "the server %q has no command", name)
		}
	}
}

func (e *encoder) checkHooks() {
	for _, trigger := range slices.Sorted(maps.Keys(e.block.Hooks)) {
		if slices.Contains(triggers, trigger) {
			continue
		}
		detail := "Possible here: " + strings.Join(triggers, ", ") + "."
		if near := schema.Nearest(trigger, triggers); near != "" {
			detail = "Did you mean " + near + "? " + detail
		}
		e.fail("unknown-hook-event", e.keyAt("hooks", trigger), detail, "%q is not a hook trigger of Kiro, which refuses the file", trigger)
	}
}

// checkNulls: nothing that is passed on as it is may hold a null.
func (e *encoder) checkNulls() {
	for _, key := range []string{"tools_settings", "mcp_servers"} {
		s, ok := e.a.Setting(e.a.BlockKey(key))
		if !ok || s.Value.Kind != schema.Map {
			continue
		}
		for _, f := range s.Value.Fields {
			passed := f.Value
			if key == "mcp_servers" {
				passed = f.Value.Get("oauth")
			}
			if passed == nil || passed.Kind == schema.Null {
				continue
			}
			if d := providers.NoNulls(passed); d != nil {
				e.diags = append(e.diags, d)
			}
		}
	}
}

// checkAgainst warns about keys of the block that the list of tools keeps from
// having an effect.
func (e *encoder) checkAgainst(list []string) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(list, func(t string) bool { return slices.Contains(names, t) })
	}
	for _, name := range e.block.AllowedTools {
		if strings.HasPrefix(name, "@") || strings.ContainsAny(name, "*?") || !isKnown(name) || has(everyTool, everyBuiltin) {
			continue
		}
		if !slices.ContainsFunc(list, func(t string) bool { return same(t, name) }) {
			e.warn("no-effect", e.itemAt("allowed_tools", name), "Add it to the tools, or remove it here.",
				"%q is allowed to run without asking and is not among the tools of %q", name, e.a.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.block.MCPServers)) {
		used := slices.ContainsFunc(list, func(t string) bool { return t == "@"+name || strings.HasPrefix(t, "@"+name+"/") })
		if !used && !has(everyTool, everyServer) {
			e.warn("no-effect", e.keyAt("mcp_servers", name), "Name it in mcp, or as @"+name+" in kiro.tools.",
				"the server %q is not among the tools of %q", name, e.a.Name)
		}
	}
}

// same says whether two native names are of one tool.
func same(a, b string) bool {
	x, known := tools.Verb(a)
	y, _ := tools.Verb(b)
	return a == b || known && x == y
}

// itemAt gives the place of a name in a list or mapping of the block.
func (e *encoder) itemAt(key, name string) hcl.Range {
	full := e.a.BlockKey(key)
	if s, ok := e.a.Setting(full); ok && s.Value.Kind == schema.Map {
		return e.keyAt(key, name)
	}
	return providers.ItemAt(e.a, full, name)
}

// keyAt gives the place of a key in a mapping of the block.
func (e *encoder) keyAt(key, name string) hcl.Range {
	s, _ := e.a.Setting(e.a.BlockKey(key))
	if f := s.Value.Field(name); f != nil {
		return f.Range
	}
	return e.a.Entry.At
}
