//go:build unix

package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/schema"
)

// A place in a run: the n-th call of its kind.
type moment struct {
	call
	n int
}

// listen gives the calls that a run makes, in their order.
func listen(w *world, run func() error) (moments []moment, err error) {
	seen := map[call]int{}
	w.job.spy(func(c call) *fault {
		seen[c]++
		moments = append(moments, moment{c, seen[c]})
		return nil
	})
	defer func() { w.job.disk = nil }()
	return moments, run()
}

// failAt makes one call fail, and says whether it came to that.
func failAt(w *world, at moment, f fault) *bool {
	seen, hit := map[call]int{}, false
	w.job.spy(func(c call) *fault {
		seen[c]++
		if c != at.call || seen[c] != at.n {
			return nil
		}
		hit = true
		return &f
	})
	return &hit
}

// faults are the ways in which a call fails. What changes something may also
// have done so when an error comes back, as over a network.
func faults(c call) []fault {
	if !c.changes() {
		return []fault{{err: syscall.EIO}, {err: syscall.EACCES}, {err: syscall.EIO}, {err: syscall.ESTALE}}
	}
	list := []fault{{err: syscall.ENOSPC}, {err: syscall.EIO}, {err: syscall.EACCES}, {err: syscall.EINTR}}
	if c.op != "create" { // its other outcomes are those of the next call
		list = append(list, fault{syscall.EIO, true})
	}
	return list
}

// Each call of a run to the file system fails once, in one of several ways, and
// in each of them where install/faults runs this: the error is told or the work is done all the same; every file is whole, old or
// new; what people wrote is still there; and the next run ends where an
// undisturbed one does.
func TestEveryCallFailsOnce(t *testing.T) {
	exhaustive := os.Getenv("SUBAGENTS_FAULTS") != ""
	for name, prepare := range map[string]func(w *world) (run func() (*Report, error)){
		"first install": func(w *world) func() (*Report, error) {
			w.render(three("first"))
			return w.try
		},
		"everything at once": func(w *world) func() (*Report, error) {
			everything(w)
			return w.try
		},
		"a batch": func(w *world) func() (*Report, error) {
			files := map[string]string{"codex/one.toml": "x"}
			for i := range batch {
				files[fmt.Sprintf("claude/a%d.md", i)] = "x"
			}
			w.render(files)
			return w.try
		},
		"uninstall": func(w *world) func() (*Report, error) {
			w.render(three("first"))
			w.run()
			return func() (*Report, error) {
				return w.job.Uninstall(context.Background(), w.opt, w.wanted, How{})
			}
		},
	} {
		bothScopes(t, func(t *testing.T, scope schema.Scope) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, scope)
				run := prepare(w)
				moments, err := listen(w, func() error { _, err := run(); return err })
				if err != nil || len(moments) < 30 {
					t.Fatalf("%v after %d calls", err, len(moments))
				}
				want := contents(t, filepath.Dir(w.job.Home))
				for i, at := range moments {
					if !exhaustive && name == "a batch" && i%16 != 0 { // its calls are much alike
						continue
					}
					for j, f := range faults(at.call) {
						if !exhaustive && !f.late && i%4 != j { // each way in its turn
							continue
						}
						w := newWorld(t, scope)
						failed{w, prepare(w), at, f, want}.check(t)
					}
				}
			})
		})
	}
}

// try installs, whatever comes of it.
func (w *world) try() (*Report, error) {
	return w.job.Install(context.Background(), w.opt, w.wanted, How{})
}

// failed is a run of which one call fails.
type failed struct {
	w    *world
	run  func() (*Report, error)
	at   moment
	f    fault
	want map[string]string // how an undisturbed run ends
}

func (k failed) check(t *testing.T) {
	t.Helper()
	what := fmt.Sprintf("%v of %s %s (late: %v), the %d. time", k.f.err, k.at.op, k.at.path, k.f.late, k.at.n)
	top := filepath.Dir(k.w.job.Home)
	before := contents(t, top)
	hit := failAt(k.w, k.at, k.f)
	report, err := k.run()
	k.w.job.disk = nil
	if !*hit {
		return // several files are written at a time, so that not every run makes the same calls
	}
	got := contents(t, top)
	if blind(report) { // what a ledger that cannot be read allows is adding files, which the next run adopts
		for path, text := range before {
			if got[path] != text {
				t.Errorf("%s: %s changed", what, path)
			}
		}
		k.again(t, what)
		return
	}
	if diff := cmp.Diff(portable(k.want), portable(got)); err == nil && diff != "" {
		t.Errorf("%s: no error, and (-undisturbed +failed):\n%s", what, diff)
	}
	if err != nil && !errors.Is(err, k.f.err) {
		t.Errorf("%s: the error is %v", what, err)
	}
	wantWhole(t, k.w, what, before, k.want)
	for path, text := range before {
		if theirs(text) && !slices.ContainsFunc(filesOf(got), func(s string) bool { return s == text }) {
			t.Errorf("%s: what %s held is lost", what, path)
		}
	}
	k.again(t, what)
}

