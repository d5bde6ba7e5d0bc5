package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/skills"
	"github.com/seed-337579fc/subagents/render"
)

// validateDocument is what validate --format json prints.
type validateDocument struct {
	Version   int       `json:"version"`
	Manifest  string    `json:"manifest"`
	Valid     bool      `json:"valid"`
	Errors    int       `json:"errors"`
	Warnings  int       `json:"warnings"`
	Subagents int       `json:"subagents"`
	Files     int       `json:"files"` // that the selection renders to, in the scope
	Problems  []problem `json:"problems"`
	Notes     []note    `json:"notes"`
}

func (r *runner) validateCommand() *cobra.Command {
	var strict, allNotes bool
	var scope string
	var skillDirs []string
	cmd := withFormats(uses(&cobra.Command{
		Use:   "validate [FILE]",
		Short: "Report every problem of the manifest at once",
		Long: `Validate checks the manifest against its JSON Schema and its rules, and renders
every target in memory. All problems are reported at once, each with its code,
its line and column, the source line, and what to write instead. With --skills-dir
the skills that entries name must be folders with a SKILL.md there.

Exit codes: 0 valid; 1 invalid; 2 there is no such file.`,
		Args: upToArgs(0, 1, "one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && len(r.manifests) > 0 {
				return usage("name the manifest once: as an argument or with -f")
			}
			if len(args) > 0 {
				if err := r.notASubagent(args[0]); err != nil {
					return err
				}
			}
			r.manifests = append(r.manifests, args...)
			opt := r.options()
			var err error
			if opt.Scope, err = scopeOf(cmd, scope); err != nil {
				return err
			}
			opt.Strict = strict
			return r.validate(opt, allNotes, skillDirs)
		},
	}, selection...), formatSARIF, formatGitHub, formatGitLab)
	cmd.Flags().BoolVar(&strict, "strict", false, "every setting must be enforced, and what could be better is an error")
	notesFlag(cmd, &allNotes)
	scopeFlag(cmd, &scope)
	cmd.Flags().StringArrayVar(&skillDirs, "skills-dir", nil, "hold the names of skills against the folders in `DIR`; may be repeated")
	return cmd
}

// notASubagent refuses the name of a subagent where a file is meant.
func (r *runner) notASubagent(arg string) error {
	if filepath.Ext(arg) != "" || arg == builtin {
		return nil
	}
	if _, err := os.Stat(r.path(arg)); errors.Is(err, fs.ErrNotExist) {
		return usage("%s: no such file; -a %s takes the subagent of that name", arg, arg)
	}
	return nil
}

// validate prints every problem and, for people, what was looked at.
func (r *runner) validate(opt render.Options, allNotes bool, skillDirs []string) error {
	m, err := r.loadManifest()
	if err != nil {
		return err
	}
	result := m.render(opt)
	if err := r.skills(m, skillDirs); err != nil {
		return err
	}
	if opt.Strict && m.Manifest != nil {
		m.diags = append(m.diags, raised(m.Lint())...)
	}
	m.diags = settle(m.diags)
	failed, warnings := count(m.diags)
	entries := 0
	if m.Manifest != nil {
		entries = len(m.Entries())
	}
	files, notes, scope := len(result.Files), result.Notes, result.Scope
	sources := m.files()
	m.Manifest = nil // from here on, a large manifest and its files can make room for what is said of them
	switch {
	case r.annotated():
		list := diagnosed(m.diags)
		if allNotes {
			list = append(list, noted(notes)...)
		}
		err = r.annotate(list)
	case r.format == formatJSON:
		err = r.json(r.Out, validateDocument{
			documentVersion, m.name, failed == 0, failed, warnings, entries, files, problemsOf(m.diags), notesOf(notes),
		})
	default:
		err = r.report(m.diags, sources)
		if failed == 0 || allNotes {
			r.tellNotes(notes, allNotes)
		}
	}
	switch {
	case err != nil:
		return err
	case failed > 0:
		r.note("%s: %s, %s", m.name, plural(failed, "error"), plural(warnings, "warning"))
		return no()
	case r.format == formatText:
		r.done("%s is valid: %s, %s in scope %s", m.name, plural(entries, "subagent"), plural(files, "file"), scope)
	}
	return nil
}

// skills holds the skills of a manifest against folders.
func (r *runner) skills(m *loaded, dirs []string) error {
	if len(dirs) == 0 || m.Manifest == nil {
		return nil
	}
	paths := make([]string, len(dirs))
	for i, dir := range dirs {
		paths[i] = r.path(dir)
	}
	set, err := skills.Find(paths)
	if err != nil {
		return reading(err)
	}
	m.diags = append(m.diags, skills.Check(m.Manifest, set, dirs)...)
	return nil
}

// raised turns warnings into errors.
func raised(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Severity = hcl.DiagError
	}
	return diags
}
