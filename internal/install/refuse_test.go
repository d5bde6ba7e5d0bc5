package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

const marked = "---\n# " + providers.Marker + "\n"

// K61, T62: nothing ever overwrites someone else's file, --force neither; the
// rest of the run goes on.
func TestForeignFileStays(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		for _, force := range []bool{false, true} {
			w := newWorld(t, scope)
			w.opt.Force = force
			w.render(map[string]string{"claude/one.md": "ours", "codex/one.toml": "ours"})
			w.write(w.path("claude/one.md"), "theirs")
			r := w.run()
			wantActs(t, r, map[string]Act{"claude/one.md": Foreign, "codex/one.toml": Create})
			if !r.Refused() || line(t, r, "claude/one.md").Do == "" {
				t.Errorf("report: %+v", r)
			}
			wantFile(t, w.path("claude/one.md"), "theirs")
			wantNone(t, w.path("claude/one.md")+backupSuffix)
			if r = w.uninstall(); r.Summary[Delete] != 1 {
				t.Errorf("uninstall: %+v", r.Actions)
			}
			wantFile(t, w.path("claude/one.md"), "theirs")
		}
	})
}

// T61: a file that already has exactly our bytes is taken into the ledger, and
// not written.
func TestIdenticalFileIsAdopted(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(five("same"))
	for path, text := range w.file {
		w.write(w.path(path), text)
	}
	before, _ := os.Stat(w.path("kiro/one.json"))
	r := w.run()
	wantActs(t, r, acts(w.file, Adopt))
	if r.Changed || r.Refused() {
		t.Errorf("report: %+v", r)
	}
	if after, _ := os.Stat(w.path("kiro/one.json")); !os.SameFile(before, after) {
		t.Error("it was rewritten")
	}
	wantActs(t, w.run(), acts(w.file, Unchanged))
}

// K62, T62, K81: a file of ours that was edited, by one byte anywhere, is
// refused; --force saves it beside, under a name that is free and that no host
// reads, and replaces it.
func TestEditedFile(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(five("text"))
	w.run()
	for path := range w.file {
		w.write(w.path(path), w.file[path]+"x")
	}
	r := w.run()
	wantActs(t, r, acts(w.file, Edited))
	if !r.Refused() {
		t.Error("not refused")
	}
	wantFile(t, w.path("claude/one.md"), w.file["claude/one.md"]+"x")

	w.opt.Force = true
	w.write(w.path("claude/one.md")+".orig", "an older one")
	r = w.run()
	wantActs(t, r, acts(w.file, Update))
	for path, text := range w.file {
		wantFile(t, w.path(path), text)
		backup := line(t, r, path).Backup
		wantFile(t, backup, text+"x")
		if want := w.path(path) + ".orig"; path != "claude/one.md" && backup != want {
			t.Errorf("saved as %s, want %s", backup, want)
		}
	}
	wantFile(t, w.path("claude/one.md")+".orig", "an older one")
	if got := line(t, r, "claude/one.md").Backup; got != w.path("claude/one.md")+".orig.1" {
		t.Errorf("saved as %s", got)
	}
	wantActs(t, w.run(), acts(w.file, Unchanged))
}

// K81: every byte counts.
func TestEveryByteCounts(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	text := marked + "name: one\n---\nbody\n"
	w.render(map[string]string{"claude/one.md": text})
	w.run()
	w.render(map[string]string{"claude/one.md": text + "new"})
	for i := range len(text) {
		changed := []byte(text)
		changed[i] ^= 1
		w.write(w.path("claude/one.md"), string(changed))
		if l := line(t, w.dry(), "claude/one.md"); l.Action != Edited {
			t.Fatalf("byte %d: %+v", i, l)
		}
	}
	w.write(w.path("claude/one.md"), text)
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update})
}

// K82, A70: only a marker in its place counts.
func TestAdopt(t *testing.T) {
	for name, c := range map[string]struct {
		file, there string
		want        Act
	}{
		"front matter":       {"claude/one.md", marked + "old: 1\n---\nbody", Adopt},
		"front matter, CRLF": {"claude/one.md", strings.ReplaceAll(marked, "\n", "\r\n") + "---\r\n", Adopt},
		"top":                {"codex/one.toml", "# " + providers.Marker + "\nold = 1\n", Adopt},
		"quoted in prose":    {"claude/one.md", "---\nname: one\n---\nIt says:\n# " + providers.Marker + "\n", Foreign},
		"body":               {"claude/one.md", "---\n---\n# " + providers.Marker + "\n", Foreign},
		"second line":        {"codex/one.toml", "\n# " + providers.Marker + "\n", Foreign},
		"part of a line":     {"codex/one.toml", "# " + providers.Marker + " Not really.\n", Foreign},
		"no marker":          {"claude/one.md", "---\nname: one\n---\n", Foreign},
		"empty":              {"claude/one.md", "", Foreign},
		"JSON":               {"kiro/one.json", `{"description": "` + providers.Marker + `"}`, Foreign},
		"JSON, byte for byte": {
			"kiro/one.json", "{}", Adopt,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			ours := "{}"
			w.render(map[string]string{c.file: ours})
			w.write(w.path(c.file), c.there)
			before := w.run()
			if c.there != ours {
				wantActs(t, before, map[string]Act{c.file: Foreign})
				wantFile(t, w.path(c.file), c.there)
			}
			w.opt.Adopt = true
			r := w.run()
			switch {
			case c.there == ours:
				wantActs(t, r, map[string]Act{c.file: Unchanged})
			case c.want == Adopt:
				wantActs(t, r, map[string]Act{c.file: Adopt})
				wantFile(t, w.path(c.file), ours)
				wantFile(t, w.path(c.file)+".orig", c.there)
			default:
				wantActs(t, r, map[string]Act{c.file: Foreign})
				wantFile(t, w.path(c.file), c.there)
			}
		})
	}
}

