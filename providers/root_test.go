package providers_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Ruling 5: a variable counts only if it is an absolute path.
func TestRoot(t *testing.T) {
	place := providers.Place{
		Scope: schema.UserScope, Format: "md", Home: ".config/host", Dir: "agents", Ext: ".md",
		Env: []providers.EnvDir{{Name: "HOST_ROOT", Sub: "config"}, {Name: "HOST_HOME"}},
	}
	home := t.TempDir()
	abs := filepath.Join(home, "else where")
	for _, tt := range []struct {
		env  map[string]string
		want string
	}{
		{nil, filepath.Join(home, ".config", "host")},
		{map[string]string{"HOST_HOME": abs}, abs},
		{map[string]string{"HOST_HOME": "  " + abs + "/ "}, abs},
		{map[string]string{"HOST_ROOT": abs, "HOST_HOME": home}, filepath.Join(abs, "config")},
		{map[string]string{"HOST_ROOT": "relative", "HOST_HOME": home}, home},
		{map[string]string{"HOST_HOME": "~/x"}, filepath.Join(home, ".config", "host")},
		{map[string]string{"HOST_HOME": " "}, filepath.Join(home, ".config", "host")},
	} {
		env := func(name string) string { return tt.env[name] }
		if got := place.Root(home, env); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.env, got, tt.want)
		}
	}
	if got := place.Root(home, nil); got != filepath.Join(home, ".config", "host") {
		t.Errorf("without variables: %s", got)
	}
	if got := place.Path("x"); got != ".config/host/agents/x.md" {
		t.Errorf("the path is %s", got)
	}
	facts := &providers.Facts{Places: []providers.Place{place}}
	if _, ok := facts.Place(schema.ProjectScope, "md"); ok {
		t.Error("a place is found in the other scope")
	}
	if p, ok := facts.Place(schema.UserScope, "md"); !ok || p.Dir != "agents" {
		t.Errorf("%v %v", p, ok)
	}
}
