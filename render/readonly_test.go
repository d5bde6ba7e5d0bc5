package render_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// restricted are the neutral keys under which nothing may be written, whatever
// a block says.
var restricted = map[string]map[string]any{
	"read-only":            {"access": "read-only"},
	"read-only with tools": {"access": "read-only", "tools": []any{"read", "search"}},
	"reading tools":        {"tools": []any{"read", "list"}},
	"empty tools":          {"tools": []any{}},
}

// replaces are the keys that take the place of the neutral tools, in the host's
// own words: without access: read-only they may say what they want.
var replaces = map[string]bool{"claude.tools": true, "kiro.tools": true, "opencode.permission": true}

// tempting are values that a sample made from the schema would not hit on.
var tempting = map[string][]any{
	"claude.tools":            {[]any{"*"}, []any{"Write"}, []any{"Bash(git:*)"}, []any{"Read", "NotebookEdit"}, []any{"read", "Edit"}},
	"claude.disallowed_tools": {[]any{"Read"}},
	"kiro.tools":              {[]any{"*"}, []any{"@builtin"}, []any{"write"}, []any{"read", "execute_bash"}, []any{"fs_write"}, []any{"spec"}},
	"opencode.permission": {
		map[string]any{"edit": "allow"},
		map[string]any{"*": "allow"},
		map[string]any{"bash": map[string]any{"*": "allow"}},
		map[string]any{"e*": "ask"},
		map[string]any{"bas?": map[string]any{"git *": "allow"}},
	},
	"codex.sandbox_mode": {"danger-full-access", "workspace-write"},
}

// TestNoKeyWidensAReadOnlyAgent sets every key of every block, to every kind of
// value that the schema admits, beside neutral keys that rule writing out. Each
// is refused or leaves the subagent without a tool that can write.
func TestNoKeyWidensAReadOnlyAgent(t *testing.T) {
	defs := definitions(t)
	for _, id := range schema.ProviderIDs() {
		if all.Get(id) == nil {
			t.Fatalf("%s is not in the list of hosts", id)
		}
		def := defs.lookup(blockNames[id])
		tried := 0
		for key, property := range def["properties"].(map[string]any) {
			values := append(defs.samples(property.(map[string]any), 0), tempting[string(id)+"."+key]...)
			for name, neutral := range restricted {
				if neutral["access"] == nil && replaces[string(id)+"."+key] {
					continue
				}
				for _, value := range values {
					tried++
					widens(t, id, name, neutral, key, value)
				}
			}
		}
		if tried < 80 {
			t.Errorf("%s: only %d combinations tried", id, tried)
		}
	}
}

var blockNames = map[schema.ProviderID]string{
	schema.ClaudeID: "Claude", schema.CodexID: "Codex", schema.GooseID: "Goose", schema.KiroID: "Kiro", schema.OpenCodeID: "OpenCode",
}

func widens(t *testing.T, id schema.ProviderID, name string, neutral map[string]any, key string, value any) {
	t.Helper()
	entry := map[string]any{
		"name": "probe", "description": "Looks. Use when asked.", "instructions": "Look.",
		"providers": map[string]any{string(id): map[string]any{key: value}},
	}
	for k, v := range neutral {
		entry[k] = v
	}
	data, err := json.Marshal(map[string]any{"targets": []any{id}, "guard": "none", "subagents": []any{entry}})
	if err != nil {
		t.Fatal(err)
	}
	m, diags := schema.Load(schema.NewSource("m.json", data), schema.Options{})
	if diags.HasErrors() {
		return
	}
	scope := schema.ProjectScope
	if key == "scope" {
		scope = ""
	}
	result, diags := render.Render(m, render.Options{Scope: scope})
	if diags.HasErrors() {
		return
	}
	for _, f := range result.Files {
		if tool := writingTool(t, f, neutral["access"] == "read-only"); tool != "" {
			t.Errorf("%s, %s: %s = %v leaves %s:\n%s", id, name, key, value, tool, f.Data)
		}
	}
}

// writingTool gives a tool of a native file that can write, or "". It judges
// the file as the host reads it, with a parser of its format.
func writingTool(t *testing.T, f render.File, readOnly bool) string {
	t.Helper()
	switch {
	case f.Provider == schema.ClaudeID:
		return claudeWrites(head(t, f))
	case f.Provider == schema.CodexID:
		var role map[string]any
		if err := toml.Unmarshal(f.Data, &role); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		if mode, ok := role["sandbox_mode"].(string); ok && mode != "read-only" && readOnly {
			return "sandbox_mode " + mode
		}
	case f.Provider == schema.KiroID && strings.HasSuffix(f.Path, ".json"):
		var agent map[string]any
		if err := json.Unmarshal(f.Data, &agent); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		return kiroWrites(agent["tools"])
	case f.Provider == schema.KiroID:
		return kiroWrites(head(t, f)["tools"])
	case f.Provider == schema.OpenCodeID:
		return opencodeWrites(t, f)
	}
	return ""
}

// head parses the front matter of a Markdown file.
func head(t *testing.T, f render.File) map[string]any {
	t.Helper()
	_, rest, _ := strings.Cut(string(f.Data), "---\n")
	front, _, ok := strings.Cut(rest, "\n---\n")
	var keys map[string]any
	if err := yaml.Unmarshal([]byte(front), &keys); err != nil || !ok {
		t.Fatalf("%s: no front matter: %v\n%s", f.Path, err, f.Data)
	}
	return keys
}

