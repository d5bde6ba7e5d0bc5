package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// states gives host/name → state and reason.
func states(s *Status) map[string]string {
	out := map[string]string{}
	for _, f := range s.Files {
		out[string(f.Provider)+"/"+filepath.Base(f.Path)] = string(f.State) + " " + f.Reason
	}
	return out
}

// K59, T78, T79, T80: drift is told apart, with what to do, and nothing is
// written for it.
func TestStatus(t *testing.T) {
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(map[string]string{
			"claude/current.md": "1", "claude/stale.md": "1", "claude/edited.md": "1", "claude/missing.md": "1",
			"claude/gone.md": "1", "kiro/gone.json": "{}", "claude/gone-edited.md": "1",
		})
		w.run()
		w.write(w.path("claude/edited.md"), "by hand")
		w.write(w.path("claude/gone-edited.md"), "by hand")
		remove(t, w.path("claude/missing.md"))
		w.write(w.path("claude/foreign.md"), "theirs")
		w.write(w.path("claude/same.md"), "1")
		w.write(w.path("claude/stray.md"), marked)
		w.write(w.path("claude/quoted.md"), "---\n---\n# "+providers.Marker+"\n")
		w.write(w.path("claude/other.md"), "theirs")
		mkdir(t, w.path("claude/dir.md"))
		w.render(map[string]string{
			"claude/current.md": "1", "claude/stale.md": "2", "claude/edited.md": "1", "claude/missing.md": "1",
			"claude/foreign.md": "1", "claude/same.md": "1", "claude/new.md": "1", "claude/dir.md": "1",
		})
		before := snapshot(t, filepath.Dir(w.job.Home))
		s := w.status()
		if diff := cmp.Diff(before, snapshot(t, filepath.Dir(w.job.Home))); diff != "" {
			t.Errorf("status wrote:\n%s", diff)
		}
		want := map[string]string{
			"claude/current.md": "current identical", "claude/stale.md": "stale stale", "claude/edited.md": "edited by-hand",
			"claude/missing.md": "not-installed restored", "claude/new.md": "not-installed new", "claude/foreign.md": "foreign not-ours",
			"claude/same.md": "current identical", "claude/gone.md": "stray gone", "kiro/gone.json": "stray gone",
			"claude/gone-edited.md": "edited gone", "claude/stray.md": "stray marker", "claude/dir.md": "foreign not-regular",
		}
		if diff := cmp.Diff(want, states(s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if s.Others != 2 || !s.Differs() || s.Summary[Stray] != 3 {
			t.Errorf("status: %+v", s)
		}
		for _, f := range s.Files {
			if f.State != Current && f.Do == "" {
				t.Errorf("%s: nothing is said about what to do", f.Path)
			}
		}
	})
}

// A run about some subagents says nothing of strays that it cannot know.
func TestStatusOfSome(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1"})
	w.run()
	w.write(w.path("claude/stray.md"), marked)
	w.opt.Agents = []string{"one"}
	if s := w.status(); s.Differs() || s.Others != 1 {
		t.Errorf("%+v", s)
	}
	w.opt.Agents, w.opt.Exclusive = nil, true
	if diff := cmp.Diff(map[string]string{"claude/one.md": "current identical", "claude/stray.md": "stray marker"}, states(w.status())); diff != "" {
		t.Error(diff)
	}
}

