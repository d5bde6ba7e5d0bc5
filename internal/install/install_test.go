package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/schema"
)

// K60, K63, K83, K87, T53, T54, T61, T64, A67: the life of a file on all hosts
// and in both scopes. A dry run before each step writes nothing and shows the
// same.
func TestLifeOfAFile(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		top := filepath.Dir(w.job.Home)
		step := func(files map[string]string, want map[string]Act) {
			t.Helper()
			w.render(files)
			before := snapshot(t, top)
			planned := w.dry()
			if diff := cmp.Diff(before, snapshot(t, top)); diff != "" {
				t.Errorf("the dry run wrote (-before +after):\n%s", diff)
			}
			done := w.run()
			wantActs(t, done, want)
			planned.DryRun = false
			if diff := cmp.Diff(planned, done); diff != "" {
				t.Errorf("the dry run showed something else (-dry +run):\n%s", diff)
			}
			for path, text := range files {
				wantFile(t, w.path(path), text)
			}
		}
		one, two := five("first"), five("second")
		step(one, acts(one, Create))
		before := snapshot(t, top)
		step(one, acts(one, Unchanged))
		delete(before, filepath.Join("home", ".local", "state", "subagents", "locks"))
		after := snapshot(t, top)
		delete(after, filepath.Join("home", ".local", "state", "subagents", "locks"))
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("a run with nothing to do touched something (-before +after):\n%s", diff)
		}
		step(two, acts(one, Update))
		gone := w.path("claude/one.md")
		w.want.Subagents = nil
		w.opt.AllowEmpty = true
		step(map[string]string{}, acts(one, Delete))
		wantNone(t, gone)
		wantNone(t, w.job.LedgerPath(""))
	})
}

// A67: a file that is as it should be keeps its inode and its times.
func TestUnchangedFilesKeepTheirInode(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(five("x"))
	w.run()
	before := map[string]os.FileInfo{}
	for path := range w.file {
		before[path], _ = os.Stat(w.path(path))
	}
	ledger, _ := os.Stat(w.job.LedgerPath(""))
	if r := w.run(); r.Changed {
		t.Error("the report says that something changed")
	}
	for path, was := range before {
		if is, err := os.Stat(w.path(path)); err != nil || !os.SameFile(was, is) || !was.ModTime().Equal(is.ModTime()) {
			t.Errorf("%s is another file now: %v", path, err)
		}
	}
	if is, err := os.Stat(w.job.LedgerPath("")); err != nil || !os.SameFile(ledger, is) {
		t.Errorf("the ledger was rewritten: %v", err)
	}
}

// T53: what happens in one configuration directory stays there, and T51: the
// other one is named.
func TestOwnershipIsPerDirectory(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "a"})
	w.run()
	first := w.path("claude/one.md")
	w.job.Roots = map[schema.ProviderID]string{schema.ClaudeID: filepath.Join(w.job.Home, "other")}
	w.render(map[string]string{"claude/two.md": "b"})
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/two.md": Create})
	wantFile(t, first, "a")
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeOtherRoot || r.Warnings[0].Refused {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	if r = w.uninstall(); r.Summary[Delete] != 1 {
		t.Errorf("uninstall: %+v", r.Actions)
	}
	wantFile(t, first, "a")
	wantNone(t, filepath.Join(w.job.Home, "other", "agents", "two.md"))
}

// T55: a run for a person does not depend on the directory it is started in or
// on the project there.
func TestUserScopeIgnoresTheProject(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "a"})
	w.run()
	t.Chdir(t.TempDir())
	w.job.Project = t.TempDir()
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
	if names, _ := os.ReadDir(w.job.Project); len(names) > 0 {
		t.Errorf("the project has %v", names)
	}
}

