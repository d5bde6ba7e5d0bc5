package matrix

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
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
			fmt.Fprintf(out, "\n### %s\n\n", escape(m.Hosts[host].Title))
		}
		fmt.Fprintf(out, "- %s (%s)\n", escape(r.sentence()), escape(r.cell.Source))
	}
	return out.Flush()
}

func (m *Matrix) markdownGrid(out *bufio.Writer, g grid) {
	if len(g.names) == 1 {
		fmt.Fprintf(out, "\n## %s\n\n", escape(g.names[0]))
	} else {
		fmt.Fprintf(out, "\n## %d subagents that fare alike\n\n%s\n\n", len(g.names), escape(strings.Join(g.names, ", ")))
	}
	m.markdownHead(out, "Setting")
	for _, r := range g.rows {
		fmt.Fprintf(out, "| %s |", code(r.label()))
		for _, c := range r.cells {
			if c == nil {
				fmt.Fprint(out, " |")
				continue
			}
			fmt.Fprintf(out, " %s |", escape(levelText(c)))
		}
		out.WriteByte('\n')
	}
}

func (m *Matrix) markdownHead(out *bufio.Writer, columns ...string) {
	for _, c := range columns {
		fmt.Fprintf(out, "| %s ", c)
	}
	for _, h := range m.Hosts {
		fmt.Fprintf(out, "| %s ", escape(h.Title))
	}
	fmt.Fprintf(out, "|\n%s|\n", strings.Repeat("|---", len(columns)+len(m.Hosts)))
}

func (m *Matrix) markdownTallies(out *bufio.Writer, grids []grid) {
	fmt.Fprint(out, "\nThe numbers say how many subagents have the setting at the level.\n\n")
	m.markdownHead(out, "Setting", "Level")
	for _, t := range m.tallies(grids) {
		for _, l := range providers.Levels() {
			if t.counts[l] == nil {
				continue
			}
			fmt.Fprintf(out, "| %s | %s |", code(t.label()), l)
			for _, n := range t.counts[l] {
				if n == 0 {
					fmt.Fprint(out, " |")
					continue
				}
				fmt.Fprintf(out, " %d |", n)
			}
			out.WriteByte('\n')
		}
	}
}

// special are the characters that Markdown would obey.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`, "\n", " ", "\r", " ",
)

// escape writes a text so that Markdown shows it as it is, on one line.
func escape(s string) string { return special.Replace(s) }

// code writes a text in code, inside a table.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	s = strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`).Replace(s)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
