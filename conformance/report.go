package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
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
	Capabilities []Capability `json:"capabilities"`
}

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

// CountRules adds files that were checked by rules; wrong is the number of files with a broken rule.
func (r *Report) CountRules(provider string, files, wrong int) {
	row := r.client(provider, "checked by rules, not by the client", false)
	row.Subagents += files
	row.Listed += files - wrong
	row.Exact += files - wrong
}

// Add adds a capability that a run has shown.
func (r *Report) Add(run *Run, capability Capability) {
	row := r.client(run.Client.Provider, run.Client.Version, true)
	row.Capabilities = append(row.Capabilities, capability)
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
	fmt.Fprintf(table, "client\tversion\tsubagents\tlisted\tbodies exact\tcapabilities confirmed\n")
	for _, c := range r.Clients {
		capabilities := fmt.Sprintf("%d of %d", len(c.Capabilities)-len(c.contradicted()), len(c.Capabilities))
		if !c.RealClient {
			capabilities = "—"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\n", c.Provider, c.Version, c.Subagents, c.Listed, c.Exact, capabilities)
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

func (c ClientReport) contradicted() []Capability {
	return slices.DeleteFunc(slices.Clone(c.Capabilities), Capability.Confirmed)
}
