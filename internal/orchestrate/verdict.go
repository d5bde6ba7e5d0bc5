package orchestrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Severity says how bad a finding is.
type Severity string

// The severities, from the worst. The result contract findings of the built-in
// catalogue says what they mean.
const (
	Blocker Severity = "blocker"
	Major   Severity = "major"
	Minor   Severity = "minor"
	Note    Severity = "note"
)

// Severities lists the severities from the worst.
func Severities() []Severity { return []Severity{Blocker, Major, Minor, Note} }

// AtLeast says whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(other Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), other)
}

// The kinds of subagents, which have different contracts.
const (
	Reviewer = "reviewer" // lists findings
	Executor = "executor" // says done or failed
)

// The outcomes.
const (
	Pass = "pass"
	Fail = "fail"
)

// A Verdict is what follows from a report.
type Verdict struct {
	Version int    `json:"version"`
	Agent   string `json:"agent,omitempty"`
	Kind    string `json:"kind,omitempty"` // empty: a report that is neither
	Verdict string `json:"verdict"`
	// Malformed says why the report does not keep its contract; then the verdict
	// is fail. Empty: it does.
	Malformed string           `json:"malformed,omitempty"`
	BlockAt   Severity         `json:"block_at,omitempty"` // of a reviewer
	Counts    map[Severity]int `json:"counts,omitempty"`   // of a reviewer
	Findings  []Finding        `json:"findings,omitempty"` // of a reviewer, in its order
	Result    string           `json:"result,omitempty"`   // of an executor: done or failed
}

// A Finding is one line of a reviewer's report.
type Finding struct {
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	What     string   `json:"what"`
	Blocks   bool     `json:"blocks"`
	At       int      `json:"at"` // line of the report
}

// maxReport is the size of a report up to which it is read.
const maxReport = 16 << 20

// Judge derives a verdict from a report. A reviewer gives none: it follows from
// the worst severity, and fails if that is at least blockAt. An executor says
// done or failed itself. kind is the one that the manifest gives, or empty to
// tell by the report. A report that does not keep its contract fails.
func Judge(report []byte, kind string, blockAt Severity) *Verdict {
	v := &Verdict{Version: Version, Kind: kind, Verdict: Fail}
	switch {
	case len(report) > maxReport:
		return v.malformed("it is larger than %d MiB", maxReport>>20)
	case !utf8.Valid(report):
		return v.malformed("it is not valid UTF-8")
	case len(bytes.TrimSpace(report)) == 0:
		return v.malformed("it is empty")
	}
	lines := linesOf(report)
	if kind == "" && !v.detect(lines) {
		return v
	}
	if v.Kind == Executor {
		v.execute(lines)
	} else {
		v.review(lines, blockAt)
	}
	return v
}

// linesOf splits a report, without the white space at the ends of lines.
func linesOf(report []byte) []string {
	lines := strings.Split(string(report), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// detect tells the kind by the report. One that could be either is neither: a
// list of findings is not made harmless by a last line.
func (v *Verdict) detect(lines []string) bool {
	findings := slices.ContainsFunc(lines, func(line string) bool {
		_, ok := readFinding(line)
		return ok || line == noFindings
	})
	_, done := readResult(lines[len(lines)-1])
	switch {
	case findings && done:
		v.malformed("it has both findings and a result: say with --agent whose it is")
		return false
	case findings:
		v.Kind = Reviewer
	case done:
		v.Kind = Executor
	default:
		v.malformed("it has neither findings, nor the line %q, nor a last line %q", noFindings, "result: done")
		return false
	}
	return true
}

func (v *Verdict) malformed(format string, args ...any) *Verdict {
	v.Verdict, v.Malformed = Fail, fmt.Sprintf(format, args...)
	return v
}

// execute reads the last line. Every other line of that form has to say the
// same.
func (v *Verdict) execute(lines []string) {
	last := len(lines) - 1
	result, ok := readResult(lines[last])
	if !ok {
		v.malformed("line %d, the last, must be exactly %q or %q", last+1, "result: done", "result: failed")
		return
	}
	for i, line := range lines[:last] {
		if other, ok := readResult(line); ok && other != result {
			v.malformed("line %d says %q and the last line %q", i+1, line, lines[last])
			return
		}
	}
	v.Result = result
	if result == "done" {
		v.Verdict = Pass
	}
}

func readResult(line string) (string, bool) {
	result, ok := strings.CutPrefix(line, "result: ")
	return result, ok && (result == "done" || result == "failed")
}
