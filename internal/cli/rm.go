package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func (r *runner) rmCommand() *cobra.Command {
	var absent bool
	cmd := uses(&cobra.Command{
		Use:   "rm NAME",
		Short: "Take a subagent out of the manifest",
		Long: `Rm takes an entry out, with the comments right above it. It refuses one that is
locked, and one that other subagents may start, and names them. With --absent the
entry stays and gets state: absent, so that the next install of any machine
removes the installed files; install prunes what is gone from the manifest only
where its ledger knows it. The rest of the manifest stays as it is, byte for byte.

Exit codes: 0 done; 1 refused.`,
		Args: upToArgs(1, 1, "NAME"),
		RunE: func(_ *cobra.Command, args []string) error { return r.rm(args[0], absent) },
	}, editing...)
	cmd.Flags().BoolVar(&absent, "absent", false, "keep the entry, and set state: absent")
	cmd.ValidArgsFunction = r.completeNames
	return cmd
}

func (r *runner) rm(name string, absent bool) error {
	e, err := r.editor()
	if err != nil {
		return err
	}
	entry, err := e.own(name)
	switch users := e.users(name); {
	case err != nil:
		return err
	case entry.Resolved.Locked != nil && *entry.Resolved.Locked:
		return nope("%q is locked: take `locked: true` out first", name)
	case len(users) > 0:
		return nope("%s may start %q: take it out of their delegates first", strings.Join(users, ", "), name)
	case absent && !entry.Present():
		r.done("%s: %s is absent already", e.name, name)
		return nil
	}
	change, done := e.file.Remove, "took %s out"
	if absent {
		change, done = e.file.SetAbsent, "set state: absent on %s"
	}
	data, err := change(name)
	if err := e.save(data, err); err != nil {
		return err
	}
	r.done("%s: "+done, e.name, name)
	if below := e.below(name); below != "" && !absent {
		r.note("The entry of that name in %s holds again.", below)
	}
	r.remind()
	return nil
}

// users lists the subagents that may start one, quoted.
func (e *editor) users(name string) []string {
	var users []string
	for _, other := range e.Entries() {
		if other.Name != name && slices.Contains(other.Resolved.Delegates, name) {
			users = append(users, fmt.Sprintf("%q", other.Name))
		}
	}
	return users
}

// below names the file with the entry that this one took the place of.
func (e *editor) below(name string) string {
	layer := ""
	for _, o := range e.Overridden() {
		if o.Name == name {
			layer = o.Layer
		}
	}
	return layer
}
