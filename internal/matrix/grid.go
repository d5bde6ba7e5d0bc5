package matrix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
)

// A grid is the settings of one subagent, or of several that fare alike, against
// the hosts.
type grid struct {
	names []string // of the subagents, in the manifest's order
	rows  []gridRow
}

// A gridRow is one setting over the hosts of the matrix. A host that has no cell
// holds nil: the subagent does not go there, or the setting is another host's.
type gridRow struct {
	setting string
	value   string // empty where the subagents of the grid differ
	finer   bool
	cells   []*Cell
}

// label is the row's name for people.
func (r gridRow) label() string {
	if r.value == "" {
		return r.setting
	}
	return r.setting + ": " + r.value
}

// sole gives the one host that has the row, where it is a key of that host's
// block.
func (r gridRow) sole() (host int, ok bool) {
	if !strings.Contains(r.setting, ".") {
		return 0, false
	}
	host = slices.IndexFunc(r.cells, func(c *Cell) bool { return c != nil })
	return host, host >= 0
}

// uniform says whether a key that every host could have fares alike wherever the
// subagents go, and without a remark.
func (r gridRow) uniform(level providers.Level) bool {
	if _, sole := r.sole(); sole || r.finer {
		return false
	}
	for _, c := range r.cells {
		if c != nil && (c.Level != level || level == providers.Enforced && c.Code != "") {
			return false
		}
	}
	return true
}

// gridOf lays the cells of a subagent out.
func (m *Matrix) gridOf(s *Subagent) grid {
	g := grid{names: []string{s.Name}}
	for h, host := range m.Hosts {
		on := s.on(host.ID)
		if on == nil {
			continue
		}
		for i := range on.Cells {
			c := &on.Cells[i]
			r := g.row(c, len(m.Hosts))
			r.cells[h] = c
		}
	}
	slices.SortStableFunc(g.rows, func(a, b gridRow) int { return cmp.Compare(place(a.setting), place(b.setting)) })
	return g
}

// row finds the row of a cell, or adds it. A whole setting has one row, whatever
// the hosts make of its value; a finer fact has one for each value.
func (g *grid) row(c *Cell, hosts int) *gridRow {
	for i := range g.rows {
		r := &g.rows[i]
		if r.setting == c.Setting && r.finer == c.Finer && (!c.Finer || r.value == c.Value) {
			return r
		}
	}
	g.rows = append(g.rows, gridRow{c.Setting, c.Value, c.Finer, make([]*Cell, hosts)})
	return &g.rows[len(g.rows)-1]
}

// grids lays every subagent out.
func (m *Matrix) grids() []grid {
	list := make([]grid, len(m.Subagents))
	for i := range m.Subagents {
		list[i] = m.gridOf(&m.Subagents[i])
	}
	return list
}

// alike puts the grids together whose settings have the same levels on every
// host, in the order of their first subagent.
func alike(grids []grid) []grid {
	var groups []grid
	at := map[string]int{}
	for _, g := range grids {
		key := g.signature()
		i, known := at[key]
		if !known {
			at[key] = len(groups)
			groups = append(groups, grid{names: slices.Clone(g.names), rows: slices.Clone(g.rows)})
			continue
		}
		groups[i].join(g)
	}
	return groups
}

// signature says how a subagent fares, without its values but for those that
// have a row of their own.
func (g grid) signature() string {
	var b strings.Builder
	for _, r := range g.rows {
		b.WriteString(r.setting)
		if r.finer {
			b.WriteString("=" + r.value)
		}
		for _, c := range r.cells {
			if c == nil {
				b.WriteString("|")
				continue
			}
			fmt.Fprintf(&b, "|%s %s %s", c.Level, c.Code, c.Why)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// join adds a grid of the same signature. What they do not share is left out.
func (g *grid) join(other grid) {
	g.names = append(g.names, other.names...)
	for i := range g.rows {
		if g.rows[i].value != other.rows[i].value {
			g.rows[i].value = ""
		}
	}
}

// A reason is a row of a host's table that is behind one or more cells.
type reason struct {
	host    int
	setting string
	cell    *Cell
}

// reasons lists why cells are not simply enforced, host by host, each once.
func (m *Matrix) reasons(grids []grid) []reason {
	var list []reason
	for h := range m.Hosts {
		seen := map[[3]string]bool{}
		for _, g := range grids {
			for _, r := range g.rows {
				c := r.cells[h]
				if c == nil || c.Code == "" {
					continue
				}
				key := [3]string{c.Setting, string(c.Level), c.Why}
				if !seen[key] {
					seen[key] = true
					list = append(list, reason{h, r.setting, c})
				}
			}
		}
	}
	return list
}
