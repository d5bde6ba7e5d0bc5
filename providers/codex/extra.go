package codex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A kind is what a key of config.toml takes.
type kind int

const (
	text     kind = iota
	filled        // text that is not empty
	flag          // true or false
	whole         // an integer
	count         // an integer from 0
	port          // an integer from 0 to 65535
	texts         // a list of texts
	textList      // a text or a list of texts
	mapping       // a table
	tables        // a table of tables
)

var kindNames = map[kind]string{
	text: "text", filled: "text that is not empty", flag: "true or false", whole: "a whole number", count: "a whole number from 0",
	port: "a port number", texts: "a list of texts", textList: "text or a list of texts", mapping: "a mapping", tables: "a mapping of mappings",
}

// A configKey is a key of config.toml that a role file may have.
type configKey struct {
	name  string
	takes kind
	words []string // the only texts possible; nil: any
	wider bool     // it can give an agent more than the session does
}

// configKeys are the keys that 0.148.0 and 0.171.0 both load a role with, beyond
// those of the block, and the kind of value that they do not drop it for. Each
// was tried. What stands inside a mapping is not checked here.
var configKeys = []configKey{
	{name: "allow_login_shell", takes: flag},
	{name: "analytics", takes: mapping},
	{name: "approvals_reviewer", words: []string{"user", "auto_review", "guardian_subagent"}},
	{name: "apps", takes: tables},
	{name: "apps_mcp_product_sku"},
	{name: "audio", takes: mapping},
	{name: "auto_review", takes: mapping},
	{name: "background_terminal_max_timeout", takes: count},
	{name: "chatgpt_base_url"},
	{name: "check_for_update_on_startup", takes: flag},
	{name: "cli_auth_credentials_store", words: []string{"file", "keyring", "auto", "ephemeral"}},
	{name: "compact_prompt"},
	{name: "default_permissions", wider: true},
	{name: "desktop", takes: mapping},
	{name: "disable_paste_burst", takes: flag},
	{name: "experimental_compact_prompt_file"},
	{name: "experimental_realtime_start_instructions"},
	{name: "experimental_realtime_ws_backend_prompt"},
	{name: "experimental_realtime_ws_base_url"},
	{name: "experimental_realtime_ws_model"},
	{name: "experimental_realtime_ws_startup_context"},
	{name: "experimental_use_unified_exec_tool", takes: flag},
	{name: "feedback", takes: mapping},
	{name: "file_opener", words: []string{"vscode", "vscode-insiders", "windsurf", "cursor", "none"}},
	{name: "forced_chatgpt_workspace_id", takes: textList},
	{name: "forced_login_method", words: []string{"chatgpt", "api"}},
	{name: "ghost_snapshot", takes: mapping},
	{name: "hide_agent_reasoning", takes: flag},
	{name: "history", takes: mapping},
	{name: "hooks", takes: mapping},
	{name: "include_apps_instructions", takes: flag},
	{name: "include_collaboration_mode_instructions", takes: flag},
	{name: "include_environment_context", takes: flag},
	{name: "include_permissions_instructions", takes: flag},
	{name: "instructions"},
	{name: "js_repl_node_module_dirs", takes: texts},
	{name: "js_repl_node_path"},
	{name: "log_dir"},
	{name: "marketplaces", takes: tables},
	{name: "mcp_oauth_callback_port", takes: port},
	{name: "mcp_oauth_callback_url"},
	{name: "mcp_oauth_credentials_store", words: []string{"file", "keyring", "auto"}},
	{name: "memories", takes: mapping},
	{name: "model_auto_compact_token_limit", takes: whole},
	{name: "model_auto_compact_token_limit_scope", words: []string{"total", "body_after_prefix"}},
	{name: "model_catalog_json"},
	{name: "model_context_window", takes: whole},
	{name: "model_instructions_file"},
	{name: "model_provider"},
	{name: "model_providers", takes: tables},
	{name: "notice", takes: mapping},
	{name: "notify", takes: texts},
	{name: "openai_base_url"},
	{name: "oss_provider"},
	{name: "otel", takes: mapping},
	{name: "permissions", takes: tables, wider: true},
	{name: "personality", words: []string{"none", "friendly", "pragmatic"}},
	{name: "plan_mode_reasoning_effort", takes: filled},
	{name: "plugins", takes: tables},
	{name: "profile", wider: true},
	{name: "profiles", takes: tables, wider: true},
	{name: "project_doc_fallback_filenames", takes: texts},
	{name: "project_doc_max_bytes", takes: count},
	{name: "project_root_markers", takes: texts},
	{name: "projects", takes: tables},
	{name: "realtime", takes: mapping},
	{name: "review_model"},
	{name: "sandbox_workspace_write", takes: mapping, wider: true},
	{name: "shell_environment_policy", takes: mapping},
	{name: "show_raw_agent_reasoning", takes: flag},
	{name: "sqlite_home"},
	{name: "suppress_unstable_features_warning", takes: flag},
	{name: "tool_output_token_limit", takes: count},
	{name: "tool_suggest", takes: mapping},
	{name: "tools", takes: mapping},
	{name: "tui", takes: mapping},
	{name: "windows", takes: mapping},
}

