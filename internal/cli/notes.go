package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// note is a fidelity note in a JSON document, with the place that it is about.
type note struct {
	providers.Note
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

func notesOf(list []providers.Note) []note {
	out := []note{}
	for _, n := range list {
		out = append(out, note{n, n.At.Filename, n.At.Start.Line, n.At.Start.Column})
	}
	return out
}

// notesFlag adds --notes to a command.
func notesFlag(cmd *cobra.Command, all *bool) {
	cmd.Flags().BoolVar(all, "notes", false, "list every setting that a host does not simply enforce")
}

// tellNotes prints the notes on standard error: all of them, or a line for each
// host.
func (r *runner) tellNotes(list []providers.Note, all bool) {
	if r.format != formatText {
		return
	}
	if !all {
		for _, line := range summarise(list) {
			r.note("%s (--notes lists them)", line)
		}
		return
	}
	for _, n := range list {
		setting := n.Setting
		if n.Value != "" {
			setting += " (" + n.Value + ")"
		}
		why := n.Why
		if n.When != "" {
			why = fmt.Sprintf("If %s: %s", n.When, why)
		}
		fmt.Fprintf(r.Err, "%s:%d:%d: %s on %s: %s is %s: %s [%s]\n", oneLine(n.At.Filename), n.At.Start.Line, n.At.Start.Column,
			n.Agent, n.Provider, oneLine(setting), n.Level, oneLine(why), n.Code)
	}
}

// summarise writes a line for each host: how many settings it does not simply
// enforce, by level.
func summarise(list []providers.Note) []string {
	type cell struct {
		provider schema.ProviderID
		level    providers.Level
	}
	settings := map[cell]map[string]bool{}
	for _, n := range list {
		c := cell{n.Provider, n.Level}
		if settings[c] == nil {
			settings[c] = map[string]bool{}
		}
		settings[c][n.Setting] = true
	}
	var lines []string
	for _, id := range schema.ProviderIDs() {
		var counts []string
		for _, level := range append(providers.Levels()[1:], providers.Enforced) {
			n := len(settings[cell{id, level}])
			if n == 0 {
				continue
			}
			what := string(level)
			if level == providers.Enforced {
				what = "enforced with a remark"
			}
			if len(counts) == 0 {
				counts = append(counts, plural(n, "setting")+" "+what)
				continue
			}
			counts = append(counts, fmt.Sprintf("%d %s", n, what))
		}
		if len(counts) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", id, strings.Join(counts, ", ")))
		}
	}
	return lines
}
