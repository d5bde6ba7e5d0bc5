//go:build unix

package install

import (
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/schema"
)

// T63: a link in a file's place is refused, not followed and not replaced,
// wherever it leads.
func TestLeafSymlinkIsRefused(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		for _, installed := range []bool{false, true} {
			w := newWorld(t, scope)
			w.render(map[string]string{"claude/one.md": "ours", "claude/two.md": "ours"})
			if installed {
				w.run()
			}
			target := filepath.Join(filepath.Dir(w.job.Home), "elsewhere.md")
			w.write(target, "ours")
			mkdir(t, filepath.Dir(w.path("claude/one.md")))
			for name, to := range map[string]string{"one": target, "two": "/nowhere/at/all"} {
				if installed {
					remove(t, w.path("claude/"+name+".md"))
				}
				if err := os.Symlink(to, w.path("claude/"+name+".md")); err != nil {
					t.Fatal(err)
				}
			}
			w.opt.Force, w.opt.Adopt = true, true
			w.render(map[string]string{"claude/one.md": "new", "claude/two.md": "new"})
			wantActs(t, w.run(), map[string]Act{"claude/one.md": Symlink, "claude/two.md": Symlink})
			wantFile(t, target, "ours")
			if to, err := os.Readlink(w.path("claude/one.md")); err != nil || to != target {
				t.Errorf("the link leads to %q: %v", to, err)
			}
			w.render(nil)
			w.opt.AllowEmpty = true
			w.run()
			w.uninstall()
			wantFile(t, target, "ours")
			if _, err := os.Lstat(w.path("claude/two.md")); err != nil {
				t.Errorf("the link is gone: %v", err)
			}
		}
	})
}

// A link that the ledger knows as ours is replaced, never written through.
func TestOurLinkIsReplaced(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "ours", "claude/two.md": "ours"})
	w.run()
	target := filepath.Join(w.job.Home, "store.md")
	w.write(target, "linked")
	l := w.ledgerOf()
	for key, dir := range l.Dirs {
		for _, name := range []string{"one.md", "two.md"} {
			path := filepath.Join(key, name)
			remove(t, path)
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			r := dir.Files[name]
			r.SHA256, r.Link = "", target
			dir.Files[name] = r
		}
	}
	data, err := l.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.job.LedgerPath(""), string(data))
	w.render(map[string]string{"claude/one.md": "file"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "claude/two.md": Delete})
	wantFile(t, w.path("claude/one.md"), "file")
	wantNone(t, w.path("claude/two.md"))
	wantFile(t, target, "linked")
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
}

// T63: parents that are links are a dotfiles manager's work, and fine for a
// person.
func TestSymlinkedParentOfAPerson(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	dotfiles := filepath.Join(filepath.Dir(w.job.Home), "dotfiles")
	if err := os.Mkdir(dotfiles, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles", filepath.Join(w.job.Home, ".claude")); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Create})
	wantFile(t, filepath.Join(dotfiles, "agents", "one.md"), "1")

	// The same directory under its own name is still the same directory.
	w.job.Roots = map[schema.ProviderID]string{schema.ClaudeID: dotfiles}
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
}

// A directory that is moved behind a link keeps its records.
func TestDirectoryMovedBehindALink(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	moved := filepath.Join(w.job.Home, "dotfiles")
	if err := os.Rename(filepath.Join(w.job.Home, ".claude"), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, filepath.Join(w.job.Home, ".claude")); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "2"})
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/one.md": Update})
	if len(r.Warnings) > 0 {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	if got := w.ledgerOf().Dirs; len(got) != 1 || got[filepath.Join(moved, "agents")] == nil {
		t.Errorf("ledger: %v", got)
	}
}

// A parent that is a link leading nowhere is an error, and nothing is written
// anywhere.
func TestDanglingParent(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(five("x"))
		parent := filepath.Dir(filepath.Dir(w.path("kiro/one.json")))
		if err := os.Symlink(filepath.Join(w.job.Home, "missing"), parent); err != nil {
			t.Fatal(err)
		}
		if err := wantNothingWritten(t, w, "leads nowhere"); err == nil {
			t.Error("no error")
		}
	})
}

