package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/orchestrate"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// matchDocument is what match --format json prints.
type matchDocument struct {
	*orchestrate.Selection
	Problems []problem `json:"problems"` // warnings about the manifest
}

// matchFlags say where the changed paths come from.
type matchFlags struct {
	list, rev string
	nul       bool
}

func (r *runner) matchCommand() *cobra.Command {
	var flags matchFlags
	cmd := uses(&cobra.Command{
		Use:   "match (--changed-files FILE | --git REV)",
		Short: "Say which reviewers a change needs",
		Long: `Match lists the reviewers that apply to a change: those without attach_on, and
those with a risk class that a changed path falls in. Reviewers that do not apply
are left out. Paths are relative to the root of the repository, one on each line
as git prints them, or with -z ended by NUL bytes; the patterns in risk_classes
know * (within a name), ** (any folders), ?, [classes] and {alternatives}.

A list that cannot be read attaches every reviewer, with a warning.

Exit code: 0; the answer is in the output.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case flags.list == "" && flags.rev == "":
				return usage("%s needs the change: --changed-files FILE, - for standard input, or --git REV", cmd.CommandPath())
			case flags.nul && flags.rev != "":
				return usage("-z goes with --changed-files")
			case flags.rev != "":
				if err := orchestrate.CheckRevision(flags.rev); err != nil {
					return usage("%w", err)
				}
			}
			return r.match(cmd, flags)
		},
	}, flagManifest, flagOutside, flagPolicy, flagAgent, flagTag, flagFormat)
	f := cmd.Flags()
	f.StringVar(&flags.list, "changed-files", "", "the changed paths: a `FILE`, or - for standard input")
	f.StringVar(&flags.rev, "git", "", "what differs between this `REV` and the work tree, new files included; or a range A..B")
	f.BoolVarP(&flags.nul, "null", "z", false, "the paths end in NUL bytes, as git -z prints them")
	cmd.MarkFlagsMutuallyExclusive("changed-files", "git")
	return cmd
}

func (r *runner) match(cmd *cobra.Command, flags matchFlags) error {
	m, err := r.needManifest()
	if err != nil {
		return err
	}
	opt := r.options()
	if unknown := render.Unknown(m.Manifest, opt.Agents); len(unknown) > 0 {
		if err := r.report(unknown, m.files()); err != nil {
			return err
		}
		return no()
	}
	var entries []*schema.Entry
	for _, e := range m.Entries() {
		if opt.Selects(e) {
			entries = append(entries, e)
		}
	}
	changed, unread := r.changed(cmd, flags)
	selection := orchestrate.Match(entries, changed, unread)
	m.diags = settle(m.diags)
	if r.format == formatJSON {
		return r.json(r.Out, matchDocument{selection, problemsOf(m.diags)})
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	if unread != nil {
		fmt.Fprintf(r.Err, "Warning: the changed paths could not be read, so every reviewer applies: %s\n", oneLine(unread.Error()))
	}
	for _, a := range selection.Reviewers {
		for _, why := range a.Why {
			fmt.Fprintf(r.Out, "%s\t%s\n", a.Name, oneLine(why.String()))
		}
	}
	return nil
}

// changed reads the changed paths. The error is no failure of the command.
func (r *runner) changed(cmd *cobra.Command, flags matchFlags) ([]string, error) {
	if flags.rev != "" {
		dir := r.Dir
		if dir == "" {
			dir = "."
		}
		return orchestrate.GitChanges(cmd.Context(), dir, flags.rev)
	}
	data, err := r.input(flags.list)
	if err != nil {
		return nil, err
	}
	return orchestrate.Paths(data, flags.nul)
}
