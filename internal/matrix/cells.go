package matrix

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Cells lists what a host does with each setting of a subagent: neutral keys in
// the order of the schema, then the keys of the block; finer facts stand after
// the key that they are about. A fact that makes the whole setting weaker, such
// as a tier for which no model is named, stands in the place of the setting.
func Cells(r *render.Rendered, scope schema.Scope) []Cell {
	facts := all.Get(r.Provider).Facts()
	verdicts := facts.Verdicts(scope, r.Uses)
	cells := make([]Cell, 0, len(verdicts))
	for _, v := range verdicts {
		if c := cellOf(v, r); !fold(cells, c) {
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(place(a.Setting), place(b.Setting)) })
	return cells
}

// fold puts a fact about a whole setting in its place, if it is weaker, and says
// whether it did. What is lost of a text leaves the text there.
func fold(cells []Cell, fact Cell) bool {
	key, _, is := strings.Cut(fact.Setting, "#")
	if !is || key == "description" {
		return false
	}
	i := slices.IndexFunc(cells, func(c Cell) bool { return c.Setting == key && !c.Finer })
	if i < 0 || fact.Value != "" && fact.Value != cells[i].Value || !fact.Level.Weaker(cells[i].Level) {
		return false
	}
	was := cells[i]
	cells[i] = fact
	cells[i].Setting, cells[i].Value, cells[i].Finer = was.Setting, was.Value, false
	return true
}

func cellOf(v providers.Verdict, r *render.Rendered) Cell {
	_, about, _ := strings.Cut(v.Row.Setting, "=")
	c := Cell{
		Setting: v.Setting, Value: v.Value, Level: v.Row.Level, Native: native(v, r),
		Finer: v.Finer(), About: about, From: v.Row.From, When: v.Row.When, Why: v.Row.Why, Source: v.Row.Source,
	}
	if v.Noteworthy() {
		c.Code = v.Row.NoteCode()
	}
	for _, row := range v.Rows {
		if row != v.Row {
			c.Others = append(c.Others, Row{row.Level, row.From, row.Until, row.When, row.Why, row.Source})
		}
	}
	return c
}

// native says what stands in the file: what the encoder says, or the value
// itself for a text or number of the host's own block. Access has no
// place of its own anywhere: it is the list of tools.
func native(v providers.Verdict, r *render.Rendered) string {
	if shown := r.Show[v.Setting]; shown != "" && !v.Finer() {
		return shown
	}
	switch {
	case v.Row.Level == providers.Unsupported || v.Row.Level == providers.Inherited || v.Finer():
		return ""
	case v.Setting == "access":
		return r.Show["tools"]
	case strings.HasPrefix(v.Setting, string(r.Provider)+".") && v.Extent == providers.OneValue && !strings.HasPrefix(v.Value, "{"):
		return v.Value
	}
	return ""
}

// order lists the neutral keys as the schema has them.
var order = func() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[schema.Entry]()) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}()

// places gives the position of each key in [order].
var places = func() map[string]int {
	places := map[string]int{}
	for i, key := range order {
		places[key] = i
	}
	return places
}()

// place orders settings: neutral keys as in the schema, then what blocks set.
func place(setting string) int {
	key, _, _ := strings.Cut(setting, "#")
	if at, ok := places[key]; ok {
		return at
	}
	return len(order)
}