// T65, T66: an empty manifest, and one that is not known whole, delete nothing,
// and that is said. --allow-empty insists.
func TestEmptyManifestPrunesNothing(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(five("x"))
	w.run()
	w.render(nil)
	r := w.run()
	wantActs(t, r, map[string]Act{})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeHeld || r.Refused() {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	w.want.Unknown = true
	w.know("two", Subagent{Present: true})
	if r = w.run(); len(r.Warnings) != 1 || r.Warnings[0].Code != CodeUnknown {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	wantFile(t, w.path("claude/one.md"), five("x")["claude/one.md"])
	w.want = Desired{}
	w.opt.AllowEmpty = true
	wantActs(t, w.run(), acts(five(""), Delete))
}

// M62, T64: what is not wanted any more goes if it is ours and unedited; what
// was edited stays and is named; all else is untouched.
func TestWhatIsNotWantedAnyMoreGoes(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(map[string]string{
			"claude/absent.md": "1", "claude/narrowed.md": "2", "claude/gone.md": "3", "claude/moved.md": "4",
			"claude/edited.md": "5", "claude/stays.md": "6", "codex/narrowed.toml": "7",
		})
		w.run()
		w.write(w.path("claude/edited.md"), "mine now")
		w.write(w.path("claude/theirs.md"), "not ours")
		w.render(map[string]string{"claude/stays.md": "6", "codex/narrowed.toml": "7"})
		w.know("absent", Subagent{Targets: schema.ProviderIDs()})
		w.know("narrowed", Subagent{Present: true, Targets: []schema.ProviderID{schema.CodexID}})
		w.know("moved", Subagent{Present: true, Targets: schema.ProviderIDs()})
		r := w.run()
		for name, want := range map[string]Line{
			"absent": {Action: Delete, Reason: Absent}, "narrowed": {Action: Delete, Reason: NotTargeted}, "gone": {Action: Delete, Reason: Gone},
			"moved": {Action: Delete, Reason: Moved}, "edited": {Action: Edited, Reason: Gone}, "stays": {Action: Unchanged, Reason: Identical},
		} {
			if got := line(t, r, "claude/"+name+".md"); got.Action != want.Action || got.Reason != want.Reason {
				t.Errorf("%s: %s, %s", name, got.Action, got.Reason)
			}
		}
		if !r.Refused() {
			t.Error("a file that is kept is no refusal")
		}
		wantNone(t, w.path("claude/gone.md"))
		wantFile(t, w.path("claude/edited.md"), "mine now")
		wantFile(t, w.path("claude/theirs.md"), "not ours")
		again := w.run()
		wantActs(t, again, map[string]Act{"claude/edited.md": Edited, "claude/stays.md": Unchanged, "codex/narrowed.toml": Unchanged})
	})
}

// T64: --prune=false deletes nothing.
func TestNoPrune(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2"})
	w.run()
	w.render(map[string]string{"claude/two.md": "2"})
	w.opt.Prune = false
	wantActs(t, w.run(), map[string]Act{"claude/two.md": Unchanged})
	wantFile(t, w.path("claude/one.md"), "1")
}

// -a, -p and --tag prune only what they select. An entry that is gone is taken
// by the tags it had.
func TestSelectionLimitsPruning(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	all := map[string]string{"claude/one.md": "1", "claude/two.md": "2", "claude/three.md": "3", "claude/four.md": "4", "codex/two.toml": "5"}
	w.render(all)
	w.know("two", Subagent{Present: true, Targets: schema.ProviderIDs(), Tags: []string{"go"}})
	w.know("three", Subagent{Present: true, Targets: schema.ProviderIDs(), Tags: []string{"web"}})
	w.run()
	w.render(map[string]string{"claude/one.md": "1"})
	w.know("four", Subagent{})

	w.opt.Agents = []string{"one"}
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
	w.opt.Agents, w.opt.Tags = nil, []string{"go"}
	w.job.Hosts = hosts[:1]
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged, "claude/two.md": Delete, "claude/four.md": Delete})
	wantFile(t, w.path("claude/three.md"), "3")
	w.job.Hosts = hosts
	wantFile(t, w.path("codex/two.toml"), "5")
	w.opt.Tags = nil
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged, "claude/three.md": Delete, "codex/two.toml": Delete})
}

// A file of ours that somebody deleted comes back.
func TestMissingFileComesBack(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	if err := os.Remove(w.path("claude/one.md")); err != nil {
		t.Fatal(err)
	}
	if l := line(t, w.run(), "claude/one.md"); l.Action != Create || l.Reason != Restored {
		t.Errorf("%+v", l)
	}
	wantFile(t, w.path("claude/one.md"), "1")
}

// What is gone and not wanted leaves the ledger without a word.
func TestLedgerForgetsWhatIsGone(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2"})
	w.run()
	if err := os.Remove(w.path("claude/one.md")); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/two.md": "2"})
	wantActs(t, w.run(), map[string]Act{"claude/two.md": Unchanged})
	if got := records(w.ledgerOf()); len(got) != 1 {
		t.Errorf("records: %v", got)
	}
}

// --exclusive refuses every other file that the host would read.
func TestExclusive(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.write(w.path("claude/theirs.md"), "x")
	w.write(w.path("claude/README.md"), "x")
	w.write(filepath.Join(filepath.Dir(w.path("claude/one.md")), "notes.txt"), "x")
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Create})
	w.opt.Exclusive = true
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged, "claude/theirs.md": Foreign, "claude/README.md": Foreign})
}

// The steps of a run add up: one for each content that is written, one for each
// change that is made.
func TestProgress(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2", "claude/same.md": "3"})
	w.run()
	w.render(map[string]string{"claude/one.md": "new", "codex/one.toml": "new", "claude/same.md": "3"})
	var steps [][2]int
	w.how.Progress = func(done, of int) { steps = append(steps, [2]int{done, of}) }
	w.run()
	want := [][2]int{{1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 5}} // two contents, two renames, one deletion
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
