package opencode

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/agenttest"
	"github.com/seed-337579fc/subagents/schema"
)

// A flat rule, as the client has them after flattening the maps.
type flat struct{ key, pattern, action string }

// clientDefaults are those of a custom agent on 1.18.33, folders left out.
var clientDefaults = []flat{
	{"*", "*", "allow"},
	{"doom_loop", "*", "ask"},
	{"external_directory", "*", "ask"},
	{"question", "*", "deny"},
	{"plan_enter", "*", "deny"},
	{"plan_exit", "*", "deny"},
	{"read", "*", "allow"},
	{"read", "*.env", "ask"},
	{"read", "*.env.*", "ask"},
	{"read", "*.env.example", "allow"},
}

var compiled = map[string]*regexp.Regexp{}

// clientMatch is how the client of that version compiles a wildcard.
func clientMatch(pattern, text string) bool {
	if re, ok := compiled[pattern]; ok {
		return re.MatchString(text)
	}
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(strings.ReplaceAll(expr, `\*`, ".*"), `\?`, ".")
	if bare, ok := strings.CutSuffix(expr, " .*"); ok {
		expr = bare + "( .*)?"
	}
	compiled[pattern] = regexp.MustCompile("(?s)^" + expr + "$")
	return compiled[pattern].MatchString(text)
}

// decide is the client's evaluation: the last match wins, none is ask.
func decide(rules []flat, key, argument string) string {
	action := "ask"
	for _, r := range rules {
		if clientMatch(r.key, key) && clientMatch(r.pattern, argument) {
			action = r.action
		}
	}
	return action
}

// readRules reads permission from a file in the order that it has there.
func readRules(t testing.TB, data []byte) []flat {
	t.Helper()
	_, head, _ := agenttest.FrontMatter(t, data)
	var rules []flat
	for i := 0; i < len(head.Content); i += 2 {
		if head.Content[i].Value != "permission" {
			continue
		}
		permission := head.Content[i+1]
		for j := 0; j < len(permission.Content); j += 2 {
			key, value := permission.Content[j], permission.Content[j+1]
			if key.Style != yaml.DoubleQuotedStyle {
				t.Errorf("the key %s is not quoted", key.Value)
			}
			if value.Kind == yaml.ScalarNode {
				rules = append(rules, flat{key.Value, "*", value.Value})
				continue
			}
			for k := 0; k < len(value.Content); k += 2 {
				rules = append(rules, flat{key.Value, value.Content[k].Value, value.Content[k+1].Value})
			}
		}
	}
	return rules
}

// probes are a few calls of every tool that the client has, with one of a
// plugin and two of servers.
func probes() [][2]string {
	var list [][2]string
	for _, key := range []string{"glob", "grep", "list", "webfetch", "websearch", "todowrite", "skill", "lsp", "question", "execute", "doom_loop", "plan_enter", "plan_exit", "gh_find", "gh_x", "other_tool"} {
		list = append(list, [2]string{key, "*"})
	}
	return append(list,
		[2]string{"read", "a.go"}, [2]string{"read", "d/.env"}, [2]string{"edit", "a.go"}, [2]string{"bash", "rm -rf x"}, [2]string{"bash", "git status"},
		[2]string{"task", "helper"}, [2]string{"task", "general"}, [2]string{"external_directory", "/etc/*"})
}

var strength = []string{"deny", "ask", "allow"}

