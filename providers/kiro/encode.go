package kiro

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/yamlout"
	"github.com/seed-337579fc/subagents/schema"
)

// Encode writes the agent as JSON, as Markdown, or as both. Keys stand in a
// fixed order; a key that nothing set is left out.
func (Provider) Encode(a *providers.Agent) (providers.Output, hcl.Diagnostics) {
	e := encoder{a: a, block: a.Block.(*schema.Kiro), format: a.Block.(*schema.Kiro).Format}
	if e.format == "" {
		e.format = asJSON
	}
	e.check()
	e.members()
	providers.Unpreloaded(a, &e.out)
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	e.write(asJSON, e.json)
	e.write(asMarkdown, e.markdown)
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	return e.out, e.diags
}

type encoder struct {
	a      *providers.Agent
	block  *schema.Kiro
	format string // json, markdown or both
	keys   []member
	out    providers.Output
	diags  hcl.Diagnostics
}

// A member is a key of the file with its value.
type member struct {
	key   string
	value any
	only  string // the one format that has the key; empty: both
}

func (e *encoder) fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Problemf(code, at, detail, format, args...))
}

func (e *encoder) warn(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// writes says whether a format is among those asked for.
func (e *encoder) writes(format string) bool { return e.format == format || e.format == "both" }

func (e *encoder) write(format string, encode func() ([]byte, error)) {
	if !e.writes(format) {
		return
	}
	data, err := encode()
	if err != nil {
		e.fail("encode", e.a.Entry.At, "Check the values of the block.", "%v", err)
		return
	}
	e.out.Docs = append(e.out.Docs, providers.Doc{Format: format, Data: data})
}

// native are the keys that the encoder writes itself, as the client spells
// them; systemPrompt and useLegacyMcpJson are V2's other names for two of
// them, which it refuses beside the first.
var native = []string{
	"name", "description", "prompt", "systemPrompt", "tools", "model", "effortLevel", "toolAliases", "allowedTools", "toolsSettings",
	"resources", "hooks", "mcpServers", "includeMcpJson", "useLegacyMcpJson", "permissions", "excludedTools", "welcomeMessage",
	"keyboardShortcut",
}

// members collects the keys of the file in their order: first those that every
// engine reads, then those of the block.
func (e *encoder) members() {
	a := e.a
	e.add("name", a.Slug)
	e.add("description", a.Description)
	e.addOnly(asJSON, "prompt", a.Body)
	list := e.toolList()
	e.add("tools", list)
	e.model()
	e.blockKeys()
	e.checkAgainst(list)
	e.diags = append(e.diags, providers.Extra(a, native, func(key string, v schema.Value) { e.add(key, v.Interface()) })...)
}

func (e *encoder) add(key string, value any) { e.addOnly("", key, value) }

func (e *encoder) addOnly(format, key string, value any) {
	e.keys = append(e.keys, member{key, value, format})
}

// model writes model and effort. effortLevel goes to Markdown alone: builds of
// V2 refuse a key that they do not know.
func (e *encoder) model() {
	c := providers.Choose(e.a, &facts, e.block.Model, "effort_level", e.block.EffortLevel)
	if c.ModelKey != "" && c.Model != "" {
		e.checkModel(c)
		e.add("model", c.Model)
		e.out.Shown(c.ModelKey, c.Model)
	}
	if c.ModelKey == "" && e.a.Tier != "" {
		e.out.Use("tier#no-model", e.a.Tier, e.a.At("tier"))
	}
	e.effort(c)
}

// effort says what becomes of an effort in each file that is written.
func (e *encoder) effort(c providers.Choice) {
	if e.format == asJSON {
		e.onlyOutside("effort", e.a.Effort)
		e.onlyOutside("kiro.effort_level", e.block.EffortLevel)
	}
	if c.Effort == "" {
		return
	}
	e.addOnly(asMarkdown, "effortLevel", c.Effort)
	e.out.Shown(c.EffortKey, c.Effort)
	at := e.a.At(c.EffortKey)
	if c.EffortKey == "tier" && e.writes(asMarkdown) {
		e.out.Use("tier#markdown", c.Effort, at)
	}
	if e.writes(asJSON) && (e.format != asJSON || c.EffortKey == "tier") {
		e.out.Use(c.EffortKey+"#json", c.Effort, at)
	}
}

// onlyOutside notes a key that JSON has no place for where only JSON is written.
func (e *encoder) onlyOutside(key, value string) {
	if value != "" {
		e.out.UseOnly(key, "json", value, e.a.At(key))
	}
}

// blockKeys writes what the block alone can set. V3 reads its own keys from
// Markdown and strips those of V2, which are left out there.
func (e *encoder) blockKeys() {
	b := e.block
	if b.ToolAliases != nil {
		e.addV2("tool_aliases", "toolAliases", b.ToolAliases)
	}
	if b.AllowedTools != nil {
		e.addV2("allowed_tools", "allowedTools", b.AllowedTools)
	}
	if b.ToolsSettings != nil {
		e.addV2("tools_settings", "toolsSettings", wireSettings(b.ToolsSettings))
	}
	if b.Resources != nil {
		e.add("resources", wireResources(b.Resources))
	}
	if b.Hooks != nil {
		e.addV2("hooks", "hooks", wireHooks(b.Hooks))
	}
	if b.MCPServers != nil {
		e.add("mcpServers", wireServers(b.MCPServers))
	}
	if b.IncludeMCPJSON != nil {
		e.add("includeMcpJson", *b.IncludeMCPJSON)
	}
	e.permissions()
	if b.ExcludedTools != nil {
		e.add("excludedTools", b.ExcludedTools)
	}
	if b.WelcomeMessage != "" {
		e.add("welcomeMessage", b.WelcomeMessage)
	}
	if b.KeyboardShortcut != "" {
		e.addV2("keyboard_shortcut", "keyboardShortcut", b.KeyboardShortcut)
	}
}

// addV2 writes a key that V2 alone reads, which is one of JSON.
func (e *encoder) addV2(key, native string, value any) {
	e.addOnly(asJSON, native, value)
	if e.writes(asMarkdown) {
		full := e.a.BlockKey(key)
		e.out.Use(full+"#markdown", "", e.a.At(full))
	}
}

// permissions writes those of the block. V3 skips a JSON file that has
// allowedTools or toolsSettings and no permissions; an empty rule list is
// enough. Third-party reading of 2.15.1.
func (e *encoder) permissions() {
	b := e.block
	if b.Permissions != nil {
		e.add("permissions", wirePermissions{wireRules(b.Permissions.Rules), b.Permissions.Policies})
		return
	}
	if b.AllowedTools == nil && b.ToolsSettings == nil {
		return
	}
	e.addOnly(asJSON, "permissions", wirePermissions{Rules: []wireRule{}})
	if e.writes(asJSON) {
		key := "kiro.allowed_tools"
		if b.AllowedTools == nil {
			key = "kiro.tools_settings"
		}
		e.out.Use("kiro.permissions#added", "", e.a.At(key))
	}
}

// json writes the members as one object: two spaces, a final line feed, and no
// escapes for the sake of HTML.
func (e *encoder) json() ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(e.a.Body) + len(e.a.Body)/16 + 512)
	text, enc := json.NewEncoder(&b), json.NewEncoder(&b)
	text.SetEscapeHTML(false)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	b.WriteByte('{')
	sep := "\n  "
	for _, m := range e.keys {
		if m.only == asMarkdown {
			continue
		}
		b.WriteString(sep)
		for i, v := range []any{m.key, m.value} {
			if i > 0 {
				b.WriteString(": ")
			}
			to := enc
			if _, ok := v.(string); ok {
				to = text // indenting would copy the body
			}
			if err := to.Encode(v); err != nil {
				return nil, fmt.Errorf("writing %s as JSON: %w", m.key, err)
			}
			b.Truncate(b.Len() - 1) // the line feed that the encoder adds
		}
		sep = ",\n  "
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// markdown writes the members as front matter, one on a line, and the body.
func (e *encoder) markdown() ([]byte, error) {
	front := yamlout.NewFrontMatter(providers.Marker)
	for _, m := range e.keys {
		if m.only != asJSON {
			front.Value(yamlout.Key(m.key), m.value)
		}
	}
	return front.File(e.a.Body)
}
