package cli

import (
	"cmp"
	"fmt"
	"os"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// checkDocument is what check --golden --format json prints.
type checkDocument struct {
	Version  int           `json:"version"`
	Same     bool          `json:"same"`
	Golden   []checkedTree `json:"golden"`
	Problems []problem     `json:"problems"` // warnings
}

// checkedTree is a golden directory with what differs in it.
type checkedTree struct {
	Dir     string        `json:"dir"`
	Scope   schema.Scope  `json:"scope"`
	Against string        `json:"against,omitempty"` // the revision that the directory was looked up in
	Same    bool          `json:"same"`
	Missing []string      `json:"missing"`
	Changed []checkedFile `json:"changed"`
	Stray   []string      `json:"stray"` // files of ours that are not rendered; with --exclusive: any
	Equal   int           `json:"equal"`
	Others  int           `json:"others"` // other files beside them, which do not count
}

// checkedFile is a file whose bytes differ.
type checkedFile struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // content, line-endings, or what is in the way
	Diff   string `json:"diff,omitempty"`
}

// checkFlags are the flags of check.
type checkFlags struct {
	where           whereFlags
	golden          []string
	scope           string
	against, stamp  string
	diff, exclusive bool
}

func (r *runner) checkCommand() *cobra.Command {
	var flags checkFlags
	cmd := withFormats(uses(&cobra.Command{
		Use:   "check [--golden DIR]",
		Short: "Compare what would be rendered with the installed files, or with a golden directory",
		Long: `Check compares the rendered files with what is installed and names each file
that is not installed, stale, edited, foreign or stray, as status does. With
--golden it compares them with a directory that holds an earlier rendering, and
names each file that is missing, changed or stray. A stray is a file of ours in
a host's agents directory that is not rendered; --exclusive takes every other
file there for one.

--golden may be repeated, and user=DIR or project=DIR says what a directory was
rendered for. --against takes the directories as they were in a revision, which
git is asked for; nothing is checked out.

Exit codes: 0 the same; 1 something differs.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt := r.options()
			var err error
			if opt.Scope, err = scopeOf(cmd, flags.scope); err != nil {
				return err
			}
			if len(flags.golden) == 0 {
				switch {
				case flags.stamp != "":
					return usage("--stamp goes with --golden DIR")
				case flags.against != "":
					return usage("--against goes with --golden DIR")
				}
				flags.where.scope = cmp.Or(string(opt.Scope), string(schema.UserScope))
				if r.annotated() {
					return r.annotateInstalled(flags)
				}
				return r.checkInstalled(flags)
			}
			for _, name := range whereFlagNames {
				if cmd.Flags().Changed(name) {
					return usage("--%s is about installed files, and goes without --golden", name)
				}
			}
			return r.checkGolden(flags, opt)
		},
	}, selection...), formatSARIF, formatGitHub, formatGitLab)
	f := cmd.Flags()
	f.StringArrayVar(&flags.golden, "golden", nil, "compare with this `DIR` instead of the installed files; user=DIR or project=DIR says its scope; may be repeated")
	f.StringVar(&flags.against, "against", "", "take the golden directories from this git `REVISION`")
	flags.where.addPlaces(cmd)
	f.BoolVar(&flags.diff, "diff", false, "show what differs")
	f.BoolVar(&flags.exclusive, "exclusive", false, "any file that is not rendered is stray")
	f.StringVar(&flags.stamp, "stamp", "", "write an empty `FILE` when nothing differs, for build tools that want an output")
	scopeFlag(cmd, &flags.scope)
	return cmd
}

func (r *runner) checkGolden(flags checkFlags, opt render.Options) error {
	goldens := goldensOf(flags.golden, opt.Scope)
	m, results, err := r.renderedFor(goldens, opt)
	if err != nil {
		return err
	}
	doc := checkDocument{Version: documentVersion, Same: true, Problems: problemsOf(m.diags)}
	for _, g := range goldens {
		result := results[g.scope]
		state, err := r.examine(g, flags.against, result, r.lookFor(m, result.Scope, opt))
		if err != nil {
			return err
		}
		checked := compareTree(g.dir, state, flags)
		checked.Scope, checked.Against = result.Scope, flags.against
		doc.Golden = append(doc.Golden, checked)
		doc.Same = doc.Same && checked.Same
	}
	switch {
	case r.annotated():
		list := diagnosed(m.diags)
		for _, t := range doc.Golden {
			list = append(list, differing(t)...)
		}
		err = r.annotate(list)
	case r.format == formatJSON:
		err = r.json(r.Out, doc)
	default:
		err = r.report(m.diags, m.files())
		for _, t := range doc.Golden {
			r.checkText(t)
		}
	}
	if err == nil && !doc.Same {
		return no()
	}
	if err == nil && flags.stamp != "" {
		if err := os.WriteFile(r.path(flags.stamp), nil, 0o644); err != nil {
			return machine("writing the stamp: %w", err)
		}
	}
	return err
}

// compareTree lists the differences of one directory.
func compareTree(dir string, state *tree.State, flags checkFlags) checkedTree {
	t := checkedTree{Dir: dir, Missing: []string{}, Changed: []checkedFile{}, Stray: append([]string{}, state.Strays...), Others: len(state.Others)}
	if flags.exclusive {
		t.Stray, t.Others = append(t.Stray, state.Others...), 0
	}
	for _, f := range state.Files {
		switch f.Status {
		case tree.Equal:
			t.Equal++
		case tree.Missing:
			t.Missing = append(t.Missing, f.Path)
		case tree.LineEndings:
			t.Changed = append(t.Changed, checkedFile{Path: f.Path, Reason: string(tree.LineEndings)})
		case tree.Blocked:
			t.Changed = append(t.Changed, checkedFile{Path: f.Path, Reason: f.Why})
		case tree.Changed:
			c := checkedFile{Path: f.Path, Reason: "content"}
			if flags.diff {
				c.Diff = udiff.Unified(dir+"/"+f.Path, f.Path+" (rendered)", string(f.Disk), string(f.Data))
			}
			t.Changed = append(t.Changed, c)
		}
	}
	t.Same = len(t.Missing)+len(t.Changed)+len(t.Stray) == 0
	return t
}

// checkText prints the differences of one directory, and one line that counts
// them.
func (r *runner) checkText(t checkedTree) {
	for _, name := range t.Missing {
		fmt.Fprintf(r.Out, "missing  %s\n", name)
	}
	crlf := 0
	for _, c := range t.Changed {
		remark := ""
		switch c.Reason {
		case "content":
		case string(tree.LineEndings):
			crlf++
			remark = " (line endings alone)"
		default:
			remark = " (" + c.Reason + ")"
		}
		fmt.Fprintf(r.Out, "changed  %s%s\n%s", c.Path, remark, r.forPeople(c.Diff))
	}
	for _, name := range t.Stray {
		fmt.Fprintf(r.Out, "stray    %s\n", oneLine(name))
	}
	where := t.Dir
	if t.Against != "" {
		where += " at " + t.Against
	}
	summary := fmt.Sprintf("%s: %d missing, %d changed, %d stray, %d equal", where, len(t.Missing), len(t.Changed), len(t.Stray), t.Equal)
	if t.Others > 0 {
		summary += fmt.Sprintf("; %s beside them (--exclusive takes them for strays)", plural(t.Others, "other file"))
	}
	if crlf > 0 {
		summary += fmt.Sprintf("; %d differ in CRLF alone: put `* -text` into a .gitattributes there", crlf)
	}
	if !t.Same {
		fmt.Fprintln(r.Err, summary)
		return
	}
	r.note("%s", summary)
}
