package schema

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Rank says how near to the host a value was set; a higher rank wins.
type Rank int

// The ranks, from the weakest.
const (
	HostDefault Rank = iota
	FromDefaults
	FromProviderDefaults
	FromEntry
	FromBlock
)

var rankNames = [...]string{"host default", "defaults", "defaults.providers", "entry", "provider block"}

func (r Rank) String() string { return rankNames[r] }

// A Setting is a key with the value that won and where it was set.
type Setting struct {
	Key   string // tools, or claude.tools for a key of a block
	Rank  Rank
	Value *Node // null where a manifest unset what was set beneath
}

// At is where the value stands.
func (s Setting) At() hcl.Range { return s.Value.Range }

// An Agent is one entry resolved for one host: every key with the value that
// won. Keys that a null unset are absent.
type Agent struct {
	Neutral
	Entry        *Entry
	Provider     ProviderID
	Name         string
	Slug         string // file stem and native name
	Description  string
	Instructions string
	Block        Block  // *Claude, *Codex, …; never nil
	Models       Models // tier → model; nil where the manifest has no table for the host

	Guard    string // the guard block, empty where it is off
	Preamble string // the shared instructions
	Contract string // the text that the result key names

	settings []Setting
}

// identity lists the keys of an entry that are its own: defaults cannot give
// them.
var identity = []string{
	"name", "slug", "description", "state", "instructions", "instructions_file", "for_each", "providers",
}

// settle merges an entry's neutral keys with the defaults'.
func (e *Entry) settle(defaults *Node) {
	e.settings = nil
	merged := &Node{Kind: Map}
	collect := func(from *Node, rank Rank) {
		if from == nil {
			return
		}
		for _, f := range from.Fields {
			if _, ok := e.Setting(f.Key); ok || slices.Contains(identity, f.Key) {
				continue
			}
			e.settings = append(e.settings, Setting{Key: f.Key, Rank: rank, Value: f.Value})
			merged.Fields = append(merged.Fields, f)
		}
	}
	collect(e.Node, FromEntry)
	collect(defaults, FromDefaults)
	e.Resolved = Neutral{}
	decode(merged, &e.Resolved)
}

// Setting gives what set a neutral key of the entry.
func (e *Entry) Setting(key string) (Setting, bool) { return findSetting(e.settings, key) }

