package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/orchestrate"
)

func (r *runner) verdictCommand() *cobra.Command {
	var report, blockAt string
	severities := words(orchestrate.Severities())
	cmd := uses(&cobra.Command{
		Use:   "verdict --report FILE",
		Short: "Derive pass or fail from the report of a subagent",
		Long: `Verdict reads the result that a report ends with. A reviewer lists findings, one
on each line:

  severity: file:line: what

with blocker, major, minor or note, or writes the line "no findings"; the verdict
follows from the worst of them. An executor's last line is "result: done" or
"result: failed". With -a NAME the manifest says which of the two it is,
otherwise the report does. A report that keeps neither form fails.

Exit codes: 0 pass; 1 fail.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if report == "" {
				return usage("%s needs the report: --report FILE, or - for standard input", cmd.CommandPath())
			}
			if err := oneOf("block-at", blockAt, severities); err != nil {
				return err
			}
			if len(r.agents) > 1 {
				return usage("%s takes one subagent", cmd.CommandPath())
			}
			return r.verdict(report, orchestrate.Severity(blockAt))
		},
	}, flagManifest, flagOutside, flagAgent, flagFormat)
	f := cmd.Flags()
	f.StringVar(&report, "report", "", "the report: a `FILE`, or - for standard input")
	f.StringVar(&blockAt, "block-at", string(orchestrate.Major), "fail for a finding of this `SEVERITY` or worse: "+strings.Join(severities, ", "))
	register(cmd, "block-at", cobra.FixedCompletions(severities, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (r *runner) verdict(report string, blockAt orchestrate.Severity) error {
	agent, kind := "", ""
	if len(r.agents) == 1 {
		_, e, err := r.needEntry(r.agents[0])
		if err != nil {
			return err
		}
		agent = e.Name
		kind, _ = e.InferredKind()
	}
	data, err := r.input(report)
	if err != nil {
		return reading(err)
	}
	v := orchestrate.Judge(data, kind, blockAt)
	v.Agent = agent
	if r.format == formatJSON {
		err = r.json(r.Out, v)
	} else {
		r.tellVerdict(v)
	}
	if err == nil {
		err = answer(v.Verdict == orchestrate.Fail)
	}
	return err
}

func (r *runner) tellVerdict(v *orchestrate.Verdict) {
	switch {
	case v.Malformed != "":
		fmt.Fprintf(r.Out, "%s: the report is malformed: %s\n", v.Verdict, oneLine(v.Malformed))
	case v.Kind == orchestrate.Executor:
		fmt.Fprintf(r.Out, "%s: the executor says %s\n", v.Verdict, v.Result)
	default:
		var counts []string
		for _, s := range orchestrate.Severities() {
			if n := v.Counts[s]; n > 0 {
				counts = append(counts, fmt.Sprintf("%d %s", n, s))
			}
		}
		if len(counts) == 0 {
			counts = []string{"no findings"}
		}
		fmt.Fprintf(r.Out, "%s: %s; blocks at %s\n", v.Verdict, strings.Join(counts, ", "), v.BlockAt)
		for _, f := range slices.DeleteFunc(slices.Clone(v.Findings), func(f orchestrate.Finding) bool { return !f.Blocks }) {
			fmt.Fprintf(r.Out, "%s: %s:%d: %s\n", f.Severity, oneLine(f.File), f.Line, oneLine(f.What))
		}
	}
}
