package install

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-337579fc/subagents/schema"
)

// An Act is what is done about a file, or why nothing is.
type Act string

// The acts. Those from Foreign on are refusals: the file stays as it is.
const (
	Create    Act = "create"
	Adopt     Act = "adopt" // the file has our bytes already, or is taken over with --adopt
	Update    Act = "update"
	Unchanged Act = "unchanged"
	Delete    Act = "delete"

	Foreign        Act = "foreign"         // someone else's file
	Edited         Act = "edited"          // ours, changed by hand
	Symlink        Act = "symlink"         // the file itself is a link
	NotRegular     Act = "not-regular"     // a directory, a FIFO, a socket, a device
	OtherCatalogue Act = "other-catalogue" // recorded for another catalogue
)

// Acts lists the acts in their order.
func Acts() []Act {
	return []Act{Create, Adopt, Update, Unchanged, Delete, Foreign, Edited, Symlink, NotRegular, OtherCatalogue}
}

// Refused says that the act is a refusal.
func (a Act) Refused() bool { return slices.Index(Acts(), a) >= slices.Index(Acts(), Foreign) }

// A Reason says in one word why an act was chosen.
type Reason string

// The reasons.
const (
	New            Reason = "new"            // there is no such file
	Restored       Reason = "restored"       // the ledger knows it, and it is gone
	Stale          Reason = "stale"          // the manifest changed since it was written
	Identical      Reason = "identical"      // it has exactly our bytes
	Marker         Reason = "marker"         // it carries our marker, and --adopt was given
	Taken          Reason = "taken"          // another catalogue's, and --adopt was given
	Forced         Reason = "forced"         // --force
	OurLink        Reason = "our-link"       // a link that the ledger knows as ours
	Gone           Reason = "gone"           // no such subagent in the manifest
	Absent         Reason = "absent"         // its state is absent
	NotTargeted    Reason = "not-targeted"   // not rendered for the host any more
	Moved          Reason = "moved"          // the subagent has another file, or another scope now
	Uninstalled    Reason = "uninstalled"    // uninstall was asked for
	Rendered       Reason = "rendered"       // not recorded, and exactly what the manifest renders
	NotOurs        Reason = "not-ours"       // the ledger does not know it
	ByHand         Reason = "by-hand"        // the ledger knows other bytes
	LedgerUnread   Reason = "ledger-unread"  // nothing can be known
	OtherKind      Reason = "other-kind"     // not a regular file
	OtherOwner     Reason = "other-owner"    // the ledger records it for another catalogue
	NotRendered    Reason = "not-rendered"   // --exclusive: the manifest does not render it
	DuringTheRun   Reason = "during-the-run" // it changed between planning and writing
	nothingToSay   Reason = ""
	backupSuffix          = ".orig"
	maxBackupTrial        = 10_000
)

// An Action is one line of a plan.
type Action struct {
	Act    Act
	Reason Reason
	Dest   *Dest
	Name   string
	Agent  string
	Do     string // what a person can do about a refusal
	Backup string // the name under which what lies there is kept; empty: nothing is kept

	want   *File     // what is to lie there; nil: nothing
	file   *File     // the same, if it is to be written
	old    FileState // what lies there
	before *Record   // what the ledger says
	after  *Record   // what the ledger is to say; nil: nothing
	failed bool      // the machine failed before it was done
	unsure bool      // the machine failed while it was done: it may have been, as after an error of the network
}

// Path gives the path of the file, as people write it.
func (a *Action) Path() string { return a.Dest.Path(a.Name) }

// Changes says that the action changes something on disk.
func (a *Action) Changes() bool { return a.file != nil || a.Act == Delete }

// Options choose what a plan may do.
type Options struct {
	Catalogue string
	// Agents and Tags limit what is acted on; empty means all.
	Agents, Tags []string
	// Force replaces files of ours that were edited, after saving them.
	Force bool
	// Adopt takes over files that carry our marker or belong to another
	// catalogue, after saving them if their bytes differ.
	Adopt bool
	// Prune deletes files of ours that are not desired any more.
	Prune bool
	// AllowEmpty lets a manifest without subagents delete all of them.
	AllowEmpty bool
	// Exclusive refuses every other file that the host would read.
	Exclusive bool
}

// A Plan is what a run does: the actions in the order of the directories and
// names.
type Plan struct {
	Actions []Action
	Held    int // files of ours that are not desired and stay, because an empty or unknown manifest never prunes
	ledger  *Ledger
	forget  []at // records of files that are gone already
}

type at struct{ key, name string }

