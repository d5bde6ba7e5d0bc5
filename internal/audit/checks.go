package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// An agent is a subagent that is looked at.
type agent struct {
	*unit
	providers.Decoded
	block *schema.Node // what it says, in keys of the host's block
}

// hostChecks are about what the keys of one host mean.
var hostChecks = map[schema.ProviderID]func(*agent){
	schema.ClaudeID: (*agent).claude, schema.CodexID: (*agent).codex, schema.GooseID: (*agent).goose,
	schema.KiroID: (*agent).kiro, schema.OpenCodeID: (*agent).openCode,
}

// find adds a finding about the subagent.
func (a *agent) find(code schema.Code, at hcl.Range, format string, args ...any) {
	a.unit.find(Finding{Code: code, Agent: a.Name, At: at, Message: fmt.Sprintf(format, args...)})
}

func (a *agent) check() {
	if slices.Contains(a.host.Reserved, strings.ToLower(a.Name)) {
		a.find(CodeBuiltin, a.At, "%q is the name of a built-in of %s", a.Name, a.host.Title)
	}
	if a.block.Get("model") == nil {
		a.find(CodeNoModel, a.At, "%q names no model", a.Name)
	}
	if check := hostChecks[a.host.ID]; check != nil && a.Keys != nil {
		check(a)
	}
}

func (a *agent) claude() {
	a.limits(nil)
	switch mode := a.Keys.Get("permissionMode"); mode.Text() {
	case "bypassPermissions":
		a.find(CodeBypass, mode.Range, "permissionMode %s switches the permission checks off", mode.Text())
	case "acceptEdits", "auto":
		a.find(CodeEasyMode, mode.Range, "permissionMode %s asks less than the default", mode.Text())
	}
	for _, event := range fields(a.Keys.Get("hooks")) {
		for _, matcher := range event.Value.List() {
			for _, handler := range matcher.Get("hooks").List() {
				if command := handler.Get("command"); command != nil {
					a.find(CodeHook, command.Range, "the hook on %s runs a command", event.Key)
				}
			}
		}
	}
	for _, item := range a.Keys.Get("mcpServers").List() {
		a.servers(item)
	}
}

// limits looks at a list of tools. words are names beyond the tools that the list
// can have.
func (a *agent) limits(words []string) {
	field := a.Keys.Field("tools")
	if field == nil {
		if a.host.ID == schema.KiroID {
			a.find(CodeNoTools, a.At, "%q has no list of tools, which %s takes for none", a.Name, a.host.Title)
		} else {
			a.find(CodeUnrestricted, a.At, "%q has no list of tools, which %s takes for every tool", a.Name, a.host.Title)
		}
		return
	}
	names, _ := providers.Texts(a.block.Get("tools"))
	if a.block.Get("tools") == nil {
		names, _ = providers.Texts(field.Value)
		if field.Value.Text() == every {
			names = []string{every}
		}
	}
	if len(names) == 0 && a.block.Get("tools") != nil {
		a.find(CodeNoTools, field.Range, "the list of tools is empty, which %s takes for no tools", a.host.Title)
	}
	if slices.Contains(names, every) {
		a.find(CodeUnrestricted, field.Range, "the list of tools has %q, which is every tool", every)
	}
	for _, name := range names {
		base, _, pattern := strings.Cut(name, "(")
		at := itemRange(field, name)
		switch verb, _ := a.host.Tools.Verb(base); {
		case pattern && verb != schema.Delegate:
			a.find(CodePattern, at, "%q grants the whole of %s", name, base)
		case name != every && !slices.Contains(words, base) && base != "" && !strings.HasPrefix(base, "@") && !a.host.Tools.Known(base):
			a.find(CodeUnknownTool, at, "%s has no tool %q", a.host.Title, base)
		}
	}
}

// every stands for all tools.
const every = "*"

// itemRange gives the place of an item of a list, or of the list.
func itemRange(f *schema.Field, name string) hcl.Range {
	for _, item := range f.Value.List() {
		if item.Text() == name {
			return item.Range
		}
	}
	return f.Range
}

