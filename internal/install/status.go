package install

import (
	"errors"
	"slices"

	"github.com/seed-337579fc/subagents/schema"
)

// A State says how an installed file compares with the manifest.
type State string

// The states.
const (
	NotInstalled State = "not-installed"
	Current      State = "current"
	OutOfDate    State = "stale"    // ours; the manifest changed since
	ChangedFile  State = "edited"   // ours; somebody changed it
	NotOurFile   State = "foreign"  // someone else's, or no regular file
	Shadowed     State = "shadowed" // as it should be, and the host prefers another one
	Stray        State = "stray"    // ours; the manifest does not render it
)

// States lists the states in their order.
func States() []State {
	return []State{NotInstalled, Current, OutOfDate, ChangedFile, NotOurFile, Shadowed, Stray}
}

// A Status is what status and check report.
type Status struct {
	Version   int           `json:"version"`
	Command   string        `json:"command"`
	Scope     schema.Scope  `json:"scope"`
	Catalogue string        `json:"catalogue"`
	Ledger    string        `json:"ledger"`
	Roots     []Root        `json:"roots"`
	Files     []FileStatus  `json:"files"`
	Others    int           `json:"others"` // further files that the hosts read there
	Summary   map[State]int `json:"summary"`
	Warnings  []Warning     `json:"warnings"`
}

// A FileStatus is the state of one file.
type FileStatus struct {
	State    State             `json:"state"`
	Provider schema.ProviderID `json:"provider"`
	Agent    string            `json:"agent"` // empty where nobody knows
	Path     string            `json:"path"`
	Reason   string            `json:"reason"`
	Do       string            `json:"do,omitempty"`
	Shadows  []Shadow          `json:"shadowed_by,omitempty"`
	Diff     string            `json:"diff,omitempty"`
}

// Differs says whether anything is not as the manifest wants it. That the host
// prefers another file is no difference.
func (s *Status) Differs() bool {
	for _, w := range s.Warnings {
		if w.Refused {
			return true
		}
	}
	return slices.ContainsFunc(s.Files, func(f FileStatus) bool { return f.State != Current && f.State != Shadowed })
}

// Status says for each file how it compares with the manifest, and what the
// host prefers to it. It writes nothing.
func (j Job) Status(opt Options, want Wanter, how How) (*Status, error) {
	return j.compare("status", opt, want, how)
}

// Check is Status without the look at what the hosts prefer.
func (j Job) Check(opt Options, want Wanter, how How) (*Status, error) {
	return j.compare("check", opt, want, how)
}

func (j Job) compare(command string, opt Options, want Wanter, how How) (_ *Status, err error) {
	s, err := j.View()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	desired := want(s.Dests)
	have, err := s.Look(desired, true)
	if err != nil {
		return nil, err
	}
	opt.Prune, opt.AllowEmpty, opt.Force, opt.Adopt = true, true, false, false
	plan := NewPlan(s.Dests, desired, have, s.Recorded(), opt)
	status := s.status(command, opt)
	diffs := map[*Action]string{}
	if how.Diff {
		if diffs, err = s.diffs(plan); err != nil {
			return nil, err
		}
	}
	for i := range plan.Actions {
		a := &plan.Actions[i]
		f := stateOf(a)
		f.Diff = diffs[a]
		status.Files = append(status.Files, f)
	}
	s.strays(status, desired, have, opt)
	if command == "status" {
		s.shadow(status, plan, desired)
	}
	for _, f := range status.Files {
		status.Summary[f.State]++
	}
	return status, nil
}

func (s *Session) status(command string, opt Options) *Status {
	status := &Status{
		Version: ReportVersion, Command: command, Scope: s.Scope, Catalogue: opt.Catalogue, Ledger: s.ledger.path,
		Roots: s.roots(), Files: []FileStatus{}, Summary: map[State]int{}, Warnings: append([]Warning{}, s.warnings()...),
	}
	for _, state := range States() {
		status.Summary[state] = 0
	}
	return status
}

// what is done about a state by the next install.
const (
	doInstall = "`subagents install` writes it."
	doUpdate  = "`subagents install` updates it."
	doDelete  = "`subagents install` deletes it."
	doRecord  = "`subagents install` records it."
)

// stateOf reads a state off an action.
func stateOf(a *Action) FileStatus {
	f := FileStatus{Provider: a.Dest.Provider, Agent: a.Agent, Path: a.Path(), Reason: string(a.Reason), Do: a.Do}
	switch a.Act {
	case Create:
		f.State, f.Do = NotInstalled, doInstall
	case Unchanged:
		f.State = Current
	case Adopt:
		f.State, f.Do = Current, doRecord
	case Update:
		f.State, f.Do = OutOfDate, doUpdate
	case Delete:
		f.State, f.Do = Stray, doDelete
	case Edited:
		f.State = ChangedFile
	default:
		f.State = NotOurFile
		if a.Reason == OtherKind || a.Act == Symlink || a.Act == NotRegular {
			f.Reason = string(a.Act)
		}
	}
	return f
}

// strays adds the files that carry our marker and that neither the manifest nor
// the ledger knows, and counts all others. A run that is about some subagents
// only cannot know whose they are.
func (s *Session) strays(status *Status, want Desired, have Actual, opt Options) {
	whole := len(opt.Agents) == 0 && len(opt.Tags) == 0
	for _, d := range s.Dests {
		for _, name := range sortedNames(have[d.Key].Files) {
			_, recorded := s.ledger.ledger.Record(d.Key, name)
			if recorded || want.Files[d.Key][name] != nil {
				continue
			}
			if !whole || !have[d.Key].Files[name].Marked {
				status.Others++
				continue
			}
			stray := FileStatus{
				State: Stray, Provider: d.Provider, Path: d.Path(name), Reason: string(Marker),
				Do: "The ledger does not know it. Delete it yourself if it is not needed.",
			}
			at := slices.IndexFunc(status.Files, func(f FileStatus) bool { return f.Path == stray.Path })
			if at >= 0 {
				status.Files[at] = stray // --exclusive lists it as foreign
				continue
			}
			status.Files = append(status.Files, stray)
		}
	}
}

// shadow adds what the hosts prefer to the files.
func (s *Session) shadow(status *Status, plan *Plan, want Desired) {
	look := newShadows(s.Where)
	for i := range plan.Actions {
		a, f := &plan.Actions[i], &status.Files[i]
		f.Shadows = look.over(a.Dest, a.Name, want)
		if len(f.Shadows) > 0 && f.State == Current {
			f.State, f.Reason = Shadowed, string(Shadowed)
			f.Do = f.Shadows[0].Away() + ", or give one of them another name."
		}
	}
	status.Warnings = append(status.Warnings, look.warnings...)
}
