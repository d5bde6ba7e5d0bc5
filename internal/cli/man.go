package cli

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manDate stands in the man pages, so that the same release always gives the
// same pages.
var manDate = time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)

func (r *runner) manCommand() *cobra.Command {
	var out string
	cmd := uses(&cobra.Command{
		Use:   "man --out DIR",
		Short: "Write the man pages",
		Long: `Man writes a man page for the program and for each of its commands into a
directory, which is made if it is not there.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usage("name a directory with --out")
			}
			dir := r.path(out)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return machine("making %s: %w", out, err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "SUBAGENTS", Section: "1", Source: "subagents", Manual: "subagents", Date: &manDate}
			if err := doc.GenManTree(root, header, dir); err != nil {
				return machine("writing the man pages: %w", err)
			}
			return nil
		},
	})
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the pages into `DIR`")
	return cmd
}
