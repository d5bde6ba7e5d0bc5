package opencode

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Codes of the problems that only this host has.
const (
	codeIntegerKey    schema.Code = "integer-permission-key"
	codeUnsafeKey     schema.Code = "unsafe-key"
	codePermissionMap schema.Code = "permission-map"
	codeVariant       schema.Code = "model-variant"
	codeNoEffect      schema.Code = "no-effect"
)

var (
	modelForm   = regexp.MustCompile(`^[^/\s]+/\S+$`)
	integerForm = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	plainKey    = regexp.MustCompile(`^[A-Za-z0-9_*?-]+$`)
)

// maxKey bounds a key of permission, in bytes. YAML readers may refuse a key
// that is longer than 1,024 characters, and with broken YAML the client loads
// the agent with every right.
const maxKey = 1000

// prototype is a key that the client's objects lose without a word. Observed
// on 1.18.33.
const prototype = "__proto__"

// checkModel: a model without a provider loads and fails when it runs, and so
// does one with the variant behind a #. Observed on 1.18.33.
func (e *encoder) checkModel(c providers.Choice) {
	const hint = "Write PROVIDER/MODEL such as anthropic/claude-sonnet-4-5, or leave it out to inherit the caller's."
	at := e.a.At(c.ModelKey)
	switch {
	case !modelForm.MatchString(c.Model) && c.ModelKey == "tier":
		e.fail("foreign-model", at, hint, "the model %q of tier %q is not one that OpenCode can take", c.Model, e.a.Tier)
	case !modelForm.MatchString(c.Model): // the check of the manifest's form has told it
	case strings.Contains(c.Model, "#"):
		model, variant, _ := strings.Cut(c.Model, "#")
		e.fail(codeVariant, at, "Write "+model+", and variant: "+variant+" beside it.", "OpenCode does not split a variant off a model: %q", c.Model)
	}
}

// checkRules finds what would stop the client, or has no effect.
func (e *encoder) checkRules(permission *schema.Node) {
	for _, f := range permission.Fields {
		e.checkKey(f)
		if f.Value.Kind != schema.Map {
			e.checkEffect(f)
			continue
		}
		if slices.Contains(actionOnly, f.Key) {
			e.fail(codePermissionMap, f.Range, "Write one action: allow, ask or deny.", "the permission of %q takes no patterns, and stops OpenCode with them", f.Key)
		}
		for _, p := range f.Value.Fields {
			e.checkKey(p)
		}
		e.checkEffect(f)
	}
}

// checkKey finds a key or pattern that the file cannot carry. What looks like an
// index moves to the front of its map. Observed on 1.18.33.
func (e *encoder) checkKey(f schema.Field) {
	switch {
	case integerForm.MatchString(f.Key):
		e.fail(codeIntegerKey, f.Range, "Write it with a wildcard, such as \""+f.Key+"*\".",
			"%q moves to the front of the map, where the order decides", f.Key)
	case f.Key == prototype:
		e.fail(codeUnsafeKey, f.Range, "Leave it out.", "OpenCode loses the key %q", f.Key)
	case len(f.Key) > maxKey:
		e.fail(codeUnsafeKey, f.Range, "Shorten it with a wildcard.", "a key of %d bytes may not be read back", len(f.Key))
	}
}

// other translates keys that OpenCode takes and gives no effect: names of tools
// that ask under another key, V2's actions, and other hosts' words.
var other = map[string]string{
	"write": "edit", "apply_patch": "edit", "patch": "edit", "multiedit": "edit", "agent": taskKey, "subagent": taskKey, "shell": "bash",
	"web_fetch": "webfetch", "web_search": "websearch", "todo": todoKey, "todoread": todoKey, "search": "grep", "skills": "skill",
}

