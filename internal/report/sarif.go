package report

import (
	"fmt"
	"io"
	"net/url"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// A Tool is the program that found the problems, with what it can find.
type Tool struct {
	Name, Version, URI string
	Rules              []Rule
}

// A Rule is a kind of problem.
type Rule struct {
	Code  string
	Level Level
	Title string
	Why   string
	Help  string
}

// SARIF writes problems as a SARIF 2.1.0 log with one run. Suppressed problems
// are in it, with the reason, so that a dashboard does not close them. Rules
// that the tool does not list get their code for a description.
func SARIF(w io.Writer, tool Tool, list []Problem, suppressed map[int]string) error {
	run := sarif.NewRunWithInformationURI(tool.Name, tool.URI)
	run.WithColumnKind("unicodeCodePoints")
	if tool.Version != "" {
		run.Tool.Driver.WithVersion(tool.Version)
	}
	for _, r := range tool.Rules {
		run.AddRule(r.Code).
			WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.Title)).
			WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.Why)).
			WithHelp(sarif.NewMultiformatMessageString().WithText(r.Help)).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(string(r.Level)))
	}
	run.Results = []*sarif.Result{}
	for i, p := range list {
		run.AddRule(p.Code)
		result := run.CreateResultForRule(p.Code).WithLevel(string(p.Level)).WithMessage(sarif.NewTextMessage(withHelp(p)))
		if p.File != "" {
			result.AddLocation(location(p))
		}
		if reason, ok := suppressed[i]; ok {
			result.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(reason))
		}
	}
	log := sarif.NewReport()
	log.AddRun(run)
	if err := log.PrettyWrite(w); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func withHelp(p Problem) string {
	if p.Help == "" {
		return p.Message
	}
	return p.Message + "\n" + p.Help
}

func location(p Problem) *sarif.Location {
	uri := (&url.URL{Path: p.File}).EscapedPath()
	physical := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri))
	if p.At.Start.Line > 0 {
		region := sarif.NewRegion().WithStartLine(p.At.Start.Line).WithStartColumn(p.At.Start.Column)
		if p.At.End.Line >= p.At.Start.Line {
			region.WithEndLine(p.At.End.Line).WithEndColumn(max(p.At.End.Column, 1))
		}
		physical.WithRegion(region)
	}
	return sarif.NewLocationWithPhysicalLocation(physical)
}