func findSetting(settings []Setting, key string) (Setting, bool) {
	for _, s := range settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// Targets lists the hosts that an entry is rendered for, in the order of
// [ProviderIDs].
func (m *Manifest) Targets(e *Entry) []ProviderID {
	base := ProviderIDs()
	if e.base.doc.Targets != nil {
		base = e.base.doc.Targets
	}
	if e.Resolved.Targets != nil {
		base = e.Resolved.Targets
	}
	var targets []ProviderID
	for _, id := range ProviderIDs() {
		on := slices.Contains(base, id)
		if enabled := m.blockNode(e, id).Get("enabled"); enabled != nil && enabled.Kind == Bool {
			on = enabled.Bool
		}
		if on {
			targets = append(targets, id)
		}
	}
	return targets
}

// blockNode gives the block that says whether a host is on: the entry's own, or
// that of defaults where the entry names no targets, which rank above it.
func (m *Manifest) blockNode(e *Entry, id ProviderID) *Node {
	own, base := e.Node.At("providers", string(id)), e.defaultBlock(id)
	targets, _ := e.Setting("targets")
	if own.Field("enabled") != nil || base.Field("enabled") == nil || targets.Rank == FromEntry && e.Resolved.Targets != nil {
		return own
	}
	return base
}

// defaultBlock gives what defaults say in the block of a host; nil where the
// entry has a null in its place.
func (e *Entry) defaultBlock(id ProviderID) *Node {
	if own := e.Node.Get("providers"); own.IsNull() || own.Get(string(id)).IsNull() {
		return nil
	}
	return e.base.merged.At("defaults", "providers", string(id))
}

// Resolve gives an entry as one host gets it.
func (m *Manifest) Resolve(e *Entry, id ProviderID) *Agent {
	a := &Agent{
		Neutral: e.Resolved, Entry: e, Provider: id, Name: e.Name, Slug: e.Stem(), Description: e.Description,
		Instructions: e.Body, Block: newBlock(id), settings: slices.Clone(e.settings),
		Guard: e.guard(), Preamble: e.base.doc.Preamble, Contract: e.base.doc.Results[e.Resolved.Result],
	}
	merged := &Node{Kind: Map}
	collect := func(from *Node, rank Rank) {
		if from == nil {
			return
		}
		for _, f := range from.Fields {
			key := string(id) + "." + f.Key
			if _, ok := a.Setting(key); ok || f.Key == "models" {
				continue
			}
			a.settings = append(a.settings, Setting{Key: key, Rank: rank, Value: f.Value})
			merged.Fields = append(merged.Fields, f)
		}
	}
	collect(e.Node.At("providers", string(id)), FromBlock)
	collect(e.defaultBlock(id), FromProviderDefaults)
	decode(merged, a.Block)
	if models := e.base.merged.At("defaults", "providers", string(id), "models"); models != nil {
		decode(models, &a.Models)
	}
	a.Skills = e.base.doc.completeSkills(a.Skills)
	if e.startable != nil {
		a.Delegates = e.startable // hosts know a subagent by its native name
	}
	return a
}

// completeSkills fills what an entry says of its skills from the catalogue.
func (d *Document) completeSkills(refs []SkillRef) []SkillRef {
	if refs == nil || len(d.Skills) == 0 {
		return refs
	}
	out := slices.Clone(refs)
	for i, ref := range out {
		info := d.Skills[ref.ID]
		out[i].Description = info.Description
		out[i].UseWhen = cmp.Or(ref.UseWhen, info.UseWhen)
		out[i].Preload = cmp.Or(ref.Preload, info.Preload)
	}
	return out
}

// Settings lists every key that is set, neutral ones first, with the value
// that won.
func (a *Agent) Settings() []Setting { return a.settings }

// Setting gives what set a key: a neutral one (tier), or one of the block with
// the host before it (claude.model). It is not ok where nothing did.
func (a *Agent) Setting(key string) (Setting, bool) { return findSetting(a.settings, key) }

// Rank is the rank of the value of a key, [HostDefault] where it has none: where
// it is not set, or where a null unset it. Such a null decides nothing about the
// other keys that could say the same, a tier beside a model.
func (a *Agent) Rank(key string) Rank {
	if s, ok := a.Setting(key); ok && s.Value.Kind != Null {
		return s.Rank
	}
	return HostDefault
}

// At is where a key is set, or the entry's name where nothing set it.
func (a *Agent) At(key string) hcl.Range {
	if s, ok := a.Setting(key); ok {
		return s.At()
	}
	return a.Entry.At
}

// BlockKey gives the full name of a key of the agent's block.
func (a *Agent) BlockKey(key string) string { return string(a.Provider) + "." + key }

// Compat says that the manifest is in the agent_tools_subagents spelling,
// where a value that a host would drop is left out with a warning instead of
// being an error.
func (a *Agent) Compat() bool { return a.Entry.legacy }

// ReadOnly says whether the agent may change nothing.
func (a *Agent) ReadOnly() bool { return a.Access == "read-only" }

// BlockScope gives the scope that the block of an entry names, or "". A value that
// is none is a problem that the check of the manifest has told.
func (m *Manifest) BlockScope(e *Entry, id ProviderID) Scope {
	own, base := e.Node.At("providers", string(id)), e.defaultBlock(id)
	scope := Scope(base.Get("scope").Text())
	if f := own.Field("scope"); f != nil {
		scope = Scope(f.Value.Text())
	}
	if scope != UserScope && scope != ProjectScope {
		return ""
	}
	return scope
}

// NeutralKeys lists the keys that mean the same on every host, in the order of
// the types.
func NeutralKeys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Neutral]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	return keys
}
