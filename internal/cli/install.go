package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/install"
)

// installDocument is what install and uninstall print with --format json.
type installDocument struct {
	*install.Report
	Problems []problem `json:"problems"` // warnings about the manifest
}

// installFlags are the flags of install and uninstall.
type installFlags struct {
	where                           whereFlags
	options                         install.Options
	dryRun, diff, strict, allowRoot bool
	wait                            time.Duration
	bestEffort                      bool // uninstall
	allNotes                        bool
}

func (r *runner) installCommand() *cobra.Command {
	var flags installFlags
	cmd := uses(&cobra.Command{
		Use:   "install",
		Short: "Write the files into the directories of the hosts",
		Long: `Install brings the directories in which the hosts look for subagents into the
state that the manifest describes: it creates, updates and deletes files of its
own, which it knows by a ledger, and touches no others. Everything is planned
before the first change.

A file that somebody else wrote, that was edited by hand, that is a link or no
regular file, or that belongs to another catalogue stays as it is and is named.

Exit codes: 0 done; 1 something was refused; 3 the machine failed, or a signal
stopped the run: what was done is recorded, and the next run does the rest.`,
		Args: noArgs,
		RunE: byMachine(func(*cobra.Command, []string) error { return r.install(flags) }),
	}, selection...)
	flags.where.add(cmd)
	f := cmd.Flags()
	flags.change(cmd)
	f.BoolVar(&flags.options.Force, "force", false, "replace files of ours that were edited, after saving them as NAME.orig")
	f.BoolVar(&flags.options.Adopt, "adopt", false, "take over files that carry our marker or belong to another catalogue, after saving them if they differ")
	f.BoolVar(&flags.options.Prune, "prune", true, "delete files of ours that the manifest does not render any more")
	f.BoolVar(&flags.options.Exclusive, "exclusive", false, "refuse every other file that a host would read there")
	f.BoolVar(&flags.options.AllowEmpty, "allow-empty", false, "let a manifest without subagents delete all files of ours")
	f.BoolVar(&flags.strict, "strict", false, "every setting must be enforced")
	notesFlag(cmd, &flags.allNotes)
	return cmd
}

// change adds the flags of the commands that change files.
func (flags *installFlags) change(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&flags.dryRun, "dry-run", "n", false, "show what would be done, and do nothing")
	f.BoolVar(&flags.diff, "diff", false, "show what changes in the files")
	f.DurationVar(&flags.wait, "wait", install.DefaultWait, "how long to wait for another run to end")
	f.BoolVar(&flags.allowRoot, "allow-root", false, "let root write into directories that belong to somebody else")
}

func (r *runner) uninstallCommand() *cobra.Command {
	var flags installFlags
	cmd := uses(&cobra.Command{
		Use:   "uninstall",
		Short: "Delete the files that install wrote and nobody has changed",
		Long: `Uninstall deletes the files that the ledger knows for this catalogue, if nobody
has changed them. In a project it also deletes files that are exactly what the
manifest renders, ledger or not. What was edited is kept and named.

The manifest says which catalogue is meant; with --catalogue none is needed.

Exit codes: 0 done; 1 something was kept; 3 the machine failed.`,
		Args: noArgs,
		RunE: byMachine(func(*cobra.Command, []string) error { return r.uninstall(flags) }),
	}, selection...)
	flags.where.add(cmd)
	flags.change(cmd)
	cmd.Flags().BoolVar(&flags.bestEffort, "best-effort", false, "exit with 0 whatever is kept")
	return cmd
}

func (r *runner) install(flags installFlags) error {
	job, err := r.job(flags.where)
	if err != nil {
		return err
	}
	job.AllowRoot, job.Wait = flags.allowRoot, flags.wait
	opt := r.options()
	opt.Strict = flags.strict
	m, result, err := r.installing(job, opt)
	if err != nil {
		return err
	}
	if flags.options.Catalogue, err = r.catalogueOf(flags.where, job, m); err != nil {
		return err
	}
	flags.options.Agents, flags.options.Tags = opt.Agents, opt.Tags
	if r.format == formatText {
		if err := r.report(m.diags, m.files()); err != nil {
			return err
		}
	}
	files, empty := m.files(), unselected(m, result, opt)
	want := func(dests []*install.Dest) install.Desired {
		wanted := wanter(m, result)(dests)
		m.Manifest = nil // what is wanted is known, and the run needs the room
		return wanted
	}
	tell, clear := r.progress()
	ctx, done := untilStopped()
	report, err := job.Install(ctx, flags.options, want, install.How{DryRun: flags.dryRun, Diff: flags.diff, Progress: tell})
	done()
	clear()
	if err := r.tell(report, m, err); err != nil {
		return err
	}
	if report.Changed || flags.allNotes {
		r.tellNotes(result.Notes, flags.allNotes)
	}
	if len(report.Actions) == 0 && !flags.options.AllowEmpty && empty {
		if err := r.report(hcl.Diagnostics{nothing(result)}, files); err != nil {
			return err
		}
		return no()
	}
	return answer(report.Refused())
}

