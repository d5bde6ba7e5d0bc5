package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/schema"
)

// K85, K86, T69, A71: uninstall deletes what it wrote and nobody has changed;
// what was edited is kept and named, and no option forces it.
func TestUninstall(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(map[string]string{"claude/one.md": "1", "claude/edited.md": "2", "codex/one.toml": "3", "claude/lost.md": "4"})
		w.run()
		w.write(w.path("claude/edited.md"), "by hand")
		w.write(w.path("claude/theirs.md"), "theirs")
		remove(t, w.path("claude/lost.md"))
		w.opt.Force = true
		r := w.uninstall()
		wantActs(t, r, map[string]Act{"claude/one.md": Delete, "claude/edited.md": Edited, "codex/one.toml": Delete})
		if !r.Refused() || line(t, r, "claude/edited.md").Do == "" {
			t.Errorf("report: %+v", r)
		}
		wantFile(t, w.path("claude/edited.md"), "by hand")
		wantFile(t, w.path("claude/theirs.md"), "theirs")
		wantNone(t, w.path("codex/one.toml"))
		if got := records(w.ledgerOf()); len(got) != 1 {
			t.Errorf("records: %v", got)
		}
		remove(t, w.path("claude/edited.md"))
		w.uninstall()
		wantNone(t, w.job.LedgerPath(""))
	})
}

// uninstall -p and -a take away what they name.
func TestUninstallSome(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2", "codex/one.toml": "3"})
	w.run()
	w.opt.Agents, w.job.Hosts = []string{"one"}, hosts[:1]
	wantActs(t, w.uninstall(), map[string]Act{"claude/one.md": Delete})
	w.job.Hosts = hosts
	wantFile(t, w.path("codex/one.toml"), "3")
	wantFile(t, w.path("claude/two.md"), "2")
}

// T70: what is uninstalled from a project stays with the person, and the other
// way round.
func TestScopesAreApart(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	user := w.path("claude/one.md")
	w.job.Scope = schema.ProjectScope
	w.run()
	project := w.path("claude/one.md")
	w.uninstall()
	wantNone(t, project)
	wantFile(t, user, "1")
}

// T89, T90: in a project without a ledger, what is exactly as the manifest
// renders goes, and everything else stays. A person's directory is left alone.
func TestUninstallWithoutLedger(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2"})
		w.run()
		remove(t, w.job.LedgerPath(""))
		w.write(w.path("claude/two.md"), "changed")
		w.opt.Agents = []string{"two"}
		wantActs(t, w.uninstall(), map[string]Act{})
		w.opt.Agents = nil
		r := w.uninstall()
		if scope == schema.UserScope {
			wantActs(t, r, map[string]Act{})
			wantFile(t, w.path("claude/one.md"), "1")
			return
		}
		wantActs(t, r, map[string]Act{"claude/one.md": Delete})
		if line(t, r, "claude/one.md").Reason != Rendered {
			t.Errorf("%+v", r.Actions)
		}
		wantFile(t, w.path("claude/two.md"), "changed")
	})
}

// T89: where the manifest cannot be loaded, only the ledger counts, and that is
// said.
func TestUninstallWithoutManifest(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2"})
	w.run()
	l := w.ledgerOf()
	l.forget(".claude/agents", "two.md")
	data, _ := l.Bytes()
	w.write(w.job.LedgerPath(""), string(data))
	w.render(nil)
	w.want.Unknown = true
	r := w.uninstall()
	wantActs(t, r, map[string]Act{"claude/one.md": Delete})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeUnknown {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	wantFile(t, w.path("claude/two.md"), "2")
}

// T91: from a linked worktree the main checkout is named, which has files of
// ours too.
func TestUninstallNamesTheMainCheckout(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	w.render(map[string]string{"claude/one.md": "1"})
	main := w.job.Project
	w.run()
	w.job.Project = linkedWorktree(t, main)
	w.run()
	r := w.uninstall()
	wantActs(t, r, map[string]Act{"claude/one.md": Delete})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeMainCheckout || !strings.Contains(r.Warnings[0].Message, main) {
		t.Errorf("warnings: %+v", r.Warnings)
	}
	wantFile(t, filepath.Join(main, ".claude", "agents", "one.md"), "1")
	w.job.Project = main
	if r = w.uninstall(); len(r.Warnings) != 0 {
		t.Errorf("warnings in the main checkout: %+v", r.Warnings)
	}
}

// linkedWorktree lays a worktree out beside a main checkout, as git does.
func linkedWorktree(t *testing.T, main string) string {
	t.Helper()
	worktree := filepath.Join(filepath.Dir(main), "worktree")
	own := filepath.Join(main, ".git", "worktrees", "w")
	for path, text := range map[string]string{
		filepath.Join(own, "commondir"): "../..\n", filepath.Join(worktree, ".git"): "gitdir: " + own + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return worktree
}
