package conformance

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/providers/all"
)

// TestPageIsOfTheseTables: what docs/conformance.md says that the clients showed is what the tables say of the clients
// that are pinned today. After a change of a table or of a pin, conformance/run --write-docs shows it anew.
func TestPageIsOfTheseTables(t *testing.T) {
	page, err := os.ReadFile("../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := tablesAsReport(t).WriteMarkdown(&want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sections(want.String()), sections(string(page))); diff != "" {
		t.Errorf("write the page anew with conformance/run --write-docs (-tables +page):\n%s", diff)
	}
}

// tablesAsReport is the report of a run that bears every row out.
func tablesAsReport(t *testing.T) *Report {
	t.Helper()
	report := &Report{}
	for _, provider := range all.Providers {
		facts := provider.Facts()
		versions, err := clients.Versions(string(facts.ID))
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range versions {
			row := report.client(string(facts.ID), version, true)
			row.NotShown = unobservable[facts.ID]
			for _, c := range facts.Capabilities {
				if _, excused := row.NotShown[c.Setting]; !excused && holdsFor(c, version) {
					level := string(c.Level)
					row.Capabilities = append(row.Capabilities, Capability{Setting: c.Setting, When: c.When, Claimed: level, Seen: level})
				}
			}
		}
		if len(versions) == 0 {
			report.client(string(facts.ID), ByRules, false).NotShown = unobservable[facts.ID]
		}
	}
	report.Sort()
	return report
}

// sections are the lines of a page from its first section on: what stands before them counts files.
func sections(page string) []string {
	_, text, _ := strings.Cut(page, "\n## ")
	return strings.Split(text, "\n")
}
