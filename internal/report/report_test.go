package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/seed-337579fc/subagents/internal/report"
)

func at(line, column int) hcl.Range {
	return hcl.Range{Start: hcl.Pos{Line: line, Column: column, Byte: line}, End: hcl.Pos{Line: line, Column: column + 3, Byte: line + 3}}
}

// What could end a command or a property early is escaped, and the worst come
// first.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	err := report.GitHub(&b, []report.Problem{
		{Code: "n", Level: report.Note, Message: "note"},
		{Code: "w", Level: report.Warning, Message: "100%\r\nof it::error::x", Help: "do: this", File: "a,b:c%/d.md", At: at(3, 2)},
		{Code: "e", Level: report.Error, Message: "bad", File: "z.md", At: at(1, 1)},
	})
	want := "::error file=z.md,line=1,col=1,title=e::bad\n" +
		"::warning file=a%2Cb%3Ac%25/d.md,line=3,col=2,title=w::100%25%0D%0Aof it::error::x%0Ado: this\n" +
		"::notice title=n::note\n"
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
}

// A step shows ten of a kind: the tenth says how many there are.
func TestGitHubLimit(t *testing.T) {
	var list []report.Problem
	for i := range 12 {
		list = append(list, report.Problem{Code: "w", Level: report.Warning, Message: fmt.Sprint(i), File: "f", At: at(i+1, 1)})
	}
	for i := range 10 {
		list = append(list, report.Problem{Code: "e", Level: report.Error, Message: fmt.Sprint(i), File: "f", At: at(i+1, 1)})
	}
	var b bytes.Buffer
	if err := report.GitHub(&b, list); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	last := lines[len(lines)-1]
	if len(lines) != 20 || strings.Count(b.String(), "::error ") != 10 || last != "::warning title=subagents::12 warnings in all; 3 of them are not shown here" {
		t.Errorf("%d lines\n%s", len(lines), b.String())
	}
}

// The log meets the schema of SARIF 2.1.0.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	tool := report.Tool{Name: "subagents", Version: "1.2.3", URI: "https://example.org", Rules: []report.Rule{{Code: "w", Level: report.Warning, Title: "T", Why: "W", Help: "H"}}}
	list := []report.Problem{
		{Code: "w", Level: report.Warning, Message: "m", Help: "h", File: "a b/ä#.md", At: at(3, 2)},
		{Code: "other", Level: report.Note, Message: "x"},
	}
	if err := report.SARIF(&b, tool, list, map[int]string{1: "known"}); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	run := log.Runs[0]
	first, second := run.Results[0], run.Results[1]
	place := first.Locations[0].PhysicalLocation
	if *place.ArtifactLocation.URI != "a%20b/%C3%A4%23.md" || *place.Region.StartLine != 3 || *place.Region.EndColumn != 5 || *first.Message.Text != "m\nh" || first.Level != "warning" {
		t.Errorf("%s", b.String())
	}
	if len(run.Tool.Driver.Rules) != 2 || second.RuleIndex != 1 || *second.Suppressions[0].Justification != "known" {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	if err := report.SARIF(&b, tool, nil, nil); err != nil || !strings.Contains(b.String(), `"results": []`) {
		t.Errorf("%v %s", err, b.String())
	}
}
