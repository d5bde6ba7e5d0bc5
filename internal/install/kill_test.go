//go:build unix

package install

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A run that is killed before any of its changes on disk leaves every file
// whole, old or new, and a ledger that knows each of ours; the next run ends
// where an undisturbed one does.
func TestKilledAtEveryStep(t *testing.T) {
	for name, prepare := range map[string]func(w *world) task{
		"first install": func(w *world) task {
			w.render(three("first"))
			return w.task()
		},
		"everything at once": everything,
		"uninstall": func(w *world) task {
			w.render(three("first"))
			w.run()
			k := w.task()
			k.Uninstall = true
			return k
		},
	} {
		bothScopes(t, func(t *testing.T, scope schema.Scope) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, scope)
				k := prepare(w)
				steps := k.finish(t)
				want := contents(t, filepath.Dir(w.job.Home))
				if steps < 5 {
					t.Fatalf("only %d steps", steps)
				}
				for n := 1; n <= steps; n++ {
					killedAt(t, scope, prepare, n, want)
				}
			})
		})
	}
}

// three is one subagent on three hosts.
func three(text string) map[string]string {
	return map[string]string{"claude/one.md": text, "codex/one.toml": text, "goose/one.yaml": text}
}

// everything is a run that creates, updates, deletes, saves an edited file and
// takes one over with --adopt.
func everything(w *world) task {
	w.render(map[string]string{
		"claude/update.md": "old", "claude/same.md": "same", "claude/gone.md": "old", "claude/edited.md": "old",
		"codex/update.toml": "old", "kiro/update.json": "old",
	})
	w.run()
	w.write(w.path("claude/edited.md"), "by hand")
	w.write(w.path("codex/taken.toml"), "# "+providers.Marker+"\nfrom another machine")
	w.render(map[string]string{
		"claude/update.md": "new", "claude/same.md": "same", "claude/edited.md": "new",
		"codex/update.toml": "new", "kiro/update.json": "new", "codex/taken.toml": "new", "goose/fresh.yaml": "new", "goose/fresh.md": "new",
	})
	w.opt.Force, w.opt.Adopt = true, true
	return w.task()
}

// killedAt kills a run before its n-th change and checks what it leaves.
func killedAt(t *testing.T, scope schema.Scope, prepare func(*world) task, n int, want map[string]string) {
	t.Helper()
	w := newWorld(t, scope)
	k := prepare(w)
	before := contents(t, filepath.Dir(w.job.Home))
	k.KillAt = n
	c, out := k.start(t)
	c.Wait() //nolint:errcheck // the signal is looked at
	status := c.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() {
		if !strings.Contains(out.String(), "\n") || status.ExitStatus() != 0 { // the step was the lock's
			t.Fatalf("step %d: not killed: %s", n, out)
		}
		return
	}
	wantWhole(t, w, fmt.Sprint("killed at step ", n), before, want)
	k.KillAt = 0
	k.finish(t)
	got := contents(t, filepath.Dir(w.job.Home))
	if diff := cmp.Diff(portable(want), portable(got)); diff != "" {
		t.Errorf("killed at step %d: after the next run (-undisturbed +killed):\n%s", n, diff)
	}
}

// portable makes the trees of two worlds comparable: the ledger of a person
// names the world's directories.
func portable(tree map[string]string) map[string]string {
	out := map[string]string{}
	for path, text := range tree {
		switch {
		case strings.HasSuffix(path, ".lock"):
			continue
		case filepath.Base(path) == "ledger.json":
			l, err := parseLedger([]byte(text))
			if err != nil {
				text = err.Error()
				break
			}
			text = ""
			for _, key := range slices.Sorted(maps.Keys(l.Dirs)) {
				for _, name := range slices.Sorted(maps.Keys(l.Dirs[key].Files)) {
					r := l.Dirs[key].Files[name]
					text += fmt.Sprintln(filepath.Base(filepath.Dir(key)), name, r.Agent, r.Catalogue, r.SHA256, r.Pending)
				}
			}
		}
		out[path] = text
	}
	return out
}

// wantWhole checks that every file is as before or as it is to be, that nothing
// else is there that a host would read, and that the ledger knows what is new.
func wantWhole(t *testing.T, w *world, what string, before, after map[string]string) {
	t.Helper()
	l := &Ledger{}
	if data, err := os.ReadFile(w.job.LedgerPath("")); err == nil {
		if l, err = parseLedger(data); err != nil {
			t.Errorf("%s: %v\n%s", what, err, data)
			return
		}
	}
	knows := map[string]Record{}
	for key, dir := range l.Dirs {
		if !filepath.IsAbs(key) {
			key = filepath.Join(w.job.Project, key)
		}
		for name, r := range dir.Files {
			knows[filepath.Join(key, name)] = r
		}
	}
	top := filepath.Dir(w.job.Home)
	for path, text := range contents(t, top) {
		base := filepath.Base(path)
		switch {
		case base == "ledger.json", strings.HasSuffix(base, ".lock"), strings.HasPrefix(base, ".subagents-") && strings.HasSuffix(base, ".tmp"):
			continue
		}
		was, had := before[path]
		is, has := after[path]
		old, young := had && text == was, has && text == is
		if !old && !young {
			t.Errorf("%s: %s holds %q", what, path, text)
		}
		if young && !old && !strings.Contains(base, ".orig") {
			if r := knows[filepath.Join(top, path)]; !r.knows(Sum([]byte(text))) {
				t.Errorf("%s: the ledger does not know the new %s: %+v", what, path, r)
			}
		}
	}
	for path := range before {
		if _, stays := after[path]; stays {
			if _, err := os.Lstat(filepath.Join(top, path)); err != nil {
				t.Errorf("%s: %s is gone", what, path)
			}
		}
	}
}
