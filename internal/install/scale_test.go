//go:build unix

package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/schema"
)

// Ten thousand files of other people in a host's directory stay as they are, are
// not even opened, and are in nobody's way.
func TestTenThousandForeignFiles(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/f77.md": "ours"})
	dir := filepath.Dir(w.path("claude/one.md"))
	mkdir(t, dir)
	for i := range 10_000 {
		w.write(filepath.Join(dir, fmt.Sprintf("f%d.md", i)), "theirs")
	}
	opened := 0
	w.job.spy(func(c call) *fault {
		if c.op == "open" && strings.Contains(c.path, "/f") && strings.HasSuffix(c.path, ".md") {
			opened++
		}
		return nil
	})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Create, "claude/f77.md": Foreign})
	if opened != 1 {
		t.Errorf("%d files of others were opened, want the one that is in the way", opened)
	}
	w.job.disk = nil
	w.opt.Exclusive = true
	if r := w.dry(); r.Summary[Foreign] != 10_000 {
		t.Errorf("--exclusive refuses %d files", r.Summary[Foreign])
	}
	w.opt.Exclusive = false
	wantActs(t, w.uninstall(), map[string]Act{"claude/one.md": Delete})
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 10_000 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

// A ledger with 100,000 records of other directories is read, kept and written
// again; records of files that are gone from our own are dropped.
func TestHugeLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("a large input: run without -short")
	}
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	l := w.ledgerOf()
	record := Record{Agent: "a", Catalogue: "other", SHA256: Sum(nil)}
	for i := range 100 {
		d := &Dest{Provider: schema.CodexID, Key: filepath.Join(w.job.Home, "elsewhere", fmt.Sprint(i))}
		for j := range 1000 {
			l.set(d, fmt.Sprintf("a%d.toml", j), record)
		}
	}
	gone := record
	gone.Catalogue = w.opt.Catalogue
	claude := &Dest{Provider: schema.ClaudeID, Key: filepath.Dir(w.path("claude/one.md"))}
	for j := range 1000 {
		l.set(claude, fmt.Sprintf("gone%d.md", j), gone)
	}
	data, err := l.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.job.LedgerPath(""), string(data))
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged})
	w.render(map[string]string{"claude/one.md": "second", "claude/two.md": "2"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "claude/two.md": Create})
	if n := len(records(w.ledgerOf())); n != 100_002 {
		t.Errorf("%d records", n)
	}
}

// What the clock says decides nothing: files from the future and from 1970 are
// judged by their bytes, and so is an edit that puts the old time back.
func TestClockJumps(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "first", "claude/two.md": "first"})
	w.run()
	one, two := w.path("claude/one.md"), w.path("claude/two.md")
	for _, at := range []time.Time{time.Unix(0, 0), time.Now().AddDate(100, 0, 0)} {
		for _, path := range []string{one, two, w.job.LedgerPath("")} {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		wantActs(t, w.run(), acts(w.file, Unchanged))
		w.render(map[string]string{"claude/one.md": "at " + at.String(), "claude/two.md": "first"})
		wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "claude/two.md": Unchanged})
	}
	info, err := os.Stat(two)
	if err != nil {
		t.Fatal(err)
	}
	w.write(two, "FIRST")
	if err := os.Chtimes(two, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": w.file["claude/one.md"], "claude/two.md": "second"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged, "claude/two.md": Edited})
	wantFile(t, two, "FIRST")
}

// The same for an edit of the same length during the run.
func TestEditWithTheOldTimeDuringTheRun(t *testing.T) {
	for name, change := range map[string]struct {
		text string
		act  Act
	}{"an edit": {"FIRST", Edited}, "the same bytes again": {"first", Update}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			w.render(map[string]string{"claude/one.md": "first"})
			w.run()
			path, done := w.path("claude/one.md"), false
			w.render(map[string]string{"claude/one.md": "second"})
			atBoundaries(w, func(c call) {
				if c.op != "rename" || done {
					return
				}
				done = true
				info, err := os.Stat(path)
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(20 * time.Millisecond) // the clock of the file system ticks
				w.write(path, change.text)
				if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
					t.Error(err)
				}
			})
			wantActs(t, w.run(), map[string]Act{"claude/one.md": change.act})
			if want := map[Act]string{Edited: change.text, Update: "second"}[change.act]; read(t, path) != want || !done {
				t.Errorf("%s holds %q, want %q", path, read(t, path), want)
			}
		})
	}
}
