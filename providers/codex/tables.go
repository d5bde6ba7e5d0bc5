package codex

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// roleFeatures are the features that a role can switch off. Source of the
// client; openai/codex PR #39299.
var roleFeatures = []string{"shell_tool", "apps", "plugins", "memories", "request_permissions_tool"}

// features writes the features and notes those that the client does not act on.
func (e *encoder) features() table {
	const key = "codex.features"
	for _, name := range slices.Sorted(maps.Keys(e.block.Features)) {
		switch at := e.keyAt(key, name); {
		case e.block.Features[name]:
			e.out.Use(key+"#on", name, at)
		case !slices.Contains(roleFeatures, name):
			e.out.Use(key+"#other", name, at)
		}
	}
	return sorted(e.block.Features)
}

// skills writes the skill settings. The client wants enabled in every item, and
// an item without a name and a path is about nothing. Observed on 0.171.0.
func (e *encoder) skills() table {
	const key = "codex.skills"
	s := e.block.Skills
	if s == nil {
		return nil
	}
	var t table
	set, _ := e.a.Setting(key)
	for _, name := range []string{"include_instructions", "max_context_tokens", "bundled"} {
		f := set.Value.Field(name)
		switch {
		case f == nil || f.Value.Kind == schema.Null:
		case f.Value.Bool || f.Value.Get("enabled") != nil && f.Value.Get("enabled").Bool:
			e.out.Use(key+"#on", name, f.Range)
		default:
			e.out.Use(key+"#settings", name, f.Range)
		}
	}
	if s.IncludeInstructions != nil {
		t = append(t, pair{"include_instructions", *s.IncludeInstructions})
	}
	if s.MaxContextTokens != nil {
		t = append(t, pair{"max_context_tokens", *s.MaxContextTokens})
	}
	if items := e.skillItems(s.Config, set.Value.Get("config").List()); len(items) > 0 {
		t = append(t, pair{"config", items})
	}
	if s.Bundled != nil && s.Bundled.Enabled != nil {
		t = append(t, pair{"bundled", table{{"enabled", *s.Bundled.Enabled}}})
	}
	return t
}

func (e *encoder) skillItems(items []schema.CodexSkill, nodes []*schema.Node) []table {
	var out []table
	for i, item := range items {
		at := nodes[i].Range
		if (item.Name == "") == (item.Path == "") || item.Enabled == nil {
			e.reject("bad-skill", at, "Write {name: NAME, enabled: false} or {path: PATH, enabled: false}.",
				"an item of skills.config needs either a name or a path, and enabled")
			continue
		}
		id := pair{"name", item.Name}
		if item.Name == "" {
			id = pair{"path", item.Path}
		}
		if *item.Enabled {
			e.out.Use("codex.skills#on", item.Name+item.Path, at)
		}
		out = append(out, table{id, {"enabled", *item.Enabled}})
	}
	return out
}

func wireGranular(g *schema.CodexGranular) table {
	var t table
	for _, p := range []struct {
		key   string
		value *bool
	}{
		{"sandbox_approval", g.SandboxApproval},
		{"rules", g.Rules},
		{"mcp_elicitations", g.MCPElicitations},
		{"request_permissions", g.RequestPermissions},
		{"skill_approval", g.SkillApproval},
	} {
		if p.value != nil {
			t = append(t, pair{p.key, *p.value})
		}
	}
	return t
}

// keyAt gives the place of a key in a mapping of the block.
func (e *encoder) keyAt(setting, name string) hcl.Range {
	s, _ := e.a.Setting(setting)
	if f := s.Value.Field(name); f != nil {
		return f.Range
	}
	return e.a.At(setting)
}
