package claude

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

const modelHint = "Write sonnet, opus, haiku, fable, inherit, or a full Claude model id such as claude-opus-4-5."

// modelPattern: an alias, or an id with claude in it, as cloud platforms prefix
// theirs. Anything else goes to the API as it stands and fails at spawn.
// Observed on 2.1.332.
var modelPattern = regexp.MustCompile(`^(?i:(sonnet|opus|haiku|fable|inherit|best|opusplan)(\[1m\])?)$|claude-`)

func isModel(s string) bool { return modelPattern.MatchString(s) }

// events are the hook events that the client knows; it drops others with a
// warning. Read in the 2.1.332 program.
var events = strings.Fields(`
	PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart
	SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch
	PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult
	ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay
	PreSkillShellCommand`)

// check finds what the client would refuse, drop or misread.
func (e *encoder) check() {
	if b := e.block; b.Model != "" && !isModel(b.Model) {
		e.fail("foreign-model", e.a.At("claude.model"), modelHint, "%q is not a model that Claude Code knows", b.Model)
	}
	e.checkTools("tools", e.block.Tools)
	e.checkTools("disallowed_tools", e.block.DisallowedTools)
	e.checkHooks()
	e.checkServers()
}

func (e *encoder) checkTools(key string, names []string) {
	full := "claude." + key
	s, ok := e.a.Setting(full)
	if !ok || s.Value.Kind != schema.List {
		return
	}
	for i, native := range names {
		if native == "" {
			continue // no text at all, which has been told
		}
		name, pattern := toolName(native)
		at := s.Value.Items[i].Range
		if pattern && name != "Agent" && name != "Task" {
			e.out.Use(full+"#pattern", native, at)
		}
		if !isKnown(name) {
			detail := "Tool names are case-sensitive. Servers' tools are written mcp__SERVER__TOOL."
			if near := schema.Nearest(name, allNames()); near != "" {
				detail = "Did you mean " + near + "? " + detail
			}
			e.diags = append(e.diags, schema.Warning("unknown-native-tool", at, "Claude Code "+facts.Observed[0]+" has no tool "+name, detail))
		}
	}
}

func allNames() []string {
	names := slices.Clone(known)
	for _, row := range tools.Names {
		names = append(names, row.Native...)
	}
	return append(names, tools.Reading...)
}

// checkHooks: a fault in some hooks keeps the client from loading the agent at
// all. Observed on 2.1.332.
func (e *encoder) checkHooks() {
	for _, key := range []string{"hooks", "claude.hooks"} {
		s, ok := e.a.Setting(key)
		if !ok || s.Value.Kind != schema.Map {
			continue
		}
		for _, f := range s.Value.Fields {
			if !slices.Contains(events, f.Key) {
				detail := "See the hooks reference of Claude Code."
				if near := schema.Nearest(f.Key, events); near != "" {
					detail = "Did you mean " + near + "?"
				}
				e.fail("unknown-hook-event", f.Range, detail, "%q is not a hook event", f.Key)
			}
			if key == "claude.hooks" {
				for _, matcher := range f.Value.Items {
					for _, handler := range matcher.Get("hooks").List() {
						e.checkHandler(handler)
					}
				}
			}
		}
	}
}

// needs lists what each type of handler requires.
var needs = map[string][]string{
	"command": {"command"}, "prompt": {"prompt"}, "agent": {"prompt"}, "http": {"url"}, "mcp_tool": {"server", "tool"},
}

func (e *encoder) checkHandler(n *schema.Node) {
	kind := n.Get("type").Text()
	for _, key := range needs[kind] {
		if v := n.Get(key); v == nil || v.IsNull() {
			e.fail("bad-hook", n.Range, "Add it: without it Claude Code does not load the agent.", "a hook of type %s needs %q", kind, key)
		}
	}
}

func (e *encoder) checkServers() {
	s, ok := e.a.Setting("claude.mcp_servers")
	if !ok {
		return
	}
	for i, server := range e.block.MCPServers {
		if server.Config == nil || s.Value.Items[i].Fields[0].Value.Kind != schema.Map {
			continue
		}
		at := s.Value.Items[i].Range
		c := server.Config
		switch remote := c.Type != "" && c.Type != "stdio"; {
		case remote && c.URL == "":
			e.fail("bad-mcp-server", at, "Add url.", "the server %q of type %s has no url", server.Name, c.Type)
		case !remote && c.Command == "":
			e.fail("bad-mcp-server", at, "Add command, or type: http with a url.", "the server %q has no command", server.Name)
		}
	}
}