func fields(n *schema.Node) []schema.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

func (a *agent) codex() {
	if mode := a.Keys.Get("sandbox_mode"); mode.Text() == "danger-full-access" {
		a.find(CodeBypass, mode.Range, "sandbox_mode %s asks for full access", mode.Text())
	}
	if policy := a.Keys.Get("approval_policy"); policy.Text() == "never" {
		a.find(CodeEasyMode, policy.Range, "approval_policy never asks for no consent")
	}
	a.servers(a.Keys.Get("mcp_servers"))
}

func (a *agent) goose() {
	for _, item := range a.Keys.Get("extensions").List() {
		a.server(item.Get("name").Text(), item)
		if tools := item.Get("available_tools"); tools != nil && tools.Kind == schema.List && len(tools.Items) == 0 {
			a.find(CodeUnrestricted, tools.Range, "available_tools is empty, which goose takes for every tool of the extension")
		}
	}
	retry := a.Keys.Get("retry")
	commands := []*schema.Node{retry.Get("on_failure")}
	for _, check := range retry.Get("checks").List() {
		commands = append(commands, check.Get("command"))
	}
	for _, command := range commands {
		if command != nil && command.Kind == schema.String {
			a.find(CodeHook, command.Range, "retry runs a command")
		}
	}
}

func (a *agent) kiro() {
	a.limits(nil)
	approved, settings, permissions := a.Keys.Get("allowedTools"), a.Keys.Get("toolsSettings"), a.Keys.Get("permissions")
	for _, item := range approved.List() {
		if name := item.Text(); !a.host.Tools.Reads(name) || strings.HasPrefix(name, "@") || strings.ContainsAny(name, "*?") {
			a.find(CodeAutoApproved, item.Range, "%q runs without being asked", name)
		}
	}
	for _, f := range fields(settings) {
		for _, pattern := range f.Value.Get("allowedCommands").List() {
			if text := pattern.Text(); text == ".*" || text == every {
				a.find(CodeAutoApproved, pattern.Range, "every command runs without being asked")
			}
		}
	}
	if permissions == nil && a.form != "markdown" && (approved != nil || settings != nil) {
		a.find(CodeNotLoaded, a.At, "Kiro's V3 engine skips a file with allowedTools or toolsSettings and without permissions")
	}
	for _, policy := range permissions.Get("policies").List() {
		if policy.Text() == "allow-all" {
			a.find(CodeBypass, policy.Range, "the policy allow-all allows everything")
		}
	}
	for _, r := range permissions.Get("rules").List() {
		capability := r.Get("capability").Text()
		verb, _ := a.host.Tools.Verb(capability)
		if r.Get("effect").Text() == "allow" && (verb.Mutating() || capability == "all" || capability == "mcp") {
			a.find(CodeAutoApproved, r.Range, "a rule allows %s without being asked", capability)
		}
	}
	a.kiroHooks(a.Keys.Get("hooks"))
	a.servers(a.Keys.Get("mcpServers"))
	claude := all.Get(schema.ClaudeID).Facts()
	for _, alias := range claude.Models {
		if model := a.Keys.Get("model"); model.Text() == alias {
			a.find(CodeDropped, model.Range, "%q is no model of Kiro, which sends it as it stands", alias)
		}
	}
}

// kiroHooks looks at hooks in the shape of V2, a mapping, or of V3, a list.
func (a *agent) kiroHooks(hooks *schema.Node) {
	for _, trigger := range fields(hooks) {
		for _, hook := range trigger.Value.List() {
			if command := hook.Get("command"); command != nil {
				a.find(CodeHook, command.Range, "the hook on %s runs a command", trigger.Key)
			}
		}
	}
	for _, hook := range hooks.List() {
		if command := hook.At("action", "command"); command != nil {
			a.find(CodeHook, command.Range, "the hook on %s runs a command", hook.Get("trigger").Text())
		}
	}
}
