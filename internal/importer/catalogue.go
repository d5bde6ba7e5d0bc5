package importer

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// words are the names that catalogues have for tools, and the verbs that mean
// the same.
var words = map[string]schema.Verb{
	"read_file": schema.Read, "list_dir": schema.ListFiles, "search_code": schema.Search, "apply_patch": schema.Edit, "shell_exec": schema.Shell,
}

// wordless are names of such tools for which there is no verb.
var wordless = []string{"get_cwd", "graph_affected", "memory_search"}

// verbOf reads a neutral name of a tool, of a catalogue or of a manifest.
func verbOf(name string) (schema.Verb, bool) {
	if v, ok := words[name]; ok {
		return v, true
	}
	v := schema.Verb(name)
	return v, slices.Contains(schema.Verbs(), v)
}

// markdown reads a file of a Markdown catalogue. Keys in neutral words become
// neutral keys; what is left and has words of Claude Code, as most such
// catalogues do, is read as that client reads it.
func (im *importer) markdown(f *file) {
	h, ok := im.head(f)
	if !ok {
		return
	}
	d, ok := im.identity(f, h)
	if !ok {
		return
	}
	d.source = "markdown"
	r := keyReader{im: im, h: h, d: d}
	r.persona()
	r.rights()
	r.model()
	r.scope()
	r.origin()
	rest := h.rest()
	if slices.ContainsFunc(rest, speaksClaude) {
		im.asClaude(f, d, h, rest, r.own)
		return
	}
	for _, key := range rest {
		im.warn(providers.CodeDropped, key.Range, "A manifest has no place for it, and no host's words stand in the file.", "%s is left out", key.Key)
	}
	im.define(d)
}

// claudeKeys are keys that Claude Code has and catalogues have in its meaning.
var claudeKeys = []string{
	"tools", "disallowedTools", "model", "permissionMode", "maxTurns", "mcpServers", "hooks", "memory", "background", "initialPrompt",
	"omitClaudeMd", "autoCompactWindow",
}

func speaksClaude(f schema.Field) bool { return slices.Contains(claudeKeys, f.Key) }

// asClaude reads what is left of the keys as Claude Code does. Where the file has
// no neutral words, it is that host's alone.
func (im *importer) asClaude(f *file, d *definition, h *head, rest []schema.Field, neutral bool) {
	keys := &schema.Node{Kind: schema.Map, Range: d.at}
	keys.Fields = append(keys.Fields, providers.TextField("name", d.name, d.at), providers.TextField("description", d.description, d.at))
	keys.Fields = append(keys.Fields, rest...)
	found, diags := all.Get(schema.ClaudeID).Decode(providers.Native{Name: f.shown, Keys: keys, Body: h.body})
	im.report(f, diags)
	if len(found) == 0 {
		return
	}
	if !neutral {
		d.source, d.targets = string(schema.ClaudeID), []schema.ProviderID{schema.ClaudeID}
	}
	d.name, d.description = found[0].Name, found[0].Description
	d.hosts = map[schema.ProviderID]*providers.Decoded{schema.ClaudeID: &found[0]}
	im.define(d)
}

// A keyReader reads the neutral keys of a front matter.
type keyReader struct {
	im  *importer
	h   *head
	d   *definition
	own bool // the file has neutral words of a catalogue
}

func (r *keyReader) add(key string, v *schema.Node) {
	r.d.neutral = append(r.d.neutral, schema.Field{Key: key, Range: v.Range, Value: v})
}

func (r *keyReader) drop(f *schema.Field, detail string) {
	r.im.warn(providers.CodeDropped, f.Range, detail, "%s: %s is left out", f.Key, f.Value.Brief())
}

// oneOf adds a key if its value is one of those that a manifest has.
func (r *keyReader) oneOf(native, key string, values ...string) {
	f := r.h.take(native)
	switch {
	case f == nil:
	case slices.Contains(values, f.Value.Text()):
		r.own = true
		r.add(key, f.Value)
	default:
		r.own = true
		r.drop(f, "A manifest has "+strings.Join(values, ", ")+" there.")
	}
}

