package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The Go planner gives the answers of the vectors, which the Python planner is
// held against too.
func TestPlanVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range vectorFiles(t, "plans-*.json") {
		var vectors []vector
		readVectors(t, file, &vectors)
		for _, v := range vectors {
			t.Run(filepath.Base(file)+"/"+v.Name, func(t *testing.T) {
				p, err := v.plan()
				if err != nil {
					t.Fatal(err)
				}
				for _, line := range vectorLines(p) {
					seen[strings.Join(strings.Fields(line)[:2], " ")] = true
				}
				v.check(t, p)
			})
		}
	}
	for _, act := range Acts() {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(s string) bool { return strings.HasPrefix(s, string(act)+" ") }) {
			t.Errorf("no vector has the act %s", act)
		}
	}
}

func (v *vector) check(t *testing.T, p *Plan) {
	if diff := cmp.Diff(v.Want, vectorLines(p)); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if p.Held != v.Held {
		t.Errorf("%d files are held, want %d", p.Held, v.Held)
	}
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Act.Refused() != (a.Do != "") {
			t.Errorf("%s %s: what to do is %q", a.Act, a.Path(), a.Do)
		}
	}
	if v.After != nil {
		next, _ := p.next(func(int) bool { return true })
		v.checkLedger(t, "after", v.After, next)
	}
	if v.Intent != nil {
		v.checkLedger(t, "intent", v.Intent, p.intent())
	}
}

func (v *vector) checkLedger(t *testing.T, what string, raw json.RawMessage, got *Ledger) {
	want, err := vectorLedger(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ledgerText(t, want), ledgerText(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Ledgers are read and written as the vectors say.
func TestLedgerVectors(t *testing.T) {
	var vectors []struct {
		Name, Text string
		Want       *string
	}
	readVectors(t, filepath.Join("testdata", "vectors", "ledgers.json"), &vectors)
	for _, v := range vectors {
		l, err := parseLedger([]byte(v.Text))
		switch {
		case v.Want == nil && err == nil:
			t.Errorf("%s: it can be read", v.Name)
		case v.Want != nil && err != nil:
			t.Errorf("%s: %v", v.Name, err)
		case v.Want != nil:
			if diff := cmp.Diff(*v.Want, ledgerText(t, l)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", v.Name, diff)
			}
		}
	}
}

// Names, directories, markers and temporary files are what the vectors say.
func TestPlaceVectors(t *testing.T) {
	var vectors struct {
		Takes []struct {
			Ext, Name string
			Want      bool
		}
		Roots []struct {
			Name, Home string
			Env        map[string]string
			Roots      map[schema.ProviderID]string
			Want       []string
		}
		Marked []struct {
			Text string
			Want bool
		}
		Temporary      []struct{ Ledger, ID string }
		TemporaryNames []struct {
			Name string
			Want bool
		} `json:"temporary_names"`
	}
	readVectors(t, filepath.Join("testdata", "vectors", "places.json"), &vectors)
	for _, v := range vectors.Takes {
		if got := takes(providers.Place{Ext: v.Ext}, v.Name); got != v.Want {
			t.Errorf("%q, %q: %v", v.Ext, v.Name, got)
		}
	}
	for _, v := range vectors.Roots {
		if diff := cmp.Diff(v.Want, rootLines(v.Home, v.Env, v.Roots)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.Name, diff)
		}
	}
	for _, v := range vectors.Marked {
		if got := tree.Marked([]byte(strings.ReplaceAll(v.Text, "MARKER", providers.Marker))); got != v.Want {
			t.Errorf("%q: %v", v.Text, got)
		}
	}
	for _, v := range vectors.Temporary {
		if got := tempID(v.Ledger); got != v.ID {
			t.Errorf("%s: %s", v.Ledger, got)
		}
	}
	for _, v := range vectors.TemporaryNames {
		if got := isTemp(v.Name, "ID"); got != v.Want {
			t.Errorf("%q: %v", v.Name, got)
		}
	}
}

// rootLines writes the directories of three hosts as the vectors do.
func rootLines(home string, env map[string]string, roots map[schema.ProviderID]string) []string {
	w := Where{Scope: schema.UserScope, Home: home, Roots: roots}
	if env != nil {
		w.Env = func(name string) string { return env[name] }
	}
	lines := []string{}
	for _, place := range []struct {
		id    schema.ProviderID
		place providers.Place
	}{
		{schema.ClaudeID, providers.Place{Home: ".claude", Env: []providers.EnvDir{{Name: "CLAUDE_CONFIG_DIR"}}}},
		{schema.GooseID, providers.Place{Home: ".config/goose", Env: []providers.EnvDir{{Name: "GOOSE_PATH_ROOT", Sub: "config"}, {Name: "XDG_CONFIG_HOME", Sub: "goose"}}}},
		{schema.KiroID, providers.Place{Home: ".kiro", Env: []providers.EnvDir{{Name: "KIRO_HOME"}}}},
	} {
		dir, from := w.root(place.id, place.place)
		lines = append(lines, fmt.Sprintf("%s %s %s", place.id, dir, strings.ReplaceAll(from, "--root", "given")))
	}
	return lines
}

func vectorFiles(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "vectors", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	return files
}

func readVectors(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
