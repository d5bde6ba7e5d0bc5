package claude

import (
	"slices"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The forms of hooks and servers on the wire: as in the schema's types, in the
// client's camelCase.

type wireMatcher struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []wireHandler `json:"hooks"`
}

type wireHandler struct {
	Type            string            `json:"type"`
	Command         string            `json:"command,omitempty"`
	Args            []string          `json:"args,omitempty"`
	Shell           string            `json:"shell,omitempty"`
	Async           *bool             `json:"async,omitempty"`
	AsyncRewake     *bool             `json:"asyncRewake,omitempty"`
	Prompt          string            `json:"prompt,omitempty"`
	Model           string            `json:"model,omitempty"`
	ContinueOnBlock *bool             `json:"continueOnBlock,omitempty"`
	URL             string            `json:"url,omitempty"`
	Headers         map[string]string `json:"headers,omitempty"`
	AllowedEnvVars  []string          `json:"allowedEnvVars,omitempty"`
	Server          string            `json:"server,omitempty"`
	Tool            string            `json:"tool,omitempty"`
	Input           any               `json:"input,omitempty"`
	OnFailure       string            `json:"onFailure,omitempty"`
	Cloud           string            `json:"cloud,omitempty"`
	If              string            `json:"if,omitempty"`
	Timeout         *int              `json:"timeout,omitempty"`
	StatusMessage   string            `json:"statusMessage,omitempty"`
	Once            *bool             `json:"once,omitempty"`
}

// wireHooks gives the hooks of the block, or else the neutral ones, and the
// gate beside them unless the author has a Stop or SubagentStop hook.
func wireHooks(a *providers.Agent, b *schema.Claude) map[string][]wireMatcher {
	hooks := map[string][]wireMatcher{}
	if a.Rank("claude.hooks") > a.Rank("hooks") {
		for event, matchers := range b.Hooks {
			for _, m := range matchers {
				w := wireMatcher{Matcher: m.Matcher, Hooks: []wireHandler{}}
				for _, h := range m.Hooks {
					w.Hooks = append(w.Hooks, wireOf(h))
				}
				hooks[event] = append(hooks[event], w)
			}
		}
	} else {
		for event, list := range a.Hooks {
			for _, h := range list {
				hooks[event] = append(hooks[event], wireMatcher{h.Matcher, []wireHandler{{Type: "command", Command: h.Command, Timeout: h.Timeout}}})
			}
		}
	}
	if gateApplies(a) && hooks["Stop"] == nil && hooks["SubagentStop"] == nil {
		hooks["Stop"] = []wireMatcher{{Hooks: []wireHandler{{Type: "command", Command: a.Gate.Command}}}}
	}
	return hooks
}

// gateApplies: by default a gate is for subagents that may edit.
func gateApplies(a *providers.Agent) bool {
	if a.Gate == nil {
		return false
	}
	writes := !a.ReadOnly() && (a.Tools == nil || slices.Contains(a.Tools, schema.Edit))
	return writes || a.Gate.Apply == "all"
}

func wireOf(h schema.ClaudeHandler) wireHandler {
	w := wireHandler{
		Type: h.Type, Command: h.Command, Args: h.Args, Shell: h.Shell, Async: h.Async, AsyncRewake: h.AsyncRewake,
		Prompt: h.Prompt, Model: h.Model, ContinueOnBlock: h.ContinueOnBlock, URL: h.URL, Headers: h.Headers,
		AllowedEnvVars: h.AllowedEnvVars, Server: h.Server, Tool: h.Tool, OnFailure: h.OnFailure, Cloud: h.Cloud,
		If: h.If, Timeout: h.Timeout, StatusMessage: h.StatusMessage, Once: h.Once,
	}
	if h.Input.Node != nil {
		w.Input = h.Input.Interface()
	}
	return w
}

// wireServers writes the list as the client wants it: names, or one-key maps.
func wireServers(servers []schema.ClaudeMCP) []any {
	list := make([]any, 0, len(servers))
	for _, s := range servers {
		if s.Config == nil {
			list = append(list, s.Name)
			continue
		}
		list = append(list, map[string]*schema.ClaudeMCPConfig{s.Name: s.Config})
	}
	return list
}