var semver = lazyregexp.New(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// persona reads who the subagent is. The key role has two meanings: a word for
// the kind, or a line about the person.
func (r *keyReader) persona() {
	if f := r.h.take("title"); f != nil && f.Value.Kind == schema.String && f.Value.Str != "" {
		r.add("title", f.Value)
	}
	r.oneOf("kind", "kind", "executor", "reviewer")
	switch f := r.h.take("role"); {
	case f == nil:
	case f.Value.Text() == "executor" || f.Value.Text() == "reviewer":
		r.own = true
		r.add("kind", f.Value)
	case f.Value.Kind == schema.String && strings.TrimSpace(f.Value.Str) != "" && !strings.ContainsAny(f.Value.Str, "\r\n"):
		r.own = true
		r.add("role", f.Value)
	default:
		r.drop(f, "A role is one line.")
	}
	switch f := r.h.take("version"); {
	case f == nil, f.Value.Kind == schema.Int && f.Value.Int == 1: // of the format
	case f.Value.Kind == schema.String && semver().MatchString(f.Value.Str):
		r.add("version", f.Value)
	default:
		r.drop(f, "A version is as in 1.0.0.")
	}
}

// rights reads access and tools. Tools in words of a host are left to it.
func (r *keyReader) rights() {
	r.oneOf("policy_profile", "access", "read-only", "workspace-write")
	r.oneOf("access", "access", "read-only", "workspace-write")
	f := r.h.keys.Field("tools")
	if f == nil || f.Value.Kind == schema.Null {
		return
	}
	names := texts(f.Value)
	if slices.ContainsFunc(names, func(name string) bool {
		_, ok := verbOf(name)
		return !ok && !slices.Contains(wordless, name)
	}) || f.Value.Kind != schema.List && f.Value.Kind != schema.String {
		return
	}
	r.own = true
	r.h.take("tools")
	readOnly := slices.ContainsFunc(r.d.neutral, func(f schema.Field) bool { return f.Key == "access" && f.Value.Str == "read-only" })
	verbs := []schema.Verb{}
	for _, name := range names {
		verb, ok := verbOf(name)
		switch {
		case !ok:
			r.im.warn(providers.CodeDropped, f.Range, "A manifest has no verb for it.", "the tool %s is left out", name)
		case readOnly && verb.Mutating():
			r.im.warn(providers.CodeDropped, f.Range, "The file says that it is read-only.", "the tool %s is left out", name)
		case !slices.Contains(verbs, verb):
			verbs = append(verbs, verb)
		}
	}
	r.add("tools", providers.ListNode(verbs, f.Value.Range))
}

// model reads the tier; a model by name is left to the host that has it.
func (r *keyReader) model() {
	r.oneOf("model_tier", "tier", "light", "standard", "deep")
	r.oneOf("tier", "tier", "light", "standard", "deep")
	if f := r.h.keys.Field("model"); f != nil && slices.Contains([]string{"light", "standard", "deep"}, f.Value.Text()) {
		r.oneOf("model", "tier", "light", "standard", "deep")
	}
}

// scope reads where and when the subagent applies.
func (r *keyReader) scope() {
	for _, key := range []string{"stacks", "tags"} {
		if f := r.h.take(key); f != nil {
			r.own = r.own || key == "stacks"
			if list := unique(texts(f.Value)); len(list) > 0 {
				r.add("tags", providers.ListNode(list, f.Value.Range))
			}
		}
	}
	for _, key := range []string{"hosts", "targets"} {
		f := r.h.take(key)
		if f == nil {
			continue
		}
		r.own = true
		for _, name := range texts(f.Value) {
			if id := schema.ProviderID(name); slices.Contains(schema.ProviderIDs(), id) {
				r.d.targets = append(r.d.targets, id)
			} else if name != "*" && name != "all" {
				r.im.warn(CodeOtherHost, f.Range, "The hosts are claude, codex, goose, kiro and opencode.", "the host %s is left out", name)
			}
		}
	}
	if f := r.h.keys.Field("isolation"); f != nil && (f.Value.Text() == "none" || f.Value.Text() == "worktree") {
		r.h.take("isolation")
		r.add("isolation", f.Value)
	}
	if f := r.h.take("skills"); f != nil {
		r.skills(f)
	}
	if f := r.h.take("output_contract"); f != nil {
		r.own = true
		r.im.warn(providers.CodeDropped, f.Range, "Write its text under results."+f.Value.Brief()+" of the manifest, and result: "+f.Value.Brief()+" into the entry.",
			"the report contract %s, whose text is not in the file, is left out", f.Value.Brief())
	}
}

var skillID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(:[A-Za-z0-9][A-Za-z0-9._-]*)?$`)

// skills reads ids of skills that are to be preloaded.
func (r *keyReader) skills(f *schema.Field) {
	list := &schema.Node{Kind: schema.List, Range: f.Value.Range}
	for _, id := range unique(texts(f.Value)) {
		if !skillID().MatchString(id) {
			r.drop(f, "The id of a skill is the name of its folder.")
			continue
		}
		list.Items = append(list.Items, &schema.Node{Kind: schema.Map, Range: f.Value.Range, Fields: []schema.Field{
			providers.TextField("id", id, f.Value.Range), {Key: "preload", Range: f.Value.Range, Value: providers.BoolNode(true, f.Value.Range)},
		}})
	}
	if len(list.Items) > 0 {
		r.add("skills", list)
	}
}

func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

var sourceID = lazyregexp.New(`^[a-z0-9][a-z0-9._-]*$`)

// origin reads where the definition comes from; a file that does not say so is
// imported from the catalogue.
func (r *keyReader) origin() {
	f := r.h.take("origin")
	if f == nil {
		return
	}
	r.own = true
	kind := f.Value.Get("kind").Text()
	source := firstOf(f.Value, "source", "sourceRef", "source_ref")
	usable := sourceID().MatchString(source) && !strings.Contains(source, "..")
	if !slices.Contains([]string{"authored", "generated", "imported", "learned"}, kind) || source != "" && !usable || source == "" && kind != "authored" {
		r.drop(f, "An origin is {kind: authored, generated, imported or learned, source: ID}.")
		return
	}
	n := &schema.Node{Kind: schema.Map, Range: f.Value.Range, Fields: []schema.Field{providers.TextField("kind", kind, f.Range)}}
	if source != "" {
		n.Fields = append(n.Fields, providers.TextField("source", source, f.Range))
	}
	if when := firstOf(f.Value, "generated_at", "generatedAt"); when != "" {
		n.Fields = append(n.Fields, providers.TextField("generated_at", when, f.Range))
	}
	r.add("origin", n)
}

// firstOf gives the text of the first key that is there.
func firstOf(n *schema.Node, keys ...string) string {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			return v.Text()
		}
	}
	return ""
}
