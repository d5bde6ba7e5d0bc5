package codex

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-337579fc/subagents/schema"
)

// Which keys of a server belong to one transport: beside the other the client
// drops the whole role. Observed on 0.148.0 and 0.171.0.
var (
	stdioKeys = []string{"args", "env", "env_vars", "cwd"}
	httpKeys  = []string{"bearer_token_env_var", "http_headers", "env_http_headers", "oauth_resource"}
)

// servers writes the MCP servers that the client can read. An empty mapping
// does not take the session's servers away (openai/codex#16686).
func (e *encoder) servers() table {
	const key = "codex.mcp_servers"
	if e.block.MCPServers != nil && len(e.block.MCPServers) == 0 {
		e.reject("bad-mcp-server", e.a.At(key), "Leave the key out: a role gets the servers of the session in any case.",
			"an empty mcp_servers takes no server away")
	}
	var t table
	for _, name := range slices.Sorted(maps.Keys(e.block.MCPServers)) {
		s := e.block.MCPServers[name]
		if e.checkServer(name, s) {
			t = append(t, pair{name, wireServer(s)})
		}
	}
	return t
}

// checkServer says whether the client can read a server.
func (e *encoder) checkServer(name string, s schema.CodexMCP) bool {
	const code = "bad-mcp-server"
	at := e.keyAt("codex.mcp_servers", name)
	if (s.Command == "") == (s.URL == "") {
		e.reject(code, at, "Give it command to start a program, or url for HTTP: without exactly one of them Codex drops the whole role.",
			"the server %q needs either command or url", name)
		return false
	}
	foreign, kind := httpKeys, "command"
	if s.URL != "" {
		foreign, kind = stdioKeys, "url"
	}
	set, _ := e.a.Setting("codex.mcp_servers")
	node := set.Value.Get(name)
	for _, key := range foreign {
		if f := node.Field(key); f != nil && f.Value.Kind != schema.Null {
			e.reject(code, f.Range, "Remove it: Codex drops the whole role.", "the server %q has %s, which takes no %s", name, kind, key)
			return false
		}
	}
	for _, key := range []string{"startup_timeout_sec", "tool_timeout_sec"} {
		if n := node.Get(key); n != nil && n.Float < 0 {
			e.reject(schema.CodeBadValue, n.Range, "Write a number of seconds: Codex drops the whole role.", "%s of the server %q is negative", key, name)
			return false
		}
	}
	return true
}

// wireServer writes a server: what is absent is left out, an empty list is not.
func wireServer(s schema.CodexMCP) table {
	var t table
	text := func(key, v string) {
		if v != "" {
			t = append(t, pair{key, v})
		}
	}
	list := func(key string, v []string) {
		if v != nil {
			t = append(t, pair{key, v})
		}
	}
	words := func(key string, v map[string]string) {
		if v != nil {
			t = append(t, pair{key, v})
		}
	}
	flag := func(key string, v *bool) {
		if v != nil {
			t = append(t, pair{key, *v})
		}
	}
	text("command", s.Command)
	list("args", s.Args)
	words("env", s.Env)
	list("env_vars", s.EnvVars)
	text("cwd", s.Cwd)
	text("url", s.URL)
	text("bearer_token_env_var", s.BearerTokenEnvVar)
	words("http_headers", s.HTTPHeaders)
	words("env_http_headers", s.EnvHTTPHeaders)
	list("scopes", s.Scopes)
	text("oauth_resource", s.OAuthResource)
	flag("enabled", s.Enabled)
	flag("required", s.Required)
	t = seconds(t, "startup_timeout_sec", s.StartupTimeoutSec)
	t = seconds(t, "tool_timeout_sec", s.ToolTimeoutSec)
	list("enabled_tools", s.EnabledTools)
	list("disabled_tools", s.DisabledTools)
	text("default_tools_approval_mode", s.DefaultToolsApprovalMode)
	flag("supports_parallel_tool_calls", s.SupportsParallelToolCalls)
	return t
}

// seconds adds a time; the client takes it whole or with a fraction.
func seconds(t table, key string, v *float64) table {
	switch {
	case v == nil:
		return t
	case *v == math.Trunc(*v) && *v < 1<<53:
		return append(t, pair{key, int64(*v)})
	}
	return append(t, pair{key, *v})
}
