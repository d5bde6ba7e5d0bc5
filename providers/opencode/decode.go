package opencode

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The forms of a file beside that of an agent.
const (
	asMode   = "mode"   // in the folder of modes, where all are primary
	asConfig = "config" // opencode.json, with the agents in it
)

var inputs = []providers.Input{
	{Path: ".opencode/agents/**/*.md"},
	{Path: ".opencode/agent/**/*.md"},
	{Path: ".config/opencode/agents/**/*.md"},
	{Path: ".config/opencode/agent/**/*.md"},
	{Path: ".opencode/modes/*.md", Form: asMode},
	{Path: ".opencode/mode/*.md", Form: asMode},
	{Path: ".config/opencode/modes/*.md", Form: asMode},
	{Path: ".config/opencode/mode/*.md", Form: asMode},
	{Path: ".opencode/opencode.json", Form: asConfig},
	{Path: ".opencode/opencode.jsonc", Form: asConfig},
	{Path: ".config/opencode/opencode.json", Form: asConfig},
	{Path: ".config/opencode/opencode.jsonc", Form: asConfig},
	{Path: "opencode.json", Form: asConfig},
	{Path: "opencode.jsonc", Form: asConfig},
}

// Decode reads an agent file, or the agents of an opencode.json, as V1 does.
// Observed on 1.18.33.
func (Provider) Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	ext := strings.ToLower(path.Ext(file.Name))
	if file.Form == asConfig || file.Form == "" && (ext == ".json" || ext == ".jsonc") {
		return agents(file)
	}
	src := schema.NewSource(file.Name, file.Data)
	d := decoder{Decoder: facts.Decoder(src.Range(0, 0)), file: file}
	if file.Keys != nil {
		d.keys, d.text, d.Out.Keys, d.Out.At = file.Keys, file.Body, file.Keys, file.Keys.Range
	} else if !d.markdown(src) {
		return d.Done()
	}
	d.identity(nameOf(file.Name))
	d.Body(d.text)
	if f := d.keys.Field("prompt"); f != nil {
		d.Drop(f.Range, "The body of the file is the prompt.", "prompt")
	}
	d.settings()
	return d.Done()
}

type decoder struct {
	*providers.Decoder
	file providers.Native
	keys *schema.Node
	text string // the body
}

// stops reports what keeps the client from starting at all.
func (d *decoder) stops(at hcl.Range, detail, format string, args ...any) {
	d.Fail(providers.CodeNotLoaded, at, detail+" OpenCode does not start with it.", format, args...)
}

// nameOf gives the name that the client takes from the path of a file: what
// stands below the folder of agents.
func nameOf(file string) string {
	parts := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	for i := 1; i+1 < len(parts); i++ {
		if slices.Contains([]string{"agent", "agents"}, parts[i]) && slices.Contains([]string{".opencode", "opencode"}, parts[i-1]) {
			return strings.Join(parts[i+1:], "/")
		}
	}
	return parts[len(parts)-1]
}

// markdown reads front matter and body. A file without front matter is an agent
// with the whole text as its prompt; one with broken YAML is, too, and has every
// right.
func (d *decoder) markdown(src *schema.Source) bool {
	fence, ok := providers.LineFence(src.Bytes, []string{"yaml", "json"}, true)
	if !ok {
		d.keys, d.text = &schema.Node{Kind: schema.Map, Range: src.Range(0, 0)}, string(src.Bytes)
		d.Warn(providers.CodeReadAs, src.Range(0, 0), "OpenCode takes the whole text for the prompt of an agent with its default rights.", "there is no front matter")
		return true
	}
	keys, diags := fence.Head(src, false)
	if diags.HasErrors() {
		again, more, ok := fence.Repaired(src, false, quoteValue)
		if !ok {
			for _, p := range diags {
				p.Detail += " OpenCode loads the agent with every right, and with this text as its prompt."
			}
			d.Diags = append(d.Diags, diags...)
			return false
		}
		d.Warn(providers.CodeRescued, *diags[0].Subject, "OpenCode reads it all the same. Put the value in double quotes.", "a value that is no YAML without quotes")
		keys, diags = again, more
	}
	d.Diags = append(d.Diags, diags...)
	if keys.Kind != schema.Map {
		d.Fail(providers.CodeNotLoaded, keys.Range, "Write KEY: VALUE lines. OpenCode loads the agent with its default rights.", "the front matter is %s, not keys with values", keys.Kind)
		return false
	}
	d.keys, d.Out.Keys, d.text = keys, keys, string(src.Bytes[fence.Body:])
	return true
}

