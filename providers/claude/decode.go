package claude

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// asPlugin is the form of an agent file in a plugin. The client reads some keys
// of it in another way. Documentation: sub-agents; read in the 2.1.332 program.
const asPlugin = "plugin"

var inputs = []providers.Input{
	{Path: ".claude/agents/**/*.md"},
	{Path: "agents/**/*.md", Form: asPlugin, Beside: ".claude-plugin/plugin.json"},
}

// Decode reads an agent file as the client does. Observed on 2.1.332, where
// nothing else is said.
func (Provider) Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics) {
	src := schema.NewSource(file.Name, file.Data)
	d := decoder{Decoder: facts.Decoder(src.Range(0, 0)), src: src, ours: providers.Marked(file.Data), plugin: file.Form == asPlugin}
	if file.Keys != nil {
		d.keys, d.Out.Keys, d.Out.At = file.Keys, file.Keys, file.Keys.Range
		return d.read(file, file.Body)
	}
	fence, ok := findFence(src.Bytes)
	if !ok {
		d.Fail(providers.CodeNoHead, src.Range(0, 0), "The file must start with a line --- and keys, and end them with a line ---.",
			"Claude Code takes a file without front matter for a document")
		return d.Done()
	}
	if !d.head(fence) {
		return d.Done()
	}
	d.cut(fence)
	return d.read(file, string(src.Bytes[fence.Body:]))
}

// read reads the keys, and the text that goes with them.
func (d *decoder) read(file providers.Native, body string) ([]providers.Decoded, hcl.Diagnostics) {
	d.identity(strings.TrimSuffix(path.Base(file.Name), path.Ext(file.Name)))
	d.Body(body)
	for _, f := range d.keys.Fields {
		d.setting(f)
	}
	return d.Done()
}

type decoder struct {
	*providers.Decoder
	src    *schema.Source
	keys   *schema.Node
	ours   bool // written by this program
	plugin bool
}

// findFence: the front matter ends at the first --- anywhere, in a value, too.
// anthropics/claude-code PR #89404.
func findFence(text []byte) (f providers.Fence, ok bool) {
	first, _, ok := bytes.Cut(text, []byte("\n"))
	if !ok || strings.TrimRight(string(first), " \t\r") != "---" {
		return f, false
	}
	f.Start = len(first) + 1
	at := bytes.Index(text[f.Start:], []byte("---"))
	if at < 0 {
		return f, false
	}
	f.End = f.Start + at
	f.Body = providers.AfterFence(text, f.End+3)
	return f, true
}

// cut warns about a front matter that the client ends in the middle of a line.
func (d *decoder) cut(f providers.Fence) {
	before := d.src.Bytes[:f.End]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	if len(bytes.TrimSpace(line)) == 0 && f.Body != f.End+3 {
		return
	}
	d.Warn(providers.CodeHeadCut, d.src.Range(f.End, f.End+3),
		`The keys after it are lost to the client, tools among them. Write the three hyphens as "\x2d\x2d\x2d" in double quotes.`,
		"Claude Code ends the front matter here, and reads what follows as the body")
}

// head reads the front matter, if need be with the client's second try, which
// puts values in quotes.
func (d *decoder) head(f providers.Fence) bool {
	keys, diags := f.Head(d.src, true)
	if diags.HasErrors() {
		again, more, ok := f.Repaired(d.src, true, quoteValue)
		if !ok {
			for _, p := range diags {
				p.Detail = "Claude Code does not load the file. " + p.Detail
			}
			d.Diags = append(d.Diags, diags...)
			return false
		}
		keys = again
		d.Warn(providers.CodeRescued, *diags[0].Subject, "Claude Code reads it all the same. Put the value in double quotes.",
			"a value that is no YAML without quotes")
		diags = more
	}
	d.Diags = append(d.Diags, diags...)
	if keys.Kind != schema.Map {
		d.Fail(providers.CodeNotLoaded, keys.Range, "Write KEY: VALUE lines between the --- lines.", "the front matter is %s, not keys with values", keys.Kind)
		return false
	}
	d.keys, d.Out.Keys = keys, keys
	return true
}