// Changes counts the actions that change something on disk.
func (p *Plan) Changes() int {
	n := 0
	for i := range p.Actions {
		if p.Actions[i].Changes() {
			n++
		}
	}
	return n
}

// Refused says whether the plan leaves something undone.
func (p *Plan) Refused() bool {
	return slices.ContainsFunc(p.Actions, func(a Action) bool { return a.Act.Refused() })
}

// planner decides about one directory after the other.
type planner struct {
	opt    Options
	want   Desired
	have   Actual
	ledger *Ledger // nil: it cannot be read
	plan   Plan
}

// NewPlan decides what to install. ledger is nil where there is one that cannot
// be read: then nothing that exists is changed or deleted.
func NewPlan(dests []*Dest, want Desired, have Actual, ledger *Ledger, opt Options) *Plan {
	p := planner{opt: opt, want: want, have: have, ledger: ledger, plan: Plan{ledger: ledger}}
	for _, d := range dests {
		names := p.names(d)
		p.plan.Actions = slices.Grow(p.plan.Actions, len(names))
		for _, name := range names {
			if file := want.Files[d.Key][name]; file != nil {
				p.plan.Actions = append(p.plan.Actions, p.put(d, name, file))
			} else {
				p.drop(d, name)
			}
		}
	}
	return &p.plan
}