// checkEffect warns about a key that matches no tool. Observed on 1.18.33.
func (e *encoder) checkEffect(f schema.Field) {
	key := f.Key
	lower := strings.ToLower(key)
	instead := other[lower]
	if instead == "" && isKey(lower) {
		instead = lower
	}
	var hint string
	switch {
	case isKey(key), f.Key == prototype, integerForm.MatchString(key):
		return
	case instead != "":
		hint = "Write " + instead + "."
	case strings.HasPrefix(key, "mcp__"):
		server, tool, _ := strings.Cut(strings.TrimPrefix(key, "mcp__"), "__")
		hint = "An MCP tool is SERVER_TOOL here: write " + server + "_" + cmp.Or(tool, all) + "."
	case !plainKey.MatchString(key):
		hint = "Other characters than letters, digits, _ and - become _ in the names of MCP tools: write " +
			strings.Join(cleanEach(key), "*") + "."
	case strings.Contains(key, "_") || coversKey(key):
		return
	default:
		hint = "Keys are " + strings.Join(slices.Concat(deniable, underscoredKeys), ", ") + ", and SERVER_TOOL for MCP tools."
		if near := schema.Nearest(key, slices.Concat(deniable, underscoredKeys)); near != "" {
			hint = "Did you mean " + near + "? " + hint
		}
	}
	e.diags = append(e.diags, schema.Warning(codeNoEffect, f.Range, "the permission key \""+key+"\" has no effect on OpenCode", hint))
}

// cleanEach cleans the stretches between the wildcards of a key.
func cleanEach(key string) []string {
	parts := strings.Split(key, "*")
	for i, part := range parts {
		parts[i] = clean(part)
	}
	return parts
}

func coversKey(pattern string) bool {
	return slices.ContainsFunc(slices.Concat(deniable, underscoredKeys), func(key string) bool { return matches(pattern, key) })
}

// writing are the keys with which a subagent can change files: those of the
// client, what V2 translates to them, and the tools that ask under them, which
// a wildcard may be meant for.
var writing = []string{"edit", "write", "patch", "multiedit", "apply_patch", codeKey}

// shells are the keys of the shell in both generations.
var shells = []string{"bash", "shell"}

// widens says whether a key of a rule can let a read-only subagent write.
func (e *encoder) widens(key string) bool {
	keys := writing
	if !providers.AllowsShell(e.a) {
		keys = slices.Concat(writing, shells)
	}
	return slices.ContainsFunc(keys, func(k string) bool { return matches(key, k) })
}

// keepReading holds rules against access: read-only. What the block of the entry
// allows is an error; what defaults gave is taken away.
func (e *encoder) keepReading(block rules) rules {
	var kept rules
	for _, r := range block {
		if !e.widens(r.Tool) || !allowsSome(r) {
			kept = append(kept, r)
			continue
		}
		at := e.ruleAt(r.Tool)
		if e.a.Rank("opencode.permission") == schema.FromBlock {
			e.fail(schema.CodeToolConflict, at, "Write deny, leave it out, or set access: workspace-write.",
				"%q is read-only and its block permits %q, with which it can write", e.a.Name, r.Tool)
		}
		e.out.Use("tools#stripped", r.Tool, at)
		patterns := slices.DeleteFunc(slices.Clone(r.Patterns), func(p schema.OpenCodePattern) bool { return p.Action != deny })
		if len(patterns) > 0 {
			kept = append(kept, schema.OpenCodeRule{Tool: r.Tool, Patterns: patterns})
		}
	}
	return kept
}

func allowsSome(r schema.OpenCodeRule) bool {
	return r.Action != "" && r.Action != deny || slices.ContainsFunc(r.Patterns, func(p schema.OpenCodePattern) bool { return p.Action != deny })
}

// ruleAt gives the place of a rule of the block.
func (e *encoder) ruleAt(key string) hcl.Range {
	s, ok := e.a.Setting("opencode.permission")
	if f := s.Value.Field(key); ok && f != nil {
		return f.Range
	}
	return e.a.At("opencode.permission")
}

// checkPassed finds, in what goes to the provider as it is, the values that no
// file can carry.
func (e *encoder) checkPassed(n *schema.Node) {
	if n == nil {
		return
	}
	if d := providers.NoNulls(n); d != nil {
		e.diags = append(e.diags, d)
	}
	e.checkPrototype(n)
}

func (e *encoder) checkPrototype(n *schema.Node) {
	for _, item := range n.Items {
		e.checkPrototype(item)
	}
	for _, f := range n.Fields {
		if f.Key == prototype {
			e.fail(codeUnsafeKey, f.Range, "Leave it out.", "OpenCode loses the key %q", f.Key)
		}
		e.checkPrototype(f.Value)
	}
}