// quoteValue is the client's second try on a line of a front matter: a value
// that is not quoted and holds what YAML gives a meaning is put in quotes. It
// does so on lines that end in a line feed alone. anthropics/claude-code#80890.
func quoteValue(line string) string {
	trimmed := strings.TrimLeft(line, "\t")
	line = strings.Repeat("  ", len(line)-len(trimmed)) + trimmed
	m := keyLine().FindStringSubmatch(line)
	if m == nil {
		return line
	}
	key, value := m[1], m[2]
	switch {
	case strings.HasSuffix(line, "\r") || strings.HasPrefix(value, "- ") || strings.HasPrefix(value, "? "):
		return line
	case value[0] == '"' || value[0] == '\'' || value[0] == '[' && strings.HasSuffix(value, "]"):
		return line
	case !strings.Contains(value, ": ") && !strings.ContainsAny(value, "{}[]*&#!|>%@`"):
		return line
	}
	return key + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

var keyLine = lazyregexp.New(`^(\s*[\w-]+): +(\S.*)$`)

// identity reads name and description.
func (d *decoder) identity(stem string) {
	name, description := d.keys.Get("name"), d.keys.Get("description")
	if d.plugin {
		if d.Out.Name = name.Text(); name == nil || name.Kind != schema.String || name.Str == "" {
			d.Out.Name = stem
		}
		if description == nil {
			description = d.keys.Get("when_to_use")
		}
		d.Description(d.newlines(description.Text()), "Subagent "+d.Out.Name+" of a plugin.")
		return
	}
	fail := func(at hcl.Range, detail, format string, args ...any) {
		d.Fail(providers.CodeNotLoaded, at, "Claude Code does not load the file. "+detail, format, args...)
	}
	switch {
	case name == nil:
		fail(d.keys.Range, "Add name.", "there is no name")
	case name.Kind != schema.String:
		fail(name.Range, "Put it in quotes.", "the name is %s, not text", name.Kind)
	case name.Str == "", name.Str[0] == '-', strings.Contains(name.Str, ":"), utf8.RuneCountInString(name.Str) > 256:
		fail(name.Range, "Write 1 to 256 characters without a colon, not starting with a hyphen.", "the name %q is not possible", name.Brief())
	default:
		d.Out.Name, d.Out.At = name.Str, name.Range
	}
	switch {
	case description == nil:
		fail(d.keys.Range, "Add description.", "there is no description")
	case description.Kind != schema.String || strings.TrimSpace(description.Str) == "":
		fail(description.Range, "Write text, in quotes.", "the description is not text")
	default:
		d.Out.Description = d.newlines(description.Str)
	}
}

// newlines turns a backslash followed by n into the line feed that the client
// reads it as. A file of ours has the manifest's text, of which the client's
// reading is a loss that was noted when it was written.
func (d *decoder) newlines(description string) string {
	if d.ours {
		return description
	}
	return strings.ReplaceAll(description, `\n`, "\n")
}

// setting reads one key. What the client ignores without harm is reported and
// left out; what keeps it from loading the agent is an error.
func (d *decoder) setting(f schema.Field) {
	if d.plugin && slices.Contains(notInPlugins, f.Key) {
		d.Drop(f.Range, "Claude Code ignores it in an agent of a plugin.", "%s", f.Key)
		return
	}
	read, known := readers[f.Key]
	switch {
	case known:
		read(d, f)
	case slices.Contains(blocking, f.Key):
		d.Fail(providers.CodeNotLoaded, f.Range, "Claude Code does not load the agent. Move it below hooks.", "the hook event %s stands outside of hooks", f.Key)
	default:
		if f.Key == "allowed-tools" {
			d.Warn(providers.CodeReadAs, f.Range, "It is a key of skills. The agent has every tool; write tools to limit it.", "Claude Code does not know allowed-tools in an agent")
		}
		d.Extra(f)
	}
}

// notInPlugins are the keys that the client ignores in an agent of a plugin.
var notInPlugins = []string{
	"permissionMode", "mcpServers", "hooks", "initialPrompt", "observer", "observerMessage", "observeSubagents", "when_to_use",
}

// blocking are the events in whose hooks a fault keeps the agent from loading.
var blocking = []string{"PreToolUse", "PermissionRequest", "PreSkillShellCommand"}

// readers read the keys that the tool models.
var readers = map[string]func(*decoder, schema.Field){
	"name":        func(*decoder, schema.Field) {},
	"description": func(*decoder, schema.Field) {},
	"tools":       (*decoder).tools, "disallowedTools": (*decoder).disallowed, "skills": (*decoder).skills,
	"model": (*decoder).model, "effort": (*decoder).effort,
	"permissionMode": plain, "memory": plain, "isolation": (*decoder).isolation, "color": plain, "initialPrompt": plain,
	"maxTurns": number, "autoCompactWindow": number,
	"background": truth, "omitClaudeMd": truth,
	"mcpServers": plain, "hooks": (*decoder).hooks, "experimental": (*decoder).experimental,
}

func plain(d *decoder, f schema.Field) { d.Key(schema.Snake(f.Key), f) }

// number reads a whole number, also from a text.
func number(d *decoder, f schema.Field) {
	if i, err := strconv.ParseInt(strings.TrimSpace(f.Value.Text()), 10, 32); err == nil {
		f.Value = &schema.Node{Kind: schema.Int, Int: i, Float: float64(i), Str: strconv.FormatInt(i, 10), Range: f.Value.Range}
	}
	plain(d, f)
}

// truth reads a truth value, also from a text.
func truth(d *decoder, f schema.Field) {
	if s := f.Value.Text(); f.Value.Kind == schema.String && (s == "true" || s == "false") {
		f.Value = providers.BoolNode(s == "true", f.Value.Range)
	}
	plain(d, f)
}

func (d *decoder) isolation(f schema.Field) {
	v := d.Fit("isolation", f)
	switch {
	case v == nil:
	case v.Str == "worktree":
		d.Either([]schema.Field{f}, f)
	default:
		d.Set("isolation", v)
	}
}

// experimental: its one key is matched loosely.
func (d *decoder) experimental(f schema.Field) {
	n := *f.Value
	n.Fields = slices.Clone(n.Fields)
	for i, inner := range n.Fields {
		if strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(inner.Key)) == "cachettl" {
			n.Fields[i].Key = "cacheTtl"
		}
	}
	f.Value = &n
	plain(d, f)
}