func (r *runner) uninstall(flags installFlags) error {
	job, err := r.job(flags.where)
	if err != nil {
		return err
	}
	job.AllowRoot, job.Wait = flags.allowRoot, flags.wait
	m, want := r.uninstalling(job)
	if flags.options.Catalogue, err = r.catalogueOf(flags.where, job, m); err != nil {
		return err
	}
	flags.options.Agents, flags.options.Tags = r.agents, r.tags
	tell, clear := r.progress()
	ctx, done := untilStopped()
	report, err := job.Uninstall(ctx, flags.options, want, install.How{DryRun: flags.dryRun, Diff: flags.diff, Progress: tell})
	done()
	clear()
	if err := r.tell(report, m, err); err != nil {
		return err
	}
	return answer(report.Refused() && !flags.bestEffort)
}

// uninstalling loads and renders for an uninstall, which goes on without a
// manifest that it could use.
func (r *runner) uninstalling(job install.Job) (*loaded, install.Wanter) {
	unknown := func([]*install.Dest) install.Desired { return install.Desired{Unknown: true} }
	m, err := r.loadManifest()
	if err != nil {
		return nil, unknown
	}
	opt := r.options()
	opt.Scope, opt.Agents = job.Scope, nil // a name that the manifest has lost may still be installed
	result := m.render(opt)
	if m.diags.HasErrors() {
		return m, unknown
	}
	return m, wanter(m, result)
}

// answer is the exit code of a run that came to its end.
func answer(refused bool) error {
	if refused {
		return no()
	}
	return nil
}

// tell prints what was done, as far as a run came.
func (r *runner) tell(report *install.Report, m *loaded, failed error) error {
	if report == nil {
		return sortError(failed)
	}
	if r.format == formatJSON {
		doc := installDocument{Report: report, Problems: []problem{}}
		if m != nil {
			doc.Problems = problemsOf(m.diags)
		}
		if err := r.json(r.Out, doc); err != nil {
			return err
		}
		return sortError(failed)
	}
	r.tellRoots(report.Roots)
	r.tellWarnings(report.Warnings)
	for _, l := range report.Actions {
		r.tellLine(l)
	}
	r.done("%s", summaryOf(report))
	if report.Changed && !report.DryRun {
		r.done("The hosts load subagents when a session starts: open a new one.")
	}
	return sortError(failed)
}

// tellLine prints an action: what is done to standard output, what is refused
// to standard error.
func (r *runner) tellLine(l install.Line) {
	switch {
	case l.Failed:
		fmt.Fprintf(r.Err, "not done  %-9s %s\n", l.Action, oneLine(l.Path))
	case l.Action.Refused():
		fmt.Fprintf(r.Err, "%-15s %s: %s\n", l.Action, oneLine(l.Path), oneLine(l.Do))
	case l.Action == install.Unchanged:
		return
	case l.Backup != "":
		r.done("%-9s %s (%s; the old one is %s)", l.Action, oneLine(l.Path), l.Reason, oneLine(l.Backup))
	default:
		r.done("%-9s %s (%s)", l.Action, oneLine(l.Path), l.Reason)
	}
	if l.Diff != "" && !r.quiet {
		fmt.Fprint(r.Out, r.forPeople(l.Diff))
	}
}

// past says what an act was, for the summary.
var past = map[install.Act]string{
	install.Create: "created", install.Adopt: "adopted", install.Update: "updated", install.Unchanged: "unchanged", install.Delete: "deleted",
}

// summaryOf counts the actions.
func summaryOf(report *install.Report) string {
	var counts, refused []string
	total := 0
	for _, act := range install.Acts() {
		n := report.Summary[act]
		switch {
		case n == 0:
		case act.Refused():
			total += n
			refused = append(refused, fmt.Sprintf("%d %s", n, act))
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, past[act]))
		}
	}
	if total > 0 {
		counts = append(counts, fmt.Sprintf("%d refused (%s)", total, strings.Join(refused, ", ")))
	}
	failed := 0
	for _, l := range report.Actions {
		if l.Failed {
			failed++
		}
	}
	if failed > 0 {
		counts = append(counts, fmt.Sprintf("%d not done", failed))
	}
	if len(counts) == 0 {
		counts = []string{"nothing to do"}
	}
	text := report.Command + ": " + strings.Join(counts, ", ")
	if report.DryRun {
		return "dry run of " + text
	}
	return text
}