// names lists all names of a directory that the plan may have to say something
// about.
func (p *planner) names(d *Dest) []string {
	all := map[string]bool{}
	for name := range p.want.Files[d.Key] {
		all[name] = true
	}
	for name := range p.have[d.Key].Files {
		all[name] = true
	}
	if p.ledger != nil && p.ledger.Dirs[d.Key] != nil {
		for name := range p.ledger.Dirs[d.Key].Files {
			if d.Takes(name) {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// put decides about a file that is desired.
func (p *planner) put(d *Dest, name string, file *File) Action {
	a := Action{Dest: d, Name: name, Agent: file.Agent, want: file, old: p.have[d.Key].Files[name]}
	if r, ok := p.ledger.Record(d.Key, name); ok {
		a.before = &r
	}
	switch {
	case a.old.Kind == Missing:
		a.write(Create, New, file)
		if a.before != nil && !a.before.begun() {
			a.Reason = Restored
		}
	case a.old.Kind == Link:
		if a.ourLink(p.opt) {
			a.write(Update, OurLink, file)
		} else {
			a.refuse(Symlink, OtherKind, "Remove the link, or give the subagent another slug.")
		}
	case a.old.Kind == Other:
		a.refuse(NotRegular, OtherKind, "Move what lies there away, or give the subagent another slug.")
	case p.ledger == nil && a.old.Sum == file.Sum:
		a.Act, a.Reason = Unchanged, LedgerUnread
	case p.ledger == nil:
		a.refuse(Foreign, LedgerUnread, "Repair or remove the ledger.")
	default:
		p.replace(&a, file)
	}
	if p.ledger != nil && !a.Act.Refused() {
		a.after = a.record(p.opt.Catalogue, file)
	}
	return a
}

// replace decides about a desired file in whose place a regular file lies.
func (p *planner) replace(a *Action, file *File) {
	same := a.old.Sum == file.Sum
	switch r := a.before; {
	case r != nil && !r.begun() && r.Catalogue != p.opt.Catalogue || r != nil && r.Catalogue != p.opt.Catalogue && r.knows(a.old.Sum):
		p.takeOver(a, file)
	case same && r != nil && r.knows(file.Sum):
		a.Act, a.Reason = Unchanged, Identical
	case same:
		a.Act, a.Reason = Adopt, Identical
	case r != nil && r.knows(a.old.Sum):
		a.write(Update, Stale, file)
	case r != nil && !r.begun() && p.opt.Force:
		a.write(Update, Forced, file)
		a.Backup = p.backup(a)
	case r != nil && !r.begun():
		a.refuse(Edited, ByHand, "Take the change into the manifest, or pass --force to save the file beside and replace it.")
	case p.opt.Adopt && a.old.Marked:
		a.write(Adopt, Marker, file)
		a.Backup = p.backup(a)
	case a.old.Marked:
		a.refuse(Foreign, NotOurs, "It carries our marker: pass --adopt to save it beside and take it over.")
	default:
		a.refuse(Foreign, NotOurs, "Move it away, or give the subagent another slug.")
	}
}

// takeOver decides about a file that another catalogue has in the ledger.
func (p *planner) takeOver(a *Action, file *File) {
	switch {
	case !p.opt.Adopt:
		a.refuse(OtherCatalogue, OtherOwner, fmt.Sprintf("It belongs to the catalogue %q: pass --catalogue with that name, or --adopt to take it over.", a.before.Catalogue))
	case a.old.Sum == file.Sum:
		a.Act, a.Reason = Adopt, Taken
	default:
		a.write(Adopt, Taken, file)
		a.Backup = p.backup(a)
	}
}

// write sets an act that writes the file.
func (a *Action) write(act Act, why Reason, file *File) {
	a.Act, a.Reason, a.file = act, why, file
}

// refuse sets a refusal, with what a person can do.
func (a *Action) refuse(act Act, why Reason, do string) {
	a.Act, a.Reason, a.Do = act, why, do
	a.file, a.after, a.Backup = nil, nil, ""
}

// ourLink says whether the link that lies there is one that the ledger knows.
func (a *Action) ourLink(opt Options) bool {
	return a.before != nil && a.before.Catalogue == opt.Catalogue && a.before.Link != "" && a.before.Link == a.old.Link
}

// record gives what the ledger is to say of a file that is as desired.
func (a *Action) record(catalogue string, file *File) *Record {
	r := Record{Agent: file.Agent, Catalogue: catalogue, Tags: file.Tags, SHA256: file.Sum}
	if a.before != nil {
		r.extra = a.before.extra
	}
	return &r
}

// backup gives the first free name for what lies in a file's place.
func (p *planner) backup(a *Action) string {
	taken := func(name string) bool {
		_, ok := p.have[a.Dest.Key].Files[name]
		return ok || slices.Contains(p.have[a.Dest.Key].Extras, name)
	}
	for i := range maxBackupTrial {
		if name := backupName(a.Name, i); !taken(name) {
			return name
		}
	}
	return backupName(a.Name, maxBackupTrial)
}

// backupName gives the i-th name of a backup. It ends in nothing that a host
// reads.
func backupName(name string, i int) string {
	if i == 0 {
		return name + backupSuffix
	}
	return fmt.Sprintf("%s%s.%d", name, backupSuffix, i)
}

// sameRecord says whether two records say the same.
func sameRecord(a, b *Record) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Agent == b.Agent && a.Catalogue == b.Catalogue && slices.Equal(a.Tags, b.Tags) &&
		a.SHA256 == b.SHA256 && a.Pending == b.Pending && a.Link == b.Link
}

// next gives the ledger as it is after the actions that done says have been
// done, and whether that is different.
func (p *Plan) next(done func(i int) bool) (*Ledger, bool) {
	l, changed := p.ledger.clone(), false
	for i := range p.Actions {
		a := &p.Actions[i]
		switch {
		case a.Act.Refused():
		case !done(i):
			if a.unsure && a.file != nil {
				l.set(a.Dest, a.Name, a.announced())
				changed = true
			}
		case a.Act == Delete:
			if a.before != nil {
				l.forget(a.Dest.Key, a.Name)
				changed = true
			}
		case !sameRecord(a.before, a.after):
			l.set(a.Dest, a.Name, *a.after)
			changed = true
		}
	}
	for _, gone := range p.forget {
		l.forget(gone.key, gone.name)
		changed = true
	}
	return l, changed
}

// intent gives the ledger that announces what is about to be written.
func (p *Plan) intent() *Ledger {
	l := p.ledger.clone()
	for i := range p.Actions {
		a := &p.Actions[i]
		if a.file != nil {
			l.set(a.Dest, a.Name, a.announced())
		}
	}
	return l
}

// announced is what the ledger says of a file that is about to be written.
func (a *Action) announced() Record {
	r := Record{Agent: a.after.Agent, Catalogue: a.after.Catalogue, Tags: a.after.Tags}
	if a.before != nil {
		r = *a.before
	}
	r.Pending = a.file.Sum
	return r
}

// selects says whether the run is about a subagent that has these tags.
func (o *Options) selects(agent string, tags []string) bool {
	if len(o.Agents) > 0 && !slices.Contains(o.Agents, agent) {
		return false
	}
	return len(o.Tags) == 0 || len(tags) == 0 ||
		slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(o.Tags, t) })
}

// targets says whether a subagent is rendered for a host.
func (s Subagent) targets(id schema.ProviderID) bool { return slices.Contains(s.Targets, id) }

// why says why a file of a subagent is not desired any more.
func (d *Desired) why(agent string, id schema.ProviderID) Reason {
	s, ok := d.Subagents[agent]
	switch {
	case !ok:
		return Gone
	case !s.Present:
		return Absent
	case !s.targets(id):
		return NotTargeted
	}
	return Moved
}
