package codex

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// asConfig is the form of a config.toml, whose [agents.NAME] tables define
// roles.
const asConfig = "config"

var inputs = []providers.Input{
	{Path: ".codex/agents/**/*.toml"},
	{Path: ".codex/config.toml", Form: asConfig},
}

// Decode reads a role file, or the roles that a config.toml defines, as the
// client does. Observed on 0.171.0.
func (Provider) Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	src := schema.NewSource(file.Name, file.Data)
	if file.Keys != nil {
		d := decoder{Decoder: facts.Decoder(file.Keys.Range)}
		d.role(file.WithText("developer_instructions"), nil)
		return d.Done()
	}
	keys, diags := schema.ParseTOML(src)
	if diags.HasErrors() {
		return nil, diags
	}
	if file.Form == asConfig || file.Form == "" && path.Base(file.Name) == "config.toml" {
		return roles(file, keys)
	}
	d := decoder{Decoder: facts.Decoder(src.Range(0, 0)), ours: providers.Marked(file.Data)}
	d.role(keys, nil)
	return d.Done()
}

type decoder struct {
	*providers.Decoder
	ours bool // written by this program, which tells of keys without effect when it renders
}

// notLoaded reports what costs a role its file.
func (d *decoder) notLoaded(at hcl.Range, detail, format string, args ...any) {
	d.Fail(providers.CodeNotLoaded, at, detail+" Codex drops the role.", format, args...)
}

// A declaration is what an [agents.NAME] table says of a role.
type declaration struct {
	name                   string
	description, nicknames *schema.Field
}

// role reads a role file. What a declaration says holds where the file is
// silent.
func (d *decoder) role(keys *schema.Node, by *declaration) {
	d.Out.Keys = keys
	name := keys.Field("name")
	if name == nil && by != nil {
		d.Out.Name = by.name
	} else if d.filled(name, keys, "name") {
		d.Out.Name, d.Out.At = strings.TrimSpace(name.Value.Str), name.Value.Range
	}
	description := keys.Field("description")
	if description == nil && by != nil {
		description = by.description
	}
	if d.filled(description, keys, "description") {
		d.Out.Description = description.Value.Str
	}
	if text := keys.Field("developer_instructions"); by != nil && text == nil {
		d.Body("")
	} else if d.filled(text, keys, "developer_instructions") {
		d.Body(text.Value.Str)
	}
	for _, f := range keys.Fields {
		d.setting(f)
	}
	if by != nil && by.nicknames != nil && keys.Get("nickname_candidates") == nil {
		d.setting(*by.nicknames)
	}
	d.model(keys)
}

// filled checks a text that a role cannot do without.
func (d *decoder) filled(f *schema.Field, keys *schema.Node, key string) bool {
	switch {
	case f == nil:
		d.notLoaded(keys.Range, "Write it above the first [table].", "there is no %s", key)
	case f.Value.Kind != schema.String:
		d.notLoaded(f.Value.Range, "Put it in quotes.", "%s is %s, not text", key, f.Value.Kind)
	case strings.TrimSpace(f.Value.Str) == "":
		d.notLoaded(f.Value.Range, "Write one.", "%s is blank", key)
	default:
		return true
	}
	return false
}

// blockKeys are the native keys that the block spells in another way.
var blockKeys = map[string]string{"model_reasoning_summary": "reasoning_summary", "model_verbosity": "verbosity"}

// setting reads one key. The client drops a role for a key that it does not
// know, and for most values of the wrong kind.
func (d *decoder) setting(f schema.Field) {
	switch f.Key {
	case "name", "description", "developer_instructions", "model", "model_reasoning_effort":
		return
	case "sandbox_mode":
		if v := d.strict("sandbox_mode", f); v != nil {
			block := schema.Field{Key: "sandbox_mode", Range: f.Range, Value: v}
			if v.Str == "danger-full-access" {
				d.Either(nil, block)
			} else {
				d.Either([]schema.Field{{Key: "access", Range: f.Range, Value: v}}, block)
			}
		}
	case "mcp_servers":
		d.servers(f)
	case "features", "skills", "approval_policy", "nickname_candidates", "web_search", "service_tier", "model_reasoning_summary", "model_verbosity":
		key := f.Key
		if own, ok := blockKeys[key]; ok {
			key = own
		}
		if f.Key == "service_tier" && f.Value.Text() == "" {
			return
		}
		if v := d.strict(key, f); v != nil && (v.Kind != schema.Map || len(v.Fields) > 0) {
			d.Set(key, v)
		}
	default:
		d.extra(f)
		return
	}
	d.inert(f)
}

