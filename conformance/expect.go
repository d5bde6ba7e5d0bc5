package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Expect is what a client must make of one rendered sub-agent. Texts and lists are as the client shows them, after
// its documented trimming and cutting.
type Expect struct {
	Probe
	Description string
	Body        string
	Tools       []string // exactly these, sorted; nil: not compared
	Absent      []string // none of these
	Model       string   // "": not compared
	Effort      string   // "": not compared
	// Defined are fields of the client's own view of the definition, as JSON; "" is a field that is not there.
	Defined map[string]string
}

// Difference is one thing that a client did otherwise than expected.
type Difference struct {
	Agent, What string
	Want, Got   string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s: want %s, got %s", d.Agent, d.What, d.Want, d.Got)
}

// Compare holds a run against the expectations it was made for. A client's complaint about a file is a difference, and
// so is a sub-agent that nobody expects.
func (r *Run) Compare(expected []Expect) []Difference {
	var differences []Difference
	add := func(agent, what, want, got string) {
		differences = append(differences, Difference{agent, what, want, got})
	}
	if r.Failure != "" {
		add("", "start", "the client starts", r.Failure)
		return differences
	}
	for _, e := range expected {
		differences = append(differences, e.compare(r.Agent(e.Name))...)
	}
	for _, name := range r.Unexpected {
		add(name, "listed", "no such sub-agent", "listed")
	}
	for _, c := range r.Complaints {
		add(c.File, "complaint", "none", c.Text)
	}
	return differences
}

func (e Expect) compare(got *Observation) []Difference {
	var differences []Difference
	differ := func(what, want, got string) {
		differences = append(differences, Difference{e.Name, what, want, got})
	}
	switch {
	case got == nil:
		differ("probe", "part of the run", "not asked for")
		return differences
	case !got.Listed:
		differ("listed", "listed", "absent")
	case got.Description != e.Description:
		want, have := contrast(e.Description, got.Description)
		differ("description", want, have)
	}
	for _, field := range slices.Sorted(maps.Keys(e.Defined)) {
		if have := got.defined(field); have != e.Defined[field] {
			differ(field, e.Defined[field], have)
		}
	}
	if got.Spawned == nil {
		differ("spawned", "spawned", "refused: "+got.Answer)
		return differences
	}
	if !got.BodyFound {
		differ("body", "the body in its frame", "not found")
	} else if got.Body != e.Body {
		want, have := contrast(e.Body, got.Body)
		differ("body", want, have)
	}
	tools := got.Tools()
	if e.Tools != nil && !slices.Equal(e.Tools, tools) {
		differ("tools", strings.Join(e.Tools, " "), strings.Join(tools, " "))
	}
	for _, name := range e.Absent {
		if slices.Contains(tools, name) {
			differ("tools", "no "+name, strings.Join(tools, " "))
		}
	}
	if e.Model != "" && got.Spawned.Model != e.Model {
		differ("model", e.Model, got.Spawned.Model)
	}
	if e.Effort != "" && got.Spawned.Effort != e.Effort {
		differ("effort", e.Effort, got.Spawned.Effort)
	}
	return differences
}

// contrast quotes the place where two long texts part, with a few characters before it.
func contrast(want, got string) (string, string) {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := max(0, at-30)
	for from > 0 && !utf8.RuneStart(want[from]) {
		from--
	}
	show := func(text string) string {
		if len(text) > from+120 {
			return fmt.Sprintf("byte %d: %q…", from, text[from:from+120])
		}
		return fmt.Sprintf("byte %d: %q", from, text[from:])
	}
	return show(want), show(got)
}
