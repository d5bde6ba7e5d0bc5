package render_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A noted is what a note is about.
type noted struct {
	agent    string
	provider schema.ProviderID
	setting  string
	value    string
}

// TestOneNoteEach makes manifests with random settings: every setting that a
// host does not simply enforce has one note, and nothing else has.
func TestOneNoteEach(t *testing.T) {
	defs := definitions(t)
	notes, manifests := 0, 15
	if testing.Short() {
		manifests = 4
	}
	for seed := range manifests {
		data := randomManifest(t, defs, rand.New(rand.NewPCG(uint64(seed), 1)))
		result := renderBytes(t, data)
		got := map[noted]providers.Note{}
		for _, n := range result.Notes {
			key := noted{n.Agent, n.Provider, n.Setting, n.Value}
			if _, twice := got[key]; twice {
				t.Errorf("seed %d: two notes about %v", seed, key)
			}
			got[key] = n
		}
		want := expectedNotes(t, result)
		if diff := gocmp.Diff(want, levelsOf(got), gocmp.AllowUnexported(noted{})); diff != "" {
			t.Errorf("seed %d: notes (-want +got):\n%s\n%s", seed, diff, data)
		}
		if again := renderBytes(t, data); !gocmp.Equal(result.Notes, again.Notes, cmpopts.IgnoreTypes(hcl.Range{})) {
			t.Errorf("seed %d: the notes of the same manifest differ", seed)
		}
		notes += len(got)
	}
	if notes < 15*manifests {
		t.Errorf("only %d notes were looked at", notes)
	}
}

func levelsOf(notes map[noted]providers.Note) map[noted]providers.Level {
	levels := map[noted]providers.Level{}
	for key, n := range notes {
		levels[key] = n.Level
	}
	return levels
}

// expectedNotes works the notes out from the tables, row by row.
func expectedNotes(t *testing.T, result *render.Result) map[noted]providers.Level {
	t.Helper()
	want := map[noted]providers.Level{}
	for _, r := range result.Agents {
		facts := all.Get(r.Provider).Facts()
		used := map[string]bool{}
		for _, u := range r.Uses {
			used[u.Setting] = true
			value := u.Value
			if u.Extent == providers.WholeList {
				value = ""
			}
			rows := rowsAbout(facts, cmp.Or(u.Row, u.Setting), value, result.Scope)
			if rows == nil && !facts.Own(u.Setting) {
				t.Errorf("%s touches %q, about which its table has nothing", facts.ID, u.Setting)
			}
			for _, c := range rows {
				key := noted{r.Agent.Name, r.Provider, u.Setting, u.Value}
				if (c.Level != providers.Enforced || c.Code != "") && (want[key] == "" || c.Level.Weaker(want[key])) {
					want[key] = c.Level
				}
			}
		}
		for _, s := range r.Agent.Settings() {
			if s.Value.Kind != schema.Null && !used[s.Key] {
				t.Errorf("%s is set for %s, and %s is not asked about it", s.Key, r.Agent.Name, facts.ID)
			}
		}
	}
	return want
}

// rowsAbout finds the rows that hold today: those of the value, else of the key.
func rowsAbout(f *providers.Facts, setting, value string, scope schema.Scope) []providers.Capability {
	for _, name := range []string{setting + "=" + value, setting} {
		var rows []providers.Capability
		for _, c := range f.Capabilities {
			if c.Setting == name && c.Until == "" && (c.Scope == "" || c.Scope == scope) {
				rows = append(rows, c)
			}
		}
		if rows != nil {
			return rows
		}
	}
	return nil
}

func renderBytes(t *testing.T, data []byte) *render.Result {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.json", data), schema.Options{})
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, data)
	}
	result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope})
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, data)
	}
	return result
}

// randomManifest sets keys of the entry and of the blocks at random, as long as
// the manifest stays valid.
func randomManifest(t *testing.T, defs schemaDefs, random *rand.Rand) []byte {
	t.Helper()
	blocks := map[string]any{}
	entry := map[string]any{"name": "probe", "description": "Looks. Use when asked.", "instructions": "Look.", "providers": blocks}
	manifest := map[string]any{"subagents": []any{entry}, "results": map[string]any{"key": "x"}, "skills": map[string]any{"x": map[string]any{"preload": true}}}
	try := func(into map[string]any, def string, skip ...string) {
		properties := defs.lookup(def)["properties"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			values := defs.samples(properties[key].(map[string]any), 1)
			if into[key] != nil || slices.Contains(skip, key) || len(values) == 0 || random.IntN(2) == 0 {
				continue
			}
			into[key] = values[random.IntN(len(values))]
			if !valid(t, manifest) {
				delete(into, key)
			}
		}
	}
	try(entry, "Entry", "name", "description", "instructions", "instructions_file", "for_each", "state", "targets", "require", "template")
	for _, id := range schema.ProviderIDs() {
		block := map[string]any{}
		blocks[string(id)] = block
		try(block, blockNames[id], "scope", "enabled")
	}
	data, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func valid(t *testing.T, manifest any) bool {
	t.Helper()
	data, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	m, diags := schema.Load(schema.NewSource("m.json", data), schema.Options{})
	if diags.HasErrors() {
		return false
	}
	_, diags = render.Render(m, render.Options{Scope: schema.ProjectScope})
	return !diags.HasErrors()
}

func TestNotesStandInTheOrderOfTheManifest(t *testing.T) {
	const manifest = `{"targets": ["codex", "goose"], "subagents": [
		{"name": "second", "description": "B.", "instructions": "B.", "tools": ["read", "todo"], "title": "B"},
		{"name": "first", "description": "A.", "instructions": "A.", "isolation": "worktree"}]}`
	var got []string
	for _, n := range renderBytes(t, []byte(manifest)).Notes {
		got = append(got, strings.Join([]string{n.Agent, string(n.Provider), n.Setting, n.Value}, " "))
	}
	want := []string{
		"second codex description ", "second codex tools read, todo", "second codex title B",
		"second goose tools read, todo", "second goose title#agent B",
		"first codex description ", "first codex isolation worktree",
		"first goose isolation worktree",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}
