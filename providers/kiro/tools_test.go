package kiro

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

func TestToolList(t *testing.T) {
	listed := func(more ...string) []string {
		return append(append(slices.Clone(builtins), "@mcp", "@powers"), more...)
	}
	for _, test := range []struct {
		keys string
		want []string
		uses []string
	}{
		{"", []string{"*"}, nil},
		{"access: workspace-write", []string{"*"}, nil},
		{"access: read-only", []string{"read", "grep", "glob"}, nil},
		{"tools: []", []string{"read", "grep", "glob"}, nil},
		{"tools: [skill]", []string{"read", "grep", "glob"}, nil},
		{
			"tools: [read, list, search, edit, shell, web_fetch, web_search, delegate, todo]",
			[]string{"read", "glob", "grep", "write", "shell", "web_fetch", "web_search", "subagent", "todo"},
			nil,
		},
		{"tools: [read]\nmcp: [gh, docs/find]\nproviders: {kiro: {include_mcp_json: true}}", []string{"read", "@gh", "@docs/find"}, nil},
		{"tools: [read]\nmcp: [gh]", []string{"read", "@gh"}, []string{"mcp#no-server"}},
		{"mcp: [gh]\nproviders: {kiro: {mcp_servers: {gh: {command: x}}}}", []string{"*"}, []string{"mcp#without-tools"}},
		// M51: an agent that may start none has no subagent tool.
		{"delegates: []", listed(), []string{"delegates#spelled-out"}},
		{
			"delegates: []\nmcp: [gh]\nproviders: {kiro: {mcp_servers: {own: {url: x}, gh: {command: x}}}}", listed("@gh", "@own"),
			[]string{"delegates#spelled-out", "mcp#without-tools"},
		},
		{"delegates: []\ntools: [read, delegate]", []string{"read"}, nil},
		{"delegates: []\naccess: read-only", []string{"read", "grep", "glob"}, nil},
		{"providers: {kiro: {tools: []}}", []string{}, nil},
		{"tools: [edit]\nproviders: {kiro: {tools: [fs_read, '@x']}}", []string{"fs_read", "@x"}, nil},
		{"access: read-only\nallow_read_only_shell: true\ntools: [read, shell]", []string{"read", "shell"}, nil},
		{
			"access: read-only\nallow_read_only_shell: true\nproviders: {kiro: {tools: [fs_read, execute_bash, '@gh', thinking, todo_list]}}",
			[]string{"fs_read", "execute_bash", "@gh", "thinking", "todo_list"},
			nil,
		},
	} {
		out := encode(t, entry(t, test.keys))
		keys, _ := readJSON(t, doc(t, out, asJSON))
		got := []string{}
		for _, tool := range keys["tools"].([]any) {
			got = append(got, tool.(string))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.keys, diff)
		}
		for _, fact := range []string{"mcp#no-server", "mcp#without-tools", "delegates#spelled-out"} {
			if used(out, fact) != slices.Contains(test.uses, fact) {
				t.Errorf("%s: %s noted %v", test.keys, fact, used(out, fact))
			}
		}
	}
}

// A delegate brings subagent into a list, and never a list.
func TestDelegatesJoinAList(t *testing.T) {
	const other = "  - {name: other, description: Other., instructions: Look.}\n"
	for keys, want := range map[string]string{"tools: [read]": "read, subagent", "title: Probe": "*"} {
		a := agenttest.Resolve(t, schema.KiroID, "subagents:\n  - {name: probe, description: Probes., instructions: Look., delegates: [other], "+keys+"}\n"+other)
		if got := encode(t, a).Show["tools"]; got != want {
			t.Errorf("%s: %s", keys, got)
		}
	}
}

// What defaults give is taken away where the entry's own keys forbid it.
func TestDefaultsAreStripped(t *testing.T) {
	manifest := func(defaults, keys string) *schema.Agent {
		return agenttest.Resolve(t, schema.KiroID, "defaults: {providers: {kiro: "+defaults+"}}\nsubagents:\n  - {name: probe, description: Probes., instructions: Look., "+keys+"}\n")
	}
	for _, test := range []struct{ defaults, keys, want, fact string }{
		{"{tools: [read, write, aws, '@builtin', '@gh']}", "access: read-only", "read, @gh", "tools#stripped"},
		{"{tools: ['*', use_subagent]}", "delegates: []", strings.Join(append(slices.Clone(builtins), "@mcp", "@powers"), ", "), "delegates#stripped"},
		{"{tools: [read, '@builtin', 'subagent/x']}", "delegates: []", strings.Join(builtins, ", "), "delegates#stripped"},
		{"{tools: ['*'], tool_aliases: {write: w}}", "access: read-only, tools: [read]", "read", "tools#stripped"},
		{"{allowed_tools: [read, write], permissions: {rules: [{capability: all, effect: allow}], policies: [read-all, allow-all]}}", "access: read-only, tools: [read]", "read", "tools#stripped"},
	} {
		out := encode(t, manifest(test.defaults, test.keys))
		if out.Show["tools"] != test.want || !used(out, test.fact) {
			t.Errorf("%s: %s, %v", test.defaults, out.Show["tools"], out.Uses)
		}
		keys, _ := readJSON(t, doc(t, out, asJSON))
		for key, want := range map[string]any{
			"allowedTools": []any{"read"}, "toolAliases": map[string]any{},
			"permissions": map[string]any{"rules": []any{}, "policies": []any{"read-all"}},
		} {
			if got, ok := keys[key]; ok {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", test.defaults, diff)
				}
			}
		}
	}
}

// The names of older releases stand for the same tools.
func TestOldNames(t *testing.T) {
	for native, want := range map[string]schema.Verb{
		"fs_read": schema.Read, "fs_write": schema.Edit, "execute_bash": schema.Shell, "execute_cmd": schema.Shell, "use_subagent": schema.Delegate,
		"todo_list": schema.Todo, "read": schema.Read, "subagent": schema.Delegate,
	} {
		if got, _ := tools.Verb(native); got != want {
			t.Errorf("%s is %q", native, got)
		}
	}
	for native, want := range map[string]bool{
		"fs_read": true, "fs_write": false, "execute_bash": false, "*": false, "@builtin": false, "@gh": true, "@gh/find": true, "aws": false,
		"code": false, "nonsense": false, "introspect": true, "delete_file": false, "subagent/x": true,
	} {
		if got := tools.Reads(native); got != want {
			t.Errorf("%s reads: %v", native, got)
		}
	}
}
