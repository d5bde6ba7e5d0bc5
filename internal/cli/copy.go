package cli

import (
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/edit"
)

func (r *runner) copyCommand() *cobra.Command {
	cmd := uses(&cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy a subagent of the manifest under another name",
		Long: `Copy adds an entry TO that says what FROM says. FROM may stand in an included
manifest or in the built-in catalogue that it includes. The rest of the manifest
stays as it is, byte for byte.

Exit codes: 0 done; 1 refused: TO is taken, or there is no FROM.`,
		Args: upToArgs(2, 2, "FROM and TO"),
		RunE: func(_ *cobra.Command, args []string) error { return r.copy(args[0], args[1]) },
	}, editing...)
	cmd.ValidArgsFunction = r.completeNames
	return cmd
}

func (r *runner) copy(from, to string) error {
	e, err := r.editor()
	if err != nil {
		return err
	}
	if e.Entry(to) != nil {
		return nope("there is a subagent %q already", to)
	}
	entry, err := e.find(from)
	if err != nil {
		return err
	}
	var data []byte
	if e.file.Has(from) {
		data, err = e.file.Copy(from, to)
	} else {
		data, err = e.file.Insert(edit.Renamed(entry.Node, to))
	}
	if err := e.save(data, err); err != nil {
		return err
	}
	r.done("%s: added %s, a copy of %s", e.name, to, from)
	r.remind()
	return nil
}
