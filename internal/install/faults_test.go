//go:build linux

package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// faulty gives a world on one of the file systems that install/faults mounts.
func faulty(t *testing.T, name string) *world {
	t.Helper()
	top := os.Getenv("SUBAGENTS_FAULTS")
	if top == "" {
		t.Skip("needs a user without privileges and file systems of its own: run install/faults")
	}
	if os.Geteuid() == 0 {
		t.Fatal("root is stopped by no permission")
	}
	dir := filepath.Join(top, name)
	w := newWorld(t, schema.UserScope)
	if name != "plain" {
		w.job.Home = filepath.Join(dir, "home")
		if err := os.Mkdir(w.job.Home, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(w.job.Home) })
	}
	w.render(map[string]string{"claude/one.md": "first", "codex/one.toml": "first"})
	return w
}

// protect takes permissions from a path for the rest of the test.
func protect(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, path, mode)
	t.Cleanup(func() { chmod(t, path, info.Mode().Perm()) })
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// wantFailure runs an install that the machine makes fail, and expects that no
// file changed for it and none was left behind.
func wantFailure(t *testing.T, w *world, want error) *Report {
	t.Helper()
	before := contents(t, w.job.Home)
	r, err := w.job.Install(context.Background(), w.opt, w.wanted, How{})
	if !errors.Is(err, want) {
		t.Errorf("error: %v, want %v", err, want)
	}
	if r != nil && r.Changed {
		t.Errorf("the report says that something changed: %+v", r.Actions)
	}
	if r != nil && r.Summary[Create]+r.Summary[Update]+r.Summary[Delete] != 0 {
		t.Errorf("the summary counts what was not done: %v", r.Summary)
	}
	after := contents(t, w.job.Home)
	for path := range after {
		if strings.HasSuffix(path, ".lock") {
			delete(after, path)
			delete(before, path)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	return r
}

// recovers runs again, and expects everything in place.
func recovers(t *testing.T, w *world) {
	t.Helper()
	if r := w.run(); r.Refused() {
		t.Errorf("refused: %+v", r.Actions)
	}
	for path, text := range w.file {
		wantFile(t, w.path(path), text)
	}
	w.ledgerOf()
}

// A directory that cannot be written: nothing changes anywhere, and the next run
// goes on.
func TestFaultReadOnlyDirectory(t *testing.T) {
	w := faulty(t, "plain")
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second"})
	dir := filepath.Dir(w.path("codex/one.toml"))
	protect(t, dir, 0o555)
	wantFailure(t, w, syscall.EACCES)
	chmod(t, dir, 0o755)
	recovers(t, w)
}

// The same for a parent in which the directory would have to be made.
func TestFaultReadOnlyHome(t *testing.T) {
	w := faulty(t, "plain")
	mkdir(t, filepath.Join(w.job.State(), "locks"))
	protect(t, w.job.Home, 0o555)
	wantFailure(t, w, syscall.EACCES)
	chmod(t, w.job.Home, 0o755)
	recovers(t, w)
}

// A directory or a file that cannot be read: nothing is written at all, because
// nothing can be planned.
func TestFaultUnreadable(t *testing.T) {
	w := faulty(t, "plain")
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second"})
	for _, path := range []string{w.path("codex/one.toml"), filepath.Dir(w.path("codex/one.toml"))} {
		info, _ := os.Stat(path)
		chmod(t, path, 0)
		_, err := w.job.Install(context.Background(), w.opt, w.wanted, How{})
		if !errors.Is(err, syscall.EACCES) {
			t.Errorf("%s: %v", path, err)
		}
		chmod(t, path, info.Mode().Perm())
		wantFile(t, w.path("claude/one.md"), "first")
	}
	recovers(t, w)
}

// A ledger without read permission counts as one that cannot be read.
func TestFaultUnreadableLedger(t *testing.T) {
	w := faulty(t, "plain")
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "claude/two.md": "2"})
	protect(t, w.job.LedgerPath(""), 0)
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/one.md": Foreign, "claude/two.md": Create})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeLedgerUnread {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	wantFile(t, w.path("codex/one.toml"), "first")
}

