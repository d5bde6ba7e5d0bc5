package codex

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// notRoles are the keys of [agents] that are settings of all roles. Observed on
// 0.171.0.
var notRoles = []string{
	"enabled", "max_concurrent_threads_per_session", "max_threads", "max_depth", "default_subagent_model",
	"default_subagent_reasoning_effort", "interrupt_message", "job_max_runtime_seconds",
}

// roles reads the [agents.NAME] tables of a config.toml, each with the file that
// it names. Observed on 0.171.0.
func roles(file providers.Native, config *schema.Node) ([]providers.Decoded, hcl.Diagnostics) {
	var all []providers.Decoded
	var diags hcl.Diagnostics
	for _, f := range fieldsOf(config.Get("agents")) {
		if slices.Contains(notRoles, f.Key) {
			continue
		}
		one, problems := declared(file, f)
		all, diags = append(all, one...), append(diags, problems...)
	}
	return all, diags
}

// declared reads one role of a config.toml.
func declared(file providers.Native, f schema.Field) ([]providers.Decoded, hcl.Diagnostics) {
	d := decoder{Decoder: facts.Decoder(f.Range)}
	d.Out.Name = f.Key
	if f.Value.Kind != schema.Map {
		d.Fail(providers.CodeNotLoaded, f.Range, "Remove it: Codex does not start with it.", "%q in [agents] is %s, not a role", f.Key, f.Value.Kind)
		return d.Done()
	}
	by := &declaration{name: f.Key, description: f.Value.Field("description"), nicknames: f.Value.Field("nickname_candidates")}
	for _, key := range f.Value.Fields {
		if !slices.Contains([]string{"description", "config_file", "nickname_candidates"}, key.Key) {
			d.Drop(key.Range, "Codex ignores it in [agents."+f.Key+"].", "%s", key.Key)
		}
	}
	name := f.Value.Get("config_file")
	if name == nil {
		d.Fail(providers.CodeNoBody, f.Range, "The instructions of a role stand in its config_file.", "the role %q has no config_file", f.Key)
		return d.Done()
	}
	src, err := d.open(file, name)
	if err != "" {
		d.notLoaded(name.Range, "Name a file next to config.toml or below it.", "the config_file of the role %q %s", f.Key, err)
		return d.Done()
	}
	keys, problems := schema.ParseTOML(src)
	d.Diags = append(d.Diags, problems...)
	if !problems.HasErrors() {
		d.role(keys, by)
	}
	return d.Done()
}

// open reads the file of a role, or says why it cannot.
func (d *decoder) open(file providers.Native, name *schema.Node) (*schema.Source, string) {
	clean := path.Clean(strings.ReplaceAll(name.Text(), `\`, "/"))
	switch {
	case name.Kind != schema.String || name.Str == "":
		return nil, "is no path"
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || strings.HasPrefix(clean, "~"):
		return nil, "lies outside of the folder of config.toml: " + clean
	case file.Open == nil:
		return nil, "cannot be read here: " + clean
	}
	data, err := file.Open(clean)
	if err != nil {
		return nil, "cannot be read: " + err.Error()
	}
	return schema.NewSource(path.Join(path.Dir(file.Name), clean), data), ""
}

func fieldsOf(n *schema.Node) []schema.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}