// hooks: a fault in some events costs the whole agent, in the others the entry.
func (d *decoder) hooks(f schema.Field) {
	if f.Value.Kind != schema.Map && f.Value.Kind != schema.Null {
		d.Fail(providers.CodeNotLoaded, f.Value.Range, "Claude Code does not load the agent. Write EVENT: [{hooks: [...]}].", "hooks is %s, not a mapping of events", f.Value.Kind)
		return
	}
	if f.Value.Kind == schema.Null {
		return
	}
	n := *f.Value
	n.Fields = nil
	for _, event := range f.Value.Fields {
		one := &schema.Node{Kind: schema.Map, Range: event.Range, Fields: []schema.Field{event}}
		v, misfits := schema.BlockValue(schema.ClaudeID, "hooks", one)
		switch {
		case !slices.Contains(events, event.Key):
			d.Drop(event.Range, "Claude Code knows no such event.", "the hook event %s", event.Key)
		case len(misfits) > 0 && slices.Contains(blocking, event.Key):
			d.Fail(providers.CodeNotLoaded, misfits[0].At, "Claude Code does not load the agent.", "a fault in the hooks of %s: %s", event.Key, misfits[0].Why)
		default:
			for _, m := range misfits {
				d.Drop(m.At, "A fault: "+m.Why+".", "a hook of %s", event.Key)
			}
			if v != nil {
				n.Fields = append(n.Fields, v.Fields...)
			}
		}
	}
	if len(n.Fields) > 0 {
		d.Set("hooks", &n)
	}
}