// K34: what a list does not have is denied, and reading stays possible.
func TestAllowList(t *testing.T) {
	keysOf := map[string][]string{
		"read": {"read"}, "list": {"glob", "list"}, "search": {"grep"}, "edit": {"edit"}, "shell": {"bash"}, "web_fetch": {"webfetch"},
		"web_search": {"websearch"}, "delegate": {"task"}, "skill": {"skill"}, "todo": {"todowrite"},
	}
	lists := [][]string{nil, {"read"}, {"list"}, {"shell", "edit"}, {"read", "list", "search", "edit", "shell", "web_fetch", "web_search", "delegate", "skill", "todo"}}
	for verb := range keysOf {
		lists = append(lists, []string{verb})
	}
	for _, list := range lists {
		rules := append(slices.Clone(clientDefaults), readRules(t, encode(t, entry(t, "tools: ["+strings.Join(list, ", ")+"]")).Docs[0].Data)...)
		granted := []string{"read", "glob", "grep", "list"}
		if len(list) > 0 {
			granted = nil
		}
		for _, verb := range list {
			granted = append(granted, keysOf[verb]...)
		}
		for _, p := range probes() {
			want := "deny"
			if slices.Contains(granted, p[0]) {
				want = decide(clientDefaults, p[0], p[1])
			}
			if got := decide(rules, p[0], p[1]); got != want {
				t.Errorf("%v: %s %s is %s, want %s", list, p[0], p[1], got, want)
			}
		}
	}
}

// Ruling 3: nothing that the configuration denies or asks about is weakened by
// neutral keys, but for servers that mcp names and for the question about named
// delegates.
func TestNothingRisesAboveTheSession(t *testing.T) {
	entries := []string{
		"", "tools: []", "tools: [read, shell, edit, todo, delegate]", "access: read-only", "access: workspace-write",
		"access: read-only\nallow_read_only_shell: true\ntools: [shell]", "delegates: []", "tools: [read]\ndelegates: []",
		"tools: [read]\nmcp: [gh]", "tools: [read]\nmcp: [gh/find, doom, 'external/directory', plan]", "mcp: [gh]", "skills: [x]\ntools: [read]",
	}
	keys := []string{"*", "read", "edit", "bash", "task", "external_directory", "doom_loop", "webfetch", "todowrite", "question", "plan_enter", "*_*", "gh_*"}
	random := rand.New(rand.NewPCG(1, 2))
	for _, e := range entries {
		own := readRules(t, encode(t, entry(t, e)).Docs[0].Data)
		for range 100 {
			session := slices.Clone(clientDefaults)
			for range random.IntN(4) {
				session = append(session, flat{keys[random.IntN(len(keys))], "*", strength[random.IntN(2)]})
			}
			whole := append(slices.Clone(session), own...)
			for _, p := range probes() {
				if strings.HasPrefix(p[0], "gh_") && strings.Contains(e, "mcp: [gh") {
					continue
				}
				before, after := decide(session, p[0], p[1]), decide(whole, p[0], p[1])
				if slices.Index(strength, after) > slices.Index(strength, before) {
					t.Fatalf("%s: %s %s rises from %s to %s\nsession %v\nown %v", e, p[0], p[1], before, after, session, own)
				}
			}
		}
	}
}

// Only the named tools of a server come back, and no key of the client that
// looks like one of its tools.
func TestServers(t *testing.T) {
	for _, test := range []struct {
		mcp  string
		want map[string]string
	}{
		{"gh", map[string]string{"gh_find": "allow", "gh_x": "allow", "other_tool": "deny", "execute": "allow", "doom_loop": "deny"}},
		{"gh/find", map[string]string{"gh_find": "allow", "gh_x": "deny", "other_tool": "deny"}},
		{"doom, external, plan", map[string]string{"doom_loop": "deny", "external_directory": "deny", "plan_enter": "deny", "doom_x": "allow", "plan_make": "allow"}},
		{"'doom/loop'", map[string]string{"doom_loop": "deny"}},
		{"'a b.c/d e'", map[string]string{"a_b_c_d_e": "allow", "a_b_c_x": "deny"}},
		{"'*'", map[string]string{"gh_find": "deny", "__x": "allow", "other_tool": "deny"}},
	} {
		rules := append(slices.Clone(clientDefaults), readRules(t, encode(t, entry(t, "tools: [read]\nmcp: ["+test.mcp+"]")).Docs[0].Data)...)
		for key, want := range test.want {
			if got := decide(rules, key, "*"); got != want {
				t.Errorf("%s: %s is %s, want %s", test.mcp, key, got, want)
			}
		}
	}
}

