package providers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Verdict is what a host does with one setting as a manifest has it.
type Verdict struct {
	Use
	Row  Capability   // the row that decides: the weakest of those that hold today
	Rows []Capability // every row about it, those of older clients and other conditions too
}

// Noteworthy says whether the host does not simply enforce the setting.
func (v Verdict) Noteworthy() bool { return v.Row.Level != Enforced || v.Row.Code != "" }

// About gives the setting that a finer fact belongs to: description for
// description#backslash-n.
func (u Use) About() string {
	key, _, _ := strings.Cut(u.Setting, "#")
	return key
}

// Finer says whether the use is about less than the whole of a setting.
func (u Use) Finer() bool { return u.Extent == OneItem || u.About() != u.Setting }

// Verdicts holds what a subagent touches against the table: one verdict for
// each thing touched, in the order of first use. Keys that the tool applies
// itself have none.
func (f *Facts) Verdicts(scope schema.Scope, uses []Use) []Verdict {
	list := make([]Verdict, 0, len(uses))
	for i, u := range uses {
		if slices.ContainsFunc(uses[:i], u.same) {
			continue
		}
		setting := u.Setting
		if only := slices.IndexFunc(uses, func(v Use) bool { return v.Row != "" && v.same(u) }); only >= 0 {
			setting = uses[only].Row
		}
		value := u.Value
		if u.Extent == WholeList {
			value = ""
		}
		if rows := f.look(setting, value, scope); rows.current != nil {
			list = append(list, Verdict{Use: u, Row: rows.decides, Rows: rows.all})
		}
	}
	return list
}

func (u Use) same(v Use) bool {
	return u.Setting == v.Setting && u.Value == v.Value && u.Extent == v.Extent
}

// why says why the setting is not simply enforced, under other conditions too.
func (v Verdict) why() string {
	why := v.Row.Why
	for _, row := range v.Rows {
		if row != v.Row && row.Current() && row.Level != Enforced {
			why += fmt.Sprintf(" If %s, it is %s: %s", row.When, row.Level, row.Why)
		}
	}
	return why
}

// A Note says that a host does not simply enforce what the manifest says.
type Note struct {
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	Setting  string            `json:"setting"`
	Value    string            `json:"value,omitempty"`
	Level    Level             `json:"level"`
	Code     schema.Code       `json:"code"`
	When     string            `json:"when,omitempty"`
	Why      string            `json:"why"`
	Source   string            `json:"source"`
	At       hcl.Range         `json:"-"`
}

// Notes turns verdicts about a subagent into notes: one for each setting and
// value that is not simply enforced. Of a list with one item and the item the
// weaker is told.
func (f *Facts) Notes(agent string, verdicts []Verdict) []Note {
	var notes []Note
	for _, v := range verdicts {
		if !v.Noteworthy() {
			continue
		}
		n := Note{
			Agent: agent, Provider: f.ID, Setting: v.Setting, Value: v.Value, Level: v.Row.Level, Code: v.Row.NoteCode(),
			When: v.Row.When, Why: v.why(), Source: v.Row.Source, At: v.At,
		}
		i := slices.IndexFunc(notes, func(o Note) bool { return o.Setting == n.Setting && o.Value == n.Value })
		switch {
		case i < 0:
			notes = append(notes, n)
		case n.Level.Weaker(notes[i].Level):
			notes[i] = n
		}
	}
	return notes
}
