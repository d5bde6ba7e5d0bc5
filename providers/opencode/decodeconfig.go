package opencode

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/jsonc"
	"github.com/seed-337579fc/subagents/schema"
)

// agents reads the agents of an opencode.json, which may have comments and
// trailing commas: those under agent, and those under agents, as V2 has them.
// Observed on 1.18.33.
func agents(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	src := schema.NewSource(file.Name, file.Data)
	plain, _ := jsonc.Plain(src.Bytes)
	root, diags := schema.ParseJSON(schema.NewSource(file.Name, plain))
	if diags.HasErrors() {
		return nil, diags
	}
	var all []providers.Decoded
	for _, key := range []string{"agent", "agents"} {
		list := root.Get(key)
		if list == nil || list.Kind != schema.Map {
			continue
		}
		for _, f := range list.Fields {
			one, problems := configured(file, f)
			all, diags = append(all, one...), append(diags, problems...)
		}
	}
	return all, diags
}

// configured reads one agent of the configuration.
func configured(file providers.Native, f schema.Field) ([]providers.Decoded, hcl.Diagnostics) {
	d := decoder{Decoder: facts.Decoder(f.Range), file: file, keys: f.Value}
	d.Out.Name, d.Out.Keys = f.Key, f.Value
	if f.Value.Kind != schema.Map {
		d.stops(f.Value.Range, "Write the keys of an agent.", "the agent %q is %s, not a mapping", f.Key, f.Value.Kind)
		return d.Done()
	}
	if lists := f.Value.Field("permissions"); lists != nil {
		d.stops(lists.Range, "Write permission.", "permissions of OpenCode 2 stand in a configuration that its first generation reads")
		return d.Done()
	}
	prompt := f.Value.Field("prompt")
	if prompt == nil {
		prompt = f.Value.Field("system")
	}
	off := f.Value.Get("disable")
	switch {
	case off != nil && off.Kind == schema.Bool && off.Bool:
		d.Drop(f.Range, "disable takes it away.", "the agent %q", f.Key)
		return nil, d.Diags
	case prompt == nil && slices.Contains(facts.Reserved, f.Key):
		d.Drop(f.Range, "They are settings of an agent that is built in.", "the keys of %q", f.Key)
		return nil, d.Diags
	}
	d.keys = d.without("system", "prompt")
	d.identity(f.Key)
	d.prompt(prompt)
	d.settings()
	return d.Done()
}

// without gives the keys of the agent less some.
func (d *decoder) without(keys ...string) *schema.Node {
	n := *d.keys
	n.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f schema.Field) bool { return slices.Contains(keys, f.Key) })
	return &n
}

// prompt sets the body. {file:PATH} stands for the text of a file, {env:NAME}
// for a variable, whose value no manifest has.
func (d *decoder) prompt(f *schema.Field) {
	if f == nil {
		d.Body("")
		return
	}
	if f.Value.Kind != schema.String {
		d.stops(f.Value.Range, "Write text.", "%s is %s", f.Key, f.Value.Kind)
		return
	}
	text := fileReference().ReplaceAllStringFunc(f.Value.Str, func(ref string) string { return d.read(f, fileReference().FindStringSubmatch(ref)[1]) })
	if envReference().MatchString(f.Value.Str) {
		d.Warn(providers.CodeReadAs, f.Value.Range, "The entry has the reference as text: agent files have no such references.", "the prompt takes a text from the environment")
	}
	if !d.Diags.HasErrors() {
		d.Body(text)
	}
}

var (
	fileReference = lazyregexp.New(`\{file:([^}]+)\}`)
	envReference  = lazyregexp.New(`\{env:[^}]+\}`)
)

// read gives the text of a file that a prompt names, without white space around
// it, as the client takes it.
func (d *decoder) read(f *schema.Field, name string) string {
	at := f.Value.Range
	const hint = "The file must stand in the folder of the configuration or below it, named relative to it."
	clean := path.Clean(strings.TrimSpace(name))
	if path.IsAbs(clean) || strings.HasPrefix(clean, "~") || clean == ".." || strings.HasPrefix(clean, "../") || d.file.Open == nil {
		d.Fail(providers.CodeNoBody, at, hint, "the prompt is in the file %s, which cannot be read from here", name)
		return ""
	}
	data, err := d.file.Open(clean)
	if err != nil {
		d.Fail(providers.CodeNoBody, at, hint, "the prompt is in the file %s, which cannot be read: %v", name, err)
		return ""
	}
	d.Warn(providers.CodeReadAs, at, "The entry has its text.", "the prompt is in the file %s", name)
	return strings.TrimSpace(string(schema.NewSource(clean, data).Bytes))
}
