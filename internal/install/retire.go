package install

import "github.com/seed-337579fc/subagents/schema"

// drop decides about a name of a directory that is not desired.
func (p *planner) drop(d *Dest, name string) {
	old := p.have[d.Key].Files[name]
	r, recorded := p.ledger.Record(d.Key, name)
	switch {
	case !recorded || r.Catalogue != p.opt.Catalogue:
		if p.opt.Exclusive && old.Kind != Missing && !recorded {
			a := Action{Dest: d, Name: name, old: old}
			a.refuse(Foreign, NotRendered, "Move it away, or run without --exclusive.")
			p.plan.Actions = append(p.plan.Actions, a)
		}
	case !p.selected(r):
	case old.Kind == Missing:
		p.plan.forget = append(p.plan.forget, at{d.Key, name})
	case !p.opt.Prune:
	case p.want.Unknown || len(p.want.Subagents) == 0 && !p.opt.AllowEmpty:
		p.plan.Held++
	default:
		p.retire(d, name, r, p.want.why(r.Agent, d.Provider))
	}
}

// selected says whether the run is about the subagent of a record. An entry
// that the manifest still has is taken by the tags it has now.
func (p *planner) selected(r Record) bool {
	tags := r.Tags
	if s, ok := p.want.Subagents[r.Agent]; ok {
		tags = s.Tags
	}
	return p.opt.selects(r.Agent, tags)
}

// retire deletes a file of ours, unless somebody has changed it.
func (p *planner) retire(d *Dest, name string, r Record, why Reason) {
	a := Action{Dest: d, Name: name, Agent: r.Agent, old: p.have[d.Key].Files[name], before: &r}
	switch {
	case a.old.Kind == Link && a.ourLink(p.opt), a.old.Kind == Regular && r.knows(a.old.Sum):
		a.Act, a.Reason = Delete, why
	case a.old.Kind == Link:
		a.refuse(Symlink, why, "It is a link now. Remove it yourself if it is not needed.")
	case a.old.Kind == Other:
		a.refuse(NotRegular, why, "It is no regular file now. Remove it yourself if it is not needed.")
	case r.begun():
		p.plan.forget = append(p.plan.forget, at{d.Key, name}) // announced and never written: not ours
		return
	default:
		a.refuse(Edited, why, "It was changed by hand and is kept. Delete it yourself if it is not needed.")
	}
	p.plan.Actions = append(p.plan.Actions, a)
}

// NewRemoval decides what to uninstall: the files that the ledger knows and
// nobody has changed and, at project scope, those that are exactly what the
// manifest renders. want is Unknown where the manifest cannot be loaded; then
// only the ledger counts. ledger is nil where there is one that cannot be read:
// then nothing is deleted.
func NewRemoval(scope schema.Scope, dests []*Dest, want Desired, have Actual, ledger *Ledger, opt Options) *Plan {
	p := planner{opt: opt, want: want, have: have, ledger: ledger, plan: Plan{ledger: ledger}}
	if ledger == nil {
		return &p.plan
	}
	for _, d := range dests {
		for _, name := range p.names(d) {
			r, recorded := ledger.Record(d.Key, name)
			file, old := want.Files[d.Key][name], p.have[d.Key].Files[name]
			switch {
			case recorded && r.Catalogue != opt.Catalogue:
			case recorded && !p.selected(r):
			case recorded && old.Kind == Missing:
				p.plan.forget = append(p.plan.forget, at{d.Key, name})
			case scope == schema.ProjectScope && p.leftover(file, old) && !r.knows(old.Sum):
				a := Action{Act: Delete, Reason: Rendered, Dest: d, Name: name, Agent: file.Agent, old: old}
				if recorded {
					a.before = &r
				}
				p.plan.Actions = append(p.plan.Actions, a)
			case recorded:
				p.retire(d, name, r, Uninstalled)
			}
		}
	}
	return &p.plan
}

// leftover says whether what lies in a desired file's place is exactly that.
func (p *planner) leftover(file *File, old FileState) bool {
	return file != nil && p.opt.selects(file.Agent, file.Tags) && old.Kind == Regular && old.Sum == file.Sum
}
