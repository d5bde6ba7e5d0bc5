package matrix

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
)

// TextOptions say how the view for a terminal looks.
type TextOptions struct {
	Width int                 // of a line; less than 80 counts as 80
	Color bool                // levels in colour
	Clean func(string) string // makes a text of the manifest safe to show on one line; nil: as it is
}

// The sizes up to which the text is told in full. Beyond them, subagents that
// fare alike are put together; beyond those, levels are counted.
const (
	maxSingle = 6  // subagents, each with its own table
	maxGroups = 10 // tables of subagents that fare alike
	maxValue  = 40 // columns of a value beside its reason
	maxRows   = 24 // rows of a table; beyond, what every host enforces is one line
)

// Text writes the matrix for a terminal.
func (m *Matrix) Text(w io.Writer, opt TextOptions) error {
	opt.Width = max(opt.Width, 80)
	if opt.Clean == nil {
		opt.Clean = func(s string) string { return s }
	}
	out := bufio.NewWriter(w)
	t := &text{Matrix: m, TextOptions: opt, out: out}
	grids, how := m.condensed()
	if how == counted {
		t.tallies(grids)
		t.hint("%d subagents; -a NAME shows one with the reasons, --format json all.", len(m.Subagents))
		return out.Flush()
	}
	for _, g := range grids {
		t.grid(g)
	}
	t.reasons(grids)
	return out.Flush()
}

// A way of telling the matrix.
type way int

const (
	single  way = iota // a table for each subagent
	grouped            // a table for those that fare alike
	counted            // numbers of subagents for each setting
)

// condensed lays the subagents out in the fullest way that stays readable.
func (m *Matrix) condensed() ([]grid, way) {
	grids := m.grids()
	if len(grids) <= maxSingle {
		return grids, single
	}
	if groups := alike(grids); len(groups) <= maxGroups {
		return groups, grouped
	}
	return grids, counted
}

type text struct {
	*Matrix
	TextOptions
	out *bufio.Writer
}

// lines writes a paragraph with a hanging indent.
func (t *text) lines(first, rest, s string) {
	for i, line := range wrap(s, t.Width-max(len(first), len(rest))) {
		fmt.Fprintf(t.out, "%s%s\n", first, line)
		if i == 0 {
			first = rest
		}
	}
}

func (t *text) hint(format string, args ...any) {
	t.lines("", "", fmt.Sprintf(format, args...))
}

// A column of a table: a host, with the room for its levels.
type column struct {
	title string
	room  int
}

// columnsOf gives each host the room that its longest level needs.
func (t *text) columnsOf(rows []gridRow) []column {
	cols := make([]column, len(t.Hosts))
	for h, host := range t.Hosts {
		title := strings.ToUpper(string(host.ID))
		cols[h] = column{title, len(title)}
		for _, r := range rows {
			if _, sole := r.sole(); !sole {
				cols[h].room = max(cols[h].room, len(levelText(r.cells[h])))
			}
		}
	}
	return cols
}

// levelText is what stands in a cell: the level, with a star where there is
// something to say all the same.
func levelText(c *Cell) string {
	switch {
	case c == nil:
		return "-"
	case c.Level == providers.Enforced && c.Code != "":
		return string(c.Level) + "*"
	}
	return string(c.Level)
}

