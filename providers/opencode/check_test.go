package opencode

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

func TestProblems(t *testing.T) {
	permission := func(rules string) string { return "providers:\n  opencode:\n    permission:\n      " + rules }
	long := strings.Repeat("x", 1001)
	for _, test := range []struct {
		keys string
		want []string
		line int    // of the first problem; the keys start on line 5
		says string // in its detail
	}{
		{permission(`"7": deny`), []string{"integer-permission-key"}, 8, `"7*"`},
		{permission(`bash: {"10": allow, "*": deny}`), []string{"integer-permission-key"}, 8, `"10*"`},
		{permission(`bash: {"07": allow, "1.5": deny}`), []string{}, 0, ""},
		{permission(`__proto__: deny`), []string{"unsafe-key"}, 8, "out"},
		{permission(`bash: {"` + long + `": deny}`), []string{"unsafe-key"}, 8, "wildcard"},
		{permission(`todowrite: {"*": deny}`), []string{"permission-map"}, 8, "one action"},
		{permission(`question: {"*": deny}`), []string{"permission-map"}, 8, ""},
		{permission(`webfetch: {"https://*": allow}`), []string{"permission-map"}, 8, ""},
		{permission(`websearch: {}`), []string{"permission-map"}, 8, ""},
		{permission(`doom_loop: {"*": allow}`), []string{"permission-map"}, 8, ""},
		{permission(`external_directory: {"~/x/*": allow}`), []string{}, 0, ""},
		{permission(`Bash: deny`), []string{"no-effect?"}, 8, "Write bash."},
		{permission(`write: deny`), []string{"no-effect?"}, 8, "Write edit."},
		{permission(`apply_patch: {"*": deny}`), []string{"no-effect?"}, 8, "Write edit."},
		{permission(`agent: deny`), []string{"no-effect?"}, 8, "Write task."},
		{permission(`shell: deny`), []string{"no-effect?"}, 8, "Write bash."},
		{permission(`WebFetch: deny`), []string{"no-effect?"}, 8, "Write webfetch."},
		{permission(`mcp__gh__find: deny`), []string{"no-effect?"}, 8, "write gh_find."},
		{permission(`mcp__gh__*: deny`), []string{"no-effect?"}, 8, "write gh_*."},
		{permission(`mcp__gh: deny`), []string{"no-effect?"}, 8, "write gh_*."},
		{permission(`"context 7_*": deny`), []string{"no-effect?"}, 8, "write context_7_*."},
		{permission(`raed: deny`), []string{"no-effect?"}, 8, "Did you mean read?"},
		{permission(`Ba*: deny`), []string{"no-effect?"}, 8, "SERVER_TOOL"},
		{permission(`"?ash": deny`), []string{}, 0, ""},
		{permission(`gh_*: deny`), []string{}, 0, ""},
		{"access: read-only\n" + permission(`edit: allow`), []string{"policy-tool-conflict"}, 9, "workspace-write"},
		{"access: read-only\n" + permission(`edit: {"docs/**": ask}`), []string{"policy-tool-conflict"}, 9, "deny"},
		{"access: read-only\n" + permission(`"*": allow`), []string{"policy-tool-conflict"}, 9, ""},
		{"access: read-only\n" + permission(`"*_*": allow`), []string{"policy-tool-conflict"}, 9, ""},
		{"access: read-only\n" + permission(`bash: {"git *": allow}`), []string{"policy-tool-conflict"}, 9, ""},
		{"access: read-only\n" + permission(`write: allow`), []string{"no-effect?", "policy-tool-conflict"}, 9, ""},
		{"access: read-only\nproviders:\n  opencode: {permission: ask}", []string{"policy-tool-conflict"}, 7, ""},
		{"access: read-only\nallow_read_only_shell: true\n" + permission(`bash: {"git *": allow}`), []string{}, 0, ""},
		{"access: read-only\nallow_read_only_shell: true\n" + permission(`"*": {"git *": allow}`), []string{"policy-tool-conflict"}, 10, ""},
		{"access: read-only\n" + permission(`edit: deny`), []string{}, 0, ""},
		{"access: read-only\n" + permission(`gh_*: allow`), []string{}, 0, ""},
		{"providers: {opencode: {model: 'a/b#high'}}", []string{"model-variant"}, 5, "variant: high"},
		{"providers: {opencode: {extra: {name: x}}}", []string{"extra-collision"}, 5, ""},
		{"providers: {opencode: {extra: {permissions: []}}}", []string{"extra-collision"}, 5, ""},
		{"providers: {opencode: {extra: {a: {b: null}}}}", []string{"null-value"}, 5, "out"},
		{"providers: {opencode: {extra: {a: [{__proto__: 1}]}}}", []string{"unsafe-key"}, 5, "out"},
		{"providers: {opencode: {options: {a: [null]}}}", []string{"null-value"}, 5, "out"},
		{"providers: {opencode: {options: {a: {__proto__: 1}}}}", []string{"unsafe-key"}, 5, "out"},
	} {
		a := entry(t, test.keys)
		agenttest.Refusal{Keys: test.keys, Codes: test.want, Line: test.line, Says: test.says}.Check(t, Provider{}, &providers.Agent{Agent: a, Body: a.Instructions})
	}
}

