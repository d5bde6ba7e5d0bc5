// Package render turns a manifest into the native files of the hosts, in
// memory. It is a pure function of the manifest and the options: no clock,
// environment, locale, disk or network can change a byte.
package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// The codes of the problems that rendering can find.
const (
	CodeNotFound  schema.Code = "not-found"                // a name that no subagent has
	CodeNothing   schema.Code = "nothing-selected"         // the selection yields no file
	CodeCollision schema.Code = "output-collision"         // two outputs of one path
	CodeBelow     schema.Code = "below-required-fidelity"  // require asks for more than a host gives
	CodeSetting   schema.Code = "unknown-required-setting" // require names no setting
)

// Options select what is rendered.
type Options struct {
	// Scope of the layout. Empty: the one scope that the blocks name, else
	// project.
	Scope schema.Scope
	// Providers, Agents and Tags limit the selection; empty means all. An entry
	// without tags belongs to every tag.
	Providers []schema.ProviderID
	Agents    []string
	Tags      []string
	// Strict turns every setting that a host does not enforce into an error.
	Strict bool
}

// A File is a native file of one subagent.
type File struct {
	Path     string // slash-separated, below the project or the home
	Agent    string
	Provider schema.ProviderID
	Place    providers.Place
	Data     []byte
}

// Name is the file's name in its directory.
func (f *File) Name() string { return f.Path[strings.LastIndexByte(f.Path, '/')+1:] }

// A Result is what rendering gives.
type Result struct {
	Scope  schema.Scope
	Files  []File // sorted by path
	Notes  []providers.Note
	Agents []Rendered // in the manifest's order, then the hosts'
}

// Rendered is one subagent on one host: what of the capability table it
// touches, and what stands in the file for it.
type Rendered struct {
	Agent    *schema.Agent
	Provider schema.ProviderID
	Uses     []providers.Use
	Show     map[string]string
	Files    []File
}

// Render renders the selected subagents for the selected hosts. With errors in
// the diagnostics there are no files at all.
func Render(m *schema.Manifest, opt Options) (*Result, hcl.Diagnostics) {
	r := &renderer{m: m, opt: opt, paths: map[string]string{}}
	r.result.Scope = ScopeOf(m, opt.Scope)
	r.diags = append(r.diags, Unknown(m, opt.Agents)...)
	r.policies()
	for _, e := range m.Entries() {
		if !e.Present() || !r.opt.Selects(e) {
			continue
		}
		for _, id := range m.Targets(e) {
			if len(opt.Providers) == 0 || slices.Contains(opt.Providers, id) {
				r.agent(e, id)
			}
		}
	}
	if r.diags.HasErrors() {
		r.result.Files = nil
		for i := range r.result.Agents {
			r.result.Agents[i].Files = nil
		}
	}
	slices.SortFunc(r.result.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return &r.result, r.diags
}

// ScopeOf gives the scope to render: the one asked for, else the one that all
// blocks which name a scope name, else project.
func ScopeOf(m *schema.Manifest, asked schema.Scope) schema.Scope {
	if asked != "" {
		return asked
	}
	var named schema.Scope
	for _, e := range m.Entries() {
		for _, id := range m.Targets(e) {
			scope := m.BlockScope(e, id)
			if scope == "" {
				continue
			}
			if named != "" && scope != named {
				return schema.ProjectScope
			}
			named = scope
		}
	}
	return cmp.Or(named, schema.ProjectScope)
}

type renderer struct {
	m      *schema.Manifest
	opt    Options
	result Result
	bodies composer
	paths  map[string]string // lower-case path → agent
	rules  []rule
	diags  hcl.Diagnostics
}

// Unknown reports the names that no subagent of the manifest has.
func Unknown(m *schema.Manifest, names []string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, name := range names {
		if m.Entry(name) != nil {
			continue
		}
		var known []string
		for _, e := range m.Entries() {
			known = append(known, e.Name)
		}
		detail := "`subagents list` shows the names."
		if near := schema.Nearest(name, known); near != "" {
			detail = fmt.Sprintf("Did you mean %q? %s", near, detail)
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: fmt.Sprintf("no subagent is called %q", name), Detail: detail, Extra: CodeNotFound,
		})
	}
	return diags
}

// Selects says whether the options select an entry, by its name and its tags.
func (o Options) Selects(e *schema.Entry) bool {
	if len(o.Agents) > 0 && !slices.Contains(o.Agents, e.Name) {
		return false
	}
	tags := e.Resolved.Tags
	return len(o.Tags) == 0 || len(tags) == 0 ||
		slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(o.Tags, t) })
}

// agent renders one subagent for one host.
func (r *renderer) agent(e *schema.Entry, id schema.ProviderID) {
	p := all.Get(id)
	a := r.m.Resolve(e, id)
	scope := r.result.Scope
	if own := a.Block.Common().Scope; own != "" && own != scope {
		return
	}
	facts := p.Facts()
	r.name(e, facts)
	body, problems := r.bodies.compose(a, facts)
	r.diags = append(r.diags, problems...)
	out, problems := p.Encode(&providers.Agent{Agent: a, Body: body, HostTool: all.HostTool})
	r.diags = append(r.diags, problems...)
	done := Rendered{Agent: a, Provider: id, Uses: append(uses(a, facts), out.Uses...), Show: out.Show}
	for _, doc := range out.Docs {
		place, ok := facts.Place(scope, doc.Format)
		if !ok {
			panic(fmt.Sprintf("%s has no place for %q in scope %s", id, doc.Format, scope)) // a table of ours is wrong
		}
		done.Files = append(done.Files, File{Path: place.Path(a.Slug), Agent: a.Name, Provider: id, Place: place, Data: doc.Data})
	}
	for _, f := range done.Files {
		key := strings.ToLower(f.Path)
		if first, taken := r.paths[key]; taken {
			r.diags = append(r.diags, schema.Problemf(CodeCollision, e.At, "Give one of them another slug.",
				"%q and %q are both written to %s", first, a.Name, f.Path))
		}
		r.paths[key] = a.Name
	}
	r.result.Files = append(r.result.Files, done.Files...)
	r.result.Agents = append(r.result.Agents, done)
	verdicts := facts.Verdicts(scope, done.Uses)
	r.result.Notes = append(r.result.Notes, facts.Notes(a.Name, verdicts)...)
	r.diags = append(r.diags, r.require(a, facts, verdicts)...)
	r.obey(&done, facts, verdicts)
}

// name refuses a name that the host keeps for itself.
func (r *renderer) name(e *schema.Entry, facts *providers.Facts) {
	if !slices.Contains(facts.Reserved, strings.ToLower(e.Stem())) {
		return
	}
	r.diags = append(r.diags, schema.Problemf(schema.CodeReservedName, e.At,
		fmt.Sprintf("Rename it, give it a slug, or take %s from its targets.", facts.ID),
		"%s keeps the name %q for itself", facts.Title, e.Stem()))
}
