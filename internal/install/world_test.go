package install

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// hosts are the places of DESIGN §7, so that these tests say what they expect of
// the tables instead of repeating them.
var hosts = []*providers.Facts{
	host(schema.ClaudeID, ".claude", ".claude", "CLAUDE_CONFIG_DIR", "", place{"", "agents", ".md"}),
	host(schema.CodexID, ".codex", ".codex", "CODEX_HOME", "", place{"", "agents", ".toml"}),
	{
		ID: schema.GooseID,
		Places: append(
			host("", ".goose", ".config/goose", "GOOSE_PATH_ROOT", "config", place{"recipe", "recipes", ".yaml"}).Places,
			host("", ".goose", ".config/goose", "GOOSE_PATH_ROOT", "config", place{"agent", "agents", ".md"}).Places...),
	},
	host(schema.KiroID, ".kiro", ".kiro", "KIRO_HOME", "", place{"json", "agents", ".json"}, place{"markdown", "agents", ".md"}),
	host(schema.OpenCodeID, ".opencode", ".config/opencode", "XDG_CONFIG_HOME", "opencode", place{"", "agents", ".md"}),
}

func init() {
	for _, f := range hosts {
		for _, p := range all.Providers {
			if p.Facts().ID == f.ID {
				f.Rivals = p.Facts().Rivals // the tests of shadows say what they expect
			}
		}
	}
}

type place struct{ format, dir, ext string }

func host(id schema.ProviderID, project, user, variable, sub string, places ...place) *providers.Facts {
	f := &providers.Facts{ID: id}
	for _, p := range places {
		f.Places = append(
			f.Places,
			providers.Place{Scope: schema.ProjectScope, Format: p.format, Home: project, Dir: p.dir, Ext: p.ext},
			providers.Place{Scope: schema.UserScope, Format: p.format, Home: user, Dir: p.dir, Ext: p.ext, Env: []providers.EnvDir{{Name: variable, Sub: sub}}},
		)
	}
	return f
}

// A world is a home and a project of their own, with what a manifest would
// render: host/name.ext → bytes. The stem is the name of the subagent.
type world struct {
	t    testing.TB
	job  Job
	opt  Options
	how  How
	want Desired // Subagents and Unknown; the files come from render
	file map[string]string
}