// again runs once more, and expects everything as an undisturbed run leaves it.
func (k failed) again(t *testing.T, what string) {
	t.Helper()
	if _, err := k.run(); err != nil {
		t.Errorf("%s: the next run: %v", what, err)
	}
	if diff := cmp.Diff(portable(k.want), portable(contents(t, filepath.Dir(k.w.job.Home)))); diff != "" {
		t.Errorf("%s: after the next run (-undisturbed +failed):\n%s", what, diff)
	}
}

// blind says whether a run could not read its ledger, and said so.
func blind(r *Report) bool {
	return r != nil && slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == CodeLedgerUnread })
}

// theirs says whether a file of the scenarios was written by somebody else.
func theirs(text string) bool {
	return text == "by hand" || strings.HasSuffix(text, "from another machine")
}

func filesOf(tree map[string]string) []string {
	var list []string
	for _, text := range tree {
		list = append(list, text)
	}
	return list
}

// A file system on which no file takes the place of another: the error says so,
// and every file stays as it was.
func TestNoRenameOver(t *testing.T) {
	for _, refusal := range []error{syscall.EEXIST, syscall.EPERM} {
		t.Run(refusal.Error(), func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			w.render(map[string]string{"claude/one.md": "first", "codex/one.toml": "first"})
			w.run()
			w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second", "kiro/new.json": "x"})
			w.job.spy(func(c call) *fault {
				if c.op == "rename" && !strings.HasSuffix(c.path, "ledger.json") {
					return &fault{err: refusal}
				}
				return nil
			})
			for range 2 {
				_, err := w.try()
				if !errors.Is(err, refusal) || !strings.Contains(err.Error(), "a new file cannot take the place of the old one here") || strings.Contains(err.Error(), ".tmp") {
					t.Errorf("error: %v", err)
				}
				wantFile(t, w.path("claude/one.md"), "first")
				wantFile(t, w.path("codex/one.toml"), "first")
			}
			w.job.disk = nil
			wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "codex/one.toml": Update, "kiro/new.json": Create})
			wantNoTemps(t, w)
		})
	}
}

// The same where it is the ledger that cannot be replaced: no file is put in
// place that it does not know.
func TestNoRenameOverForTheLedger(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "first"})
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "claude/two.md": "2"})
	w.job.spy(func(c call) *fault {
		if c.op == "rename" && strings.HasSuffix(c.path, "ledger.json") {
			return &fault{err: syscall.EEXIST}
		}
		return nil
	})
	if _, err := w.try(); !errors.Is(err, syscall.EEXIST) || !strings.Contains(err.Error(), "writing the ledger") {
		t.Errorf("error: %v", err)
	}
	wantFile(t, w.path("claude/one.md"), "first")
	wantNone(t, w.path("claude/two.md"))
	wantNoTemps(t, w)
}

// A file system without renameat2 and without hard links: new files get their
// names all the same, and never over one that is there.
func TestNoLinks(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "first", "claude/two.md": "2"})
	w.job.disk = func(path string) (disk, error) {
		d, err := openDisk(path)
		return plainDisk{d}, err
	}
	wantActs(t, w.run(), acts(w.file, Create))
	w.write(w.path("claude/one.md"), "by hand")
	w.render(map[string]string{"claude/one.md": "second", "claude/two.md": "2"})
	w.opt.Force = true
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "claude/two.md": Unchanged})
	wantFile(t, w.path("claude/one.md"), "second")
	wantFile(t, w.path("claude/one.md")+".orig", "by hand")
	d, err := w.job.disk(filepath.Dir(w.path("claude/one.md")))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.RenameNew("two.md", "one.md"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	wantNoTemps(t, w)
}

// plainDisk can neither link nor rename to a new name in one step.
type plainDisk struct{ disk }

func (d plainDisk) OpenRoot(name string) (disk, error) {
	sub, err := d.disk.OpenRoot(name)
	return plainDisk{sub}, err
}

func (plainDisk) Link(string, string) error         { return syscall.EPERM }
func (d plainDisk) RenameNew(from, to string) error { return linkNew(d, from, to) }
func wantNoTemps(t *testing.T, w *world) {
	t.Helper()
	for path := range contents(t, filepath.Dir(w.job.Home)) {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s was left behind", path)
		}
	}
}
