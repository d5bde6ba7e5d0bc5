package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A vector is a plan with its answer, as testdata/vectors/README.md describes
// it. The Python planner of the Ansible module reads the same files.
type vector struct {
	Name     string                     `json:"name"`
	Command  string                     `json:"command,omitempty"`
	Scope    schema.Scope               `json:"scope,omitempty"`
	Options  vectorOptions              `json:"options"`
	Manifest json.RawMessage            `json:"manifest,omitempty"`
	Desired  map[string]string          `json:"desired,omitempty"`
	Actual   map[string]json.RawMessage `json:"actual,omitempty"`
	Ledger   json.RawMessage            `json:"ledger,omitempty"`

	Want   []string        `json:"want"`
	Held   int             `json:"held,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	Intent json.RawMessage `json:"intent,omitempty"`
	// The same as bytes, which random cases have.
	AfterText  *string `json:"after_text,omitempty"`
	IntentText *string `json:"intent_text,omitempty"`
}

type vectorOptions struct {
	Agents     []string `json:"agents,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Force      bool     `json:"force,omitempty"`
	Adopt      bool     `json:"adopt,omitempty"`
	Prune      *bool    `json:"prune,omitempty"`
	AllowEmpty bool     `json:"allow_empty,omitempty"`
}

type vectorEntry struct {
	Targets []schema.ProviderID `json:"targets,omitempty"`
	Tags    []string            `json:"tags,omitempty"`
	Absent  bool                `json:"absent,omitempty"`
}

const vectorCatalogue = "test"

// vectorDests are the directories of the vectors.
func vectorDests() []*Dest {
	return []*Dest{
		{Provider: schema.ClaudeID, Key: "/c", Dir: "/c", Places: []providers.Place{{Ext: ".md"}}},
		{Provider: schema.CodexID, Key: "/x", Dir: "/x", Places: []providers.Place{{Ext: ".toml"}}},
		{Provider: schema.KiroID, Key: "/k", Dir: "/k", Places: []providers.Place{{Ext: ".json"}, {Ext: ".md"}}},
	}
}

// plan makes the plan of a vector.
func (v *vector) plan() (*Plan, error) {
	want, err := v.desired()
	if err != nil {
		return nil, err
	}
	have, err := v.actual()
	if err != nil {
		return nil, err
	}
	ledger, err := vectorLedger(v.Ledger)
	if err != nil {
		return nil, err
	}
	opt := Options{
		Catalogue: vectorCatalogue, Agents: v.Options.Agents, Tags: v.Options.Tags, Force: v.Options.Force, Adopt: v.Options.Adopt,
		Prune: v.Options.Prune == nil || *v.Options.Prune, AllowEmpty: v.Options.AllowEmpty,
	}
	if v.Command == "uninstall" {
		return NewRemoval(v.Scope, vectorDests(), want, have, ledger, opt), nil
	}
	return NewPlan(vectorDests(), want, have, ledger, opt), nil
}

func (v *vector) desired() (Desired, error) {
	want := Desired{Files: map[string]map[string]*File{}, Subagents: map[string]Subagent{}}
	entries := map[string]vectorEntry{}
	if v.Manifest == nil {
		for file := range v.Desired {
			entries[stem(file)] = vectorEntry{}
		}
	} else if err := json.Unmarshal(v.Manifest, &entries); err != nil {
		return want, err
	}
	want.Unknown = string(v.Manifest) == "null"
	for name, e := range entries {
		if e.Targets == nil {
			e.Targets = schema.ProviderIDs()
		}
		want.Subagents[name] = Subagent{Present: !e.Absent, Targets: e.Targets, Tags: e.Tags}
	}
	for file, text := range v.Desired {
		key, name := path.Split(file)
		key = path.Clean(key)
		if want.Files[key] == nil {
			want.Files[key] = map[string]*File{}
		}
		want.Files[key][name] = &File{Agent: stem(file), Tags: entries[stem(file)].Tags, Data: []byte(text), Sum: text}
	}
	return want, nil
}

func (v *vector) actual() (Actual, error) {
	have := Actual{}
	for _, d := range vectorDests() {
		state := DirState{Files: map[string]FileState{}}
		for file, raw := range v.Actual {
			name := path.Base(file)
			if path.Dir(file) != d.Key {
				continue
			}
			if !d.reads(name) {
				state.Extras = append(state.Extras, name)
				continue
			}
			var err error
			if state.Files[name], err = vectorState(raw); err != nil {
				return nil, err
			}
		}
		have[d.Key] = state
	}
	return have, nil
}

func vectorState(raw json.RawMessage) (FileState, error) {
	if raw[0] == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return FileState{Kind: Regular, Sum: text}, err
	}
	var f struct {
		Marked, Link string
		Other        bool
	}
	err := json.Unmarshal(raw, &f)
	switch {
	case f.Link != "":
		return FileState{Kind: Link, Link: f.Link}, err
	case f.Other:
		return FileState{Kind: Other}, err
	}
	return FileState{Kind: Regular, Sum: f.Marked, Marked: true}, err
}

// vectorLedger reads path → record. Nothing is an empty ledger, null one that
// cannot be read.
func vectorLedger(raw json.RawMessage) (*Ledger, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	var files map[string]json.RawMessage
	if raw != nil {
		if err := json.Unmarshal(raw, &files); err != nil {
			return nil, err
		}
	}
	dirs := map[string]any{}
	for _, d := range vectorDests() {
		records := map[string]any{}
		for file, raw := range files {
			if path.Dir(file) == d.Key {
				records[path.Base(file)] = vectorRecord(stem(file), raw)
			}
		}
		if len(records) > 0 {
			dirs[d.Key] = map[string]any{"provider": d.Provider, "files": records}
		}
	}
	data, err := json.Marshal(map[string]any{"version": 1, "directories": dirs})
	if err != nil {
		return nil, err
	}
	return parseLedger(data)
}

func vectorRecord(agent string, raw json.RawMessage) map[string]json.RawMessage {
	record := map[string]json.RawMessage{}
	if raw[0] == '"' {
		record["sha256"] = raw
	} else if err := json.Unmarshal(raw, &record); err != nil {
		panic(err) // a vector of ours is wrong
	}
	for key, value := range map[string]string{"agent": agent, "catalogue": vectorCatalogue} {
		if record[key] == nil {
			record[key] = json.RawMessage(`"` + value + `"`)
		}
	}
	return record
}

// vectorLines writes actions as the vectors do.
func vectorLines(p *Plan) []string {
	lines := []string{}
	for i := range p.Actions {
		a := &p.Actions[i]
		line := fmt.Sprintf("%s %s %s", a.Act, a.Reason, a.Path())
		if a.Backup != "" {
			line += " -> " + a.Backup
		}
		lines = append(lines, line)
	}
	return lines
}

func ledgerText(t testing.TB, l *Ledger) string {
	t.Helper()
	data, err := l.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

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
