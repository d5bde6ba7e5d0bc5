//go:build unix

package install

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/schema"
)

var errStop = errors.New("stop")

// A run that is asked to stop before any of its changes on disk stops soon:
// every file is whole, no temporary one is left, the ledger knows what was done
// and announces nothing more, and the next run does the rest.
func TestStoppedAtEveryStep(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		prepare := func() *world {
			w := newWorld(t, scope)
			everything(w)
			return w
		}
		w := prepare()
		var steps []call
		atBoundaries(w, func(c call) { steps = append(steps, c) })
		w.run()
		want := contents(t, filepath.Dir(w.job.Home))
		done := 0
		for n := range steps {
			w := prepare()
			before := contents(t, filepath.Dir(w.job.Home))
			ctx, stop := context.WithCancelCause(context.Background())
			step := -1
			atBoundaries(w, func(call) {
				if step++; step == n {
					stop(errStop)
				}
			})
			r, err := w.job.Install(ctx, w.opt, w.wanted, How{})
			stop(nil)
			w.job.disk = nil
			switch {
			case err == nil: // it was done already
				done++
			case !errors.Is(err, errStop):
				t.Errorf("stopped at %v: %v", steps[n], err)
			case r == nil && step > n: // before the plan nothing is written but the lock
				t.Errorf("stopped at %v without a report", steps[n])
			}
			wantWhole(t, w, "stopped at "+steps[n].op+" "+steps[n].path, before, want)
			wantNoTemps(t, w)
			for key, dir := range w.ledgerOf().Dirs {
				for name, record := range dir.Files {
					if record.Pending != "" {
						t.Errorf("stopped at %v: %s/%s is still announced", steps[n], key, name)
					}
				}
			}
			w.run()
			if diff := cmp.Diff(portable(want), portable(contents(t, filepath.Dir(w.job.Home)))); diff != "" {
				t.Errorf("stopped at %v: after the next run (-undisturbed +stopped):\n%s", steps[n], diff)
			}
		}
		if done == 0 || done == len(steps) {
			t.Errorf("%d of %d runs were done already", done, len(steps))
		}
	})
}

// A run that waits for another one can be stopped too.
func TestStoppedWhileWaiting(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(three("x"))
	s, err := w.job.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithCancelCause(context.Background())
	w.job.spy(func(c call) *fault {
		if slices.Contains([]string{"create", "open"}, c.op) {
			stop(errStop)
		}
		return nil
	})
	if _, err := w.job.Install(ctx, w.opt, w.wanted, How{}); !errors.Is(err, errStop) {
		t.Errorf("error: %v", err)
	}
	wantNone(t, w.path("claude/one.md"))
}
