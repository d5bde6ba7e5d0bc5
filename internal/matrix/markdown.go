package matrix

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-337579fc/subagents/internal/markdown"
)

// Markdown writes the matrix as Markdown tables, condensed like the text for a
// terminal.
func (m *Matrix) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "# Who may do what where\n")
	grids, how := m.condensed()
	if how == counted {
		m.markdownTallies(out, grids)
		return out.Flush()
	}
	for _, g := range grids {
		m.markdownGrid(out, g)
	}
	host := -1
	for _, r := range m.reasons(grids) {
		if r.host != host {
			if host < 0 {
				fmt.Fprint(out, "\n## Why\n")
			}
			host = r.host
			fmt.Fprintf(out, "\n### %s\n\n", markdown.Text(m.Hosts[host].Title))
		}
		fmt.Fprintf(out, "- %s (%s)\n", markdown.Text(r.sentence()), markdown.Text(r.cell.Source))
	}
	return out.Flush()
}

func (m *Matrix) markdownGrid(out *bufio.Writer, g grid) {
	if len(g.names) == 1 {
		fmt.Fprintf(out, "\n## %s\n\n", markdown.Text(g.names[0]))
	} else {
		fmt.Fprintf(out, "\n## %d subagents that fare alike\n\n%s\n\n", len(g.names), markdown.Text(strings.Join(g.names, ", ")))
	}
	fmt.Fprint(out, m.markdownHead("Setting"))
	for _, r := range g.rows {
		cells := []string{markdown.Code(r.label())}
		for _, c := range r.cells {
			text := ""
			if c != nil {
				text = markdown.Text(levelText(c))
			}
			cells = append(cells, text)
		}
		fmt.Fprint(out, markdown.Row(cells...))
	}
}

func (m *Matrix) markdownHead(heads ...string) string {
	for _, h := range m.Hosts {
		heads = append(heads, markdown.Text(h.Title))
	}
	return markdown.Head(heads...)
}

func (m *Matrix) markdownTallies(out *bufio.Writer, grids []grid) {
	fmt.Fprint(out, "\nThe numbers say how many subagents have the setting at the level.\n\n")
	fmt.Fprint(out, m.markdownHead("Setting", "Level"))
	for _, t := range m.tallyRows(grids) {
		cells := []string{markdown.Code(t.Label), string(t.Level)}
		for _, n := range t.Counts {
			text := ""
			if n > 0 {
				text = strconv.Itoa(n)
			}
			cells = append(cells, text)
		}
		fmt.Fprint(out, markdown.Row(cells...))
	}
}
