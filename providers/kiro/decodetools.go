package kiro

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// oldNames are V2's older names of tools, which still work. Documentation:
// tools; source of aws/amazon-q-developer-cli.
var oldNames = map[string]string{
	"fs_read": "read", "fs_write": "write", "execute_bash": "shell", "use_subagent": delegateTool, "delegate": delegateTool,
	"use_aws": "aws", "todo_list": "todo", "report_issue": "report", "gh_issue": "report",
}

// tools reads the list. Absent and empty mean no tools at all.
func (d *decoder) tools() {
	f := d.keys.Field("tools")
	switch {
	case f == nil, f.Value.Kind == schema.Null:
		d.Warn(providers.CodeReadAs, d.Out.At, `Kiro gives an agent without a list no tools at all. Write tools: ["*"] for all of them.`, "there is no list of tools")
		d.Set("tools", providers.ListNode([]string{}, d.Out.At))
		return
	}
	names, ok := d.names(f)
	if !ok {
		return
	}
	if slices.Equal(names, []string{everyTool}) {
		return // what an entry without tools is written as
	}
	block := providers.ListField("tools", names, f.Value.Range)
	verbs, n := tools.Verbs(names)
	var refs []string
	for _, name := range names[n:] {
		ref, ok := strings.CutPrefix(name, "@")
		if server, _, _ := strings.Cut(ref, "/"); !ok || !isReference(ref) || slices.Contains(specialServers, server) {
			d.Either(nil, block)
			return
		}
		refs = append(refs, ref)
	}
	if len(verbs) == 0 || hasTwice(refs) {
		d.Either(nil, block)
		return
	}
	neutral := []schema.Field{providers.ListField("tools", verbs, f.Value.Range)}
	if len(refs) > 0 {
		neutral = append(neutral, providers.ListField("mcp", refs, f.Value.Range))
	}
	d.Either(neutral, block)
}

// isReference says whether a text is SERVER or SERVER/TOOL without patterns.
func isReference(ref string) bool {
	parts := strings.Split(ref, "/")
	return len(parts) <= 2 && !slices.Contains(parts, "") && !strings.ContainsAny(ref, "*?")
}

func hasTwice(list []string) bool {
	for i, s := range list {
		if slices.Contains(list[:i], s) {
			return true
		}
	}
	return false
}

// names reads a list of tools: of texts, or in Markdown one text with commas, or
// in JSON the text *. Older names become today's.
func (d *decoder) names(f *schema.Field) ([]string, bool) {
	names, others := providers.Texts(f.Value)
	switch {
	case f.Value.Kind == schema.String && d.format == asMarkdown:
		for _, name := range strings.Split(f.Value.Str, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	case f.Value.Kind == schema.String && f.Value.Str == everyTool:
		names = []string{everyTool}
	case f.Value.Kind != schema.List || len(others) > 0:
		d.notLoaded(f.Value.Range, "Write a list of names.", "tools is no list of texts")
		return nil, false
	}
	var renamed []string
	for i, name := range names {
		if today, ok := oldNames[name]; ok {
			renamed = append(renamed, name)
			names[i] = today
		}
	}
	if len(renamed) > 0 {
		d.Warn(providers.CodeReadAs, f.Value.Range, "The entry has today's names.", "older names of tools: %s", strings.Join(renamed, ", "))
	}
	if names == nil {
		names = []string{}
	}
	return names, true
}
