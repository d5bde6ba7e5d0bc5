package install

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/schema"
)

// Ten runs at once: they wait for each other, all end well, and what lies there
// is one manifest whole, as the ledger says.
func TestTenAtOnce(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		var running []*exec.Cmd
		var outputs []*strings.Builder
		for i := range 10 {
			w.render(five(fmt.Sprint("version ", i)))
			c, out := w.task().start(t)
			running, outputs = append(running, c), append(outputs, out)
		}
		for i, c := range running {
			if err := c.Wait(); err != nil {
				t.Errorf("%v: %s", err, outputs[i])
			}
		}
		last := strings.TrimPrefix(read(t, w.path("kiro/one.json")), "{}")
		w.render(five(last))
		wantActs(t, w.run(), acts(w.file, Unchanged))
		for path := range contents(t, w.job.Home) {
			if strings.HasSuffix(path, ".tmp") {
				t.Errorf("%s was left behind", path)
			}
		}
	})
}

// Two runs: the second waits until the first is done, and says so when that
// takes too long.
func TestSecondRunWaits(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "first"})
	k := w.task()
	k.Hold = 300 * time.Millisecond
	c, out := k.start(t)
	for deadline := time.Now().Add(10 * time.Second); len(contents(t, w.job.Home)) == 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond) // until it has made its lock
	}
	time.Sleep(50 * time.Millisecond)

	w.job.Wait = 40 * time.Millisecond
	_, err := w.job.Install(context.Background(), w.opt, w.wanted, How{})
	if _, ok := errors.AsType[*LockError](err); !ok || !strings.Contains(err.Error(), "another run") {
		t.Errorf("error: %v", err)
	}
	w.job.Wait = 0
	w.render(map[string]string{"claude/one.md": "second"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update})
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	wantFile(t, w.path("claude/one.md"), "second")
}

// A dry run, status and check take no lock: they write nothing.
func TestLookingTakesNoLock(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	s, err := w.job.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w.job.Wait = time.Millisecond
	w.dry()
	w.status()
}