// M51 and ruling 14: none may be started, or those alone that are named, by
// their native names.
func TestDelegates(t *testing.T) {
	manifest := func(keys string) []flat {
		a := agenttest.Resolve(t, schema.OpenCodeID, "subagents:\n  - {name: probe, description: Probes., instructions: Look., "+keys+
			"}\n  - {name: helper, description: Helps., instructions: Look.}\n  - {name: other, slug: second, description: Helps., instructions: Look.}\n")
		return append(slices.Clone(clientDefaults), readRules(t, encode(t, a).Docs[0].Data)...)
	}
	for _, test := range []struct{ keys, helper, second, general string }{
		{"title: x", "allow", "allow", "allow"},
		{"delegates: []", "deny", "deny", "deny"},
		{"delegates: [helper]", "ask", "deny", "deny"},
		{"delegates: [other], tools: [read]", "deny", "ask", "deny"},
		{"delegates: [], tools: [delegate]", "deny", "deny", "deny"},
		{"delegates: [helper], access: read-only", "ask", "deny", "deny"},
		{"delegates: [helper], providers: {opencode: {permission: {task: {'*': deny, helper: allow}}}}", "allow", "deny", "deny"},
		{"delegates: [helper], providers: {opencode: {permission: {task: {second: allow}}}}", "ask", "allow", "deny"},
	} {
		rules := manifest(test.keys)
		for name, want := range map[string]string{"helper": test.helper, "second": test.second, "other": test.general, "general": test.general} {
			if got := decide(rules, "task", name); got != want {
				t.Errorf("%s: %s is %s, want %s", test.keys, name, got, want)
			}
		}
	}
}

// The block's rules stand behind the denials that neutral keys of the entry
// mean, and before them where they come from defaults.
func TestBlockOverNeutral(t *testing.T) {
	for _, test := range []struct {
		defaults, keys string
		want           map[[2]string]string
	}{
		{"{}", "tools: [read], providers: {opencode: {permission: {bash: {'git *': allow}}}}", map[[2]string]string{
			{"bash", "git status"}: "allow", {"bash", "rm x"}: "deny", {"edit", "a"}: "deny", {"read", "a"}: "allow",
		}},
		{"{}", "tools: [read], providers: {opencode: {permission: {'*': ask, bash: {'git *': allow}}}}", map[[2]string]string{
			{"bash", "git status"}: "allow", {"bash", "rm x"}: "ask", {"edit", "a"}: "ask",
		}},
		{"{}", "tools: [read], providers: {opencode: {permission: {bash: {'*': ask, 'git *': allow}, edit: ask}}}", map[[2]string]string{
			{"bash", "git status"}: "allow", {"bash", "rm x"}: "ask", {"edit", "a"}: "ask", {"webfetch", "x"}: "deny",
		}},
		{"{}", "tools: [read], providers: {opencode: {permission: deny}}", map[[2]string]string{{"read", "a"}: "deny", {"gh_x", "*"}: "deny"}},
		{"{permission: {bash: allow, webfetch: ask, read: {'secret/*': deny}}}", "tools: [read, web_fetch]", map[[2]string]string{
			{"bash", "x"}: "deny", {"webfetch", "x"}: "ask", {"read", "secret/a"}: "deny", {"read", "a"}: "allow",
		}},
		{"{permission: {bash: {'git *': allow}, task: {helper: allow}}}", "tools: [read, shell], delegates: []", map[[2]string]string{
			{"bash", "git x"}: "allow", {"task", "helper"}: "deny",
		}},
		// access from defaults ranks below the block of defaults, which still
		// may not let it write.
		{"{permission: {bash: {'git *': allow, 'rm *': deny}, edit: ask, '*': ask, webfetch: allow}}", "access: read-only", map[[2]string]string{
			{"bash", "git x"}: "deny", {"edit", "a"}: "deny", {"webfetch", "x"}: "deny",
		}},
	} {
		a := agenttest.Resolve(t, schema.OpenCodeID, "defaults: {providers: {opencode: "+test.defaults+"}}\nsubagents:\n  - {name: probe, description: Probes., instructions: Look., "+test.keys+"}\n")
		rules := append(slices.Clone(clientDefaults), readRules(t, encode(t, a).Docs[0].Data)...)
		for p, want := range test.want {
			if got := decide(rules, p[0], p[1]); got != want {
				t.Errorf("%s %s: %v is %s, want %s\n%v", test.defaults, test.keys, p, got, want, rules)
			}
		}
	}
}

