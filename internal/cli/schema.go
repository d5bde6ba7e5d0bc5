package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// toolsDocument is what schema --tools --format json prints.
type toolsDocument struct {
	Version int       `json:"version"`
	Tools   []toolRow `json:"tools"`
}

// toolRow is a neutral verb with what each host calls it. A host without the
// tool has an empty list.
type toolRow struct {
	Verb     schema.Verb                    `json:"verb"`
	Mutating bool                           `json:"mutating"`
	Native   map[schema.ProviderID][]string `json:"native"`
}

// capabilitiesDocument is what schema --capabilities --format json prints.
type capabilitiesDocument struct {
	Version   int                 `json:"version"`
	Providers []capabilitiesTable `json:"providers"`
}

type capabilitiesTable struct {
	Provider     schema.ProviderID `json:"provider"`
	Title        string            `json:"title"`
	Client       string            `json:"client"`
	Observed     []string          `json:"observed"`
	Proof        string            `json:"proof"`
	Capabilities []capabilityRow   `json:"capabilities"`
}

type capabilityRow struct {
	Setting string          `json:"setting"`
	Level   providers.Level `json:"level"`
	Code    schema.Code     `json:"code,omitempty"`
	Scope   schema.Scope    `json:"scope,omitempty"`
	From    string          `json:"from,omitempty"`
	Until   string          `json:"until,omitempty"`
	When    string          `json:"when,omitempty"`
	Why     string          `json:"why"`
	Source  string          `json:"source"`
}

func (r *runner) schemaCommand() *cobra.Command {
	var check string
	var tools, capabilities bool
	cmd := uses(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the manifest, or the tables of the hosts",
		Long: `Schema prints the JSON Schema (draft 2020-12) of the manifest, which editors can
use. With --check it checks a file against it and against the rules that need no
host; validate checks more. --tools and --capabilities print the tables that
rendering and fidelity notes are made from.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case cmd.Flags().Changed("check"):
				return r.schemaCheck(check)
			case tools:
				return r.schemaTools()
			case capabilities:
				return r.schemaCapabilities()
			}
			_, err := r.Out.Write(schema.JSONSchema)
			return err
		},
	}, flagProvider, flagFormat, flagOutside)
	cmd.Flags().StringVar(&check, "check", "", "check this manifest `FILE`")
	cmd.Flags().BoolVar(&tools, "tools", false, "print what each host calls the neutral tools")
	cmd.Flags().BoolVar(&capabilities, "capabilities", false, "print what each host does with each setting")
	cmd.MarkFlagsMutuallyExclusive("check", "tools", "capabilities")
	return cmd
}

// schemaCheck reports what is wrong in a file before any host is looked at.
func (r *runner) schemaCheck(file string) error {
	r.manifests = []string{file}
	m, err := r.loadManifest()
	if err != nil {
		return err
	}
	m.diags = settle(m.diags)
	errors, warnings := count(m.diags)
	if r.format == formatJSON {
		entries := 0
		if m.Manifest != nil {
			entries = len(m.Entries())
		}
		err = r.json(r.Out, validateDocument{
			Version: documentVersion, Manifest: m.name, Valid: errors == 0, Errors: errors, Warnings: warnings, Subagents: entries,
			Problems: problemsOf(m.diags), Notes: []note{},
		})
	} else {
		err = r.report(m.diags, m.files())
	}
	switch {
	case err != nil:
		return err
	case errors > 0:
		return no()
	case r.format == formatText:
		r.done("%s conforms", m.name)
	}
	return nil
}

// chosen lists the hosts that -p names, else all.
func (r *runner) chosen() []providers.Provider {
	if len(r.providers) == 0 {
		return all.Providers
	}
	var list []providers.Provider
	for _, p := range all.Providers {
		for _, id := range r.providers {
			if string(p.Facts().ID) == id {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

func (r *runner) schemaTools() error {
	hosts := r.chosen()
	doc := toolsDocument{Version: documentVersion}
	for _, verb := range schema.Verbs() {
		row := toolRow{Verb: verb, Mutating: verb.Mutating(), Native: map[schema.ProviderID][]string{}}
		for _, p := range hosts {
			row.Native[p.Facts().ID] = append([]string{}, p.Facts().Tools.Native(verb)...)
		}
		doc.Tools = append(doc.Tools, row)
	}
	if r.format == formatJSON {
		return r.json(r.Out, doc)
	}
	w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "TOOL")
	for _, p := range hosts {
		fmt.Fprint(w, "\t", strings.ToUpper(string(p.Facts().ID)))
	}
	fmt.Fprintln(w, "\tNOTE")
	for _, row := range doc.Tools {
		fmt.Fprint(w, row.Verb)
		for _, p := range hosts {
			fmt.Fprint(w, "\t", dash(strings.Join(row.Native[p.Facts().ID], ", ")))
		}
		note := ""
		if row.Mutating {
			note = "can write"
		}
		fmt.Fprintln(w, "\t"+note)
	}
	return w.Flush()
}

func (r *runner) schemaCapabilities() error {
	doc := capabilitiesDocument{Version: documentVersion}
	for _, p := range r.chosen() {
		f := p.Facts()
		table := capabilitiesTable{Provider: f.ID, Title: f.Title, Client: f.Client, Observed: f.Observed, Proof: f.Proof}
		for _, c := range f.Capabilities {
			table.Capabilities = append(table.Capabilities, capabilityRow(c))
		}
		doc.Providers = append(doc.Providers, table)
	}
	if r.format == formatJSON {
		return r.json(r.Out, doc)
	}
	for i, table := range doc.Providers {
		if i > 0 {
			fmt.Fprintln(r.Out)
		}
		fmt.Fprintf(r.Out, "%s: %s; %s\n\n", table.Provider, table.Client, table.Proof)
		w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "SETTING\tLEVEL\tWHERE\tWHY\tSOURCE")
		for _, c := range table.Capabilities {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Setting, c.Level, dash(c.where()), c.Why, c.Source)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// where says under which conditions a row holds.
func (c capabilityRow) where() string {
	var parts []string
	if c.Scope != "" {
		parts = append(parts, "scope "+string(c.Scope))
	}
	if c.From != "" {
		parts = append(parts, "from "+c.From)
	}
	if c.Until != "" {
		parts = append(parts, "up to "+c.Until)
	}
	if c.When != "" {
		parts = append(parts, c.When)
	}
	return strings.Join(parts, ", ")
}

// dash stands for what is not there.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
