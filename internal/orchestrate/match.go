package orchestrate

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/seed-337579fc/subagents/schema"
)

// A Selection lists the reviewers that a change needs.
type Selection struct {
	Version int `json:"version"`
	// Changed counts the paths; nil where they could not be read, and every
	// reviewer is attached.
	Changed   *int       `json:"changed"`
	Unread    string     `json:"unread,omitempty"` // why
	Reviewers []Attached `json:"reviewers"`
}

// Attached is a reviewer that applies.
type Attached struct {
	Name       string `json:"name"`
	PreferHost string `json:"prefer_host,omitempty"`
	Why        []Why  `json:"why"`
}

// A Why is a reason to attach a reviewer.
type Why struct {
	Rule  Rule   `json:"rule"`
	Class string `json:"class,omitempty"` // of risk
	Path  string `json:"path,omitempty"`  // the first that falls in the class
	Glob  string `json:"glob,omitempty"`  // that says so
	Paths int    `json:"paths,omitempty"` // how many fall in the class
}

// A Rule is what attaches a reviewer.
type Rule string

// The rules.
const (
	Always     Rule = "always"     // it has no attach_on
	RiskClass  Rule = "risk-class" // a changed path falls in a class of its attach_on
	Unread     Rule = "unread"     // the changed paths could not be read
	Unreadable Rule = "bad-glob"   // a class has a pattern that is none
)

// Match says which of the entries are reviewers that a change needs: those
// without attach_on, those one of whose classes a changed path falls in and,
// where that cannot be told, all. Paths are slash-separated and relative to the
// root of the repository. unread says why there are none to go by, or is nil.
func Match(entries []*schema.Entry, changed []string, unread error) *Selection {
	s := &Selection{Version: Version, Reviewers: []Attached{}}
	if unread != nil {
		s.Unread = unread.Error()
	} else {
		n := len(changed)
		s.Changed = &n
	}
	for _, e := range entries {
		if kind, _ := e.InferredKind(); kind != "reviewer" || !e.Present() {
			continue
		}
		why := attach(e, changed, unread)
		if len(why) == 0 {
			continue
		}
		a := Attached{Name: e.Name, Why: why}
		if host := e.Resolved.PreferHost; host != "any" {
			a.PreferHost = host
		}
		s.Reviewers = append(s.Reviewers, a)
	}
	return s
}

// attach lists what attaches a reviewer; nothing if it does not apply.
func attach(e *schema.Entry, changed []string, unread error) []Why {
	on := e.Resolved.AttachOn
	switch {
	case on == nil:
		return []Why{{Rule: Always}}
	case unread != nil:
		return []Why{{Rule: Unread}}
	}
	var list []Why
	classes := e.RiskClasses()
	for _, class := range on {
		if why, ok := inClass(class, classes[class], changed); ok {
			list = append(list, why)
		}
	}
	return list
}

// inClass says whether a changed path falls in a class. A pattern that is none
// is no reason to leave a reviewer out.
func inClass(class string, globs, changed []string) (Why, bool) {
	for _, glob := range globs {
		if !doublestar.ValidatePattern(glob) {
			return Why{Rule: Unreadable, Class: class, Glob: glob}, true
		}
	}
	why := Why{Rule: RiskClass, Class: class}
	for _, path := range changed {
		for _, glob := range globs {
			if doublestar.MatchUnvalidated(glob, path) {
				if why.Paths++; why.Paths == 1 {
					why.Path, why.Glob = path, glob
				}
				break
			}
		}
	}
	return why, why.Paths > 0
}

// String says it in a few words.
func (w Why) String() string {
	switch w.Rule {
	case Always:
		return "always"
	case Unread:
		return "the changed paths could not be read"
	case Unreadable:
		return fmt.Sprintf("%s: %q is no pattern", w.Class, w.Glob)
	}
	text := fmt.Sprintf("%s: %s (%s)", w.Class, w.Path, w.Glob)
	if w.Paths > 1 {
		text += fmt.Sprintf(" and %d more", w.Paths-1)
	}
	return text
}
