package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Report is the outcome of a suite, the same data as JSON and as a table.
type Report struct {
	Date    string         `json:"date"`    // of the run, 2026-11-30
	Network string         `json:"network"` // what the clients could reach
	Clients []ClientReport `json:"clients"`
}

// ClientReport sums up the runs of one client. Without a real client the files were checked by rules, and listed and
// exact count the files that broke none.
type ClientReport struct {
	Provider     string       `json:"provider"`
	Version      string       `json:"version"`
	RealClient   bool         `json:"real_client"`
	Subagents    int          `json:"subagents"` // rendered files put before the client
	Listed       int          `json:"listed"`    // of them, with the exact description
	Exact        int          `json:"bodies_exact"`
	Mutations    int          `json:"mutations_seen"` // files broken on purpose that the comparison saw
	Capabilities []Capability `json:"capabilities"`
	// NotShown are the settings whose rows no run can show, each with the reason; "*" is for the whole table.
	NotShown map[string]string `json:"not_shown,omitempty"`
}

// ByRules stands in the place of a version where no client was run.
const ByRules = "no client run: checked by rules"

// Capability is one row of a capability table held against a run.
type Capability struct {
	Setting string `json:"setting"`
	Claimed string `json:"claimed"`        // level of the capability table
	Seen    string `json:"seen"`           // level that the run showed
	When    string `json:"when,omitempty"` // condition, for instance "the folder is trusted"
	Note    string `json:"note,omitempty"` // what was seen, where it differs
}

// Confirmed reports whether the run bears the table out.
func (c Capability) Confirmed() bool { return c.Claimed == c.Seen }

// client returns the row of a client, adding it if need be.
func (r *Report) client(provider, version string, real bool) *ClientReport {
	at := slices.IndexFunc(r.Clients, func(c ClientReport) bool { return c.Provider == provider && c.Version == version })
	if at < 0 {
		at = len(r.Clients)
		r.Clients = append(r.Clients, ClientReport{Provider: provider, Version: version, RealClient: real, Capabilities: []Capability{}})
	}
	return &r.Clients[at]
}

// Count adds a run that was held against expectations.
func (r *Report) Count(run *Run, expected []Expect) {
	row := r.client(run.Client.Provider, run.Client.Version, true)
	for _, e := range expected {
		row.Subagents++
		agent := run.Agent(e.Name)
		if agent == nil {
			continue
		}
		if agent.Listed && agent.Description == e.Description {
			row.Listed++
		}
		if agent.BodyFound && agent.Body == e.Body {
			row.Exact++
		}
	}
}

// CountMutation adds a file that was broken on purpose and seen to be.
func (r *Report) CountMutation(provider, version string, real bool) {
	r.client(provider, version, real).Mutations++
}

// CountRules adds files that were checked by rules; wrong is the number of files with a broken rule.
func (r *Report) CountRules(provider string, files, wrong int) {
	row := r.client(provider, ByRules, false)
	row.Subagents += files
	row.Listed += files - wrong
	row.Exact += files - wrong
}

// Add adds a capability that a run has shown. Of two showings of one row that disagree the one that contradicts the
// table stays.
func (r *Report) Add(run *Run, capability Capability) {
	row := r.client(run.Client.Provider, run.Client.Version, true)
	at := slices.IndexFunc(row.Capabilities, func(c Capability) bool { return c.Setting == capability.Setting && c.When == capability.When })
	switch {
	case at < 0:
		row.Capabilities = append(row.Capabilities, capability)
	case row.Capabilities[at].Confirmed():
		row.Capabilities[at] = capability
	}
}

// Sort brings the report into an order that does not depend on the order of the tests.
func (r *Report) Sort() {
	slices.SortFunc(r.Clients, func(a, b ClientReport) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(b.Version, a.Version))
	})
	for _, c := range r.Clients {
		slices.SortFunc(c.Capabilities, func(a, b Capability) int {
			return cmp.Or(cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.When, b.When))
		})
	}
}

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// WriteText writes the report as a table, followed by the capability rows that a run contradicts.
func (r *Report) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join(columns, "\t"))
	for _, c := range r.Clients {
		fmt.Fprintln(table, strings.Join(c.cells(), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nRun on %s; network: %s.\n", r.Date, r.Network)
	for _, c := range r.Clients {
		for _, wrong := range c.contradicted() {
			fmt.Fprintf(&text, "contradicted: %s %s: %s is called %s, seen %s: %s\n", c.Provider, c.Version, wrong.Setting, wrong.Claimed, wrong.Seen, wrong.Note)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// columns and cells are the table of every form of the report.
var columns = []string{"client", "version", "subagents", "listed", "bodies exact", "capabilities confirmed", "mutations seen"}

func (c ClientReport) cells() []string {
	capabilities := fmt.Sprintf("%d of %d", len(c.Capabilities)-len(c.contradicted()), len(c.Capabilities))
	if !c.RealClient {
		capabilities = "none"
	}
	return []string{
		c.Provider, c.Version, strconv.Itoa(c.Subagents), strconv.Itoa(c.Listed), strconv.Itoa(c.Exact), capabilities, strconv.Itoa(c.Mutations),
	}
}

func (c ClientReport) contradicted() []Capability {
	return slices.DeleteFunc(slices.Clone(c.Capabilities), Capability.Confirmed)
}
