package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// goose and OpenCode have two variables; the first that counts wins.
var twoVariables = &providers.Facts{ID: schema.GooseID, Places: []providers.Place{{
	Scope: schema.UserScope, Home: ".config/goose", Dir: "agents", Ext: ".md",
	Env: []providers.EnvDir{{Name: "GOOSE_PATH_ROOT", Sub: "config"}, {Name: "XDG_CONFIG_HOME", Sub: "goose"}},
}}}

// T47, T49, T50: where the files go, from what the variables say.
func TestRoots(t *testing.T) {
	home := filepath.Join(realTemp(t), "home")
	for name, c := range map[string]struct {
		host *providers.Facts
		env  map[string]string
		root string
		want string
		from string
	}{
		"claude":                      {host: hosts[0], want: home + "/.claude/agents", from: "home"},
		"claude, variable":            {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "/x/c"}, want: "/x/c/agents", from: "CLAUDE_CONFIG_DIR"},
		"claude, blanks and a slash":  {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "  /x/my c/ \n"}, want: "/x/my c/agents", from: "CLAUDE_CONFIG_DIR"},
		"claude, relative":            {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "x/c"}, want: home + "/.claude/agents", from: "home"},
		"claude, dot":                 {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "./x"}, want: home + "/.claude/agents", from: "home"},
		"claude, empty":               {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": ""}, want: home + "/.claude/agents", from: "home"},
		"claude, blank":               {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "  "}, want: home + "/.claude/agents", from: "home"},
		"claude, tilde":               {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "~/c"}, want: home + "/.claude/agents", from: "home"},
		"claude, another's variable":  {host: hosts[0], env: map[string]string{"CODEX_HOME": "/x"}, want: home + "/.claude/agents", from: "home"},
		"claude, --root":              {host: hosts[0], env: map[string]string{"CLAUDE_CONFIG_DIR": "/x/c"}, root: "/r/../s/", want: "/s/agents", from: "--root"},
		"codex":                       {host: hosts[1], want: home + "/.codex/agents", from: "home"},
		"codex, variable":             {host: hosts[1], env: map[string]string{"CODEX_HOME": "/x//c/"}, want: "/x/c/agents", from: "CODEX_HOME"},
		"codex, relative":             {host: hosts[1], env: map[string]string{"CODEX_HOME": "c"}, want: home + "/.codex/agents", from: "home"},
		"goose":                       {host: twoVariables, want: home + "/.config/goose/agents", from: "home"},
		"goose, XDG":                  {host: twoVariables, env: map[string]string{"XDG_CONFIG_HOME": "/x/"}, want: "/x/goose/agents", from: "XDG_CONFIG_HOME"},
		"goose, its own":              {host: twoVariables, env: map[string]string{"XDG_CONFIG_HOME": "/x", "GOOSE_PATH_ROOT": "/g"}, want: "/g/config/agents", from: "GOOSE_PATH_ROOT"},
		"goose, its own relative":     {host: twoVariables, env: map[string]string{"XDG_CONFIG_HOME": "/x", "GOOSE_PATH_ROOT": "g"}, want: "/x/goose/agents", from: "XDG_CONFIG_HOME"},
		"kiro, variable":              {host: hosts[3], env: map[string]string{"KIRO_HOME": " /k"}, want: "/k/agents", from: "KIRO_HOME"},
		"kiro, empty":                 {host: hosts[3], env: map[string]string{"KIRO_HOME": ""}, want: home + "/.kiro/agents", from: "home"},
		"opencode":                    {host: hosts[4], want: home + "/.config/opencode/agents", from: "home"},
		"opencode, variable":          {host: hosts[4], env: map[string]string{"XDG_CONFIG_HOME": "/my config"}, want: "/my config/opencode/agents", from: "XDG_CONFIG_HOME"},
		"opencode, relative variable": {host: hosts[4], env: map[string]string{"XDG_CONFIG_HOME": "config"}, want: home + "/.config/opencode/agents", from: "home"},
	} {
		t.Run(name, func(t *testing.T) {
			w := Where{Scope: schema.UserScope, Home: home, Env: func(name string) string { return c.env[name] }}
			if c.root != "" {
				w.Roots = map[schema.ProviderID]string{c.host.ID: c.root}
			}
			dests, err := w.Dests([]*providers.Facts{c.host})
			if err != nil || len(dests) != 1 || dests[0].Dir != c.want || dests[0].From != c.from {
				t.Fatalf("%v: %+v", err, dests)
			}
			if w.Env = nil; c.root == "" { // --home ignores every variable
				dests, err = w.Dests([]*providers.Facts{c.host})
				if err != nil || dests[0].From != "home" || filepath.Dir(filepath.Dir(dests[0].Dir))[:len(home)] != home {
					t.Errorf("with --home: %v: %+v", err, dests)
				}
			}
		})
	}
}

