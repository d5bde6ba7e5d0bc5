package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/importer"
	"github.com/seed-337579fc/subagents/schema"
)

// importDocument is what import prints with --format json.
type importDocument struct {
	Version   int                 `json:"version"`
	Output    string              `json:"output,omitempty"`   // the file that was written
	Manifest  string              `json:"manifest,omitempty"` // the manifest, where no file was asked for
	Subagents []importer.Imported `json:"subagents"`
	Skipped   []importer.Skipped  `json:"skipped"`
	Conflicts []importer.Conflict `json:"conflicts"`
	Passed    []importer.Passed   `json:"passed_over"`
	Problems  []problem           `json:"problems"`
}

// importFlags are the flags of import.
type importFlags struct {
	output    string
	installed bool
	where     whereFlags
}

func (r *runner) importCommand() *cobra.Command {
	var flags importFlags
	cmd := uses(&cobra.Command{
		Use:   "import [PATH...]",
		Short: "Read agent files that exist into a new manifest",
		Long: `Import reads native files of the five hosts, Markdown catalogues, and the source
folders of rulesync and ruler, and writes one manifest with all of them. What
several hosts have of one subagent becomes one entry. A setting becomes a neutral
key only where every host gets the same file as before; what is left out, read
otherwise than it looks, or in conflict is named.

A file is told by where it stands and by what stands in it; -p says whose the
files are. The manifest goes to standard output, or into a file that is not there
yet. No guard is put before the bodies.

Exit codes: 0 everything is in the manifest; 1 something was skipped or kept
apart.`,
		Example: "  subagents import .claude/agents -o subagents.yml\n  subagents import --installed -p claude,codex",
		RunE:    byMachine(func(_ *cobra.Command, args []string) error { return r.importFiles(flags, args) }),
	}, flagProvider, flagFormat)
	f := cmd.Flags()
	f.StringVarP(&flags.output, "output", "o", "", "write the manifest to `FILE`, which must not exist")
	f.BoolVar(&flags.installed, "installed", false, "read the hosts' own directories, in the project and in the home")
	f.StringVar(&flags.where.scope, "scope", "", "with --installed: only those of the user or of the project")
	f.StringVar(&flags.where.project, flagProject, "", "with --installed: the project's `DIR` (default: the working directory)")
	f.StringVar(&flags.where.home, flagHome, "", "with --installed: the person's home `DIR`; then no variable that names another place counts (default: $HOME)")
	f.StringArrayVar(&flags.where.roots, flagRoot, nil, "with --installed: configuration directory of a host, as `HOST=DIR`; may be repeated")
	register(cmd, "scope", cobra.FixedCompletions([]string{string(schema.UserScope), string(schema.ProjectScope)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (r *runner) importFiles(flags importFlags, args []string) error {
	if err := r.freeOutput(flags.output); err != nil {
		return err
	}
	roots, err := r.importRoots(flags, args)
	if err != nil {
		return err
	}
	result, err := importer.Import(roots)
	if errors.Is(err, fs.ErrNotExist) {
		return usage("%w", err)
	} else if err != nil {
		return err
	}
	if result.Manifest != nil && flags.output != "" {
		if err := r.writeNew(flags.output, result.Manifest); err != nil {
			return err
		}
	}
	if r.format == formatJSON {
		err = r.json(r.Out, importDocumentOf(result, flags.output))
	} else {
		err = r.tellImport(result, flags.output)
	}
	if err != nil {
		return err
	}
	if !result.Complete() || result.Manifest == nil {
		return no()
	}
	return nil
}

// freeOutput refuses a file that is there, before anything is read.
func (r *runner) freeOutput(name string) error {
	if name == "" {
		return nil
	}
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".yml" && ext != ".yaml" {
		return usage("import writes YAML: name a .yml file with -o")
	}
	if _, err := os.Lstat(r.path(name)); err == nil {
		return nope("%s is here already, and nothing is written", name)
	}
	return nil
}

// importRoots gives what is to be read.
func (r *runner) importRoots(flags importFlags, args []string) ([]importer.Root, error) {
	var roots []importer.Root
	for _, name := range args {
		path, err := r.absolute(name)
		if err != nil {
			return nil, err
		}
		root := importer.Root{Path: path, Shown: filepath.Clean(name)}
		switch {
		case len(r.providers) > 1:
			return nil, usage("-p says whose the files are: name one host")
		case len(r.providers) == 1:
			root.Host = schema.ProviderID(r.providers[0])
		}
		roots = append(roots, root)
	}
	if !flags.installed {
		w := flags.where
		switch {
		case w.scope != "" || w.project != "" || w.home != "" || len(w.roots) > 0:
			return nil, usage("--scope, --project-dir, --home and --root go with --installed")
		case len(roots) == 0:
			return nil, usage("name files or folders, or pass --installed")
		}
		return roots, nil
	}
	if len(args) > 0 {
		return nil, usage("--installed reads the hosts' own directories: name no others beside it")
	}
	return r.installedRoots(flags.where)
}

// installedRoots lists the hosts' own directories.
func (r *runner) installedRoots(w whereFlags) ([]importer.Root, error) {
	scopes := []string{string(schema.UserScope), string(schema.ProjectScope)}
	if w.scope != "" {
		if err := oneOf("scope", w.scope, scopes); err != nil {
			return nil, err
		}
		scopes = []string{w.scope}
	}
	var dirs importer.Dirs
	var err error
	if slices.Contains(scopes, string(schema.ProjectScope)) {
		if dirs.Project, err = r.absolute(cmp.Or(w.project, ".")); err != nil {
			return nil, err
		}
	}
	if slices.Contains(scopes, string(schema.UserScope)) {
		if dirs.Home, err = r.homeDir(w.home); err != nil {
			return nil, err
		}
		if w.home == "" {
			dirs.Env = r.Env
		}
		if dirs.Roots, err = r.rootsOf(w.roots); err != nil {
			return nil, err
		}
	}
	return dirs.Installed(r.hosts(r.options().Providers)), nil
}

func importDocumentOf(result *importer.Result, output string) importDocument {
	doc := importDocument{
		Version: documentVersion, Subagents: result.Subagents, Skipped: result.Skipped, Conflicts: result.Conflicts, Passed: result.Passed,
		Problems: problemsOf(result.Problems),
	}
	if output != "" && result.Manifest != nil {
		doc.Output = output
	} else {
		doc.Manifest = string(result.Manifest)
	}
	// A list without items is one, too.
	doc.Subagents, doc.Skipped = orEmpty(doc.Subagents), orEmpty(doc.Skipped)
	doc.Conflicts, doc.Passed = orEmpty(doc.Conflicts), orEmpty(doc.Passed)
	return doc
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// shownPassed is how many files without a subagent are named.
const shownPassed = 10

// tellImport prints the manifest, unless it is in a file, and what did not go
// into it.
func (r *runner) tellImport(result *importer.Result, output string) error {
	// There can be a warning for every file: each gets one line.
	var errs hcl.Diagnostics
	for _, d := range result.Problems {
		if d.Severity == hcl.DiagError {
			errs = append(errs, d)
			continue
		}
		fmt.Fprintf(r.Err, "Warning: %s\n", headline(d))
	}
	if err := r.report(errs, result.Files); err != nil {
		return err
	}
	for i, p := range result.Passed {
		if i == shownPassed {
			r.note("passed over: %d more", len(result.Passed)-i)
			break
		}
		r.note("passed over: %s: %s", oneLine(p.File), p.Why)
	}
	if result.Manifest != nil && output == "" {
		fmt.Fprint(r.Out, r.forPeople(string(result.Manifest)))
	}
	files := map[string]bool{}
	for _, s := range result.Subagents {
		for _, f := range s.Files {
			files[f] = true
		}
	}
	summary := fmt.Sprintf("%s from %s", plural(len(result.Subagents), "subagent"), plural(len(files), "file"))
	if n := len(result.Skipped); n > 0 {
		summary += fmt.Sprintf("; skipped: %d", n)
	}
	if n := len(result.Conflicts); n > 0 {
		summary += fmt.Sprintf("; in conflict: %d", n)
	}
	if output != "" && result.Manifest != nil {
		r.done("wrote %s: %s", output, summary)
	} else {
		r.note("imported %s", summary)
	}
	return nil
}
