package matrix

import (
	"fmt"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
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
	for _, row := range t.Matrix.tallies(grids) {
		label := fit(t.Clean(row.label()), room-1)
		for _, l := range providers.Levels() {
			counts := row.counts[l]
			if counts == nil {
				continue
			}
			fmt.Fprint(t.out, pad(label, room), pad(string(l), level))
			label = ""
			for h, c := range cols {
				n := "-"
				if counts[h] > 0 {
					n = fmt.Sprint(counts[h])
				}
				t.cell(fmt.Sprintf("%*s", c.room, n), c.room, h == len(cols)-1)
			}
		}
	}
	fmt.Fprintln(t.out)
}