func claudeWrites(keys map[string]any) string {
	var given []string
	switch tools := keys["tools"].(type) {
	case string:
		given = strings.Split(tools, ", ")
	case []any:
	default:
		return "every tool"
	}
	denied, _ := keys["disallowedTools"].(string)
	if keys["memory"] != nil {
		given = append(given, "Write", "Edit")
	}
	for _, tool := range given {
		name, _, _ := strings.Cut(tool, "(")
		if slices.Contains([]string{"Write", "Edit", "NotebookEdit", "Bash", "PowerShell", "REPL", "*"}, name) &&
			!slices.Contains(strings.Split(denied, ", "), name) {
			return name
		}
	}
	return ""
}

func kiroWrites(tools any) string {
	list, ok := tools.([]any)
	if !ok {
		return "" // no list is no tools
	}
	for _, tool := range list {
		switch name := fmt.Sprint(tool); name {
		case "write", "shell", "*", "@builtin", "fs_write", "execute_bash", "execute_cmd", "executeBash", "fsWrite", "spec", "aws", "use_aws":
			return name
		}
	}
	return ""
}

// opencodeWrites evaluates the rules of a file as the client does: the last
// one that matches wins.
func opencodeWrites(t *testing.T, f render.File) string {
	t.Helper()
	_, rest, _ := strings.Cut(string(f.Data), "---\n")
	front, _, _ := strings.Cut(rest, "\n---\n")
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"edit", "bash"} {
		verdict := "allow"
		mapping := doc.Content[0]
		for i := 0; i < len(mapping.Content); i += 2 {
			if mapping.Content[i].Value != "permission" {
				continue
			}
			verdict = evaluate(mapping.Content[i+1], tool, verdict)
		}
		if verdict != "deny" {
			return tool + " (" + verdict + ")"
		}
	}
	return ""
}

// evaluate gives the weakest action that any argument can get for a tool.
func evaluate(rules *yaml.Node, tool, verdict string) string {
	if rules.Kind == yaml.ScalarNode {
		return rules.Value
	}
	for i := 0; i < len(rules.Content); i += 2 {
		if !wildcard(rules.Content[i].Value).MatchString(tool) {
			continue
		}
		value := rules.Content[i+1]
		if value.Kind == yaml.ScalarNode {
			verdict = value.Value
			continue
		}
		for j := 0; j < len(value.Content); j += 2 {
			if action := value.Content[j+1].Value; action != "deny" || value.Content[j].Value == "*" {
				verdict = action
			}
		}
	}
	return verdict
}

func wildcard(pattern string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(pattern)
	return regexp.MustCompile("^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(quoted) + "$")
}

// schemaDefs looks definitions of the manifest's JSON Schema up.
type schemaDefs map[string]any

func definitions(t *testing.T) schemaDefs {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(schema.JSONSchema, &doc); err != nil {
		t.Fatal(err)
	}
	return doc["$defs"].(map[string]any)
}

func (d schemaDefs) lookup(name string) map[string]any { return d[name].(map[string]any) }

// candidates are texts among which one fits each pattern of the schema.
var candidates = []string{"x", "sonnet", "a/b", "ctrl+k", "#00ff00", "file://a.md", "1.2.3"}

// samples makes values that a schema admits: every word of an enumeration, both
// booleans, an empty and a filled list, a map with each of its keys alone.
func (d schemaDefs) samples(s map[string]any, depth int) []any {
	if ref, ok := s["$ref"].(string); ok {
		return d.samples(d.lookup(strings.TrimPrefix(ref, "#/$defs/")), depth)
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		if branches, ok := s[union].([]any); ok {
			var values []any
			for _, b := range branches {
				values = append(values, d.samples(b.(map[string]any), depth)...)
			}
			return values
		}
	}
	if words, ok := s["enum"].([]any); ok {
		return words
	}
	switch s["type"] {
	case "boolean":
		return []any{true, false}
	case "integer", "number":
		if least, ok := s["minimum"].(float64); ok {
			return []any{least}
		}
		return []any{1}
	case "string":
		pattern, _ := s["pattern"].(string)
		for _, c := range candidates {
			if regexp.MustCompile(pattern).MatchString(c) {
				return []any{c}
			}
		}
	case "array":
		lists := []any{[]any{}}
		for _, item := range d.samples(s["items"].(map[string]any), depth+1) {
			lists = append(lists, []any{item})
		}
		return lists
	case "object":
		return d.objects(s, depth)
	}
	return nil
}

func (d schemaDefs) objects(s map[string]any, depth int) []any {
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		var maps []any
		for _, v := range d.samples(values, depth+1) {
			maps = append(maps, map[string]any{"key": v})
		}
		return maps
	}
	properties, _ := s["properties"].(map[string]any)
	base := map[string]any{}
	for _, name := range asStrings(s["required"]) {
		if values := d.samples(properties[name].(map[string]any), depth+1); len(values) > 0 {
			base[name] = values[len(values)-1]
		}
	}
	maps := []any{base}
	if depth > 2 {
		return maps
	}
	for name, p := range properties {
		for _, v := range d.samples(p.(map[string]any), depth+1) {
			one := map[string]any{name: v}
			for k, b := range base {
				if k != name {
					one[k] = b
				}
			}
			maps = append(maps, one)
		}
	}
	return maps
}

func asStrings(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, item := range list {
		out = append(out, item.(string))
	}
	return out
}