// At project scope only the project counts.
func TestProjectRoots(t *testing.T) {
	w := newWorld(t, schema.ProjectScope)
	w.job.Env = func(string) string { return "/elsewhere" }
	dests, err := w.job.Dests(hosts)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, d := range dests {
		keys = append(keys, d.Key)
		if want := filepath.Join(w.job.Project, d.Key); d.Dir != want || d.From != "project" {
			t.Errorf("%s is at %s by %s", d.Key, d.Dir, d.From)
		}
	}
	if want := ".claude/agents .codex/agents .goose/recipes .goose/agents .kiro/agents .opencode/agents"; join(keys) != want {
		t.Errorf("keys: %v", keys)
	}
}

func join(list []string) string {
	text := ""
	for i, s := range list {
		if i > 0 {
			text += " "
		}
		text += s
	}
	return text
}

// Two hosts in one directory would overwrite each other.
func TestHostsMayNotShareADirectory(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.job.Roots = map[schema.ProviderID]string{schema.ClaudeID: "/x", schema.OpenCodeID: "/x"}
	_, err := w.job.Dests(hosts)
	if _, ok := errors.AsType[*SharedError](err); !ok {
		t.Errorf("%v", err)
	}
}

// The default catalogue is the manifest's path; in a project the path there, so
// that another clone of the repository is the same catalogue.
func TestCatalogue(t *testing.T) {
	user := Where{Scope: schema.UserScope, Project: "/p"}
	project := Where{Scope: schema.ProjectScope, Project: "/p"}
	for _, c := range []struct {
		w          Where
		asked, own string
		manifest   string
		want       string
	}{
		{user, "", "", "/p/subagents.yml", "/p/subagents.yml"},
		{user, "", "team", "/p/subagents.yml", "team"},
		{user, "me", "team", "/p/subagents.yml", "me"},
		{project, "", "", "/p/sub/agents.yml", "sub/agents.yml"},
		{project, "", "", "/q/agents.yml", "/q/agents.yml"},
		{project, "me", "", "/p/agents.yml", "me"},
	} {
		if got := c.w.Catalogue(c.asked, c.own, filepath.FromSlash(c.manifest)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The ledger of a person never moves with a variable.
func TestLedgerPath(t *testing.T) {
	w := Where{Scope: schema.UserScope, Home: "/h", Project: "/p", Env: func(string) string { return "/elsewhere" }}
	if got := w.LedgerPath(""); got != filepath.FromSlash("/h/.local/state/subagents/ledger.json") {
		t.Error(got)
	}
	if got := w.LedgerPath("/l.json"); got != "/l.json" {
		t.Error(got)
	}
	w.Scope = schema.ProjectScope
	if got := w.LedgerPath(""); got != filepath.FromSlash("/p/.subagents/ledger.json") {
		t.Error(got)
	}
}

// A directory of a host that is a file is an error before anything is written.
func TestUnreadableRoot(t *testing.T) {
	for _, path := range []string{".codex", ".codex/agents"} {
		w := newWorld(t, schema.UserScope)
		w.write(filepath.Join(w.job.Home, path), "a file")
		w.render(five("x"))
		if _, err := w.job.View(); err == nil {
			t.Errorf("%s: no error", path)
		}
		if _, err := os.Stat(filepath.Join(w.job.Home, ".claude")); err == nil {
			t.Errorf("%s: something was written", path)
		}
	}
}
