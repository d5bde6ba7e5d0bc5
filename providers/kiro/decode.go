package kiro

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/internal/jsonc"
	"github.com/seed-337579fc/subagents/schema"
)

// inputs: V3 looks into sub-folders, V2 at the top level only; the old folders
// are those of V2's predecessor. Documentation: custom-agents; source of
// aws/amazon-q-developer-cli.
var inputs = []providers.Input{
	{Path: ".kiro/agents/**/*.json", Form: asJSON},
	{Path: ".kiro/agents/**/*.md", Form: asMarkdown},
	{Path: ".amazonq/cli-agents/*.json", Form: asJSON},
	{Path: "amazonq/cli-agents/*.json", Form: asJSON},
}

// Decode reads an agent file as the engines do. Documentation:
// custom-agents/configuration-reference; third-party reading of 2.15 and 2.19.
func (Provider) Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	src := schema.NewSource(file.Name, file.Data)
	d := decoder{Decoder: facts.Decoder(src.Range(0, 0)), src: src, file: file, format: file.Form}
	if d.format == "" {
		d.format = asJSON
		if strings.EqualFold(path.Ext(file.Name), ".md") {
			d.format = asMarkdown
		}
	}
	switch read := d.json; {
	case file.Keys != nil:
		d.format, d.keys = asJSON, file.WithText("prompt")
		d.Out.Keys, d.Out.At = d.keys, d.keys.Range
	case d.format == asMarkdown:
		read = d.markdown
		fallthrough
	default:
		if !read() {
			return d.Done()
		}
	}
	d.identity(strings.TrimSuffix(path.Base(file.Name), path.Ext(file.Name)))
	d.body()
	d.tools()
	if d.format == asMarkdown {
		d.Set("format", providers.TextNode(asMarkdown, d.Out.At))
	}
	for _, f := range d.keys.Fields {
		if f.Value.Kind == schema.Null {
			continue // like a key that is not there
		}
		d.setting(f)
	}
	return d.Done()
}

type decoder struct {
	*providers.Decoder
	src    *schema.Source
	file   providers.Native
	format string
	keys   *schema.Node
	text   string // of a Markdown file: the body
}

func (d *decoder) notLoaded(at hcl.Range, detail, format string, args ...any) {
	d.Fail(providers.CodeNotLoaded, at, detail+" Kiro does not load the file.", format, args...)
}

// json reads the file as V2 does, or with comments and trailing commas as V3.
func (d *decoder) json() bool {
	keys, diags := schema.ParseJSON(d.src)
	if plain, changed := jsonc.Plain(d.src.Bytes); diags.HasErrors() && changed {
		if again, more := schema.ParseJSON(schema.NewSource(d.src.Name, plain)); !more.HasErrors() {
			keys, diags = again, more
			d.Warn(providers.CodeReadAs, d.src.Range(0, 0), "CLI 2.x takes plain JSON alone.", "only Kiro's V3 engine reads JSON with comments or trailing commas")
		}
	}
	d.Diags = append(d.Diags, diags...)
	return d.mapping(keys, diags)
}

// markdown reads the front matter as V3 does: from the first line on, in YAML or
// JSON, and without it there is no agent.
func (d *decoder) markdown() bool {
	fence, ok := providers.LineFence(d.src.Bytes, []string{"yaml", "yml", "json"}, false)
	if !ok {
		d.Fail(providers.CodeNoHead, d.src.Range(0, 0), "Write keys between two lines ---, the first on line 1. Kiro does not load the file.", "there is no front matter")
		return false
	}
	keys, diags := fence.Head(d.src, false)
	d.Diags = append(d.Diags, diags...)
	d.text = string(d.src.Bytes[fence.Body:])
	return d.mapping(keys, diags)
}

func (d *decoder) mapping(keys *schema.Node, diags hcl.Diagnostics) bool {
	switch {
	case diags.HasErrors():
		return false
	case keys.Kind != schema.Map:
		d.notLoaded(keys.Range, "Write keys with values.", "an agent file is a mapping, not %s", keys.Kind)
		return false
	case len(keys.Fields) == 0:
		d.notLoaded(keys.Range, "Write at least name, description and tools.", "there are no keys")
		return false
	}
	d.keys, d.Out.Keys = keys, keys
	return true
}

// text gives the value of a key that is a text; another type costs the file.
func (d *decoder) textOf(key string) string {
	n := d.keys.Get(key)
	if n != nil && n.Kind != schema.String && n.Kind != schema.Null {
		d.notLoaded(n.Range, "Put it in quotes.", "%s is %s, not text", key, n.Kind)
	}
	return n.Text()
}

func (d *decoder) identity(stem string) {
	d.Out.Name = d.textOf("name")
	switch name := d.keys.Get("name"); {
	case d.Out.Name != "":
		d.Out.At = name.Range
		if d.Out.Name != stem {
			d.Warn(providers.CodeReadAs, name.Range, "CLI 2.x lists the agent by its name and opens it by the name of its file.",
				"the name %q is not that of the file, %q", d.Out.Name, stem)
		}
	case d.format == asJSON && !d.Diags.HasErrors():
		d.Warn(providers.CodeReadAs, d.keys.Range, "V3 takes the name of the file.", "CLI 2.x does not load an agent without a name")
		fallthrough
	default:
		d.Out.Name = stem
	}
	d.Description(d.textOf("description"), "Subagent "+d.Out.Name+".")
}

