package install

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/schema"
)

// differentialRuns is how many random plans the two planners are compared on.
const differentialRuns = 800

// The Python planner of the Ansible module answers random cases as the Go
// planner does: the actions, what is held, and the bytes of both ledgers.
func TestPlannersAgree(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 on PATH, which runs the other planner")
	}
	r := rand.New(rand.NewPCG(7, 11))
	cases := struct {
		Plans   []vector       `json:"plans"`
		Ledgers []ledgerVector `json:"ledgers"`
	}{}
	acts := map[Act]int{}
	for i := range differentialRuns {
		v := randomVector(r, fmt.Sprintf("random %d", i))
		p, err := v.plan()
		if err != nil {
			t.Fatal(err)
		}
		for j := range p.Actions {
			acts[p.Actions[j].Act]++
		}
		v.answer(t, p)
		cases.Plans = append(cases.Plans, v)
		cases.Ledgers = append(cases.Ledgers, mutatedLedger(t, r, fmt.Sprintf("mutated %d", i)))
	}
	for _, act := range Acts() {
		if acts[act] < 10 {
			t.Errorf("only %d random cases have the act %s", acts[act], act)
		}
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join("..", "..", "ansible", "tests", "unit", "vectors.py"), file)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	if want := fmt.Sprintf("%d cases, 0 differences", 2*differentialRuns); !strings.Contains(string(out), want) {
		t.Errorf("the Python planner says %q, want %q", out, want)
	}
}

// answer writes down what the Go planner says.
func (v *vector) answer(t *testing.T, p *Plan) {
	v.Want, v.Held = vectorLines(p), p.Held
	if p.ledger == nil {
		return
	}
	next, _ := p.next(func(int) bool { return true })
	after, intent := ledgerText(t, next), ledgerText(t, p.intent())
	v.AfterText, v.IntentText = &after, &intent
}

// randomVector draws from few names and texts, so that everything meets
// everything.
func randomVector(r *rand.Rand, name string) vector {
	v := vector{
		Name: name, Command: pick(r, "install", "install", "uninstall"), Scope: pick(r, schema.UserScope, schema.ProjectScope),
		Options: vectorOptions{Force: chance(r, 3), Adopt: chance(r, 3), AllowEmpty: chance(r, 4)},
		Desired: map[string]string{}, Actual: map[string]json.RawMessage{},
	}
	if chance(r, 3) {
		v.Options.Prune = new(bool)
	}
	if chance(r, 5) {
		v.Options.Agents = []string{pick(r, names...), pick(r, names...)}
	}
	if chance(r, 5) {
		v.Options.Tags = []string{pick(r, "go", "web")}
	}
	v.Manifest = randomManifest(r)
	ledger := map[string]any{}
	for _, file := range files() {
		if chance(r, 2) && string(v.Manifest) != "null" {
			v.Desired[file] = pick(r, texts...)
		}
		if state := randomState(r); state != nil {
			v.Actual[file] = encode(state)
		}
		if chance(r, 5) {
			v.Actual[file+backupSuffix+pick(r, "", ".1", ".2")] = encode("older")
		}
		if record := randomRecord(r); record != nil {
			ledger[file] = record
		}
	}
	v.Ledger = encode(ledger)
	if chance(r, 12) {
		v.Ledger = json.RawMessage("null")
	}
	return v
}

var (
	names = []string{"one", "two", "three"}
	texts = []string{"v1", "v2"}
)

func files() []string {
	var list []string
	for _, name := range names {
		list = append(list, "/c/"+name+".md", "/x/"+name+".toml", "/k/"+name+".json", "/k/"+name+".md")
	}
	return append(list, "/c/Odd Name.md", "/c/notes.txt")
}

func randomManifest(r *rand.Rand) json.RawMessage {
	switch r.IntN(10) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return json.RawMessage("{}")
	}
	entries := map[string]vectorEntry{}
	for _, name := range names {
		if chance(r, 4) {
			continue
		}
		e := vectorEntry{Absent: chance(r, 4), Tags: randomTags(r)}
		if chance(r, 3) {
			e.Targets = []schema.ProviderID{pick(r, schema.ClaudeID, schema.CodexID, schema.KiroID)}
		}
		entries[name] = e
	}
	return encode(entries)
}

func randomTags(r *rand.Rand) []string {
	return pick(r, nil, nil, []string{"go"}, []string{"web", "go"}, []string{"web"})
}

func randomState(r *rand.Rand) any {
	switch r.IntN(10) {
	case 0:
		return map[string]any{"link": pick(r, "/opt/a", "/opt/b")}
	case 1:
		return map[string]any{"other": true}
	case 2:
		return map[string]any{"marked": pick(r, texts...)}
	case 3:
		return "by hand"
	case 4, 5:
		return nil
	}
	return pick(r, texts...)
}

func randomRecord(r *rand.Rand) any {
	if chance(r, 4) {
		return nil
	}
	record := map[string]any{}
	if tags := randomTags(r); tags != nil {
		record["tags"] = tags
	}
	switch r.IntN(6) {
	case 0:
		record["pending"] = pick(r, texts...)
	case 1:
		record["link"] = pick(r, "/opt/a", "/opt/b")
	case 2:
		record["sha256"], record["pending"] = pick(r, texts...), pick(r, texts...)
	default:
		record["sha256"] = pick(r, texts...)
	}
	if chance(r, 5) {
		record["catalogue"] = "other"
	}
	if chance(r, 8) {
		record["agent"] = pick(r, names...)
	}
	if chance(r, 8) {
		record["later"] = map[string]any{"kept": []any{1, "é", nil, map[string]any{}}}
	}
	return record
}

// A ledgerVector is the text of a ledger, and how it is written back; nil: it
// cannot be read.
type ledgerVector struct {
	Name string  `json:"name"`
	Text string  `json:"text"`
	Want *string `json:"want"`
}

// mutatedLedger breaks the example, or not.
func mutatedLedger(t *testing.T, r *rand.Rand, name string) ledgerVector {
	t.Helper()
	text := []byte(read(t, filepath.Join("testdata", "ledger-v1.json")))
	const bits = "{}[]:,\"\\ \n\tnulltrue0123456789.-eE+agent\x01\x7f/"
	for range r.IntN(4) {
		at := r.IntN(len(text))
		switch r.IntN(3) {
		case 0:
			text[at] = bits[r.IntN(len(bits))]
		case 1:
			text = append(text[:at], text[at+1:]...)
		default:
			text = append(text[:at], append([]byte{bits[r.IntN(len(bits))]}, text[at:]...)...)
		}
	}
	v := ledgerVector{Name: name, Text: string(text)}
	if l, err := parseLedger(text); err == nil {
		out := ledgerText(t, l)
		v.Want = &out
	}
	return v
}

// chance is true once in n times.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a case of ours is wrong
	}
	return data
}