// grid writes the table of one or more subagents.
func (t *text) grid(g grid) {
	title := g.names[0]
	if len(g.names) > 1 {
		title = fmt.Sprintf("%d subagents: %s", len(g.names), strings.Join(g.names, ", "))
	}
	t.lines("", "  ", title)
	rows, nowhere := apart(g.rows, func(r gridRow) bool { return r.uniform(providers.Unsupported) && len(t.Hosts) > 1 })
	var plain []string
	if len(rows) > maxRows {
		rows, plain = apart(rows, func(r gridRow) bool { return r.uniform(providers.Enforced) })
	}
	cols := t.columnsOf(rows)
	room := t.Width - 2
	for _, c := range cols {
		room -= c.room + 2
	}
	fmt.Fprintf(t.out, "  %s", pad("SETTING", room))
	for i, c := range cols {
		t.cell(c.title, c.room, i == len(cols)-1)
	}
	var blocks []gridRow
	for _, r := range rows {
		if _, sole := r.sole(); sole {
			blocks = append(blocks, r)
			continue
		}
		fmt.Fprintf(t.out, "  %s", pad(fit(t.Clean(r.label()), room), room))
		for h, c := range cols {
			t.level(r.cells[h], c.room, h == len(cols)-1)
		}
	}
	if len(blocks) > 0 {
		fmt.Fprintf(t.out, "  %s", pad(ofOneHost, t.Width-4-len("LEVEL")))
		t.cell("LEVEL", 0, true)
	}
	for _, r := range blocks {
		t.block(r)
	}
	if len(nowhere) > 0 {
		t.lines("  ", "    ", "unsupported everywhere: "+strings.Join(nowhere, ", "))
	}
	if len(plain) > 0 {
		t.lines("  ", "    ", "enforced wherever it can be set: "+strings.Join(plain, ", "))
	}
	fmt.Fprintln(t.out)
}

// apart takes the settings out that need no row of their own.
func apart(rows []gridRow, without func(gridRow) bool) (rest []gridRow, settings []string) {
	for _, r := range rows {
		if without(r) {
			settings = append(settings, r.setting)
		} else {
			rest = append(rest, r)
		}
	}
	return rest, settings
}

// ofOneHost heads the keys of blocks, whose level stands in no host's column.
const ofOneHost = "SETTING OF ONE HOST"

// block writes a key of one host's block, with its level at the end.
func (t *text) block(r gridRow) {
	h, _ := r.sole()
	level := levelText(r.cells[h])
	room := t.Width - 4 - len(level)
	fmt.Fprintf(t.out, "  %s", pad(fit(t.Clean(r.label()), room), room))
	t.level(r.cells[h], len(level), true)
}

func (t *text) level(c *Cell, room int, last bool) {
	s := levelText(c)
	fmt.Fprint(t.out, "  ")
	if t.Color && c != nil {
		fmt.Fprintf(t.out, "\x1b[%sm%s\x1b[0m", ansi[c.Level], s)
	} else {
		fmt.Fprint(t.out, s)
	}
	t.end(s, room, last)
}

func (t *text) cell(s string, room int, last bool) {
	fmt.Fprint(t.out, "  "+s)
	t.end(s, room, last)
}

// end fills the room of a column, or ends the line.
func (t *text) end(s string, room int, last bool) {
	if last {
		fmt.Fprintln(t.out)
		return
	}
	fmt.Fprint(t.out, strings.Repeat(" ", room-len(s)))
}

// ansi are the colours of the levels.
var ansi = map[providers.Level]string{
	providers.Enforced: "32", providers.Advisory: "33", providers.Inherited: "36", providers.Unsupported: "31",
}

// reasons writes, host by host, why a setting is not simply enforced.
func (t *text) reasons(grids []grid) {
	host := -1
	for _, r := range t.Matrix.reasons(grids) {
		if r.host != host {
			if host >= 0 {
				fmt.Fprintln(t.out)
			}
			host = r.host
			t.lines("", "  ", t.Hosts[host].Client)
		}
		t.lines("  ", "    ", t.Clean(r.sentence()))
		t.lines("    ", "    ", t.Clean(r.cell.Source))
	}
}

// sentence says what a host does with a setting, and why.
func (r reason) sentence() string {
	c := r.cell
	s := c.Setting
	switch {
	case c.Finer && c.Value != "":
		s += " (" + fit(c.Value, maxValue) + ")"
	case c.About != "":
		s += " (" + c.About + ")"
	}
	s += ": " + levelText(c)
	if c.From != "" {
		s += " from " + c.From
	}
	if c.When != "" {
		s += " when " + c.When
	}
	return s + ". " + c.Why
}
