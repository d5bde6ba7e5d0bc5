package providers

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-337579fc/subagents/schema"
)

// A lookup finds rows of the capability table without going through it.
type lookup struct {
	once   sync.Once
	scopes map[schema.Scope]map[string]*entry
}

// An entry is what the table has about a setting in a scope.
type entry struct {
	found
	values map[string]*found // value → rows about it
}

// found are the rows about one thing.
type found struct {
	all     []Capability // of older clients too
	current []Capability
	decides Capability // the weakest of current
}

var nothing = &found{}

// look gives the rows about a value if there are any that hold today, else those
// about the key.
func (f *Facts) look(setting, value string, scope schema.Scope) *found {
	f.lookup.once.Do(f.index)
	e := f.lookup.scopes[scope][setting]
	if e == nil {
		return nothing
	}
	if v := e.values[value]; v != nil && v.current != nil {
		return v
	}
	return &e.found
}

func (f *Facts) index() {
	f.lookup.scopes = map[schema.Scope]map[string]*entry{}
	for _, scope := range []schema.Scope{"", schema.UserScope, schema.ProjectScope} {
		entries := map[string]*entry{}
		f.lookup.scopes[scope] = entries
		for _, c := range f.Capabilities {
			if c.Scope != "" && scope != "" && c.Scope != scope {
				continue
			}
			setting, value, valued := strings.Cut(c.Setting, "=")
			e := entries[setting]
			if e == nil {
				e = &entry{values: map[string]*found{}}
				entries[setting] = e
			}
			to := &e.found
			if valued {
				if e.values[value] == nil {
					e.values[value] = &found{}
				}
				to = e.values[value]
			}
			to.add(c)
		}
	}
}

func (f *found) add(c Capability) {
	f.all = append(f.all, c)
	if !c.Current() {
		return
	}
	f.current = append(f.current, c)
	f.decides = slices.MaxFunc(f.current, compareRows)
}

// compareRows puts the row last that promises least; of equals one that has
// something to say, of those one without a condition. [slices.MaxFunc] takes the
// first of those.
func compareRows(a, b Capability) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Levels(), a.Level), slices.Index(Levels(), b.Level)),
		compareSet(string(a.Code), string(b.Code)),
		compareSet(b.When, a.When),
	)
}

// compareSet puts a text that is there after one that is not.
func compareSet(a, b string) int { return cmp.Compare(min(len(a), 1), min(len(b), 1)) }
