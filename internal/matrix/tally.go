package matrix

import (
	"cmp"
	"slices"

	"github.com/seed-337579fc/subagents/providers"
)

// A tally counts the cells of one setting on each host by level.
type tally struct {
	setting string
	finer   string // the value, of a finer fact
	counts  map[providers.Level][]int
}

func (t tally) label() string {
	if t.finer == "" {
		return t.setting
	}
	return t.setting + ": " + t.finer
}

// tallies counts over all subagents, in the order of the settings.
func (m *Matrix) tallies(grids []grid) []tally {
	var list []tally
	at := map[[2]string]int{}
	for _, g := range grids {
		for _, r := range g.rows {
			key := [2]string{r.setting}
			if r.finer {
				key[1] = r.value
			}
			i, known := at[key]
			if !known {
				i = len(list)
				at[key] = i
				list = append(list, tally{r.setting, key[1], map[providers.Level][]int{}})
			}
			for h, c := range r.cells {
				if c == nil {
					continue
				}
				if list[i].counts[c.Level] == nil {
					list[i].counts[c.Level] = make([]int, len(m.Hosts))
				}
				list[i].counts[c.Level][h] += len(g.names)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b tally) int { return cmp.Compare(place(a.setting), place(b.setting)) })
	return list
}

// A tallyRow is a tally at one level.
type tallyRow struct {
	Label  string
	Level  providers.Level
	Counts []int // by host
}

// tallyRows gives the rows of a table of tallies.
func (m *Matrix) tallyRows(grids []grid) []tallyRow {
	var rows []tallyRow
	for _, t := range m.tallies(grids) {
		for _, l := range providers.Levels() {
			if t.counts[l] != nil {
				rows = append(rows, tallyRow{t.label(), l, t.counts[l]})
			}
		}
	}
	return rows
}
