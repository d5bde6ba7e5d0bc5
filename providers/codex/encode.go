package codex

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Encode writes the role file. Keys stand in a fixed order: what names the role,
// its model, the other scalars, the instructions, then the tables. A key that
// nothing set is left out.
func (Provider) Encode(a *providers.Agent) (providers.Output, hcl.Diagnostics) {
	e := encoder{a: a, block: a.Block.(*schema.Codex), file: newFile(providers.Marker)}
	e.file.text("name", a.Slug)
	e.file.text("description", a.Description)
	e.model()
	e.scalars()
	more := e.extra()
	e.file.prose("developer_instructions", a.Body)
	e.tables(more)
	providers.Unlisted(a, &e.out)
	if e.diags.HasErrors() {
		return providers.Output{}, e.diags
	}
	e.out.Docs = []providers.Doc{{Data: e.file.b.Bytes()}}
	return e.out, e.diags
}

// nativeKeys are the keys that the encoder writes itself, as the client spells
// them.
var nativeKeys = []string{
	"name", "description", "developer_instructions", "model", "model_reasoning_effort", "model_reasoning_summary", "model_verbosity",
	"sandbox_mode", "approval_policy", "nickname_candidates", "web_search", "service_tier", "features", "skills", "mcp_servers",
}

type encoder struct {
	a     *providers.Agent
	block *schema.Codex
	file  *file
	out   providers.Output
	diags hcl.Diagnostics
}

func (e *encoder) fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Problemf(code, at, detail, format, args...))
}

func (e *encoder) warn(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	e.diags = append(e.diags, schema.Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// reject reports a value that would cost the client the role: an error, or in an
// agent_tools_subagents manifest a warning, and the value is left out.
func (e *encoder) reject(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	if e.a.Compat() {
		e.warn(schema.CodeCompat, at, detail, format+"; it is left out", args...)
		return
	}
	e.fail(code, at, detail, format, args...)
}

// scalars writes the settings that stand on one line.
func (e *encoder) scalars() {
	text := func(key, value string) {
		if value != "" {
			e.file.text(key, value)
		}
	}
	b := e.block
	text("model_reasoning_summary", b.ReasoningSummary)
	text("model_verbosity", b.Verbosity)
	text("sandbox_mode", e.sandbox())
	if b.ApprovalPolicy != nil {
		text("approval_policy", b.ApprovalPolicy.Word)
	}
	if names := e.nicknames(); len(names) > 0 {
		e.file.value("nickname_candidates", names)
	}
	text("web_search", b.WebSearch)
	text("service_tier", b.ServiceTier)
}

// widths orders the sandbox modes by what they let an agent do.
var widths = map[string]int{"read-only": 1, "workspace-write": 2, "danger-full-access": 3}

// sandbox gives sandbox_mode: that of the block, or the entry's access, which
// has the same words. No block makes a read-only entry wider.
func (e *encoder) sandbox() string {
	const key = "codex.sandbox_mode"
	mode, from := e.a.Access, "access"
	if e.block.SandboxMode != "" && e.a.Rank(key) > e.a.Rank("access") {
		mode, from = e.block.SandboxMode, key
	}
	if e.a.ReadOnly() && widths[mode] > widths["read-only"] {
		if e.a.Rank(key) == schema.FromBlock {
			e.fail(schema.CodeToolConflict, e.a.At(key), "Write read-only, or set access: workspace-write.",
				"%q is read-only and its block sets the sandbox to %s", e.a.Name, mode)
		}
		e.out.Use(key+"#narrowed", mode, e.a.At(key))
		mode, from = e.a.Access, "access"
	}
	if mode != "" {
		e.out.Shown(from, "sandbox_mode = "+basic(mode))
	}
	return mode
}

// nicknames checks that the names differ without the white space around them,
// which the client cuts. Observed on 0.171.0.
func (e *encoder) nicknames() []string {
	const key = "codex.nickname_candidates"
	seen := map[string]bool{}
	names := e.block.NicknameCandidates
	for _, name := range names {
		trimmed := strings.TrimSpace(name)
		if seen[trimmed] {
			e.reject(schema.CodeBadValue, providers.ItemAt(e.a, key, name), "Remove one of the two: Codex would drop the whole role.",
				"the nickname %q stands twice", trimmed)
			return nil
		}
		seen[trimmed] = true
	}
	return names
}

// tables writes what has a header of its own, and after it the tables of extra.
func (e *encoder) tables(extra table) {
	if p := e.block.ApprovalPolicy; p != nil && p.Granular != nil {
		e.file.table("approval_policy.granular", wireGranular(p.Granular))
	}
	if t := e.features(); len(t) > 0 {
		e.file.table("features", t)
	}
	if t := e.skills(); len(t) > 0 {
		e.file.table("skills", t)
	}
	if t := e.servers(); len(t) > 0 {
		e.file.table("mcp_servers", t)
	}
	for _, p := range extra {
		e.file.table(tomlKey(p.key), p.value.(table))
	}
}
