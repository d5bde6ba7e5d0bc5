package install

import (
	"context"
	"errors"

	"github.com/seed-337579fc/subagents/schema"
)

// ReportVersion is the version of the documents that install, uninstall, status
// and check give as JSON. It grows when a key changes its meaning or goes away.
const ReportVersion = 1

// A Report is what install or uninstall did, or would do.
type Report struct {
	Version   int          `json:"version"`
	Command   string       `json:"command"`
	Scope     schema.Scope `json:"scope"`
	DryRun    bool         `json:"dry_run"`
	Catalogue string       `json:"catalogue"`
	Ledger    string       `json:"ledger"`
	Roots     []Root       `json:"roots"`
	Changed   bool         `json:"changed"` // files were, or would be, written or deleted
	Actions   []Line       `json:"actions"`
	Summary   map[Act]int  `json:"summary"` // actions that were, or would be, done, and refusals; none that failed
	Warnings  []Warning    `json:"warnings"`
}

// A Root is a directory that was acted on, and what decided it.
type Root struct {
	Provider  schema.ProviderID `json:"provider"`
	Directory string            `json:"directory"`
	Real      string            `json:"real"` // with links followed
	From      string            `json:"from"` // --root, the name of a variable, home, or project
}

// A Line is an action as it is reported.
type Line struct {
	Action   Act               `json:"action"`
	Provider schema.ProviderID `json:"provider"`
	Agent    string            `json:"agent"` // empty where nobody knows
	Path     string            `json:"path"`
	Reason   Reason            `json:"reason"`
	Do       string            `json:"do,omitempty"`
	Backup   string            `json:"backup,omitempty"` // path under which the old bytes are kept
	Failed   bool              `json:"failed,omitempty"` // the machine failed before it was done
	Diff     string            `json:"diff,omitempty"`   // unified; with --diff
}

// Refused says whether something was left undone.
func (r *Report) Refused() bool {
	for _, l := range r.Actions {
		if l.Action.Refused() {
			return true
		}
	}
	for _, w := range r.Warnings {
		if w.Refused {
			return true
		}
	}
	return false
}

// How says how a run is carried out.
type How struct {
	DryRun   bool
	Diff     bool
	Progress func(done, of int) // told after each step; may be nil
}

// A Wanter gives what is to lie in the directories.
type Wanter func([]*Dest) Desired

// Install makes the directories hold what is wanted. The report is given with an
// error of the machine too, as far as the run came.
func (j Job) Install(ctx context.Context, opt Options, want Wanter, how How) (*Report, error) {
	return j.run(ctx, "install", opt, want, how, func(_ *Session, w Desired, have Actual, l *Ledger, dests []*Dest) *Plan {
		return NewPlan(dests, w, have, l, opt)
	})
}

// Uninstall removes what was installed and nobody has changed.
func (j Job) Uninstall(ctx context.Context, opt Options, want Wanter, how How) (*Report, error) {
	return j.run(ctx, "uninstall", opt, want, how, func(s *Session, w Desired, have Actual, l *Ledger, dests []*Dest) *Plan {
		return NewRemoval(s.Scope, dests, w, have, l, opt)
	})
}

type decide func(*Session, Desired, Actual, *Ledger, []*Dest) *Plan

func (j Job) run(ctx context.Context, command string, opt Options, want Wanter, how How, decide decide) (_ *Report, err error) {
	s, err := j.session(ctx, how.DryRun)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.RefuseRoot(); err != nil {
		return nil, err
	}
	desired := want(s.Dests)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	have, err := s.Look(desired, false)
	if err != nil {
		return nil, err
	}
	plan := decide(s, desired, have, s.Recorded(), s.Dests)
	report := s.report(command, opt, how.DryRun)
	if command == "install" {
		report.Warnings = append(report.Warnings, planWarnings(plan, desired)...)
	} else {
		report.Warnings = append(report.Warnings, s.removalWarnings(plan, desired, opt)...)
	}
	diffs := map[*Action]string{}
	if how.Diff {
		if diffs, err = s.diffs(plan); err != nil {
			return nil, err
		}
	}
	if !how.DryRun {
		err = s.Apply(ctx, plan, have, how.Progress)
	}
	report.add(plan, diffs)
	return report, err
}

func (j Job) session(ctx context.Context, dry bool) (*Session, error) {
	if dry {
		return j.View()
	}
	return j.Open(ctx)
}

// report starts a report with what is known before there is a plan.
func (s *Session) report(command string, opt Options, dry bool) *Report {
	r := &Report{
		Version: ReportVersion, Command: command, Scope: s.Scope, DryRun: dry, Catalogue: opt.Catalogue, Ledger: s.ledger.path,
		Roots: s.roots(), Actions: []Line{}, Summary: map[Act]int{}, Warnings: []Warning{},
	}
	r.Warnings = append(r.Warnings, s.warnings()...)
	for _, act := range Acts() {
		r.Summary[act] = 0
	}
	return r
}

func (s *Session) roots() []Root {
	roots := []Root{}
	for _, d := range s.Dests {
		roots = append(roots, Root{d.Provider, d.Dir, d.Real, d.From})
	}
	return roots
}

// add writes the plan's actions into the report.
func (r *Report) add(p *Plan, diffs map[*Action]string) {
	for i := range p.Actions {
		a := &p.Actions[i]
		line := Line{
			Action: a.Act, Provider: a.Dest.Provider, Agent: a.Agent, Path: a.Path(), Reason: a.Reason, Do: a.Do, Failed: a.failed, Diff: diffs[a],
		}
		if a.Backup != "" {
			line.Backup = a.Dest.Path(a.Backup)
		}
		r.Actions = append(r.Actions, line)
		if !a.failed {
			r.Summary[a.Act]++
		}
		r.Changed = r.Changed || a.Changes() && !a.failed
	}
}
