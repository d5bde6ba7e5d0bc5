package install

import (
	"encoding/json"
	"fmt"
	"path"
	"testing"

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