func newWorld(t testing.TB, scope schema.Scope) *world {
	t.Helper()
	dir := realTemp(t)
	w := &world{t: t, file: map[string]string{}, opt: Options{Catalogue: "test", Prune: true}}
	w.job = Job{
		Where: Where{Scope: scope, Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project")},
		Hosts: hosts, Known: hosts,
	}
	w.want.Subagents = map[string]Subagent{}
	for _, d := range []string{w.job.Home, w.job.Project} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// realTemp is a temporary directory under its real name: on some systems the
// usual one is a link. Tests, which make thousands of small files, get one in
// memory where there is such a place and nobody asked for another.
func realTemp(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if _, test := t.(*testing.T); test && os.Getenv("TMPDIR") == "" {
		if fast, err := os.MkdirTemp("/dev/shm", "install-test-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(fast) })
			dir = fast
		}
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// render sets what the manifest renders.
func (w *world) render(files map[string]string) {
	w.file = files
	w.want.Subagents = map[string]Subagent{}
	for path := range files {
		w.know(stem(path), Subagent{Present: true, Targets: schema.ProviderIDs()})
	}
}

// know adds an entry to the manifest.
func (w *world) know(name string, s Subagent) { w.want.Subagents[name] = s }

func stem(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// wanted is the Wanter of the world.
func (w *world) wanted(dests []*Dest) Desired {
	want := w.want
	want.Files = map[string]map[string]*File{}
	for path, text := range w.file {
		id, name, _ := strings.Cut(path, "/")
		for _, d := range dests {
			if string(d.Provider) != id || !d.Takes(name) {
				continue
			}
			if want.Files[d.Key] == nil {
				want.Files[d.Key] = map[string]*File{}
			}
			agent := stem(name)
			want.Files[d.Key][name] = &File{Agent: agent, Tags: want.Subagents[agent].Tags, Data: []byte(text), Sum: Sum([]byte(text))}
		}
	}
	return want
}

// run installs, and fails the test on an error of the machine.
func (w *world) run() *Report {
	w.t.Helper()
	r, err := w.job.Install(context.Background(), w.opt, w.wanted, w.how)
	if err != nil {
		w.t.Fatalf("install: %v", err)
	}
	return r
}

// dry shows what a run would do.
func (w *world) dry() *Report {
	w.t.Helper()
	r, err := w.job.Install(context.Background(), w.opt, w.wanted, How{DryRun: true})
	if err != nil {
		w.t.Fatalf("dry run: %v", err)
	}
	return r
}

func (w *world) uninstall() *Report {
	w.t.Helper()
	r, err := w.job.Uninstall(context.Background(), w.opt, w.wanted, w.how)
	if err != nil {
		w.t.Fatalf("uninstall: %v", err)
	}
	return r
}

func (w *world) status() *Status {
	w.t.Helper()
	s, err := w.job.Status(w.opt, w.wanted, How{})
	if err != nil {
		w.t.Fatalf("status: %v", err)
	}
	return s
}

// path gives the place of a rendered file.
func (w *world) path(file string) string {
	w.t.Helper()
	id, name, _ := strings.Cut(file, "/")
	dests, err := w.job.Dests(w.job.Hosts)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range dests {
		if string(d.Provider) == id && d.reads(name) {
			return d.Path(name)
		}
	}
	w.t.Fatalf("no place for %s", file)
	return ""
}

// mkdir makes a directory with its parents.
func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// remove removes a file.
func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// write puts a file of somebody else down.
func (w *world) write(path, text string) {
	w.t.Helper()
	mkdir(w.t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantFile checks the bytes of a file.
func wantFile(t testing.TB, path, text string) {
	t.Helper()
	if got := read(t, path); got != text {
		t.Errorf("%s holds %q, want %q", path, got, text)
	}
}

func wantNone(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("%s is there (%v)", path, err)
	}
}

// wantActs compares the acts of a report with host/name → act.
func wantActs(t testing.TB, r *Report, want map[string]Act) {
	t.Helper()
	got := map[string]Act{}
	for _, l := range r.Actions {
		got[string(l.Provider)+"/"+filepath.Base(l.Path)] = l.Action
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("acts (-want +got):\n%s", diff)
	}
}

// line finds the action on a file.
func line(t testing.TB, r *Report, file string) Line {
	t.Helper()
	for _, l := range r.Actions {
		if string(l.Provider)+"/"+filepath.Base(l.Path) == file {
			return l
		}
	}
	t.Fatalf("no action on %s in %+v", file, r.Actions)
	return Line{}
}

// snapshot lists a tree: path → mode, times and bytes, or where a link leads.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text := info.Mode().String() + " " + info.ModTime().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += " -> " + to
		}
		out[rel] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contents lists a tree by content alone.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out[rel] = read(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// five is one subagent on all hosts, goose in both formats and Kiro too.
func five(text string) map[string]string {
	marked := func(comment string) string { return comment + "# " + providers.Marker + "\n" + text }
	return map[string]string{
		"claude/one.md": marked("---\n"), "codex/one.toml": marked(""), "goose/one.yaml": marked(""), "goose/one.md": marked("---\n"),
		"kiro/one.json": "{}" + text, "kiro/one.md": marked("---\n"), "opencode/one.md": marked("---\n"),
	}
}

// acts expects one act on every file.
func acts(files map[string]string, act Act) map[string]Act {
	out := map[string]Act{}
	for path := range files {
		out[path] = act
	}
	return out
}

func bothScopes(t *testing.T, test func(t *testing.T, scope schema.Scope)) {
	for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
		t.Run(string(scope), func(t *testing.T) { test(t, scope) })
	}
}

// ledgerOf reads the ledger of a world.
func (w *world) ledgerOf() *Ledger {
	w.t.Helper()
	data, err := os.ReadFile(w.job.LedgerPath(w.job.Ledger))
	if err != nil {
		w.t.Fatal(err)
	}
	l, err := parseLedger(data)
	if err != nil {
		w.t.Fatal(err)
	}
	again, err := l.Bytes()
	if err != nil || !bytes.Equal(again, data) {
		w.t.Errorf("the ledger is not written as it is read: %v\n%s", err, data)
	}
	return l
}

// records lists what a ledger knows, as key/name → hash.
func records(l *Ledger) map[string]string {
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(l.Dirs)) {
		for name, r := range l.Dirs[key].Files {
			out[key+"/"+name] = r.SHA256
		}
	}
	return out
}