// At project scope nothing leaves the project: neither by a link of the host's
// directory nor by one of the ledger's.
func TestEscapeFromTheProject(t *testing.T) {
	for _, link := range []string{".opencode", ".opencode/agents", ".subagents", ".subagents/ledger.json"} {
		w := newWorld(t, schema.ProjectScope)
		outside := filepath.Join(filepath.Dir(w.job.Project), "outside")
		mkdir(t, outside)
		mkdir(t, filepath.Dir(filepath.Join(w.job.Project, link)))
		if err := os.Symlink(outside, filepath.Join(w.job.Project, link)); err != nil {
			t.Fatal(err)
		}
		w.render(five("x"))
		err := wantNothingWritten(t, w, "outside the project")
		if _, ok := errors.AsType[*EscapeError](err); !ok {
			t.Errorf("%s: %v", link, err)
		}
		if names, _ := os.ReadDir(outside); len(names) > 0 {
			t.Errorf("%s: written outside: %v", link, names)
		}
	}
}

// A link that stays inside the project is fine, an absolute one too.
func TestLinkInsideTheProject(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	inside := filepath.Join(w.job.Project, "tools", "claude")
	mkdir(t, inside)
	if err := os.Symlink(inside, filepath.Join(w.job.Project, ".claude")); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Create})
	wantFile(t, filepath.Join(inside, "agents", "one.md"), "1")
	if got := w.ledgerOf().Dirs[".claude/agents"]; got == nil {
		t.Errorf("the ledger names it otherwise: %v", records(w.ledgerOf()))
	}
}

// A project that is itself reached through a link is the project.
func TestProjectBehindALink(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	link := filepath.Join(filepath.Dir(w.job.Project), "link")
	if err := os.Symlink(w.job.Project, link); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	w.job.Project = link
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
}

// wantNothingWritten expects an error, and not one file or directory for it
// beyond the lock.
func wantNothingWritten(t *testing.T, w *world, says string) error {
	t.Helper()
	before := contents(t, filepath.Dir(w.job.Home))
	_, err := w.job.Install(context.Background(), w.opt, w.wanted, How{})
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("error: %v", err)
	}
	after := contents(t, filepath.Dir(w.job.Home))
	maps.DeleteFunc(after, func(path, _ string) bool { return strings.HasSuffix(path, ".lock") })
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
	return err
}

// What is no regular file is refused, and nobody waits for a FIFO.
func TestNotRegular(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/dir.md": "1", "claude/fifo.md": "1", "claude/socket.md": "1", "claude/file.md": "1"})
	mkdir(t, w.path("claude/dir.md"))
	if err := syscall.Mkfifo(w.path("claude/fifo.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	short, err := os.MkdirTemp(filepath.Dir(filepath.Dir(w.job.Home)), "s") // a socket's path has at most 100 bytes or so
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	socket, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := os.Rename(filepath.Join(short, "s"), w.path("claude/socket.md")); err != nil {
		t.Fatal(err)
	}
	w.opt.Force, w.opt.Adopt = true, true
	want := map[string]Act{"claude/dir.md": NotRegular, "claude/fifo.md": NotRegular, "claude/socket.md": NotRegular, "claude/file.md": Create}
	wantActs(t, w.run(), want)
	if s := w.status(); s.Summary[NotOurFile] != 3 {
		t.Errorf("status: %+v", s.Files)
	}
	w.render(nil)
	w.opt.AllowEmpty = true
	wantActs(t, w.run(), map[string]Act{"claude/file.md": Delete})
}

// A FIFO that takes a file's place after the directory was listed is not waited
// for either, and one that does so before the rename is not replaced.
func TestPlaceChangesDuringTheRun(t *testing.T) {
	for name, change := range map[string]struct {
		there string // before the run; "": nothing
		act   Act
		swap  func(path string) error
	}{
		"a file appears":    {"", Foreign, func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o644) }},
		"a link appears":    {"", Foreign, func(path string) error { return os.Symlink("/etc/passwd", path) }},
		"it is edited":      {"first", Edited, func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o644) }},
		"it is replaced":    {"first", Edited, func(path string) error { return replaceWith(path, "theirs") }},
		"it becomes a link": {"first", Symlink, func(path string) error { os.Remove(path); return os.Symlink("/etc/passwd", path) }},
		"it becomes a FIFO": {"first", NotRegular, func(path string) error { os.Remove(path); return syscall.Mkfifo(path, 0o644) }},
		"it vanishes":       {"first", Edited, os.Remove},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			if change.there != "" {
				w.render(map[string]string{"claude/one.md": change.there})
				w.run()
			}
			w.render(map[string]string{"claude/one.md": "second", "claude/two.md": "2"})
			place, done := w.path("claude/one.md"), false
			atBoundaries(w, func(c call) {
				if c.op == "rename" && path.Base(c.path) == "ledger.json" && !done {
					done = true
					if err := change.swap(place); err != nil {
						t.Error(err)
					}
				}
			})
			r := w.run()
			wantActs(t, r, map[string]Act{"claude/one.md": change.act, "claude/two.md": Create})
			if l := line(t, r, "claude/one.md"); l.Reason != DuringTheRun || !done {
				t.Errorf("%+v", l)
			}
			if info, err := os.Lstat(place); err == nil && info.Mode().IsRegular() {
				wantFile(t, place, "theirs")
			}
			for file := range contents(t, w.job.Home) {
				if strings.HasSuffix(file, ".tmp") {
					t.Errorf("%s was left behind", file)
				}
			}
		})
	}
}

