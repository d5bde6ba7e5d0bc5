package kiro

import "github.com/seed-337579fc/subagents/schema"

// The forms on the wire: as in the schema's types, in the client's spelling.
// Documentation: custom-agents/configuration-reference; hooks after the
// published schema of aws/amazon-q-developer-cli.

type wireHook struct {
	Command         string `json:"command"`
	Matcher         string `json:"matcher,omitempty"`
	TimeoutMS       *int   `json:"timeout_ms,omitempty"`
	MaxOutputSize   *int   `json:"max_output_size,omitempty"`
	CacheTTLSeconds *int   `json:"cache_ttl_seconds,omitempty"`
}

type wireServer struct {
	Type          string            `json:"type,omitempty"`
	Command       string            `json:"command,omitempty"`
	Args          []string          `json:"args,omitzero"`
	Env           map[string]string `json:"env,omitzero"`
	URL           string            `json:"url,omitempty"`
	Headers       map[string]string `json:"headers,omitzero"`
	OAuthScopes   []string          `json:"oauthScopes,omitzero"`
	OAuth         any               `json:"oauth,omitempty"`
	Timeout       *int              `json:"timeout,omitempty"`
	Disabled      *bool             `json:"disabled,omitempty"`
	DisabledTools []string          `json:"disabledTools,omitzero"`
}

type wirePermissions struct {
	Rules    []wireRule `json:"rules"`
	Policies []string   `json:"policies,omitzero"`
}

type wireRule struct {
	Capability string   `json:"capability"`
	Effect     string   `json:"effect"`
	Match      []string `json:"match,omitzero"`
	Exclude    []string `json:"exclude,omitzero"`
}

type wireKnowledge struct {
	Type        string   `json:"type"`
	Source      string   `json:"source"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	IndexType   string   `json:"indexType,omitempty"`
	Include     []string `json:"include,omitzero"`
	Exclude     []string `json:"exclude,omitzero"`
	AutoUpdate  *bool    `json:"autoUpdate,omitempty"`
}

func wireHooks(hooks map[string][]schema.KiroHook) map[string][]wireHook {
	out := make(map[string][]wireHook, len(hooks))
	for trigger, list := range hooks {
		out[trigger] = make([]wireHook, len(list))
		for i, h := range list {
			out[trigger][i] = wireHook(h)
		}
	}
	return out
}

func wireServers(servers map[string]schema.KiroMCP) map[string]wireServer {
	out := make(map[string]wireServer, len(servers))
	for name, s := range servers {
		w := wireServer{
			Type: s.Type, Command: s.Command, Args: s.Args, Env: s.Env, URL: s.URL, Headers: s.Headers,
			OAuthScopes: s.OAuthScopes, Timeout: s.Timeout, Disabled: s.Disabled, DisabledTools: s.DisabledTools,
		}
		if s.OAuth.Node != nil {
			w.OAuth = s.OAuth.Interface()
		}
		out[name] = w
	}
	return out
}

// wireResources writes addresses as they are, knowledge bases as objects.
func wireResources(resources []schema.KiroResource) []any {
	out := make([]any, len(resources))
	for i, r := range resources {
		if r.Knowledge == nil {
			out[i] = r.Address
			continue
		}
		out[i] = wireKnowledge(*r.Knowledge)
	}
	return out
}

func wireRules(rules []schema.KiroRule) []wireRule {
	out := make([]wireRule, len(rules))
	for i, r := range rules {
		out[i] = wireRule(r)
	}
	return out
}

func wireSettings(settings map[string]schema.Value) map[string]any {
	out := make(map[string]any, len(settings))
	for tool, v := range settings {
		out[tool] = v.Interface()
	}
	return out
}