// inert tells about a key that the client accepts and does not apply.
func (d *decoder) inert(f schema.Field) {
	if d.ours {
		return
	}
	for _, row := range facts.Rows("codex."+f.Key, "", "") {
		if row.Level != providers.Enforced {
			d.Warn(providers.CodeReadAs, f.Range, row.Why, "%s has no effect on a spawned agent", f.Key)
			return
		}
	}
}

// strict gives a value that has to be right. What is beside a table's known keys
// is left out, since the client ignores it.
func (d *decoder) strict(key string, f schema.Field) *schema.Node {
	v, misfits := schema.BlockValue(schema.CodexID, key, f.Value)
	for _, m := range misfits {
		if v == nil || !strings.HasPrefix(m.Why, "there is no key") {
			d.notLoaded(m.At, "For "+f.Key+": "+m.Why+".", "the value of %s is not possible", f.Key)
			return nil
		}
		d.Drop(m.At, "Codex ignores it: "+m.Why+".", "part of %s", f.Key)
	}
	return v
}

// servers: each needs either command or url, and keys of the other kind cost the
// role.
func (d *decoder) servers(f schema.Field) {
	v := d.strict("mcp_servers", f)
	if v == nil || len(v.Fields) == 0 {
		return
	}
	for _, s := range v.Fields {
		command, url := s.Value.Get("command") != nil, s.Value.Get("url") != nil
		if command == url {
			d.notLoaded(s.Range, "Give it command to start a program, or url for HTTP.", "the server %q needs either command or url", s.Key)
			return
		}
		foreign := httpKeys
		if url {
			foreign = stdioKeys
		}
		for _, key := range foreign {
			if other := s.Value.Field(key); other != nil {
				d.notLoaded(other.Range, "Remove it.", "the server %q has %s, which is for the other transport", s.Key, key)
				return
			}
		}
	}
	d.Set("mcp_servers", v)
}

// extra reads a key of config.toml that the block does not have.
func (d *decoder) extra(f schema.Field) {
	i := slices.IndexFunc(configKeys, func(k configKey) bool { return k.name == f.Key })
	switch {
	case i < 0:
		d.notLoaded(f.Range, hint(f.Key), "Codex does not know the key %q", f.Key)
	case !fits(f.Value, configKeys[i]):
		d.notLoaded(f.Value.Range, "Write "+kindNames[configKeys[i].takes]+".", "the value of %s is not possible", f.Key)
	default:
		if !d.ours {
			d.Warn(providers.CodeReadAs, f.Range, "Codex accepts it.", "%s has no effect on a spawned agent", f.Key)
		}
		d.Extra(f)
	}
}

// model reads model and effort. A model without an effort gets one when it is
// written again.
func (d *decoder) model(keys *schema.Node) {
	for _, key := range []string{"model", "model_reasoning_effort"} {
		if n := keys.Get(key); n != nil && n.Kind != schema.String {
			d.notLoaded(n.Range, "Write text.", "%s is %s", key, n.Kind)
			return
		}
	}
	model, effort := keys.Field("model"), keys.Field("model_reasoning_effort")
	hasModel := model != nil && model.Value.Str != ""
	if hasModel {
		if foreign.MatchString(model.Value.Str) {
			d.Drop(model.Value.Range, "It goes to the API as it stands, and the subagent fails to start. "+modelHint, "the model %q", model.Value.Str)
			hasModel = false
		} else {
			d.Set("model", model.Value)
		}
	}
	switch {
	case effort != nil:
		d.effort(*effort)
	case hasModel:
		d.Warn(providers.CodeReadAs, model.Range, "Rendered, it gets "+defaultEffort+", since the parent's effort may not be one that the model has.", "a model without model_reasoning_effort")
		d.Set("reasoning_effort", providers.TextNode(defaultEffort, model.Range))
	}
}

func (d *decoder) effort(f schema.Field) {
	v := d.Fit("reasoning_effort", f)
	switch {
	case v == nil:
	case slices.Contains([]string{"low", "medium", "high"}, v.Str):
		d.Either([]schema.Field{{Key: "effort", Range: f.Range, Value: v}}, schema.Field{Key: "reasoning_effort", Range: f.Range, Value: v})
	default:
		d.Set("reasoning_effort", v)
	}
}