// body finds the prompt: the body of Markdown, or the value or the file that JSON
// names. systemPrompt is V2's other name of the key.
func (d *decoder) body() {
	if d.format == asMarkdown {
		d.Body(d.text)
		return
	}
	key := "prompt"
	if d.keys.Get(key) == nil {
		key = "systemPrompt"
	} else if other := d.keys.Field("systemPrompt"); other != nil {
		d.notLoaded(other.Range, "Remove it.", "systemPrompt stands beside prompt")
	}
	text := d.textOf(key)
	address, isFile := cutFold(strings.TrimSpace(text), "file://")
	if !isFile {
		d.Body(text)
		return
	}
	at := d.keys.Get(key).Range
	const hint = "The file must stand in the folder of the agent file or below it, named relative to it. Write the prompt itself, or import from there."
	name := path.Clean(address)
	if path.IsAbs(name) || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "$") || name == ".." || strings.HasPrefix(name, "../") {
		d.Fail(providers.CodeNoBody, at, hint, "the prompt is in %s, which is outside of the agent's folder", address)
		return
	}
	if d.file.Open == nil {
		d.Fail(providers.CodeNoBody, at, hint, "the prompt is in the file %s, which cannot be read here", name)
		return
	}
	data, err := d.file.Open(name)
	if err != nil {
		d.Fail(providers.CodeNoBody, at, hint, "the prompt is in the file %s, which cannot be read: %v", name, err)
		return
	}
	d.Warn(providers.CodeReadAs, at, "The entry has its text, since engines and versions look for such files in different places.", "the prompt is in the file %s", name)
	d.Body(string(schema.NewSource(name, data).Bytes))
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// setting reads one of the other keys.
func (d *decoder) setting(f schema.Field) {
	switch f.Key {
	case "name", "description", "prompt", "systemPrompt", "tools":
		if d.format == asMarkdown && (f.Key == "prompt" || f.Key == "systemPrompt") {
			d.Drop(f.Range, "The body of the file is the prompt.", "%s", f.Key)
		}
	case "toolAliases", "allowedTools", "toolsSettings", "keyboardShortcut":
		if d.format == asMarkdown {
			d.Drop(f.Range, "Only JSON files have it.", "%s", f.Key)
			return
		}
		d.strict(f)
	case "hooks":
		d.hooks(f)
	case "effortLevel":
		d.effort(f)
	case "permissions":
		d.permissions(f)
	case "includeMcpJson", "useLegacyMcpJson":
		d.legacyServers(f)
	case "mcpServers", "resources":
		d.Key(schema.Snake(f.Key), f)
	case "model", "welcomeMessage", "excludedTools":
		if f.Value.Kind == schema.String && f.Value.Str == "" {
			return
		}
		d.strict(f)
	default:
		d.Extra(f)
	}
}

// strict reads a key whose value has to be right: anything else costs the file.
func (d *decoder) strict(f schema.Field) {
	v, misfits := schema.BlockValue(schema.KiroID, schema.Snake(f.Key), f.Value)
	if len(misfits) > 0 {
		d.notLoaded(misfits[0].At, "For "+f.Key+": "+misfits[0].Why+".", "the value of %s is not possible", f.Key)
		return
	}
	d.Set(schema.Snake(f.Key), v)
}

// hooks: V2 has a mapping of triggers, V3 a list that it does not register.
func (d *decoder) hooks(f schema.Field) {
	switch {
	case d.format == asMarkdown || f.Value.Kind == schema.List:
		d.Drop(f.Range, "V3 does not run the hooks of an agent (issue 10003).", "hooks")
	case f.Value.Kind != schema.Map:
		d.notLoaded(f.Value.Range, "Write TRIGGER: [{command: …}].", "hooks is %s, not a mapping", f.Value.Kind)
	default:
		for _, trigger := range f.Value.Fields {
			if !slices.Contains(triggers, trigger.Key) {
				d.notLoaded(trigger.Range, "Possible: "+strings.Join(triggers, ", ")+".", "%q is not a hook trigger", trigger.Key)
				return
			}
		}
		d.strict(f)
	}
}

// effort: in JSON the key is V3's alone, and what is rendered does not have it.
func (d *decoder) effort(f schema.Field) {
	v := d.Fit("effort_level", f)
	switch {
	case v == nil:
	case d.format == asMarkdown && slices.Contains([]string{"low", "medium", "high"}, v.Str):
		d.Either([]schema.Field{{Key: "effort", Range: f.Range, Value: v}}, schema.Field{Key: "effort_level", Range: f.Range, Value: v})
	case d.format == asJSON:
		d.Drop(f.Range, "It goes into Markdown files alone, since builds of CLI 2.x refuse a key that they do not know. Set effort and kiro.format: markdown to keep it.", "effortLevel")
	default:
		d.Set("effort_level", v)
	}
}

// permissions: a mapping with rules; a bare list costs the file. An empty one
// beside keys of V2 is what is written there in any case.
func (d *decoder) permissions(f schema.Field) {
	if f.Value.Kind != schema.Map {
		d.notLoaded(f.Value.Range, "Write permissions: {rules: [...]} (issue 9490).", "permissions is %s", f.Value.Kind)
		return
	}
	rules := f.Value.Get("rules")
	added := d.format == asJSON && (d.keys.Get("allowedTools") != nil || d.keys.Get("toolsSettings") != nil)
	if added && len(f.Value.Fields) == 1 && rules != nil && rules.Kind == schema.List && len(rules.Items) == 0 {
		return
	}
	d.Key("permissions", f)
}

// legacyServers: one field with two names, of which V2 takes one.
func (d *decoder) legacyServers(f schema.Field) {
	if f.Key == "useLegacyMcpJson" && d.keys.Get("includeMcpJson") != nil {
		d.notLoaded(f.Range, "Remove it.", "useLegacyMcpJson stands beside includeMcpJson, which is the same")
		return
	}
	if f.Value.Kind != schema.Bool {
		d.notLoaded(f.Value.Range, "Write true or false.", "%s is %s", f.Key, f.Value.Kind)
		return
	}
	d.Set("include_mcp_json", f.Value)
}
