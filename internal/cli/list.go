package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// listDocument is what list --format json prints.
type listDocument struct {
	Version   int       `json:"version"`
	Subagents []listed  `json:"subagents"`
	Problems  []problem `json:"problems"` // warnings
}

// listed is an entry of the manifest.
type listed struct {
	Name         string              `json:"name"`
	Slug         string              `json:"slug"`
	Title        string              `json:"title,omitempty"`
	Description  string              `json:"description"`
	Kind         string              `json:"kind"`
	KindInferred bool                `json:"kind_inferred"`
	Access       string              `json:"access,omitempty"`
	Tier         string              `json:"tier,omitempty"`
	Release      string              `json:"release,omitempty"` // version of the definition
	State        string              `json:"state"`
	Tags         []string            `json:"tags"`
	Targets      []schema.ProviderID `json:"targets"`
	PreferHost   string              `json:"prefer_host,omitempty"`
	Pack         string              `json:"pack,omitempty"` // that it was expanded from
	Source       source              `json:"source"`
	Layer        int                 `json:"layer"`                // 0 the lowest
	Overrides    []source            `json:"overrides,omitempty"`  // entries beneath that it takes the place of
	Overridden   *source             `json:"overridden,omitempty"` // the entry that took its place
}

// source is where an entry is defined.
type source struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (s source) String() string { return fmt.Sprintf("%s:%d", oneLine(s.File), s.Line) }

func sourceOf(e *schema.Entry) source { return source{e.At.Filename, e.At.Start.Line} }

// listFlags filter the list.
type listFlags struct {
	kind, state, source string
	overridden          bool
}

func (r *runner) listCommand() *cobra.Command {
	var flags listFlags
	cmd := uses(&cobra.Command{
		Use:   "list",
		Short: "List the subagents with what they are and where they come from",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for flag, values := range map[string][]string{"kind": kinds, "state": states} {
				f := cmd.Flags().Lookup(flag)
				if !f.Changed {
					continue
				}
				if err := oneOf(flag, f.Value.String(), values); err != nil {
					return err
				}
			}
			return r.list(flags)
		},
	}, selection...)
	f := cmd.Flags()
	f.StringVar(&flags.kind, "kind", "", "only this kind: "+strings.Join(kinds, " or "))
	f.StringVar(&flags.state, "state", "", "only this state: "+strings.Join(states, " or "))
	f.StringVar(&flags.source, "source", "", "only what stands in this manifest `FILE`; builtin is the built-in catalogue")
	f.BoolVar(&flags.overridden, "overridden", false, "show as well what a later layer took the place of")
	register(cmd, "kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	register(cmd, "state", cobra.FixedCompletions(states, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var (
	kinds  = []string{"executor", "reviewer"}
	states = []string{"present", "absent"}
)

func (r *runner) list(flags listFlags) error {
	m, err := r.needManifest()
	if err != nil {
		return err
	}
	if err := r.checkSource(m, flags.source); err != nil {
		return err
	}
	opt := r.options()
	if unknown := render.Unknown(m.Manifest, opt.Agents); len(unknown) > 0 {
		if err := r.report(unknown, m.files()); err != nil {
			return err
		}
		return no()
	}
	rows := []listed{}
	entries := slices.Clone(m.Entries())
	if flags.overridden || r.format == formatJSON {
		entries = append(entries, m.Overridden()...)
	}
	for _, e := range entries {
		row := listedOf(m, e)
		if opt.Selects(e) && flags.admits(row) && row.on(opt.Providers) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b listed) int { return strings.Compare(a.Name, b.Name) })
	m.diags = settle(m.diags)
	if r.format == formatJSON {
		return r.json(r.Out, listDocument{documentVersion, rows, problemsOf(m.diags)})
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	if len(rows) == 0 {
		r.note("no subagent of %s is selected; `subagents new` adds one, `subagents list -f builtin:` lists ready ones", m.name)
		return nil
	}
	return r.listText(rows)
}

// listText prints the list for people, with a column of versions where an entry
// has one.
func (r *runner) listText(rows []listed) error {
	w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	versions := slices.ContainsFunc(rows, func(row listed) bool { return row.Release != "" })
	version := func(text string) string {
		if versions {
			return "\t" + text
		}
		return ""
	}
	fmt.Fprintf(w, "NAME\tKIND%s\tACCESS\tTIER\tTARGETS\tSOURCE\n", version("VERSION"))
	for _, row := range rows {
		name, from := row.Name, row.Source.String()
		if row.State == "absent" {
			name += " (absent)"
		}
		for _, o := range row.Overrides {
			from += " over " + o.String()
		}
		if row.Overridden != nil {
			from += " overridden by " + row.Overridden.String()
		}
		targets := join(row.Targets)
		if len(row.Targets) == len(schema.ProviderIDs()) {
			targets = "all"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\t%s\t%s\n", name, row.Kind, version(dash(row.Release)), dash(row.Access), dash(row.Tier), dash(targets), from)
	}
	return w.Flush()
}

// listedOf describes an entry.
func listedOf(m *loaded, e *schema.Entry) listed {
	kind, inferred := e.InferredKind()
	row := listed{
		Name: e.Name, Slug: e.Stem(), Title: e.Resolved.Title, Description: e.Description, Kind: kind, KindInferred: inferred,
		Access: e.Resolved.Access, Tier: e.Resolved.Tier, Release: e.Resolved.Version, State: "present",
		Tags: append([]string{}, e.Resolved.Tags...), Targets: []schema.ProviderID{}, PreferHost: e.Resolved.PreferHost,
		Source: sourceOf(e),
		Layer:  slices.IndexFunc(m.Sources, func(s *schema.Source) bool { return s.Name == e.Layer }),
	}
	if e.Pack != nil {
		row.Pack = e.Pack.ID
	}
	if !e.Present() {
		row.State = "absent"
	}
	for _, below := range m.Overridden() {
		if below.OverriddenBy == e {
			row.Overrides = append(row.Overrides, sourceOf(below))
		}
	}
	if by := e.OverriddenBy; by != nil {
		row.Overridden = new(sourceOf(by))
		return row // it has no targets any more
	}
	row.Targets = append(row.Targets, m.Targets(e)...)
	return row
}

func (f listFlags) admits(row listed) bool {
	return (f.kind == "" || f.kind == row.Kind) && (f.state == "" || f.state == row.State) &&
		(f.source == "" || f.source == row.Source.File || f.source == "builtin" && strings.HasPrefix(row.Source.File, builtin))
}

// on says whether a row is for one of the hosts asked for.
func (l listed) on(hosts []schema.ProviderID) bool {
	return len(hosts) == 0 || slices.ContainsFunc(hosts, func(id schema.ProviderID) bool { return slices.Contains(l.Targets, id) })
}

// checkSource refuses the name of a manifest that is not loaded.
func (r *runner) checkSource(m *loaded, name string) error {
	if name == "" || name == "builtin" {
		return nil
	}
	var names []string
	for _, s := range m.Sources {
		names = append(names, s.Name)
	}
	return oneOf("source", name, append(names, "builtin"))
}
