package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// gitlabIssue is one entry of a code quality report of GitLab, which takes a part
// of the Code Climate format.
type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

var severities = map[Level]string{Error: "major", Warning: "minor", Note: "info"}

// GitLab writes problems as a code quality report, the worst first. A fingerprint
// does not depend on the line, so that a problem that merely moves is not a new
// one; GitLab leaves an entry out whose fingerprint another one has. An entry
// needs a place: fallback is the file of those that have none.
func GitLab(w io.Writer, list []Problem, fallback string) error {
	issues := []gitlabIssue{}
	seen := map[string]int{}
	for _, p := range worstFirst(list) {
		issue := gitlabIssue{Description: strings.ReplaceAll(withHelp(p), "\n", " "), Check: p.Code, Severity: severities[p.Level]}
		issue.Location.Path, issue.Location.Lines.Begin = p.File, max(1, p.At.Start.Line)
		if p.File == "" {
			issue.Location.Path, issue.Location.Lines.Begin = fallback, 1
		}
		key := p.Code + "\x00" + issue.Location.Path + "\x00" + p.Message
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		seen[key]++
		issue.Fingerprint = hex.EncodeToString(sum[:])
		issues = append(issues, issue)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(issues); err != nil {
		return fmt.Errorf("writing a code quality report: %w", err)
	}
	return nil
}
