package importer

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// prove writes each entry in neutral keys as far as its files stay the same, and
// tells what does not stay the same in any case. An entry that no host takes is
// skipped.
func (im *importer) prove(entries []*entry) []*proven {
	var out []*proven
	for _, e := range entries {
		if p := im.proveEntry(e); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// A proven is an entry as it is written.
type proven struct {
	*entry
	tree    *schema.Node
	targets []schema.ProviderID
}

func (im *importer) proveEntry(e *entry) *proven {
	targets := e.hostsOf()
	if all := e.candidates(); len(all) > 0 && e.complete(targets) {
		if tree := e.tree(all, targets); im.verify(e, tree, targets).exact() {
			return &proven{entry: e, tree: tree, targets: targets}
		}
	}
	best := e.tree(nil, targets)
	outcome := im.verify(e, best, targets)
	if outcome.invalid != nil {
		im.skipEntry(e, e.parts[0].file, outcome.invalid)
		return nil
	}
	kept := im.refusals(e, targets, outcome)
	if len(kept) == 0 {
		return nil
	}
	if len(kept) < len(targets) {
		targets = kept
		best = e.tree(nil, targets)
		outcome = im.verify(e, best, targets)
	}
	if e.complete(targets) {
		best, outcome = im.promote(e, best, outcome, targets)
	}
	im.inexact(e, outcome)
	return &proven{entry: e, tree: best, targets: targets}
}

// hostsOf lists the hosts that an entry is for.
func (e *entry) hostsOf() []schema.ProviderID {
	if e.targets == nil {
		return schema.ProviderIDs()
	}
	return slices.DeleteFunc(schema.ProviderIDs(), func(id schema.ProviderID) bool { return !slices.Contains(e.targets, id) })
}

// complete says whether every target has a reading, so that all of them can be
// compared.
func (e *entry) complete(targets []schema.ProviderID) bool {
	return !slices.ContainsFunc(targets, func(id schema.ProviderID) bool { return e.hosts[id] == nil })
}

// An outcome is what rendering an entry gave.
type outcome struct {
	invalid hcl.Diagnostics // the manifest is not valid
	refused map[schema.ProviderID]hcl.Diagnostics
	changed map[schema.ProviderID]string // the first thing that differs
}

// exact says whether every host gets the same as before.
func (o outcome) exact() bool { return o.invalid == nil && len(o.refused) == 0 && len(o.changed) == 0 }

// within says whether nothing is worse than in another outcome.
func (o outcome) within(other outcome) bool {
	for id := range o.refused {
		if other.refused[id] == nil {
			return false
		}
	}
	for id, key := range o.changed {
		if other.changed[id] != key {
			return false
		}
	}
	return o.invalid == nil
}

// promote puts neutral keys in the place of keys of blocks: all that the hosts
// agree on if nothing changes by that, else one after the other.
func (im *importer) promote(e *entry, best *schema.Node, base outcome, targets []schema.ProviderID) (*schema.Node, outcome) {
	candidates := e.candidates()
	if len(candidates) == 0 {
		return best, base
	}
	all := e.tree(candidates, targets)
	if o := im.verify(e, all, targets); o.within(base) {
		return all, o
	}
	var kept []candidate
	for _, c := range candidates {
		tree := e.tree(append(slices.Clone(kept), c), targets)
		if o := im.verify(e, tree, targets); o.within(base) {
			kept, best, base = append(kept, c), tree, o
		}
	}
	return best, base
}

// verify renders a tree for each target and compares what its host reads with
// what it read before.
func (im *importer) verify(e *entry, tree *schema.Node, targets []schema.ProviderID) outcome {
	o := outcome{refused: map[schema.ProviderID]hcl.Diagnostics{}, changed: map[schema.ProviderID]string{}}
	src := schema.NewSource("subagents.yml", document(targets, append([]*schema.Node{tree}, im.standIns(tree)...), nil, e.contracts()))
	m, diags := schema.Load(src, schema.Options{HostTool: all.HostTool})
	if diags.HasErrors() {
		o.invalid = onlyErrors(diags)
		return o
	}
	for _, id := range targets {
		result, diags := render.Render(m, render.Options{Providers: []schema.ProviderID{id}, Agents: []string{e.name}})
		if diags.HasErrors() {
			o.refused[id] = onlyErrors(diags)
			continue
		}
		before := e.hosts[id]
		if before == nil {
			continue
		}
		for _, f := range result.Files {
			after, diags := all.Get(id).Decode(providers.Native{Name: f.Path, Data: f.Data})
			if len(after) != 1 {
				o.refused[id] = onlyErrors(diags)
				continue
			}
			if one := e.formats[after[0].Block().Get("format").Text()]; one != nil && id == schema.KiroID {
				before = one
			}
			if key := e.differs(id, before, &after[0]); key != "" {
				o.changed[id] = key
			}
		}
	}
	return o
}

// contractID names the report contract of an entry until all of them are known.
const contractID = "contract"

// contracts gives the report contract of an entry.
func (e *entry) contracts() []schema.Field {
	if e.contract == "" {
		return nil
	}
	return []schema.Field{providers.TextField(contractID, e.contract, hcl.Range{})}
}

// standIns gives entries for the subagents that an entry may start, as far as
// they are among those that are imported.
func (im *importer) standIns(tree *schema.Node) []*schema.Node {
	var list []*schema.Node
	for _, item := range tree.Get("delegates").List() {
		if im.names[item.Str] && item.Str != tree.Get("name").Text() {
			at := item.Range
			list = append(list, &schema.Node{Kind: schema.Map, Fields: []schema.Field{
				providers.TextField("name", item.Str, at), providers.TextField("description", "Stands in.", at), providers.TextField("instructions", "None.", at),
			}})
		}
	}
	return list
}

// differs is [Differs] for an entry that may have got another name and, from
// another host, other white space around its texts.
func (e *entry) differs(id schema.ProviderID, before, after *providers.Decoded) string {
	want := *before
	want.Name = e.name
	if strings.TrimSpace(e.description) == strings.TrimSpace(want.Description) {
		want.Description = e.description
	}
	return Differs(id, &want, after)
}

func onlyErrors(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

// refusals tells of the hosts that would not take an entry and gives the others.
func (im *importer) refusals(e *entry, targets []schema.ProviderID, o outcome) []schema.ProviderID {
	var kept []schema.ProviderID
	for _, id := range targets {
		problems := o.refused[id]
		if problems == nil {
			kept = append(kept, id)
			continue
		}
		if e.hosts[id] == nil {
			im.warn(CodeCannotBe, e.place(), problems[0].Detail, "%s is left out of the targets of %q: %s", id, e.name, problems[0].Summary)
			continue
		}
		from := e.parts[0].file
		for _, d := range e.parts {
			if d.hosts[id] != nil {
				from = d.file
			}
		}
		im.skipEntry(e, from, problems)
		delete(e.hosts, id)
	}
	e.parts = slices.DeleteFunc(e.parts, func(d *definition) bool {
		return len(d.targets) > 0 && !slices.ContainsFunc(d.targets, func(id schema.ProviderID) bool { return slices.Contains(kept, id) })
	})
	return kept
}

// skipEntry tells that an entry, or its part for a host, cannot be one.
func (im *importer) skipEntry(e *entry, from *file, problems hcl.Diagnostics) {
	for _, p := range problems {
		im.skip(from, schema.Problemf(CodeCannotBe, e.place(), p.Detail, "%q cannot be an entry: %s", e.name, p.Summary))
	}
}

// inexact tells what is different when an entry is rendered again.
func (im *importer) inexact(e *entry, o outcome) {
	for _, id := range schema.ProviderIDs() {
		if key := o.changed[id]; key != "" {
			im.warn(CodeNotExact, e.place(), "Compare the two files before you install.", "rendered again, the file of %q for %s says something else in %s", e.name, id, key)
		}
	}
}
