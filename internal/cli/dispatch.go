package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/orchestrate"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// dispatchDocument is what dispatch --format json prints.
type dispatchDocument struct {
	*orchestrate.Order
	Problems []problem `json:"problems"` // warnings about the manifest
}

func (r *runner) dispatchCommand() *cobra.Command {
	var task, scope string
	cmd := uses(&cobra.Command{
		Use:   "dispatch NAME --task-file FILE",
		Short: "Print what it takes to start a subagent on a task; with -p HOST the command line",
		Long: `Dispatch prints the inputs of a spawn call: task, mode, label and tier, and beside
them the policy with what of it is enforced and what is only advisory. The mode
alone binds whoever takes the order: read_only starts a child that changes
nothing, general one that may what its parent may, never more.

With -p HOST it prints the command line that starts the subagent on that host,
quoted for a POSIX shell, and says on standard error how the form is known. It
never runs anything and writes to standard output only.`,
		Args:              upToArgs(1, 1, "one NAME"),
		ValidArgsFunction: r.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if task == "" {
				return usage("%s needs the task: --task-file FILE, or - for standard input", cmd.CommandPath())
			}
			if len(r.providers) > 1 {
				return usage("%s takes one host", cmd.CommandPath())
			}
			asked, err := scopeOf(cmd, scope)
			if err != nil {
				return err
			}
			text, err := r.input(task)
			if err != nil {
				return reading(err)
			}
			return r.dispatch(args[0], text, asked)
		},
	}, flagManifest, flagOutside, flagPolicy, flagProvider, flagFormat)
	cmd.Flags().StringVar(&task, "task-file", "", "the task, word for word: a `FILE`, or - for standard input")
	scopeFlag(cmd, &scope)
	return cmd
}

func (r *runner) dispatch(name string, task []byte, scope schema.Scope) error {
	if err := orchestrate.CheckTask(task); err != nil {
		return usage("%w", err)
	}
	m, e, err := r.needEntry(name)
	if err != nil {
		return err
	}
	opt := r.options()
	opt.Agents, opt.Scope = []string{name}, scope
	result := m.render(opt)
	if m.diags.HasErrors() {
		return r.unusable(m)
	}
	m.diags = settle(m.diags)
	order := orchestrate.NewOrder(m.Manifest, e, string(task))
	if len(r.providers) > 0 {
		if len(result.Agents) == 0 {
			if err := r.report(hcl.Diagnostics{nothing(result)}, nil); err != nil {
				return err
			}
			return no()
		}
		if err := order.For(&result.Agents[0], result.Scope); err != nil {
			return usage("%w", err)
		}
	}
	if r.format == formatJSON {
		return r.json(r.Out, dispatchDocument{order, problemsOf(m.diags)})
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	if order.Command != nil {
		r.tellCommand(order)
		return nil
	}
	return r.tellOrder(order)
}

// tellCommand prints the command line alone to standard output, so that it can
// be handed to a shell.
func (r *runner) tellCommand(o *orchestrate.Order) {
	fmt.Fprintln(r.Out, r.forPeople(o.Command.Line))
	r.note("%s", o.Command.Proof)
	for _, key := range o.Advisory {
		r.note("%s: advisory%s", key, levelOf(o, key))
	}
	for _, note := range o.Command.Notes {
		r.note("%s", note)
	}
}

// tellOrder prints the inputs, each with whether it binds.
func (r *runner) tellOrder(o *orchestrate.Order) error {
	w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	row := func(key, value string) {
		bound := ""
		switch {
		case slices.Contains(o.Enforced, key):
			bound = "enforced"
		case slices.Contains(o.Advisory, key):
			bound = "advisory"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", key, oneLine(value), bound)
	}
	unset := func(s *string, instead string) string {
		if s == nil {
			return instead
		}
		return *s
	}
	row("label", o.Input.Label)
	row("mode", string(o.Input.Mode))
	row("tier", unset(o.Input.Tier, "the session's"))
	row("access", unset(o.Policy.Access, "not restricted"))
	tools := "not restricted"
	if o.Policy.Tools != nil {
		tools = join(o.Policy.Tools)
	}
	row("tools", tools)
	row("isolation", o.Policy.Isolation)
	if o.PreferHost != "" {
		row("prefer_host", o.PreferHost)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.Out, "\n%s", r.forPeople(withFinalLine(strings.TrimPrefix(o.Input.Task, "\ufeff"))))
	return err
}

// levelOf says in brackets what the host does with a key that does not bind, if
// there is a nearer word for it.
func levelOf(o *orchestrate.Order, key string) string {
	level := o.Command.Levels[key]
	if key == "mode" {
		level = o.Command.Levels["access"]
	}
	if level == providers.Advisory || level == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", level)
}
