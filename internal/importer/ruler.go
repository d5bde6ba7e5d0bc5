package importer

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// ruler reads a source file of ruler: name, description, tools and model in
// Claude Code's words, readonly, and native keys under custom. Documentation of
// intellectronica/ruler: subagents.
func (im *importer) ruler(f *file) {
	h, ok := im.head(f)
	if !ok {
		return
	}
	d, ok := im.identity(f, h)
	if !ok {
		return
	}
	d.source = "ruler"
	d.hosts = map[schema.ProviderID]*providers.Decoded{}
	claude := &schema.Node{Kind: schema.Map, Range: d.at}
	codex := &schema.Node{Kind: schema.Map, Range: d.at}
	for _, key := range []string{"tools", "model"} {
		if field := h.take(key); field != nil {
			claude.Fields = append(claude.Fields, *field)
		}
	}
	if readonly := h.take("readonly"); readonly != nil && readonly.Value.Bool {
		if onlyReads(claude.Get("tools")) {
			d.neutral = append(d.neutral, providers.TextField("access", "read-only", readonly.Range))
		} else {
			im.warn(providers.CodeReadAs, readonly.Range, "An entry that is read-only lists no tool that can write. It is kept for Codex alone, as ruler does.", "readonly stands beside tools that can write")
		}
		codex.Fields = append(codex.Fields, providers.TextField("sandbox_mode", "read-only", readonly.Range))
	}
	if background := h.take("is_background"); background != nil && background.Value.Bool {
		im.warn(providers.CodeDropped, background.Range, "None of the hosts has it. Claude Code has background: set claude.background if that is meant.", "is_background is left out")
	}
	im.custom(h.take("custom"), map[string]*schema.Node{"claude": claude, "codex": codex})
	for _, one := range []struct {
		id   schema.ProviderID
		keys *schema.Node
	}{{schema.ClaudeID, claude}, {schema.CodexID, codex}} {
		if len(one.keys.Fields) > 0 {
			im.hostBlock(f, d, one.id, "", schema.Field{Key: string(one.id), Range: one.keys.Fields[0].Range, Value: one.keys})
		}
	}
	for _, key := range h.rest() {
		im.warn(providers.CodeDropped, key.Range, "A manifest has no place for it.", "%s is left out", key.Key)
	}
	im.define(d)
}

// onlyReads says whether a list of Claude Code's tools has none that can change
// files.
func onlyReads(tools *schema.Node) bool {
	if tools == nil {
		return true
	}
	known := &all.Get(schema.ClaudeID).Facts().Tools
	return !slices.ContainsFunc(texts(tools), func(name string) bool { return !known.Reads(name) })
}

// custom adds the keys that a file has for single hosts to those that it has for
// all.
func (im *importer) custom(f *schema.Field, into map[string]*schema.Node) {
	if f == nil {
		return
	}
	for _, host := range f.Value.Fields {
		keys := into[host.Key]
		if keys == nil || host.Value.Kind != schema.Map {
			im.warn(CodeOtherHost, host.Range, "This tool does not know that host.", "custom.%s is left out", host.Key)
			continue
		}
		for _, key := range host.Value.Fields {
			keys.Fields = slices.DeleteFunc(keys.Fields, func(old schema.Field) bool { return old.Key == key.Key })
			keys.Fields = append(keys.Fields, key)
		}
	}
}

// start is the place of a file as a whole.
func start(f *file) hcl.Range {
	return hcl.Range{Filename: f.shown, Start: hcl.InitialPos, End: hcl.InitialPos}
}
