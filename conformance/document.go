package conformance

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// WriteMarkdown writes the report as a page of the documentation.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var page strings.Builder
	page.WriteString(documentHead)
	fmt.Fprintf(&page, "This page was written by such a run on %s; network: %s.\n\n", r.Date, r.Network)
	writeTable(&page, columns, func(yield func([]string)) {
		for _, c := range r.Clients {
			yield(c.cells())
		}
	})
	page.WriteString(documentLegend)
	for _, id := range schema.ProviderIDs() {
		clients := slices.DeleteFunc(slices.Clone(r.Clients), func(c ClientReport) bool { return c.Provider != string(id) })
		if len(clients) > 0 {
			fmt.Fprintf(&page, "\n## %s\n\n", all.Get(id).Facts().Title)
			writeClients(&page, clients)
		}
	}
	_, err := io.WriteString(w, page.String())
	return err
}

const documentHead = `<!-- Written by conformance/run --write-docs. Do not edit. -->

# Conformance: what the real clients do

` + "`conformance/run`" + ` renders the built-in catalogue, a manifest that sets every key of every block and one of texts that are easily got
wrong, and puts the files before the real clients, each with a home of its own, without a login, speaking only to a stand-in for a
model on the loopback interface. The client has to list every subagent with its exact description; a spawned subagent's own request
has to carry the body byte for byte, and the tools, model and effort that manifest and capability tables promise; and no warning may
name one of the files.

`

const documentLegend = `
- *listed* counts the subagents that the client lists with the exact description, *bodies exact* those whose request carries the body
  byte for byte after the trimming that the client is known for.
- *capabilities confirmed* counts the rows of the client's capability table that a run has borne out: what is called enforced was seen
  enforced, what is called advisory was seen to change nothing, what is called inherited was seen to be the session's, what is called unsupported is
  not in the file or was seen to get lost. A row that a run contradicts fails the suite.
- *mutations seen* counts files that were broken on purpose, in ways that a renderer could break them, and in which the comparison found
  the fault.
`

func writeClients(page *strings.Builder, clients []ClientReport) {
	if !clients[0].RealClient {
		fmt.Fprintf(page, "No real client was run: %s.\n", clients[0].NotShown["*"])
		return
	}
	type row struct{ setting, when string }
	var rows []row
	levels := map[row]map[string]string{}
	head := []string{"setting", "condition"}
	for _, c := range clients {
		head = append(head, "seen on "+c.Version)
		for _, capability := range c.Capabilities {
			key := row{capability.Setting, capability.When}
			if levels[key] == nil {
				levels[key] = map[string]string{}
				rows = append(rows, key)
			}
			levels[key][c.Version] = capability.Seen
		}
	}
	writeTable(page, head, func(yield func([]string)) {
		for _, key := range rows {
			cells := []string{"`" + key.setting + "`", key.when}
			for _, c := range clients {
				cells = append(cells, levels[key][c.Version])
			}
			yield(cells)
		}
	})
	for i, setting := range slices.Sorted(maps.Keys(clients[0].NotShown)) {
		if i == 0 {
			page.WriteString("\nNo run can show these rows:\n\n")
		}
		fmt.Fprintf(page, "- `%s`: %s.\n", setting, clients[0].NotShown[setting])
	}
}

func writeTable(page *strings.Builder, head []string, rows func(yield func([]string))) {
	line := func(cells []string) { page.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	line(slices.Repeat([]string{"---"}, len(head)))
	rows(line)
}