// Another catalogue's file is not ours, until --adopt takes it over.
func TestOtherCatalogue(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "theirs", "claude/two.md": "same"})
	w.opt.Catalogue = "them"
	w.run()
	w.opt.Catalogue = "us"
	w.render(map[string]string{"claude/one.md": "ours", "claude/two.md": "same"})
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/one.md": OtherCatalogue, "claude/two.md": OtherCatalogue})
	if do := line(t, r, "claude/one.md").Do; !strings.Contains(do, `"them"`) {
		t.Errorf("it does not say whose: %s", do)
	}
	if r = w.uninstall(); r.Changed || len(r.Warnings) != 1 || r.Warnings[0].Code != CodeCatalogues || !strings.Contains(r.Warnings[0].Message, `"them"`) {
		t.Errorf("uninstall: %+v", r)
	}
	w.render(map[string]string{"claude/other.md": "x"})
	wantActs(t, w.run(), map[string]Act{"claude/other.md": Create})

	w.render(map[string]string{"claude/one.md": "ours", "claude/two.md": "same", "claude/other.md": "x"})
	w.opt.Adopt = true
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Adopt, "claude/two.md": Adopt, "claude/other.md": Unchanged})
	wantFile(t, w.path("claude/one.md"), "ours")
	wantFile(t, w.path("claude/one.md")+".orig", "theirs")
	wantNone(t, w.path("claude/two.md")+".orig")
	w.opt.Adopt = false
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Unchanged, "claude/two.md": Unchanged, "claude/other.md": Unchanged})
}

// T67, T68: with a ledger that cannot be read nothing that exists is changed or
// deleted, missing files are written, and that is said. The ledger stays as it
// is.
func TestUnreadableLedger(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "empty": "", "null": "null", "a list": "[]", "no version": "{}", "version 0": `{"version": 0}`,
		"newer": `{"version": 2, "directories": {}}`, "version as text": `{"version": "1"}`,
		"a broken record": `{"version": 1, "directories": {"/x": {"files": {"a.md": {"sha256": 5}}}}}`,
		"null record":     `{"version": 1, "directories": {"/x": {"files": {"a.md": null}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2", "claude/three.md": "3"})
			w.run()
			ledger := w.job.LedgerPath("")
			w.write(ledger, text)
			w.render(map[string]string{"claude/one.md": "changed", "claude/two.md": "2", "claude/new.md": "4"})
			r := w.run()
			wantActs(t, r, map[string]Act{"claude/one.md": Foreign, "claude/two.md": Unchanged, "claude/new.md": Create})
			if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeLedgerUnread || !r.Refused() {
				t.Errorf("warnings: %+v", r.Warnings)
			}
			wantFile(t, w.path("claude/one.md"), "1")
			wantFile(t, w.path("claude/three.md"), "3")
			wantFile(t, w.path("claude/new.md"), "4")
			wantFile(t, ledger, text)
			if r = w.uninstall(); r.Changed || !r.Refused() {
				t.Errorf("uninstall: %+v", r)
			}
			wantFile(t, w.path("claude/two.md"), "2")
		})
	}
}

// A ledger that is no regular file cannot be read, and nobody waits for it.
func TestLedgerIsADirectory(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	if err := os.MkdirAll(w.job.LedgerPath(""), 0o755); err != nil {
		t.Fatal(err)
	}
	w.render(map[string]string{"claude/one.md": "1"})
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/one.md": Create})
	if !r.Refused() {
		t.Error("not refused")
	}
}

// Records that the ledger of a project cannot have are named and never acted
// on: the ledger comes with the repository, and may be anybody's.
func TestForgedProjectLedger(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	victim := filepath.Join(w.job.Project, "src", "main.md")
	w.write(victim, "precious")
	outside := filepath.Join(filepath.Dir(w.job.Project), "outside.md")
	w.write(outside, "precious")
	settings := filepath.Join(w.job.Project, ".claude", "settings.json")
	w.write(settings, "precious")
	hash := Sum([]byte("precious"))
	record := `{"agent": "one", "catalogue": "test", "sha256": "` + hash + `"}`
	text := `{"version": 1, "directories": {
		"src": {"provider": "claude", "files": {"main.md": ` + record + `}},
		"..": {"provider": "claude", "files": {"outside.md": ` + record + `}},
		".claude": {"provider": "claude", "files": {"settings.json": ` + record + `}},
		".claude/agents": {"provider": "claude", "files": {"../../src/main.md": ` + record + `, "../settings.json": ` + record + `}},
		"` + filepath.Dir(outside) + `": {"provider": "claude", "files": {"outside.md": ` + record + `}}}}`
	w.write(w.job.LedgerPath(""), text)
	w.render(map[string]string{"claude/two.md": "2"})
	r := w.run()
	wantActs(t, r, map[string]Act{"claude/two.md": Create})
	codes := 0
	for _, warning := range r.Warnings {
		if warning.Code == CodeLedgerPath && warning.Refused {
			codes++
		}
	}
	if codes != 6 {
		t.Errorf("%d records are named: %+v", codes, r.Warnings)
	}
	w.uninstall()
	for _, path := range []string{victim, outside, settings} {
		wantFile(t, path, "precious")
	}
	if got := records(w.ledgerOf()); len(got) != 6 {
		t.Errorf("the records are not left alone: %v", got)
	}
}
