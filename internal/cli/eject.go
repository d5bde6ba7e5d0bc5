package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/schema"
)

func (r *runner) ejectCommand() *cobra.Command {
	var out string
	cmd := uses(&cobra.Command{
		Use:   "eject [NAME…]",
		Short: "Write the built-in catalogue, or some of it, as a manifest to own",
		Long: `Eject writes the built-in catalogue with its comments, or the named subagents of
it and those that they may start, into a manifest that is yours from then on: no
later release changes it. It never writes over a file.

Exit codes: 0 done; 1 refused: the file is there, or there is no such subagent.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return r.eject(args, out) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			m, _ := schema.Load(schema.NewSource(builtin+"subagents.yml", subagents.Catalogue), schema.Options{})
			return entryNames(m), cobra.ShellCompDirectiveNoFileComp
		},
	})
	cmd.Flags().StringVarP(&out, "out", "o", defaultManifests[0], "`FILE` to write; - for standard output")
	return cmd
}

func (r *runner) eject(names []string, out string) error {
	data, also, err := ejected(names)
	if err != nil {
		return err
	}
	if out == "-" {
		_, err := r.Out.Write(data)
		return err
	}
	if _, err := os.Lstat(r.path(out)); !errors.Is(err, fs.ErrNotExist) {
		return nope("%s is here already, and nothing is written; -o names another file", out)
	}
	if err := r.writeNew(out, data); err != nil {
		return err
	}
	r.done("wrote %s: it is yours to edit", out)
	if len(also) > 0 {
		r.note("Taken along, since others may start them: %s.", strings.Join(also, ", "))
	}
	return nil
}

// ejected gives the catalogue with the named entries and those that they may
// start, which it lists; without names, all of it.
func ejected(names []string) (data []byte, also []string, err error) {
	data = ownHead(subagents.Catalogue)
	m, diags := schema.Load(schema.NewSource(builtin+"subagents.yml", data), schema.Options{})
	if diags.HasErrors() {
		return nil, nil, diags
	}
	if len(names) == 0 {
		return data, nil, nil
	}
	keep := slices.Clone(names)
	for i := 0; i < len(keep); i++ {
		e := m.Entry(keep[i])
		if e == nil {
			return nil, nil, nope("the built-in catalogue has no subagent %q; it has %s", keep[i], strings.Join(entryNames(m), ", "))
		}
		for _, name := range e.Resolved.Delegates {
			if !slices.Contains(keep, name) {
				keep, also = append(keep, name), append(also, name)
			}
		}
	}
	for _, name := range entryNames(m) {
		if slices.Contains(keep, name) {
			continue
		}
		file, diags, err := edit.Parse("subagents.yml", data)
		if err == nil && diags.HasErrors() {
			err = diags
		}
		if err == nil {
			data, err = file.Remove(name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return data, also, nil
}

// ownHead takes the line out that names the schema in this repository.
func ownHead(data []byte) []byte {
	if line, rest, _ := bytes.Cut(data, []byte("\n")); bytes.HasPrefix(line, []byte("# yaml-language-server:")) {
		return bytes.TrimPrefix(rest, []byte("#\n"))
	}
	return data
}

func entryNames(m *schema.Manifest) []string {
	var names []string
	for _, e := range m.Entries() {
		names = append(names, e.Name)
	}
	return names
}
