package kiro

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// tools are the short names, which both engines take; names are
// case-sensitive. Documentation: tools; third-party reading of 2.15 and 2.21.
var tools = providers.Tools{
	Names: []providers.ToolName{
		{Verb: schema.Read, Native: []string{"read"}},
		{Verb: schema.ListFiles, Native: []string{"glob"}},
		{Verb: schema.Search, Native: []string{"grep"}},
		{Verb: schema.Edit, Native: []string{"write"}},
		{Verb: schema.Shell, Native: []string{"shell"}},
		{Verb: schema.WebFetch, Native: []string{"web_fetch"}},
		{Verb: schema.WebSearch, Native: []string{"web_search"}},
		{Verb: schema.Delegate, Native: []string{delegateTool}},
		{Verb: schema.Todo, Native: []string{"todo"}},
	},
	Baseline: []string{"read", "grep", "glob"},
	// code is not among them: it can rewrite what a pattern finds
	// (documentation: code-intelligence). knowledge changes its own index, and
	// what session does is not documented.
	Reading: []string{"introspect", "report", "report_issue", "gh_issue", "thinking", "web", "subagent/*", "subagent_*", "@*"},
	Writing: []string{everyBuiltin},
	Other:   known,
	// Aliases are the names of V2's predecessor and of the tools under V3's tags.
	Aliases: []providers.ToolName{
		{Verb: schema.Read, Native: []string{"fs_read", "fsRead", "read_file", "read_files"}},
		{Verb: schema.ListFiles, Native: []string{"list_directory", "file_search"}},
		{Verb: schema.Search, Native: []string{"grep_search"}},
		{Verb: schema.Edit, Native: []string{"fs_write", "fsWrite", "fs_append", "str_replace", "delete_file"}},
		{Verb: schema.Shell, Native: []string{
			"execute_bash", "executeBash", "execute_cmd", "executeCmd", "control_bash_process", "get_process_output", "list_processes",
		}},
		{Verb: schema.WebFetch, Native: []string{"webFetch"}},
		{Verb: schema.WebSearch, Native: []string{"remote_web_search"}},
		{Verb: schema.Delegate, Native: []string{
			"use_subagent", "delegate", "agent_crew", "agentCrew", "crew", "invoke_sub_agent", "orchestrate_sub_agent", "@subagent", "@subagent-explicit",
		}},
		{Verb: schema.Todo, Native: []string{"todo_list"}},
	},
}

const (
	delegateTool = "subagent"
	everyTool    = "*"
	everyBuiltin = "@builtin"
	everyServer  = "@mcp"
	everyPower   = "@powers"
)

// known lists the further native names; the client ignores any other without
// a word.
var known = []string{
	everyTool, "code", "aws", "use_aws", "useAws", "knowledge", "session", "spec", "context", "disclose_context",
}

// builtins is what @builtin stands for, without the tool that starts
// subagents: every short name of the two engines. An engine ignores those of
// the other. Documentation: tools; third-party reading of 2.15 and 2.21.
var builtins = []string{
	"read", "grep", "glob", "code", "write", "shell", "web_fetch", "web_search", "todo", "aws", "knowledge", "thinking",
	"introspect", "report", "session", "context",
}

// specialServers are the @ names with a meaning of their own, which an MCP
// server of that name would turn into.
var specialServers = []string{"builtin", "mcp", "powers", "subagent", "subagent-explicit"}

func isKnown(name string) bool { return tools.Known(name) || strings.HasPrefix(name, "@") }

func allNames() []string {
	names := slices.Clone(known)
	for _, rows := range [][]providers.ToolName{tools.Names, tools.Aliases} {
		for _, row := range rows {
			names = append(names, row.Native...)
		}
	}
	return append(names, tools.Reading...)
}

// starts says whether a native name lets an agent start others.
func starts(name string) bool {
	verb, _ := tools.Verb(name)
	return verb == schema.Delegate || name == everyTool || name == everyBuiltin ||
		strings.HasPrefix(name, "subagent/") || strings.HasPrefix(name, "subagent_")
}

// servers writes SERVER or SERVER/TOOL as the client names them.
func servers(refs []string) []string {
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = "@" + ref
	}
	return names
}

// toolList decides the list of tools, which is always written: without one an
// agent has no tools at all. Documented; third-party reading of both engines.
func (e *encoder) toolList() []string {
	a := e.a
	list := providers.ListTools(a, &facts, e.block.Tools, &e.out)
	e.diags = append(e.diags, list.Problems...)
	names := list.Natives
	switch {
	case !list.Restricted && !list.Denied:
		names = []string{everyTool}
	case !list.Restricted:
		names = e.everythingElse()
		e.out.Use("delegates#spelled-out", "", a.At("delegates"))
	case list.Verbatim && list.Denied:
		names = e.withoutSubagents(names)
	case !list.Verbatim:
		names = append(slices.Clone(names), servers(a.MCP)...)
	}
	if len(a.MCP) > 0 && (!list.Restricted || list.Verbatim) {
		e.out.Use("mcp#without-tools", strings.Join(a.MCP, ", "), a.At("mcp"))
	}
	e.out.Shown("tools", strings.Join(names, ", "))
	return names
}

// everythingElse lists what * stands for, without the tool that starts
// subagents. V3 has a name for every server; for V2 each has to be named.
func (e *encoder) everythingElse() []string {
	names := append(slices.Clone(builtins), everyServer, everyPower)
	for _, name := range append(servers(e.a.MCP), servers(slices.Sorted(maps.Keys(e.block.MCPServers)))...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// withoutSubagents takes from a native list what starts subagents. In the block
// of the entry it contradicts delegates: [].
func (e *encoder) withoutSubagents(names []string) []string {
	kept := []string{}
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(kept, name) {
				kept = append(kept, name)
			}
		}
	}
	for _, name := range names {
		if !starts(name) {
			add(name)
			continue
		}
		at := e.itemAt("tools", name)
		if e.a.Rank("kiro.tools") == schema.FromBlock {
			e.fail(schema.CodeToolConflict, at, "Remove it from the list, or leave delegates out.",
				"%q may start no subagents and its block lists %q", e.a.Name, name)
			continue
		}
		e.out.Use("delegates#stripped", name, at)
		switch name {
		case everyTool:
			add(e.everythingElse()...)
		case everyBuiltin:
			add(builtins...)
		}
	}
	return kept
}
