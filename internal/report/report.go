// Package report writes problems for the programs that show them to people: as
// SARIF for code scanning, and as workflow commands for the log of a GitHub
// action.
package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A Level says how bad a problem is, in the words of both formats.
type Level string

// The levels, from the worst.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

var levels = []Level{Error, Warning, Note}

// A Problem is one thing to show, with its place if it has one.
type Problem struct {
	Code    string
	Level   Level
	Message string
	Help    string // what to do
	File    string // slash-separated, relative to where the program runs; empty: none
	At      hcl.Range
}

// worstFirst sorts by level, and by place within a level.
func worstFirst(list []Problem) []Problem {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.At.Start.Byte, b.At.Start.Byte))
	})
	return sorted
}

// shownPerLevel is how many annotations of a kind one step of an action shows.
const shownPerLevel = 10

// GitHub writes problems as workflow commands, the worst first. A step shows ten
// of a kind, so that where there are more the tenth says how many.
func GitHub(w io.Writer, list []Problem) error {
	var b strings.Builder
	left := map[Level]int{}
	for _, p := range list {
		left[p.Level]++
	}
	total := map[Level]int{Error: left[Error], Warning: left[Warning], Note: left[Note]}
	shown := map[Level]int{}
	for _, p := range worstFirst(list) {
		if shown[p.Level]++; total[p.Level] > shownPerLevel && shown[p.Level] >= shownPerLevel {
			continue
		}
		b.WriteString(command(p))
	}
	for _, l := range levels {
		if n := total[l]; n > shownPerLevel {
			rest := n - shownPerLevel + 1
			fmt.Fprintf(&b, "::%s title=subagents::%s\n", kinds[l], escape(fmt.Sprintf("%d %ss in all; %d of them are not shown here", n, l, rest)))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing annotations: %w", err)
	}
	return nil
}

var kinds = map[Level]string{Error: "error", Warning: "warning", Note: "notice"}

// command writes one problem.
func command(p Problem) string {
	var properties []string
	if p.File != "" {
		properties = append(properties, "file="+escapeProperty(p.File))
		if p.At.Start.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d,col=%d", p.At.Start.Line, p.At.Start.Column))
		}
	}
	properties = append(properties, "title="+escapeProperty(p.Code))
	message := p.Message
	if p.Help != "" {
		message += "\n" + p.Help
	}
	return fmt.Sprintf("::%s %s::%s\n", kinds[p.Level], strings.Join(properties, ","), escape(message))
}

// escape writes a text so that it stays on its line.
func escape(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty is [escape] for the value of a property.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escape(s))
}