// T71 to T73, T87: what the host prefers to an installed file is found, for
// every host, and only if its bytes are others.
func TestShadowed(t *testing.T) {
	for name, c := range map[string]struct {
		file  string // installed
		scope schema.Scope
		path  string // of the rival: below the home with ~, else below the project
		text  string // "": one that is no agent of the host
		env   map[string]string
		not   bool // it does not shadow
	}{
		"claude, project":                 {file: "claude/one.md", path: ".claude/agents/one.md"},
		"claude, equal bytes":             {file: "claude/one.md", path: ".claude/agents/one.md", text: "ours", not: true},
		"claude, another name":            {file: "claude/one.md", path: ".claude/agents/two.md", not: true},
		"codex, project":                  {file: "codex/one.toml", path: ".codex/agents/one.toml"},
		"codex, the person's table":       {file: "codex/one.toml", path: "~/.codex/config.toml", text: "[agents.one]\ndescription = \"x\"\n"},
		"codex, another table":            {file: "codex/one.toml", path: "~/.codex/config.toml", text: "[agents]\nmax_threads = 3\n[agents.two]\n", not: true},
		"codex, a table for the file":     {file: "codex/one.toml", path: "~/.codex/config.toml", text: "[agents.one]\nconfig_file = \"agents/one.toml\"\n", not: true},
		"codex, the project's table":      {file: "codex/one.toml", path: ".codex/config.toml", text: "[agents.one]\ndescription = \"x\"\n"},
		"codex, in the project":           {file: "codex/one.toml", scope: schema.ProjectScope, path: ".codex/config.toml", text: "[agents.one]\n"},
		"codex, in the project, personal": {file: "codex/one.toml", scope: schema.ProjectScope, path: "~/.codex/config.toml", text: "[agents.one]\n", not: true},
		"goose, its agent":                {file: "goose/one.md", path: ".goose/agents/one.md"},
		"goose, Claude's file":            {file: "goose/one.md", path: ".claude/agents/one.md"},
		"goose, a recipe":                 {file: "goose/one.md", path: "~/.config/goose/recipes/one.yaml"},
		"goose, a recipe in the project":  {file: "goose/one.md", scope: schema.ProjectScope, path: ".goose/recipes/one.yaml"},
		"goose, a recipe on a path":       {file: "goose/one.yaml", path: "recipes/one.yaml", env: map[string]string{"GOOSE_RECIPE_PATH": "recipes"}},
		"goose, Claude's in the project":  {file: "goose/one.md", scope: schema.ProjectScope, path: ".claude/agents/one.md", not: true},
		"kiro, workspace":                 {file: "kiro/one.json", path: ".kiro/agents/one.json"},
		"kiro, the other format":          {file: "kiro/one.json", path: "~/.kiro/agents/one.md"},
		"opencode, project":               {file: "opencode/one.md", path: ".opencode/agent/one.md"},
		"opencode, home":                  {file: "opencode/one.md", scope: schema.ProjectScope, path: "~/.opencode/agents/one.md"},
		"opencode, variable":              {file: "opencode/one.md", path: "oc/agents/one.md", env: map[string]string{"OPENCODE_CONFIG_DIR": "oc"}},
		"opencode, singular":              {file: "opencode/one.md", path: "~/.config/opencode/agent/one.md"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, schema.UserScope)
			if c.scope != "" {
				w.job.Scope = c.scope
			}
			w.job.Env = func(name string) string {
				if c.env[name] == "" {
					return ""
				}
				return filepath.Join(w.job.Project, c.env[name])
			}
			w.render(map[string]string{c.file: "ours"})
			w.run()
			path := filepath.Join(w.job.Project, c.path)
			if home, ok := strings.CutPrefix(c.path, "~"); ok {
				path = filepath.Join(w.job.Home, home)
			}
			text := c.text
			if text == "" {
				text = "another"
			}
			w.write(path, text)
			f := w.status().Files[0]
			if c.not {
				if f.State != Current || f.Shadows != nil {
					t.Fatalf("%+v", f)
				}
				return
			}
			if f.State != Shadowed || len(f.Shadows) != 1 || f.Shadows[0].Path != path || f.Shadows[0].Why == "" || !strings.Contains(f.Do, path) {
				t.Fatalf("%+v", f)
			}
			check, err := w.job.Check(w.opt, w.wanted, How{})
			if err != nil || check.Differs() {
				t.Errorf("check takes it for a difference: %v, %+v", err, check.Files)
			}
		})
	}
}

// Parents of the project count up to the root of its repository, and the main
// checkout of a worktree that has no folder of its own (T72).
func TestShadowedFromAbove(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "ours"})
	w.run()
	repo := filepath.Join(w.job.Project, "repo")
	above := filepath.Join(w.job.Project, ".claude", "agents", "one.md")
	inside := filepath.Join(repo, ".claude", "agents", "one.md")
	mkdir(t, filepath.Join(repo, ".git"))
	mkdir(t, filepath.Join(repo, "deep", "er"))
	main := w.job.Project
	w.job.Project = filepath.Join(repo, "deep", "er")
	w.write(above, "another")
	if s := w.status(); s.Files[0].State != Current {
		t.Errorf("what stands above the repository counts: %+v", s.Files)
	}
	w.write(inside, "another")
	if s := w.status(); s.Files[0].State != Shadowed || s.Files[0].Shadows[0].Path != inside {
		t.Errorf("%+v", s.Files)
	}
	w.job.Project = linkedWorktree(t, main)
	if s := w.status(); s.Files[0].State != Shadowed || s.Files[0].Shadows[0].Path != above {
		t.Errorf("from a worktree: %+v", s.Files)
	}
	w.write(filepath.Join(w.job.Project, ".claude", "agents", "two.md"), "x")
	if s := w.status(); s.Files[0].State != Current {
		t.Errorf("a worktree with a folder of its own: %+v", s.Files)
	}
}

// A Codex configuration that cannot be read leaves the question open, and that
// is said.
func TestBrokenCodexConfig(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"codex/one.toml": "ours"})
	w.run()
	w.write(filepath.Join(w.job.Home, ".codex", "config.toml"), "[agents.one")
	s := w.status()
	if s.Files[0].State != Current || len(s.Warnings) != 1 || s.Warnings[0].Code != CodeCodexConfig {
		t.Errorf("%+v", s)
	}
}

// --diff shows what would change, and what somebody changed.
func TestDiff(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "a\nb\n", "claude/gone.md": "x\n", "claude/same.md": "s\n"})
	w.run()
	w.render(map[string]string{"claude/one.md": "a\nc\n", "claude/new.md": "n\n", "claude/same.md": "s\n"})
	w.how = How{DryRun: true, Diff: true}
	r := w.run()
	for file, want := range map[string]string{
		"claude/one.md":  "--- PATH\n+++ PATH\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
		"claude/gone.md": "--- PATH\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
		"claude/new.md":  "--- /dev/null\n+++ PATH\n@@ -0,0 +1 @@\n+n\n",
		"claude/same.md": "",
	} {
		if got := line(t, r, file).Diff; got != strings.ReplaceAll(want, "PATH", w.path(file)) {
			t.Errorf("%s:\n%s", file, got)
		}
	}
}