// refused are keys that people know from somewhere and that cost a role its
// file, each with the reason. Observed on 0.148.0 and 0.171.0.
var refused = map[string]string{
	"agents":                                "It holds the settings of all roles, and one key in it that the client does not know drops this one.",
	"cloud":                                 "0.148.0 does not know it and drops the role.",
	"commit_attribution":                    "It was a key of older clients.",
	"experimental_instructions_file":        "It was a key of older clients.",
	"experimental_thread_config_endpoint":   "0.171.0 does not know it and drops the role.",
	"experimental_use_freeform_apply_patch": "It was a key of older clients.",
	"model_supports_reasoning_summaries":    "It was a key of older clients.",
	"windows_wsl_setup_acknowledged":        "It was a key of older clients.",
	"zsh_path":                              "It was a key of older clients.",
	"config_file":                           "It belongs into an [agents.NAME] table of config.toml.",
	"effort":                                "Set effort on the entry, or codex.reasoning_effort.",
	"prompt":                                "The instructions of the entry are written as developer_instructions.",
	"reasoning_effort":                      "Set effort on the entry, or codex.reasoning_effort.",
	"verbosity":                             "Set codex.verbosity.",
}

// builtinProviders cannot be defined again. Observed on 0.171.0.
var builtinProviders = []string{"openai", "ollama", "lmstudio", "amazon-bedrock"}

// extra writes the scalars of the block's extra keys and gives the tables back.
func (e *encoder) extra() table {
	var later table
	problems := providers.Extra(e.a, nativeKeys, func(key string, v schema.Value) {
		if !e.checkExtra(key, v) {
			return
		}
		if m, ok := v.Interface().(map[string]any); ok {
			later = append(later, pair{key, sorted(m)})
			return
		}
		e.file.value(key, v.Interface())
	})
	e.diags = append(e.diags, problems...)
	return later
}

// checkExtra says whether a key can be written: one that the client does not
// know, or a value of the wrong kind, drops the whole role.
func (e *encoder) checkExtra(key string, v schema.Value) bool {
	at := e.block.Extra.Field(key).Range
	i := slices.IndexFunc(configKeys, func(k configKey) bool { return k.name == key })
	if i < 0 {
		e.reject("unknown-native-key", at, hint(key), "%q is no key that Codex loads a role with; it would drop the whole role", key)
		return false
	}
	known := configKeys[i]
	if !fits(v.Node, known) {
		detail := "Write " + kindNames[known.takes] + "."
		if known.words != nil {
			detail = "Write one of " + strings.Join(known.words, ", ") + "."
		}
		e.reject("bad-native-value", v.Range, detail, "Codex drops the whole role for this value of %q", key)
		return false
	}
	if known.wider && e.a.ReadOnly() {
		e.fail(schema.CodeToolConflict, at, "Remove it, or set access: workspace-write.", "%q is read-only and its block sets %s, which can give more", e.a.Name, key)
		return false
	}
	return key != "model_providers" || e.checkProviders(v)
}

// hint says what to write instead of a key that a role cannot have.
func hint(key string) string {
	if why, ok := refused[key]; ok {
		return why
	}
	names := make([]string, len(configKeys))
	for i, k := range configKeys {
		names[i] = k.name
	}
	if near := schema.Nearest(key, append(names, nativeKeys...)); near != "" {
		return fmt.Sprintf("Did you mean %q?", near)
	}
	return "extra takes the top-level keys of config.toml."
}

// fits says whether a value is of the kind that a key takes.
func fits(n *schema.Node, k configKey) bool {
	all := func(items []*schema.Node, kind schema.Kind) bool {
		return !slices.ContainsFunc(items, func(n *schema.Node) bool { return n.Kind != kind })
	}
	switch k.takes {
	case text:
		return n.Kind == schema.String && (k.words == nil || slices.Contains(k.words, n.Str))
	case filled:
		return n.Kind == schema.String && n.Str != ""
	case flag:
		return n.Kind == schema.Bool
	case whole:
		return n.Kind == schema.Int
	case count:
		return n.Kind == schema.Int && n.Int >= 0
	case port:
		return n.Kind == schema.Int && n.Int >= 0 && n.Int <= 65535
	case texts:
		return n.Kind == schema.List && all(n.Items, schema.String)
	case textList:
		return n.Kind == schema.String || n.Kind == schema.List && all(n.Items, schema.String)
	case mapping:
		return n.Kind == schema.Map
	}
	return n.Kind == schema.Map && !slices.ContainsFunc(n.Fields, func(f schema.Field) bool { return f.Value.Kind != schema.Map })
}

// checkProviders: a provider needs a name that is not a built-in one's, and
// speaks the Responses API alone. Observed on 0.148.0 and 0.171.0.
func (e *encoder) checkProviders(v schema.Value) bool {
	for _, f := range v.Fields {
		wire := f.Value.Get("wire_api")
		detail := ""
		switch {
		case slices.Contains(builtinProviders, f.Key):
			detail = "Give it another id: this one is built in."
		case f.Value.Get("name").Text() == "":
			detail = "Add name."
		case wire != nil && wire.Text() != "responses":
			detail = "Write wire_api: responses, or leave it out."
		default:
			continue
		}
		e.reject("bad-native-value", f.Range, detail, "Codex drops the whole role for the model provider %q", f.Key)
		return false
	}
	return true
}
