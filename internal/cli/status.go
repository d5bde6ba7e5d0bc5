package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/install"
)

// statusDocument is what status, and check without --golden, print with
// --format json.
type statusDocument struct {
	*install.Status
	Problems []problem `json:"problems"` // warnings about the manifest
}

func (r *runner) statusCommand() *cobra.Command {
	var where whereFlags
	var all, noAudit bool
	cmd := uses(&cobra.Command{
		Use:   "status",
		Short: "Say how the installed files compare with the manifest",
		Long: `Status says for each file whether it is not installed, current, stale (the
manifest changed), edited, foreign (somebody else's), shadowed (the host would
take another file of that name) or stray (ours, and not rendered), why, and what
to do. Last, it says whether audit finds something in the same directories. It
writes nothing.

Exit code: 0; the answer is in the output.`,
		Args: noArgs,
		RunE: byMachine(func(*cobra.Command, []string) error {
			status, m, err := r.compare(where, install.Options{}, install.How{}, install.Job.Status)
			if err != nil {
				return err
			}
			if r.format == formatJSON {
				return r.json(r.Out, statusDocument{status, problemsOf(m.diags)})
			}
			if err := r.report(m.diags, m.files()); err != nil {
				return err
			}
			r.tellRoots(status.Roots)
			r.tellWarnings(status.Warnings)
			for _, f := range status.Files {
				if all || f.State != install.Current {
					r.tellState(f)
				}
			}
			fmt.Fprintln(r.Out, countStates(status))
			if noAudit {
				return nil
			}
			return r.auditInStatus(where)
		}),
	}, selection...)
	where.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "list current files too")
	cmd.Flags().BoolVar(&noAudit, "no-audit", false, "do not look for risky files in the same directories")
	return cmd
}

// comparer is Job.Status or Job.Check.
type comparer func(install.Job, install.Options, install.Wanter, install.How) (*install.Status, error)

// compare compares the installed files with the manifest.
func (r *runner) compare(where whereFlags, options install.Options, how install.How, with comparer) (*install.Status, *loaded, error) {
	job, err := r.job(where)
	if err != nil {
		return nil, nil, err
	}
	opt := r.options()
	m, result, err := r.installing(job, opt)
	if err != nil {
		return nil, nil, err
	}
	if options.Catalogue, err = r.catalogueOf(where, job, m); err != nil {
		return nil, nil, err
	}
	options.Agents, options.Tags = opt.Agents, opt.Tags
	status, err := with(job, options, wanter(m, result), how)
	if err != nil {
		return nil, nil, sortError(err)
	}
	return status, m, nil
}

// checkInstalled compares the installed files with the manifest, for check
// without --golden.
func (r *runner) checkInstalled(flags checkFlags) error {
	status, m, err := r.compare(flags.where, install.Options{Exclusive: flags.exclusive}, install.How{Diff: flags.diff}, install.Job.Check)
	if err != nil {
		return err
	}
	if r.format == formatJSON {
		err = r.json(r.Out, statusDocument{status, problemsOf(m.diags)})
	} else if err = r.report(m.diags, m.files()); err == nil {
		r.checkStates(status)
	}
	if err == nil {
		err = answer(status.Differs())
	}
	return err
}

// checkStates prints the differences, and one line that counts them.
func (r *runner) checkStates(status *install.Status) {
	r.tellWarnings(status.Warnings)
	for _, f := range status.Files {
		if f.State != install.Current {
			r.tellState(f)
			fmt.Fprint(r.Out, r.forPeople(f.Diff))
		}
	}
	summary := countStates(status)
	if status.Others > 0 {
		summary += " (--exclusive takes them for strays)"
	}
	if status.Differs() {
		fmt.Fprintln(r.Err, summary)
		return
	}
	r.note("%s", summary)
}

// tellState prints the state of a file: why, and what to do.
func (r *runner) tellState(f install.FileStatus) {
	text := fmt.Sprintf("%-13s %s", f.State, oneLine(f.Path))
	if f.Reason != string(f.State) {
		text += fmt.Sprintf(" (%s)", f.Reason)
	}
	if f.Do != "" {
		text += ": " + oneLine(f.Do)
	}
	fmt.Fprintln(r.Out, text)
	for _, s := range f.Shadows {
		fmt.Fprintf(r.Out, "              %s: %s\n", oneLine(s.Path), s.Why)
	}
}

// countStates counts the files by state.
func countStates(status *install.Status) string {
	var counts []string
	for _, state := range install.States() {
		if n := status.Summary[state]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(counts) == 0 {
		counts = []string{"no files"}
	}
	text := status.Command + ": " + strings.Join(counts, ", ")
	if status.Others > 0 {
		text += fmt.Sprintf("; %s beside them", plural(status.Others, "other file"))
	}
	return text
}