// What the rules mean beyond what they say is noted.
func TestFacts(t *testing.T) {
	facts := []string{
		"tools#denials", "tools#todowrite", "tools#task", "tools#stripped", "mcp#allowed", "mcp#without-tools", "opencode.permission#env", "opencode.permission#asks",
	}
	for keys, want := range map[string][]string{
		"":                        nil,
		"tools: [read]":           {"tools#denials"},
		"access: read-only":       {"tools#denials"},
		"tools: [todo, delegate]": {"tools#denials", "tools#todowrite", "tools#task"},
		"tools: [delegate]":       {"tools#denials", "tools#task"},
		"tools: [delegate, todo]\nproviders: {opencode: {mode: primary}}":                             {"tools#denials"},
		"tools: [todo, delegate]\nproviders: {opencode: {permission: {todowrite: allow, task: ask}}}": {"tools#denials"},
		"mcp: [gh]":                {"mcp#without-tools"},
		"tools: [read]\nmcp: [gh]": {"tools#denials", "mcp#allowed"},
		"providers: {opencode: {permission: {read: allow}}}":                                                    {"opencode.permission#env"},
		"providers: {opencode: {permission: allow}}":                                                            {"opencode.permission#env", "opencode.permission#asks"},
		"providers: {opencode: {permission: {'*_*': allow}}}":                                                   {"opencode.permission#asks"},
		"providers: {opencode: {permission: {'*': ask}}}":                                                       nil,
		"providers: {opencode: {permission: {read: {'src/*': allow}}}}":                                         nil,
		"providers: {opencode: {permission: {read: {'*': allow, '*.env': ask, '*.env.*': ask}}}}":               nil,
		"providers: {opencode: {permission: {'*': allow, read: ask, external_directory: ask, doom_loop: ask}}}": nil,
	} {
		out := encode(t, entry(t, keys))
		for _, fact := range facts {
			if used(out, fact) != slices.Contains(want, fact) {
				t.Errorf("%s: %s noted %v", keys, fact, used(out, fact))
			}
		}
	}
}

// The same subagent gives the same bytes and the same facts in the same order.
func TestDeterministic(t *testing.T) {
	a := entry(t, "tools: [todo, delegate, read]\nmcp: [b, a]\nproviders: {opencode: {permission: {read: allow, '*_*': allow}, options: {z: 1, a: {y: 2, x: 3}}, extra: {q: 1, p: 2, o: 3}}}")
	first := encode(t, a)
	for range 20 {
		again := encode(t, a)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Every key of the block and every neutral key has a row, and so has every fact
// that the encoder notes.
func TestTable(t *testing.T) {
	var settings []string
	for _, key := range keysOf(reflect.TypeFor[schema.Neutral]()) {
		if _, own := providers.OwnKeys()[key]; !own {
			settings = append(settings, key)
		}
	}
	for _, key := range keysOf(reflect.TypeFor[schema.OpenCode]()) {
		settings = append(settings, "opencode."+key)
	}
	settings = append(settings, "skills#preload")
	for _, keys := range []string{
		"tools: [todo, delegate]\nmcp: [gh]\ntier: deep", "mcp: [gh]\nproviders: {opencode: {variant: x, permission: allow}}",
	} {
		for _, u := range encode(t, entry(t, keys)).Uses {
			settings = append(settings, u.Setting)
		}
	}
	for _, setting := range settings {
		if _, ok := facts.Level(setting, "", ""); !ok {
			t.Errorf("no row for %s", setting)
		}
	}
	for _, c := range capabilities {
		if c.Why == "" || c.Source == "" || !slices.Contains(providers.Levels(), c.Level) {
			t.Errorf("%s: %+v", c.Setting, c)
		}
	}
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			keys = append(keys, name)
		}
	}
	return keys
}

func TestPlaces(t *testing.T) {
	project, _ := facts.Place(schema.ProjectScope, "")
	user, _ := facts.Place(schema.UserScope, "")
	if project.Path("x") != ".opencode/agents/x.md" || user.Path("x") != ".config/opencode/agents/x.md" {
		t.Error(project.Path("x"), user.Path("x"))
	}
	for value, want := range map[string]string{"/x/": "/x/opencode", "": "/home/me/.config/opencode", "rel": "/home/me/.config/opencode"} {
		if got := user.Root("/home/me", func(string) string { return value }); got != want {
			t.Errorf("XDG_CONFIG_HOME=%s: %s", value, got)
		}
	}
}
