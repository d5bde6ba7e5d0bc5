package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Apply carries a plan out. What turns out to have changed since the plan was
// made becomes a refusal in the plan's actions; the rest goes on. An error is
// one of the machine, or the cause for which ctx ended: what was done until then
// is recorded, and nothing else has changed. progress is told how much of the
// work is done; it may be nil.
func (s *Session) Apply(ctx context.Context, p *Plan, have Actual, progress func(done, of int)) error {
	if err := s.sweepAll(have); err != nil {
		return err
	}
	todo, index := make([]*Action, 0, p.Changes()), make([]int, 0, p.Changes())
	for i := range p.Actions {
		if p.Actions[i].Changes() {
			todo, index = append(todo, &p.Actions[i]), append(index, i)
		}
	}
	r := run{Session: s, plan: p, todo: todo, done: make([]bool, len(p.Actions)), meter: newMeter(todo, progress)}
	for i := range p.Actions {
		r.done[i] = !p.Actions[i].Changes()
	}
	err := r.changes(ctx, index)
	for i := range p.Actions {
		p.Actions[i].failed = !r.done[i] && p.Actions[i].Changes()
	}
	if settled := r.settle(); settled != nil {
		return errors.Join(err, settled)
	}
	return errors.Join(err, r.confirm())
}

// sweepAll removes what a killed run of this ledger left behind.
func (s *Session) sweepAll(have Actual) error {
	for _, d := range s.Dests {
		if err := sweep(s.folders[d].root, have[d.Key].Temps, s.temp); err != nil {
			return fmt.Errorf("clearing %s of what a killed run left: %w", d.Dir, cause(err))
		}
	}
	if err := s.ledger.tidy(s.temp); err != nil {
		return fmt.Errorf("clearing %s of what a killed run left: %w", s.ledger.folder.name, cause(err))
	}
	return nil
}

// A run is one application of a plan.
type run struct {
	*Session
	plan *Plan
	todo []*Action
	done []bool // by the plan's actions
	*meter
}

// changes makes the changes on disk: contents first, then the announcement in
// the ledger, then the names.
func (r *run) changes(ctx context.Context, index []int) error {
	if len(r.todo) == 0 {
		return nil
	}
	ready, err := r.stage(ctx)
	defer func() {
		for _, t := range ready {
			if t.folder != nil {
				discard(t.folder.root, t.name) //nolint:errcheck // the next run sweeps it
			}
		}
	}()
	if err != nil {
		return err
	}
	if r.plan.ledger != nil {
		if err := r.ledger.write(r.plan.intent(), r.temp); err != nil {
			return err
		}
	}
	for i, a := range r.todo {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := r.commit(a, ready[i])
		if refusal, ok := errors.AsType[*changedError](err); ok {
			a.refuse(refusal.act, DuringTheRun, "It changed while this ran; run again.")
			continue
		}
		if err != nil {
			a.unsure = true
			return fmt.Errorf("%s %s: %w", verb[a.Act], a.Path(), cause(err))
		}
		r.done[index[i]] = true
		ready[i].folder = nil
		r.step()
	}
	return nil
}

var verb = map[Act]string{Create: "creating", Adopt: "taking over", Update: "updating", Delete: "deleting"}

// settle makes the new names durable, before the ledger forgets the old ones.
func (r *run) settle() error {
	synced := map[*folder]bool{}
	for i := range r.plan.Actions {
		a := &r.plan.Actions[i]
		f := r.folders[a.Dest]
		if !a.Changes() || !r.done[i] || synced[f] {
			continue
		}
		synced[f] = true
		if err := f.root.SyncNames(); err != nil {
			return fmt.Errorf("writing into %s: %w", f.name, cause(err))
		}
	}
	return nil
}

// confirm records what has been done.
func (r *run) confirm() error {
	if r.plan.ledger == nil {
		return nil
	}
	next, changed := r.plan.next(func(i int) bool { return r.done[i] })
	if !changed && r.ledger.ledger == r.plan.ledger {
		return nil
	}
	return r.ledger.write(next, r.temp)
}

// A changedError says that what lies at a path is not what the plan saw there.
type changedError struct{ act Act }

func (e *changedError) Error() string { return "it changed during the run" }

// commit makes one change on disk.
func (r *run) commit(a *Action, t staged) error {
	root := r.folders[a.Dest].root
	if a.old.Kind == Missing {
		err := root.RenameNew(t.name, a.Name)
		if errors.Is(err, fs.ErrExist) {
			return &changedError{Foreign}
		}
		return err
	}
	if err := a.still(root); err != nil {
		return err
	}
	if a.Act == Delete {
		return root.Remove(a.Name)
	}
	if a.Backup != "" {
		if err := keep(root, a); err != nil {
			return err
		}
	}
	return over(root.Rename(t.name, a.Name))
}

// over explains why a file could not take another's place: it may be protected,
// and there are file systems that let none do so.
func over(err error) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("a new file cannot take the place of the old one here: %w", cause(err))
	}
	return err
}
