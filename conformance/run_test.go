package conformance

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

func TestFrameCutsAnyBodyOutOfItsSurroundings(t *testing.T) {
	around := func(body, model string) []string {
		return []string{"You are a client.", "Intro.\n# Task\n" + body + "\n\n# Tools of this very model " + model + "\nMore.\n# Task\nend"}
	}
	frame, found := frameOf(around(controlBody, "m1"))
	if !found {
		t.Fatal("no frame")
	}
	for _, body := range []string{"x", "", "  indented\n\n", "# Task\n", "\n\n# Tools of this very model m9", strings.Repeat("long\n", 1000)} {
		if got, ok := frame.cut(around(body, "m2")); !ok || got != body {
			t.Errorf("cut %q: got %q, %v", body, got, ok)
		}
	}
	if got, ok := frame.cut(around("x\n\n# Memory\nwords", "m2"), "\n\n# Memory\n"); !ok || got != "x" {
		t.Errorf("an addition stayed: %q, %v", got, ok)
	}
	if _, ok := frame.cut([]string{"You are a client.", "You are generic."}); ok {
		t.Error("a body was found without its frame")
	}
}

func TestFrameOfATextThatIsTheBodyAlone(t *testing.T) {
	frame, found := frameOf([]string{"base", controlBody, "more"})
	if !found {
		t.Fatal("no frame")
	}
	if got, ok := frame.cut([]string{"base", "any\nbody", "more"}); !ok || got != "any\nbody" {
		t.Errorf("got %q, %v", got, ok)
	}
}

func TestCodexRolesHoldAnyDescription(t *testing.T) {
	text := "one: {\nFirst: {\n}\nx\n- This role's model is set to `m`. These settings cannot be changed.\n}\ntwo: {\n}\nthree: {\nx\n}\nworker: {\nBuilt in.\n}"
	got := splitCodexRoles(text, []string{"worker", "two", "one", "absent"})
	want := []codexRole{
		{"one", "First: {\n}\nx\n- This role's model is set to `m`. These settings cannot be changed."},
		{"two", "}\nthree: {\nx"},
		{"worker", "Built in."},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(codexRole{})); diff != "" {
		t.Error(diff)
	}
	if got := codexLock.ReplaceAllString(want[0].text, ""); got != "First: {\n}\nx" {
		t.Errorf("description %q", got)
	}
}

