package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/orchestrate"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// resolveDocument is what resolve --format json prints.
type resolveDocument struct {
	*orchestrate.Readiness
	Problems []problem `json:"problems"` // warnings about the manifest
}

func (r *runner) resolveCommand() *cobra.Command {
	var where whereFlags
	cmd := uses(&cobra.Command{
		Use:   "resolve NAME -p HOST",
		Short: "Say whether a host would start exactly this subagent, and what to start if not",
		Long: `Resolve compares the installed file of one subagent with what the manifest
renders, and looks for other files that the host would prefer: in the project, in
its main checkout if it is a git worktree, and in the host's own places. Without
--scope a subagent that is ready in either scope is ready. It writes nothing.

The answer names what to start: the subagent, or the host's generic one with the
reason (not-installed, definition-mismatch, shadowed, not-targeted, wrong-scope)
and a hint.

Exit code: 0; the answer is in the output. 1 for a name that nobody has.`,
		Args:              upToArgs(1, 1, "one NAME"),
		ValidArgsFunction: r.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(r.providers) != 1 {
				return usage("%s needs one host: -p HOST", cmd.CommandPath())
			}
			scopes := []schema.Scope{schema.UserScope, schema.ProjectScope}
			if cmd.Flags().Changed("scope") {
				scopes = []schema.Scope{schema.Scope(where.scope)}
			}
			return r.resolve(args[0], where, scopes)
		},
	}, flagManifest, flagOutside, flagPolicy, flagProvider, flagFormat)
	where.add(cmd)
	return cmd
}

func (r *runner) resolve(name string, where whereFlags, scopes []schema.Scope) error {
	job, err := r.job(where)
	if err != nil {
		return err
	}
	m, e, err := r.needEntry(name)
	if err != nil {
		return err
	}
	rendered := map[schema.Scope]*render.Result{}
	for _, scope := range scopes {
		opt := r.options()
		opt.Agents, opt.Scope = []string{name}, scope
		rendered[scope] = m.render(opt)
	}
	if m.diags.HasErrors() {
		return r.unusable(m)
	}
	m.diags = settle(m.diags)
	catalogue := func(scope schema.Scope) string {
		job := job
		job.Scope = scope
		id, _ := r.catalogueOf(where, job, m) // the manifest has been found before
		return id
	}
	ready, err := orchestrate.Query{
		Manifest: m.Manifest, Entry: e, Facts: all.Get(schema.ProviderID(r.providers[0])).Facts(), Job: job, Catalogue: catalogue,
		Scopes: scopes, Rendered: func(scope schema.Scope) *render.Result { return rendered[scope] },
	}.Resolve()
	if err != nil {
		return sortError(err)
	}
	if r.format == formatJSON {
		return r.json(r.Out, resolveDocument{ready, problemsOf(m.diags)})
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	r.tellWarnings(ready.Warnings)
	r.tellReadiness(ready)
	return nil
}

// needEntry loads the manifest and finds an entry of it.
func (r *runner) needEntry(name string) (*loaded, *schema.Entry, error) {
	m, err := r.needManifest()
	if err != nil {
		return nil, nil, err
	}
	e := m.Entry(name)
	if e == nil {
		if err := r.report(render.Unknown(m.Manifest, []string{name}), m.files()); err != nil {
			return nil, nil, err
		}
		return nil, nil, no()
	}
	return m, e, nil
}

func (r *runner) tellReadiness(a *orchestrate.Readiness) {
	if a.Native {
		fmt.Fprintf(r.Out, "%s on %s: native, from %s\n", a.Agent, a.Provider, oneLine(a.Dir))
		return
	}
	instead := "there is no generic one"
	if a.SubagentType != nil {
		instead = "start " + *a.SubagentType + " instead"
	}
	fmt.Fprintf(r.Out, "%s on %s: %s; %s\n%s\n", a.Agent, a.Provider, *a.Reason, instead, oneLine(*a.Hint))
	for _, s := range a.ShadowedBy {
		fmt.Fprintf(r.Out, "  %s: %s\n", oneLine(s.Path), s.Why)
	}
}
