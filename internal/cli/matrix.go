package cli

import (
	"bytes"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/matrix"
	"github.com/seed-337579fc/subagents/schema"
)

const formatMarkdown = "markdown"

// matrixDocument is what matrix --format json prints.
type matrixDocument struct {
	matrix.Document
	Problems []problem `json:"problems"` // warnings
}

func (r *runner) matrixCommand() *cobra.Command {
	var page, scope string
	cmd := withFormats(uses(&cobra.Command{
		Use:   "matrix",
		Short: "Show what each host does with each setting of each subagent",
		Long: `Matrix says for every subagent, host and setting whether the host enforces it,
takes it without enforcing it, leaves it to the session, or has no place for it,
and why that is known. Many subagents are put together where they fare alike.

--html FILE writes one page that needs no network: the matrix with filters, the
reason and source of every cell, and the native files side by side. A FILE of -
is standard output.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if page != "" && cmd.Flags().Changed(flagFormat) {
				return usage("--html writes a page: it goes with no --format")
			}
			asked, err := scopeOf(cmd, scope)
			if err != nil {
				return err
			}
			return r.matrix(asked, page)
		},
	}, selection...), formatMarkdown)
	cmd.Flags().StringVar(&page, "html", "", "write a page of HTML to `FILE` instead")
	scopeFlag(cmd, &scope)
	return cmd
}

// matrix renders the selection and shows it as asked.
func (r *runner) matrix(scope schema.Scope, page string) error {
	opt := r.options()
	opt.Scope = scope
	m, result, err := r.rendered(opt)
	if err != nil {
		return err
	}
	shown := matrix.Build(result)
	if r.format == formatJSON {
		return r.json(r.Out, matrixDocument{shown.Document(), problemsOf(m.diags)})
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	if page != "" {
		return r.matrixPage(shown, m.name, page)
	}
	if r.format == formatMarkdown {
		err = shown.Markdown(r.Out)
	} else {
		width, _ := terminal(r.screen)
		err = shown.Text(r.Out, matrix.TextOptions{Width: min(width, maxMatrixWidth), Color: r.colored(r.screen), Clean: oneLine})
	}
	if err != nil {
		return machine("writing the matrix: %w", err)
	}
	return nil
}

// maxMatrixWidth keeps the levels near their settings on a wide terminal.
const maxMatrixWidth = 120

// matrixPage writes the page of HTML.
func (r *runner) matrixPage(m *matrix.Matrix, manifest, file string) error {
	about := matrix.Page{Manifest: manifest}
	if file == "-" {
		if err := m.HTML(r.Out, about); err != nil {
			return machine("writing the page: %w", err)
		}
		return nil
	}
	var page bytes.Buffer
	if err := m.HTML(&page, about); err != nil {
		return machine("making the page: %w", err)
	}
	if err := os.WriteFile(r.path(file), page.Bytes(), 0o644); err != nil {
		return machine("writing the page: %w", err)
	}
	r.note("%s shows %s on %s", file, plural(len(m.Subagents), "subagent"), plural(len(m.Hosts), "host"))
	return nil
}

// withFormats lets a command take further values of --format.
func withFormats(cmd *cobra.Command, formats ...string) *cobra.Command {
	cmd.Annotations[annotationFormats] = strings.Join(formats, " ")
	return cmd
}

// formatsOf lists the values of --format that a command takes.
func formatsOf(cmd *cobra.Command) []string {
	return append([]string{formatText, formatJSON}, strings.Fields(cmd.Annotations[annotationFormats])...)
}

const annotationFormats = "formats"