func replaceWith(path, text string) error {
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// A component of the path that is swapped for a link during the run leads no
// write outside, whenever it happens. At user scope a link that stands before
// the directories are opened is the person's own arrangement.
func TestSwappedComponent(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		var steps []call
		prepare := func() (w *world, top, outside string) {
			w = newWorld(t, scope)
			w.render(three("x"))
			top = map[schema.Scope]string{schema.UserScope: w.job.Home, schema.ProjectScope: w.job.Project}[scope]
			outside = filepath.Join(filepath.Dir(w.job.Home), "outside")
			for _, dir := range []string{filepath.Join(outside, "agents"), filepath.Join(top, ".claude/agents"), filepath.Join(top, ".codex/agents")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			return w, top, outside
		}
		w, _, _ := prepare()
		atBoundaries(w, func(c call) { steps = append(steps, c) })
		w.run()
		first := 0
		if scope == schema.UserScope {
			first = slices.IndexFunc(steps, func(c call) bool { return strings.HasSuffix(c.path, ".lock") }) + 1
		}
		if len(steps) < first+15 {
			t.Fatalf("only %d steps", len(steps))
		}
		for n := first; n < len(steps); n++ {
			w, top, outside := prepare()
			step := -1
			atBoundaries(w, func(call) {
				if step++; step != n {
					return
				}
				for _, dir := range []string{".claude", ".codex", ".kiro", ".subagents"} {
					from := filepath.Join(top, dir)
					if err := os.Rename(from, from+".moved"); err != nil && !os.IsNotExist(err) {
						t.Error(err)
					}
					if err := os.Symlink(outside, filepath.Join(top, dir)); err != nil {
						t.Error(err)
					}
				}
			})
			_, err := w.job.Install(context.Background(), w.opt, w.wanted, How{})
			if got := contents(t, outside); len(got) > 0 {
				t.Errorf("swapped before %v (%v): written outside: %v", steps[n], err, got)
			}
		}
	})
}

// Modes do not depend on the umask; a host's directory that did not exist is
// private to the person.
func TestModesWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		bothScopes(t, func(t *testing.T, scope schema.Scope) {
			w := newWorld(t, scope)
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			w.render(map[string]string{"claude/one.md": "1", "goose/one.yaml": "2"})
			w.run()
			w.render(map[string]string{"claude/one.md": "2", "goose/one.yaml": "2"})
			w.run()
			file := w.path("claude/one.md")
			above := os.FileMode(0o700)
			if scope == schema.ProjectScope {
				above = 0o755
			}
			for path, want := range map[string]os.FileMode{
				file: 0o644, filepath.Dir(file): 0o755, filepath.Dir(filepath.Dir(file)): above,
				w.path("goose/one.yaml"): 0o644, filepath.Dir(w.path("goose/one.yaml")): 0o755,
				w.job.LedgerPath(""): 0o644,
			} {
				info, err := os.Stat(path)
				if err != nil || info.Mode().Perm() != want {
					t.Errorf("umask %o: %s: %v, %v", mask, path, info.Mode(), err)
				}
			}
		})
	}
}

// Root does not write into somebody else's directory, unless told to, and then
// what it creates belongs to them.
func TestRootInTheDirectoryOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be refused")
	}
	const uid = 12345
	w := newWorld(t, schema.UserScope)
	if err := os.Chown(w.job.Home, uid, uid); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	err := wantNothingWritten(t, w, "--allow-root")
	if _, ok := errors.AsType[*RootError](err); !ok {
		t.Errorf("%v", err)
	}
	w.job.AllowRoot = true
	w.run()
	for _, path := range []string{
		w.path("claude/one.md"), filepath.Dir(w.path("claude/one.md")), filepath.Join(w.job.Home, ".claude"),
		w.job.LedgerPath(""), filepath.Join(w.job.State(), "locks"), filepath.Join(w.job.Home, ".local"),
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if owner, _ := ownerOf(info); owner != uid {
			t.Errorf("%s belongs to %d", path, owner)
		}
	}
}