func TestComplaintsNameAFileOrASubagent(t *testing.T) {
	probes := []Probe{{Name: "one", File: ".x/one.md"}, {Name: "two", File: ".x/two.md"}}
	got := attribute([]string{"bad file /p/.x/two.md", "agent 'one' dropped", "everything is one big mess"}, probes)
	want := []Complaint{{".x/two.md", "bad file /p/.x/two.md"}, {".x/one.md", "agent 'one' dropped"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The dialogue spawns in batches, lets a sub-agent make its calls, and remembers who said what.
func TestDialogue(t *testing.T) {
	probes := []Probe{{Name: "a", Calls: []standin.Call{{Name: "read"}}}, {Name: "b"}, {Name: "c"}}
	talk := newDialogue(probes, 2, func(index int, _ *standin.Request) standin.Call {
		return standin.Call{Name: "spawn", Input: probes[index].Name}
	})
	talk.started = func(result string) bool { return result == "started" }
	say := func(role, text string, results ...standin.Result) *standin.Request {
		return &standin.Request{Messages: []standin.Message{{Role: role, Text: text}, {Role: "user", Results: results}}}
	}
	ask := func(request *standin.Request) []string {
		var names []string
		for _, call := range talk.script(context.Background(), request).Calls {
			names = append(names, call.ID)
		}
		return names
	}
	if diff := cmp.Diff([]string{"call_spawn_0", "call_spawn_1"}, ask(say("user", parentPrompt))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"call_0_0"}, ask(say("user", probePrompt(0)))); diff != "" {
		t.Error(diff)
	}
	if got := ask(say("user", probePrompt(0), standin.Result{ID: "call_0_0", Text: "content"})); got != nil {
		t.Errorf("the sub-agent goes on with %v", got)
	}
	last := ask(say("user", parentPrompt, standin.Result{ID: "call_spawn_0", Text: "started"}, standin.Result{ID: "call_spawn_1", Text: "no such agent"}))
	if diff := cmp.Diff([]string{"call_spawn_2"}, last); diff != "" {
		t.Error(diff)
	}
	seen := talk.observations()
	if len(seen[0].Requests) != 2 || seen[0].Results[0].Text != "content" || seen[0].Answer != "started" {
		t.Errorf("a: %+v", seen[0])
	}
	if seen[1].Spawned != nil || seen[1].Answer != "no such agent" {
		t.Errorf("b: %+v", seen[1])
	}
}

func exampleRun() (*Run, []Expect) {
	request := func(model, effort string, tools ...string) *standin.Request {
		r := &standin.Request{Model: model, Effort: effort}
		for _, name := range tools {
			r.Tools = append(r.Tools, standin.Tool{Name: name})
		}
		return r
	}
	run := &Run{
		Client: clients.Client{Provider: "codex", Version: "1.2.3"},
		Agents: []Observation{
			{Name: "good", Listed: true, Description: "D", Spawned: request("m", "low", "write", "read"), Body: "B", BodyFound: true},
			{Name: "bad", Listed: true, Description: "D", Spawned: request("x", "high", "shell"), Body: strings.Repeat("a", 500) + "é!", BodyFound: true},
			{Name: "lost", Answer: "unknown agent"},
		},
		Unexpected: []string{"stranger"},
		Complaints: []Complaint{{"lost.md", "unknown key"}},
	}
	expected := []Expect{
		{Probe: Probe{Name: "good"}, Description: "D", Body: "B", Tools: []string{"read", "write"}, Absent: []string{"shell"}, Model: "m", Effort: "low"},
		{Probe: Probe{Name: "bad"}, Description: "E", Body: strings.Repeat("a", 500) + "é?", Tools: []string{"read"}, Absent: []string{"shell"}, Model: "m", Effort: "low"},
		{Probe: Probe{Name: "lost"}, Description: "D", Body: "B"},
	}
	return run, expected
}

func TestCompareNamesEveryDifference(t *testing.T) {
	run, expected := exampleRun()
	var got []string
	for _, d := range run.Compare(expected) {
		got = append(got, d.Agent+" "+d.What)
	}
	want := []string{
		"bad description", "bad body", "bad tools", "bad tools", "bad model", "bad effort",
		"lost listed", "lost spawned", "stranger listed", "lost.md complaint",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if differences := run.Compare(expected); !strings.Contains(differences[1].Want, `é?"`) || len(differences[1].Want) > 100 {
		t.Errorf("a long text is not cut to the place: %s", differences[1])
	}
}

func TestReport(t *testing.T) {
	run, expected := exampleRun()
	report := &Report{Date: "2026-11-30", Network: "none"}
	report.CountRules("kiro", 10, 1)
	report.Count(run, expected)
	report.Add(run, Capability{Setting: "sandbox_mode", Claimed: "advisory", Seen: "advisory"})
	report.Add(run, Capability{Setting: "model", Claimed: "enforced", Seen: "advisory", Note: "model x"})
	report.Sort()
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `client  version                          subagents  listed  bodies exact  capabilities confirmed  mutations seen
codex   1.2.3                            3          1       1             1 of 2                  0
kiro    no client run: checked by rules  10         9       9             none                    0

Run on 2026-11-30; network: none.
contradicted: codex 1.2.3: model is called enforced, seen advisory: model x
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPage(t *testing.T) {
	run, expected := exampleRun()
	report := &Report{Date: "2026-11-30", Network: "none"}
	report.CountRules("kiro", 10, 0)
	report.Count(run, expected)
	report.Add(run, Capability{Setting: "mcp_servers", When: "x", Claimed: "enforced", Seen: "enforced"})
	run.Client.Version = "1.2.4"
	report.Add(run, Capability{Setting: "mcp_servers", When: "x", Claimed: "advisory", Seen: "advisory"})
	report.Sort()
	report.client("kiro", ByRules, false).NotShown = map[string]string{"*": "nobody has it"}
	report.client("codex", "1.2.4", true).NotShown = map[string]string{"color": "it is not seen"}
	var page bytes.Buffer
	if err := report.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"written by such a run on 2026-11-30; network: none",
		"| kiro | no client run: checked by rules | 10 | 10 | 10 | none | 0 |\n",
		"\n## Codex\n\n| setting | condition | seen on 1.2.4 | seen on 1.2.3 |\n| --- | --- | --- | --- |\n| `mcp_servers` | x | advisory | enforced |\n",
		"\n- `color`: it is not seen.\n",
		"\n## Kiro\n\nNo real client was run: nobody has it.\n",
	} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("the page lacks %q:\n%s", part, page.String())
		}
	}
}
