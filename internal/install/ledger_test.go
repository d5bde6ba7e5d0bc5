package install

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-337579fc/subagents/schema"
)

// The ledger of version 1 in testdata is read and written back byte for byte by
// every release, with keys that it does not know at every level.
func TestLedgerOfVersion1(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "ledger-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := parseLedger(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(again)); diff != "" {
		t.Errorf("(-read +written):\n%s", diff)
	}
	want := Record{
		Agent: "code-reviewer", Catalogue: "platform-team", Tags: []string{"go", "review"},
		SHA256: strings.Repeat("0123456789abcdef", 4), Pending: strings.Repeat("fedcba9876543210", 4),
	}
	got, ok := l.Record("/home/jo/.claude/agents", "code-reviewer.md")
	if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".extra" }, cmp.Ignore())); !ok || diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// T86: keys that this version does not know survive a run that rewrites the
// ledger, at every level.
func TestUnknownKeysSurvive(t *testing.T) {
	w := newWorld(t, schema.UserScope)
	w.render(map[string]string{"claude/one.md": "1", "claude/two.md": "2"})
	w.run()
	path := w.job.LedgerPath("")
	text := read(t, path)
	text = strings.Replace(text, `"version": 1`, `"version": 1, "note": {"a": [1, 2.50]}`, 1)
	text = strings.Replace(text, `"provider": "claude"`, `"provider": "claude", "note": "dir"`, 1)
	text = strings.Replace(text, `"agent": "one"`, `"agent": "one", "note": "<file>"`, 1)
	w.write(path, text)
	w.render(map[string]string{"claude/one.md": "changed"})
	wantActs(t, w.run(), map[string]Act{"claude/one.md": Update, "claude/two.md": Delete})
	text = read(t, path)
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"note":{"a":[1,2.50]}`, `"note":"dir"`, `"note":"<file>"`} {
		if !strings.Contains(compact.String(), want) {
			t.Errorf("%s is gone from\n%s", want, text)
		}
	}
}

// docs/ledger.schema.json describes what is written, and not anything else.
func TestLedgerSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	s, err := c.Compile(filepath.Join("..", "..", "docs", "ledger.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(data []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(doc)
	}
	example, err := os.ReadFile(filepath.Join("testdata", "ledger-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	bothScopes(t, func(t *testing.T, scope schema.Scope) {
		w := newWorld(t, scope)
		w.render(five("x"))
		w.know("one", Subagent{Present: true, Targets: schema.ProviderIDs(), Tags: []string{"a"}})
		w.run()
		for _, data := range [][]byte{example, []byte(read(t, w.job.LedgerPath("")))} {
			if err := valid(data); err != nil {
				t.Errorf("%v\n%s", err, data)
			}
		}
	})
	for _, bad := range []string{
		`{}`, `{"version": 2, "directories": {}}`, `{"version": 1}`, `{"version": 1, "directories": {"/x": {}}}`,
		`{"version": 1, "directories": {"/x": {"provider": "claude", "files": {"a.md": {}}}}}`,
		`{"version": 1, "directories": {"/x": {"provider": "claude", "files": {"a.md": {"agent": "a", "catalogue": "c", "sha256": "x"}}}}}`,
		`{"version": 1, "directories": {"/x": {"provider": "claude", "files": {"../a.md": {"agent": "a", "catalogue": "c", "sha256": "` + strings.Repeat("0", 64) + `"}}}}}`,
	} {
		if valid([]byte(bad)) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

// A ledger that can be read is written in one form, which is read the same.
func FuzzLedger(f *testing.F) {
	example, err := os.ReadFile(filepath.Join("testdata", "ledger-v1.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(example), "{}", "null", `{"version": 1}`, `{"version": 1, "directories": {}} }`, `{"version": 1, "directories": null}`,
		`{"version": 1, "Version": 2, "directories": {"/x": {"provider": "claude", "files": {"a.md": {"agent": "a", "Agent": "b", "tags": null}}}}}`,
		`{"version": 1, "directories": {"/x": null}}`, `{"version": 1, "directories": {"/x": {"files": {"a": null}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLedger(data)
		if err != nil {
			return
		}
		out, err := l.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseLedger(out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		if twice, err := again.Bytes(); err != nil || !bytes.Equal(out, twice) {
			t.Errorf("written twice, it differs: %v\n%s\n%s", err, out, twice)
		}
	})
}