// A state directory that cannot be written: the run does not start without its
// lock, and with an old lock it stops before the first file.
func TestFaultReadOnlyState(t *testing.T) {
	w := faulty(t, "plain")
	mkdir(t, w.job.State())
	protect(t, w.job.State(), 0o500)
	wantFailure(t, w, syscall.EACCES)
	chmod(t, w.job.State(), 0o700)
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second", "kiro/new.json": "x"})
	chmod(t, w.job.State(), 0o500)
	wantFailure(t, w, syscall.EACCES)
	chmod(t, w.job.State(), 0o700)
	recovers(t, w)
}

// A full disk: the old files stay, whole, and nothing is left behind; with room
// the next run goes on.
func TestFaultFullDisk(t *testing.T) {
	w := faulty(t, "small")
	w.run()
	big := map[string]string{}
	for i := range 40 {
		big[fmt.Sprintf("claude/a%d.md", i)] = strings.Repeat("x", 4000)
	}
	big["claude/one.md"], big["codex/one.toml"] = "second", "second"
	w.render(big)
	filler := filepath.Join(w.job.Home, "filler")
	w.write(filler, strings.Repeat("f", 150_000))
	wantFailure(t, w, syscall.ENOSPC)
	remove(t, filler)
	recovers(t, w)
}

// A file system without a name left for a new file.
func TestFaultNoInodes(t *testing.T) {
	w := faulty(t, "few")
	w.run()
	many := map[string]string{"claude/one.md": "second", "codex/one.toml": "second"}
	for i := range 40 {
		many[fmt.Sprintf("claude/a%d.md", i)] = "x"
	}
	w.render(many)
	wantFailure(t, w, syscall.ENOSPC)
	w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second"})
	recovers(t, w)
}

// No room for the ledger: no file is put in place that it does not know.
func TestFaultFullStateDisk(t *testing.T) {
	w := faulty(t, "plain")
	state := faulty(t, "state").job.Home
	if err := os.Symlink(state, filepath.Join(w.job.Home, ".local")); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	many := map[string]string{"claude/one.md": "second"}
	for i := range 40 {
		many[fmt.Sprintf("claude/a%d.md", i)] = "x"
	}
	w.render(many)
	wantFailure(t, w, syscall.ENOSPC)
	w.render(map[string]string{"claude/one.md": "second"})
	recovers(t, w)
}

// A file system that is mounted read-only: nothing changes on the others either.
func TestFaultReadOnlyFileSystem(t *testing.T) {
	w := faulty(t, "plain")
	w.run()
	w.render(map[string]string{"claude/one.md": "second", "codex/one.toml": "second", "kiro/one.json": "x"})
	w.job.Roots = map[schema.ProviderID]string{schema.KiroID: filepath.Join(os.Getenv("SUBAGENTS_FAULTS"), "fixed")}
	wantFailure(t, w, syscall.EROFS)
	w.job.Roots = nil
	recovers(t, w)
}

// A host's directory on a file system of its own, with more files than are synced
// one by one.
func TestFaultOtherFileSystem(t *testing.T) {
	w := faulty(t, "plain")
	other := faulty(t, "few").job.Home
	w.job.Roots = map[schema.ProviderID]string{schema.CodexID: other}
	files := map[string]string{}
	for i := range batch {
		files[fmt.Sprintf("claude/a%d.md", i)] = "x"
		files[fmt.Sprintf("codex/a%d.toml", i)] = "x"
	}
	w.render(files)
	recovers(t, w)
}

// A backup that cannot be made: the edited file stays.
func TestFaultNoRoomForABackup(t *testing.T) {
	w := faulty(t, "few")
	w.run()
	w.write(w.path("claude/one.md"), "by hand")
	w.opt.Force = true
	w.render(map[string]string{"claude/one.md": "# " + providers.Marker, "codex/one.toml": "first"})
	for i := 0; ; i++ {
		if err := os.WriteFile(filepath.Join(w.job.Home, fmt.Sprint("filler", i)), nil, 0o644); err != nil {
			break
		}
	}
	wantFailure(t, w, syscall.ENOSPC)
	wantFile(t, w.path("claude/one.md"), "by hand")
	fillers, _ := filepath.Glob(filepath.Join(w.job.Home, "filler*"))
	for _, path := range fillers {
		remove(t, path)
	}
	recovers(t, w)
	wantFile(t, w.path("claude/one.md")+".orig", "by hand")
}