func TestDefaultsCannotWidenReadOnly(t *testing.T) {
	a := agenttest.Resolve(t, schema.OpenCodeID, "defaults: {access: read-only, providers: {opencode: {permission: {'e*': allow, '*_*': allow, bash: {'git *': allow, 'rm *': deny}, task: ask}}}}\nsubagents:\n  - {name: probe, description: Probes., instructions: Look.}\n")
	out := encode(t, a)
	rules := append(slices.Clone(clientDefaults), readRules(t, out.Docs[0].Data)...)
	for _, p := range [][2]string{{"edit", "a"}, {"bash", "git x"}, {"bash", "rm x"}, {"gh_x", "*"}, {"execute", "*"}} {
		if got := decide(rules, p[0], p[1]); got != "deny" {
			t.Errorf("%v is %s", p, got)
		}
	}
	if got := decide(rules, "task", "x"); got != "ask" {
		t.Errorf("task is %s", got)
	}
	var stripped []string
	for _, u := range out.Uses {
		if u.Setting == "tools#stripped" {
			stripped = append(stripped, u.Value)
		}
	}
	if diff := cmp.Diff([]string{"e*", "*_*", "bash"}, stripped); diff != "" {
		t.Error(diff)
	}
}

// Ruling 7: no permission of a block lets a read-only subagent write. What
// passes the checks is held against the client's evaluation.
func TestNoPermissionWidensReadOnly(t *testing.T) {
	keys := []string{"*", "edit", "e*", "?dit", "bash", "b??h", "shell", "write", "*_*", "apply_patch", "execute", "read", "task", "gh_*", "webfetch", "*_patch"}
	random := rand.New(rand.NewPCG(3, 4))
	passed := 0
	for range 500 {
		permission := map[string]any{}
		for range 1 + random.IntN(2) {
			action := strength[random.IntN(3)]
			var value any = action
			if random.IntN(2) == 0 {
				value = map[string]any{"x *": action}
			}
			permission[keys[random.IntN(len(keys))]] = value
		}
		a := agenttest.Texts(t, schema.OpenCodeID, "Probes.", "Look.", map[string]any{
			"access": "read-only", "providers": map[string]any{"opencode": map[string]any{"permission": permission}},
		})
		out, diags := Provider{}.Encode(&providers.Agent{Agent: a, Body: "Look."})
		if diags.HasErrors() {
			continue
		}
		passed++
		rules := append(slices.Clone(clientDefaults), readRules(t, out.Docs[0].Data)...)
		for _, p := range [][2]string{{"edit", "x y"}, {"bash", "x y"}, {"execute", "x y"}, {"edit", "z"}, {"bash", "z"}} {
			if got := decide(rules, p[0], p[1]); got != "deny" {
				t.Fatalf("%v: %v is %s", permission, p, got)
			}
		}
	}
	if passed < 50 {
		t.Errorf("only %d passed", passed)
	}
}

func TestMatches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const letters = "ab *?.\n_"
	text := func(n int) string {
		b := make([]byte, random.IntN(n))
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	hits := 0
	for range 5000 {
		pattern, arg := text(7), text(7)
		want := clientMatch(pattern, arg)
		if want {
			hits++
		}
		if got := matches(pattern, arg); got != want {
			t.Fatalf("%q on %q: %v", pattern, arg, got)
		}
	}
	if hits < 100 {
		t.Errorf("only %d of the pairs match", hits)
	}
	if matches(strings.Repeat("*a", 200)+"b", strings.Repeat("a", 20000)) {
		t.Error("matched")
	}
}
