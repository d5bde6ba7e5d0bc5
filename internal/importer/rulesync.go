package importer

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// rulesyncHosts are the names that rulesync has for the hosts, as targets and as
// blocks of native keys. Documentation of dyoshikawa/rulesync: subagents.
var rulesyncHosts = []struct {
	word string
	id   schema.ProviderID
	form string
}{
	{"claudecode", schema.ClaudeID, ""},
	{"codexcli", schema.CodexID, ""},
	{"goose", schema.GooseID, "recipe"},
	{"kiro", schema.KiroID, ""},
	{"kiro-cli", schema.KiroID, ""},
	{"kirocli", schema.KiroID, ""},
	{"kiro-ide", schema.KiroID, ""},
	{"opencode", schema.OpenCodeID, ""},
}

// rulesync reads a source file of rulesync: name and description for every tool,
// targets, and a block of native keys for each tool that has some.
func (im *importer) rulesync(f *file) {
	h, ok := im.head(f)
	if !ok {
		return
	}
	d, ok := im.identity(f, h)
	if !ok {
		return
	}
	d.source = "rulesync"
	if !im.rulesyncTargets(f, d, h.take("targets")) {
		return
	}
	d.hosts = map[schema.ProviderID]*providers.Decoded{}
	for _, host := range rulesyncHosts {
		block := h.take(host.word)
		if block == nil || block.Value.Kind != schema.Map {
			continue
		}
		if d.targets != nil && !slices.Contains(d.targets, host.id) || d.hosts[host.id] != nil {
			im.warn(providers.CodeDropped, block.Range, "It is not among the targets of the file, or stands there twice.", "the block %s is left out", host.word)
			continue
		}
		im.hostBlock(f, d, host.id, host.form, *block)
	}
	for _, key := range h.rest() {
		code, detail := providers.CodeDropped, "A manifest has no place for it."
		if key.Value.Kind == schema.Map {
			code, detail = CodeOtherHost, "This tool does not know that host."
		}
		im.warn(code, key.Range, detail, "%s is left out", key.Key)
	}
	im.define(d)
}

// rulesyncTargets reads the targets; a file for other tools alone is skipped.
func (im *importer) rulesyncTargets(f *file, d *definition, targets *schema.Field) bool {
	if targets == nil {
		return true
	}
	named := texts(targets.Value)
	if slices.Contains(named, "*") {
		return true
	}
	d.targets = []schema.ProviderID{}
	for _, word := range named {
		known := false
		for _, host := range rulesyncHosts {
			if host.word == word {
				known = true
				if !slices.Contains(d.targets, host.id) {
					d.targets = append(d.targets, host.id)
				}
			}
		}
		if !known && len(named) > 1 {
			im.warn(CodeOtherHost, targets.Range, "The hosts are claude, codex, goose, kiro and opencode.", "the target %s is left out", word)
		}
	}
	if len(d.targets) == 0 {
		im.skip(f, schema.Problemf(CodeOtherHost, targets.Range, "The hosts are claude, codex, goose, kiro and opencode.", "%q is for hosts that this tool does not know", d.name))
		return false
	}
	return true
}

// hostBlock reads a block of native keys as its host would read a file with
// them.
func (im *importer) hostBlock(f *file, d *definition, id schema.ProviderID, form string, block schema.Field) {
	keys := &schema.Node{Kind: schema.Map, Range: block.Range}
	shared := []schema.Field{providers.TextField("name", d.name, d.at), providers.TextField("description", d.description, d.at)}
	switch {
	case id == schema.GooseID && form == "recipe":
		shared = []schema.Field{providers.TextField("title", d.name, d.at), shared[1]}
	case id == schema.OpenCodeID && block.Value.Get("mode") == nil:
		shared = append(shared, providers.TextField("mode", "subagent", d.at))
	}
	for _, field := range shared {
		if block.Value.Get(field.Key) == nil {
			keys.Fields = append(keys.Fields, field)
		}
	}
	for _, field := range block.Value.Fields {
		if field.Value.Kind != schema.Null {
			keys.Fields = append(keys.Fields, field)
		}
	}
	found, diags := all.Get(id).Decode(providers.Native{Name: d.name + ".md", Form: form, Keys: keys, Body: d.body})
	elsewhere(diags, f, block.Range)
	if len(found) == 0 {
		im.blockLost(f, id, diags)
		return
	}
	im.report(f, diags)
	one := &found[0]
	if one.Name != d.name || one.Description != d.description || one.Body != d.body {
		im.warn(CodeConflict, block.Range, "An entry has one name, description and body for all hosts.", "texts of their own in the block of %s are left out", id)
		one.Name, one.Description, one.Body = d.name, d.description, d.body
	}
	d.hosts[id] = one
}

// blockLost tells of a block that its host would not take; the rest of the file
// goes on.
func (im *importer) blockLost(f *file, id schema.ProviderID, diags hcl.Diagnostics) {
	for _, p := range diags {
		p.Detail = "The block of " + string(id) + " is left out. " + p.Detail
	}
	im.report(f, diags)
}

// elsewhere gives problems without a place in the file the place of their block.
func elsewhere(diags hcl.Diagnostics, f *file, block hcl.Range) {
	for _, p := range diags {
		if p.Subject == nil || p.Subject.Filename != f.shown {
			p.Subject = &block
		}
	}
}
