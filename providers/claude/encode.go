package claude

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/yamlout"
	"github.com/seed-337579fc/subagents/schema"
)

// Encode writes the agent file. Keys stand in a fixed order; a key that nothing
// set is left out, and the client's default holds.
func (Provider) Encode(a *providers.Agent) (providers.Output, hcl.Diagnostics) {
	e := encoder{a: a, block: a.Block.(*schema.Claude), front: yamlout.NewFrontMatter(providers.Marker)}
	e.check()
	e.front.Text("name", a.Slug)
	e.front.Text("description", a.Description)
	if strings.Contains(a.Description, `\n`) {
		e.out.Use("description#backslash-n", "", a.Entry.Node.Get("description").Range)
	}
	e.tools()
	e.model()
	e.settings()
	e.diags = append(e.diags, providers.Extra(a, nativeKeys, func(key string, v schema.Value) {
		e.front.Value(yamlout.Key(key), v.Interface())
	})...)
	data, err := e.front.File(a.Body)
	if err != nil {
		e.fail("encode", a.Entry.At, "Check the values of the block.", "%v", err)
	}
	if len(data) > maxFile {
		e.fail("file-too-large", a.Entry.At, "Shorten the instructions.", "the agent file of %q has %d bytes; Claude Code skips files over %d", a.Name, len(data), maxFile)
	}
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	e.out.Docs = []providers.Doc{{Data: data}}
	return e.out, e.diags
}

// nativeKeys are the keys that the encoder writes itself, as the client spells
// them.
var nativeKeys = []string{
	"name", "description", "tools", "disallowedTools", "model", "effort", "permissionMode", "maxTurns", "skills", "mcpServers",
	"hooks", "memory", "background", "isolation", "color", "initialPrompt", "omitClaudeMd", "autoCompactWindow", "experimental",
}

type encoder struct {
	a     *providers.Agent
	block *schema.Claude
	front *yamlout.FrontMatter
	out   providers.Output
	diags hcl.Diagnostics
}

func (e *encoder) fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Problemf(code, at, detail, format, args...))
}

// list writes a list of tools on one line, as the client reads it; an empty one
// means none, and has to be an empty list to mean that.
func (e *encoder) list(key string, names []string) {
	if len(names) == 0 {
		e.front.Value(key, []string{})
		return
	}
	e.front.Text(key, strings.Join(names, ", "))
}

// tools writes the allow-list and the deny-list.
func (e *encoder) tools() {
	a := e.a
	list := providers.ListTools(a, &facts, e.block.Tools, &e.out)
	e.diags = append(e.diags, list.Problems...)
	if list.Restricted {
		names := list.Natives
		if !list.Verbatim {
			names = append(slices.Clone(names), mcpTools(a.MCP)...)
		}
		e.list("tools", names)
		e.out.Shown("tools", strings.Join(names, ", "))
	}
	if len(a.MCP) > 0 && (!list.Restricted || list.Verbatim) {
		e.out.Use("mcp#without-tools", strings.Join(a.MCP, ", "), a.At("mcp"))
	}
	denied := slices.Clone(e.block.DisallowedTools)
	deny := func(name string) {
		if !slices.Contains(denied, name) {
			denied = append(denied, name)
		}
	}
	if list.Denied {
		for _, name := range tools.Native(schema.Delegate) {
			deny(name)
		}
	}
	if e.block.Memory != "" && list.Restricted {
		for _, name := range []string{"Write", "Edit"} {
			if !slices.ContainsFunc(list.Natives, func(t string) bool { n, _ := toolName(t); return n == name || n == "*" }) {
				deny(name)
				e.out.Use("claude.memory#narrowed", "", a.At("claude.memory"))
			}
		}
	}
	for _, name := range e.uninvited(list) {
		deny(name)
		e.out.Use("claude.mcp_servers#narrowed", name, a.At("claude.mcp_servers"))
	}
	if len(denied) > 0 {
		e.list("disallowedTools", denied)
	}
}

// uninvited lists the servers configured in the block that a tools list does not
// name: the client would give all of their tools all the same.
func (e *encoder) uninvited(list providers.ToolList) []string {
	if !list.Restricted {
		return nil
	}
	listed := list.Natives
	if !list.Verbatim {
		listed = append(slices.Clone(listed), mcpTools(e.a.MCP)...)
	}
	var names []string
	for _, s := range e.block.MCPServers {
		if s.Config == nil {
			continue
		}
		name := mcpTools([]string{s.Name})[0]
		one := func(t string) bool { return strings.HasPrefix(t, name+"__") && t != name+"__*" }
		switch {
		case slices.Contains(listed, name), slices.Contains(listed, name+"__*"), slices.Contains(listed, "*"):
		case slices.ContainsFunc(listed, one):
			e.out.Use("claude.mcp_servers#whole", s.Name, e.a.At("claude.mcp_servers"))
		default:
			names = append(names, name)
		}
	}
	return names
}

// model writes model and effort.
func (e *encoder) model() {
	c := providers.Choose(e.a, &facts, e.block.Model, "effort", e.block.Effort)
	if c.Model != "" {
		e.front.Text("model", c.Model)
		e.out.Shown(c.ModelKey, c.Model)
	}
	if c.Effort != "" {
		e.front.Text("effort", c.Effort)
		e.out.Shown(c.EffortKey, c.Effort)
	}
	if c.ModelKey == "tier" && !isModel(c.Model) {
		e.fail("foreign-model", e.a.At("tier"), modelHint, "the model %q of tier %q is not one that Claude Code knows", c.Model, e.a.Tier)
	}
}

// skills writes those that are preloaded; a list in the block is verbatim.
func (e *encoder) skills() {
	ids := e.block.Skills
	if e.a.Rank("claude.skills") < e.a.Rank("skills") || ids == nil {
		ids = nil
		for _, s := range e.a.Skills {
			if s.Preload != nil && *s.Preload {
				ids = append(ids, s.ID)
			}
		}
	}
	if len(ids) == 0 {
		return
	}
	e.front.Raw("skills:\n")
	for _, id := range ids {
		e.front.Raw("  - " + yamlout.Text(id) + "\n")
	}
}

// settings writes the keys that the block alone can set, and those of the
// neutral ones that map to a single key.
func (e *encoder) settings() {
	b := e.block
	text := func(key, value string) {
		if value != "" {
			e.front.Text(key, value)
		}
	}
	text("permissionMode", b.PermissionMode)
	if b.MaxTurns != nil {
		e.front.Value("maxTurns", *b.MaxTurns)
	}
	e.skills()
	if b.MCPServers != nil {
		e.front.Value("mcpServers", wireServers(b.MCPServers))
	}
	if hooks := wireHooks(e.a, b); len(hooks) > 0 {
		e.front.Value("hooks", hooks)
	}
	text("memory", b.Memory)
	if b.Background != nil {
		e.front.Value("background", *b.Background)
	}
	isolation := b.Isolation
	if e.a.Rank("isolation") > e.a.Rank("claude.isolation") {
		isolation = strings.TrimPrefix(e.a.Isolation, "none")
	}
	text("isolation", isolation)
	text("color", b.Color)
	text("initialPrompt", b.InitialPrompt)
	if b.OmitClaudeMD != nil {
		e.front.Value("omitClaudeMd", *b.OmitClaudeMD)
	}
	if b.AutoCompactWindow != nil {
		e.front.Value("autoCompactWindow", *b.AutoCompactWindow)
	}
	if b.Experimental != nil && b.Experimental.CacheTTL != "" {
		e.front.Value("experimental", map[string]string{"cacheTtl": b.Experimental.CacheTTL})
	}
}