// quoteValue is the client's second try on a line of a front matter: at the
// margin, a value with a colon becomes a text.
func quoteValue(line string) string {
	m := keyLine().FindStringSubmatch(strings.TrimRight(line, " \t\r"))
	if m == nil || strings.ContainsAny(m[2][:1], `"'`) || !strings.Contains(m[2], ":") {
		return line
	}
	return m[1] + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m[2]) + `"`
}

var keyLine = lazyregexp.New(`^([A-Za-z_]\w*)\s*:\s*(\S.*)$`)

// string gives the text of a key; any other type stops the client.
func (d *decoder) string(key string) string {
	n := d.keys.Get(key)
	if n != nil && n.Kind != schema.String {
		d.stops(n.Range, "Put it in quotes, or leave the key out.", "%s is %s, not text", key, n.Kind)
	}
	return n.Text()
}

func (d *decoder) identity(name string) {
	d.Out.Name = name
	if n := d.keys.Get("name"); n != nil {
		d.Out.Name, d.Out.At = d.string("name"), n.Range
		if n.Kind == schema.String && n.Str == "" {
			d.Fail(providers.CodeNotLoaded, n.Range, "Remove the key: the name is that of the file.", "the name is empty")
		}
	}
	d.Description(d.string("description"), "This subagent should only be called manually by the user.")
	mode := d.string("mode")
	switch {
	case d.file.Form == asMode:
		mode = "primary"
	case !slices.Contains([]string{"", "subagent", "primary", "all"}, mode):
		d.stops(d.keys.Get("mode").Range, "Write subagent, primary or all.", "%q is no mode", mode)
	}
	if mode = cmp.Or(mode, "all"); mode != "subagent" { // what is written without one
		d.Set("mode", providers.TextNode(mode, d.Out.At))
	}
}

// newer are keys of V2, which V1 sends to the provider of the model.
var newer = []string{"permissions", "disabled", "request", "system"}

func (d *decoder) settings() {
	var v2 []string
	for _, f := range d.keys.Fields {
		switch f.Key {
		case "name", "description", "mode", "prompt", "permission", "tools":
		case "model":
			d.model(f)
		case "variant", "temperature", "top_p", "color", "hidden", "options":
			d.strict(f.Key, f)
		case "steps", "maxSteps":
			if f.Key == "steps" || d.keys.Get("steps") == nil {
				d.strict("steps", f)
			}
		case "disable":
			if f.Value.Kind != schema.Bool {
				d.stops(f.Value.Range, "Write true or false.", "disable is %s", f.Value.Kind)
			} else if f.Value.Bool {
				d.Fail(providers.CodeNotLoaded, f.Range, "Remove the key to have the agent.", "disable takes the agent away")
			}
		case prototype:
			d.Drop(f.Range, "OpenCode loses the key.", "%s", f.Key)
		default:
			if slices.Contains(newer, f.Key) {
				v2 = append(v2, f.Key)
				continue
			}
			d.Warn(providers.CodeReadAs, f.Range, "It is kept under extra.", "OpenCode sends %s to the provider of the model", f.Key)
			d.Extra(f)
		}
	}
	if v2 != nil {
		d.Drop(d.keys.Field(v2[0]).Range, "The file is for OpenCode 2; its first generation does not apply them. Write permission, or keys of a manifest.", "%s", strings.Join(v2, ", "))
	}
	d.permission()
}

// strict reads a key whose value has to be right.
func (d *decoder) strict(key string, f schema.Field) {
	v, misfits := schema.BlockValue(schema.OpenCodeID, key, f.Value)
	switch {
	case len(misfits) > 0 && key == "options" && f.Value.Kind == schema.Map:
		d.Drop(f.Range, "A null is never written to a native file.", "options, with a null in it,")
	case len(misfits) > 0:
		d.stops(f.Value.Range, "For "+f.Key+": "+misfits[0].Why+".", "the value of %s is not possible", f.Key)
	default:
		d.Set(key, v)
	}
}

// model reads PROVIDER/MODEL. V2 has the variant behind a #.
func (d *decoder) model(f schema.Field) {
	name := d.string("model")
	model, variant, cut := strings.Cut(name, "#")
	switch {
	case name == "":
	case !modelForm.MatchString(model):
		d.Drop(f.Value.Range, "OpenCode takes it for a provider without a model, and the subagent fails to run. Without the key it has its caller's model.", "the model %q", name)
	case cut && variant != "" && d.keys.Get("variant") == nil:
		d.Warn(providers.CodeReadAs, f.Value.Range, "The entry has the two apart, as both generations read them.", "the model %q has a variant behind it, which OpenCode 2 alone reads", name)
		d.Set("variant", providers.TextNode(variant, f.Value.Range))
		fallthrough
	default:
		d.Set("model", providers.TextNode(model, f.Value.Range))
	}
}
