package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/internal/manifestfmt"
	"github.com/seed-337579fc/subagents/schema"
)

func (r *runner) fmtCommand() *cobra.Command {
	var check bool
	cmd := uses(&cobra.Command{
		Use:   "fmt [FILE…]",
		Short: "Put manifests into canonical layout",
		Long: `Fmt puts keys in their order and lays the lines out anew. In YAML comments,
anchors, quotes and block texts stay what they are; JSON is written anew; in TOML
and HCL keys stay where they are. Nothing that a manifest means changes. It works
on the files that are named, or on the manifest in the working directory, and not
on what they include. The names of the files that changed are printed.

Exit codes: 0 done; 1 with --check: some files would change; a file is written in
a way that cannot be rearranged; 2 a file cannot be read.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 && len(r.manifests) > 0 {
				return usage("name the manifests once: as arguments or with -f")
			}
			r.manifests = append(r.manifests, args...)
			names, err := r.manifestNames()
			if err != nil {
				return err
			}
			return r.fmt(names, check)
		},
	}, flagManifest)
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and list the files that would change")
	return cmd
}

// fmt lays files out, all of them; the first that fails decides the exit code.
func (r *runner) fmt(names []string, check bool) error {
	var first error
	changed := false
	for _, name := range names {
		differs, err := r.fmtFile(name, check)
		changed = changed || differs
		if err != nil && first != nil {
			r.exit(err) // the message; the code is that of the first
		} else if err != nil {
			first = err
		}
	}
	if first == nil && changed && check {
		return no()
	}
	return first
}

// fmtFile lays one file out and says whether that changes it.
func (r *runner) fmtFile(name string, check bool) (changed bool, err error) {
	if name == builtin {
		return false, usage("the built-in catalogue is no file")
	}
	data, err := os.ReadFile(r.path(name))
	if err != nil {
		return false, reading(err)
	}
	out, diags, err := manifestfmt.Format(name, data)
	switch {
	case err != nil:
		return false, refusedFormat(name, err)
	case diags.HasErrors():
		if err := r.report(settle(diags), map[string]*hcl.File{name: schema.NewSource(name, data).File()}); err != nil {
			return false, err
		}
		return false, unusable()
	case bytes.Equal(out, data):
		return false, nil
	}
	if !check {
		if err := edit.Save(r.path(name), out); err != nil {
			return false, machine("%w", err)
		}
	}
	if _, err := fmt.Fprintln(r.Out, name); err != nil {
		return true, machine("writing the output: %w", err)
	}
	return true, nil
}
