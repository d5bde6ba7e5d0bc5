package matrix

import (
	"fmt"
	"strings"
)

// tallies writes how many subagents have each setting at which level.
func (t *text) tallies(grids []grid) {
	const level = 12
	cols := make([]column, len(t.Hosts))
	room := t.Width - level
	for h, host := range t.Hosts {
		title := strings.ToUpper(string(host.ID))
		cols[h] = column{title, len(title)}
		room -= len(title) + 2
	}
	fmt.Fprint(t.out, pad("SETTING", room), pad("LEVEL", level))
	for i, c := range cols {
		t.cell(c.title, c.room, i == len(cols)-1)
	}
	label := ""
	for _, row := range t.tallyRows(grids) {
		shown := ""
		if row.Label != label {
			label = row.Label
			shown = fit(t.Clean(label), room-1)
		}
		fmt.Fprint(t.out, pad(shown, room), pad(string(row.Level), level))
		for h, c := range cols {
			n := "-"
			if row.Counts[h] > 0 {
				n = fmt.Sprint(row.Counts[h])
			}
			t.cell(fmt.Sprintf("%*s", c.room, n), c.room, h == len(cols)-1)
		}
	}
	fmt.Fprintln(t.out)
}
