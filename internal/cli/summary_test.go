package cli

import (
	"testing"

	"github.com/seed-337579fc/subagents/internal/install"
)

// A run that the machine cut short counts what it did, and says how much it did
// not do.
func TestSummaryOfARunCutShort(t *testing.T) {
	report := &install.Report{
		Command: "install",
		Actions: []install.Line{{Action: install.Create}, {Action: install.Update, Failed: true}, {Action: install.Update, Failed: true}},
		Summary: map[install.Act]int{install.Create: 1},
	}
	if got, want := summaryOf(report), "install: 1 created, 2 not done"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
