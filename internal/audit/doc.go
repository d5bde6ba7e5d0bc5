// Package audit reads the agent files of the hosts, whoever wrote them, and
// finds what is risky in them, what their host drops, and what it does not
// load.
//
// A file is read by the decoder of its host, as that client reads it. What the
// decoder says, what the keys say and what the text says becomes findings, each
// with a code of [Rules]. A file without findings was read all the same: the
// report lists every one.
package audit

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Severity says how bad a finding is.
type Severity string

// The severities, from the worst.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Severities lists them from the worst.
func Severities() []Severity { return []Severity{Error, Warning, Note} }

// AtLeast says whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(than Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), than)
}

// A Finding is one thing that somebody should know about a file.
type Finding struct {
	Code     schema.Code
	Severity Severity
	Host     schema.ProviderID
	Agent    string // the subagent's name on the host; empty: the file itself
	At       hcl.Range
	Message  string
	Why      string
	Fix      string
}

// A File is one file that was looked at.
type File struct {
	Path   string            `json:"path"`
	Host   schema.ProviderID `json:"provider,omitempty"`
	Scope  schema.Scope      `json:"scope,omitempty"`
	Agents []string          `json:"subagents"` // that it defines, by their names on the host
	State  State             `json:"state"`
}

// A State says what became of a file.
type State string

// The states.
const (
	Read      State = "read"       // the host takes subagents from it
	NotLoaded State = "not-loaded" // the host does not load it, or not as a subagent
	Other     State = "other"      // it is no agent file, and only its text was looked at
)

// A Report is what an audit found.
type Report struct {
	Files      []File
	Findings   []Finding
	Suppressed []Suppressed
	Sources    map[string]*hcl.File
}

// A Suppressed is a finding that somebody accepted, with the reason.
type Suppressed struct {
	Finding
	Reason string
}

// Worst says whether a finding is as bad as a severity, or worse.
func (r *Report) Worst(than Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity.AtLeast(than) })
}

// Count counts the findings of a severity.
func (r *Report) Count(s Severity) (n int) {
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

func sortFindings(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.At.Filename, b.At.Filename), cmp.Compare(a.At.Start.Byte, b.At.Start.Byte), cmp.Compare(a.Code, b.Code))
	})
}
