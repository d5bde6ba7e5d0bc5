package goose

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// tools are the client's names, for templates and messages: a subagent has no
// list of tools. Files are read and searched through the shell. Observed on
// 1.52.0.
var tools = providers.Tools{
	Names: []providers.ToolName{
		{Verb: schema.ListFiles, Native: []string{"tree"}},
		{Verb: schema.Edit, Native: []string{"edit", "write"}},
		{Verb: schema.Shell, Native: []string{"shell"}},
		{Verb: schema.Delegate, Native: []string{"delegate"}},
		{Verb: schema.Skill, Native: []string{"load_skill"}},
		{Verb: schema.Todo, Native: []string{"todo_write"}},
	},
	Reading: []string{"read_image", "analyze", "load"},
}

// extensionTools lists the extensions that come with the client, each with its
// tools as available_tools names them; none where they are not known by name.
// Another builtin or platform name is accepted and gives no tools. Observed on
// 1.52.0.
var extensionTools = map[string]map[string][]string{
	"builtin": {
		"developer":          developerTools,
		"memory":             {"remember_memory", "remove_memory_category", "remove_specific_memory", "retrieve_memories"},
		"computercontroller": {"docx_tool", "pdf_tool", "xlsx_tool"},
		"autovisualiser":     nil,
		"tutorial":           {"load_tutorial"},
	},
	"platform": {
		"developer":        developerTools,
		"summon":           {"delegate", "load"},
		"todo":             {"todo_write"},
		"analyze":          {"analyze"},
		"skills":           {"load_skill"},
		"apps":             {"create_app", "delete_app", "iterate_app", "list_apps"},
		"chatrecall":       {"chatrecall"},
		"extensionmanager": {"list_resources", "manage_extensions", "read_resource", "search_available_extensions"},
		"summarize":        {"summarize"},
		"code_execution":   {"execute_typescript", "get_function_details", "list_functions"},
		"orchestrator":     {"interrupt_agent", "list_sessions", "send_message", "start_agent", "view_session"},
		"tom":              nil,
		"scheduler":        nil,
	},
}

var developerTools = []string{"edit", "read_image", "shell", "tree", "write"}
