package report_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/seed-337579fc/subagents/internal/report"
)

// A report has what GitLab needs of each entry, the worst first, and the same
// fingerprint wherever in the file a problem has moved.
func TestGitLab(t *testing.T) {
	type issue struct {
		Description, Fingerprint, Severity string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	write := func(list ...report.Problem) (issues []issue) {
		var b bytes.Buffer
		if err := report.GitLab(&b, list, "subagents.yml"); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
			t.Fatal(err)
		}
		return issues
	}
	warning := report.Problem{Code: "w", Level: report.Warning, Message: "odd", Help: "do this", File: "a.md", At: at(3, 2)}
	got := write(report.Problem{Code: "n", Level: report.Note, Message: "x"}, warning, warning, report.Problem{Code: "e", Level: report.Error, Message: "bad", File: "b.md", At: at(9, 1)})
	if len(got) != 4 || got[0].Severity != "major" || got[1].Severity != "minor" || got[3].Severity != "info" {
		t.Fatalf("%+v", got)
	}
	if w := got[1]; w.Description != "odd do this" || w.Check != "w" || w.Location.Path != "a.md" || w.Location.Lines.Begin != 3 {
		t.Errorf("%+v", w)
	}
	if got[1].Fingerprint == got[2].Fingerprint {
		t.Error("two problems of one kind have one fingerprint")
	}
	if n := got[3]; n.Location.Path != "subagents.yml" || n.Location.Lines.Begin != 1 {
		t.Errorf("%+v", n)
	}
	moved := warning
	moved.At = at(30, 2)
	if again := write(moved); again[0].Fingerprint != got[1].Fingerprint {
		t.Error("a problem that moved has another fingerprint")
	}
	if empty := write(); empty == nil {
		t.Error("no problems are null instead of an empty list")
	}
}
