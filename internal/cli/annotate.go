package cli

import (
	"cmp"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/internal/report"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The formats in which services show problems beside the lines that they are
// about.
const (
	formatSARIF  = "sarif"  // SARIF 2.1.0, for code scanning
	formatGitHub = "github" // workflow commands in the log of an action
	formatGitLab = "gitlab" // a code quality report
)

// annotated says whether the output is for such a service.
func (r *runner) annotated() bool {
	return r.format == formatSARIF || r.format == formatGitHub || r.format == formatGitLab
}

// annotate writes problems for a service, on standard output. A problem without a
// place is shown at the first manifest.
func (r *runner) annotate(list []report.Problem) error {
	for i := range list {
		list[i].File = r.inProject(list[i].File)
	}
	switch r.format {
	case formatSARIF:
		tool := report.Tool{Name: "subagents", Version: build(r.Release).Release, URI: "https://" + module}
		return report.SARIF(r.Out, tool, list, nil)
	case formatGitLab:
		fallback := defaultManifests[0]
		if names, err := r.manifestNames(); err == nil {
			fallback = names[0]
		}
		return report.GitLab(r.Out, list, r.inProject(fallback))
	}
	return report.GitHub(r.Out, list)
}

const module = "github.com/seed-337579fc/subagents"

// projects names the variables with which services say where the project lies;
// they want paths from there.
var projects = map[string]string{formatGitHub: "GITHUB_WORKSPACE", formatSARIF: "GITHUB_WORKSPACE", formatGitLab: "CI_PROJECT_DIR"}

// inProject gives a path as the service wants it: from the top of the project,
// where that is known and the file is in it.
func (r *runner) inProject(name string) string {
	top := r.Env(projects[r.format])
	if name == "" || top == "" {
		return filepath.ToSlash(name)
	}
	path, err := r.absolute(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

var reportLevels = map[hcl.DiagnosticSeverity]report.Level{hcl.DiagError: report.Error, hcl.DiagWarning: report.Warning}

// diagnosed turns problems of a manifest into what a service shows.
func diagnosed(diags hcl.Diagnostics) []report.Problem {
	var list []report.Problem
	for _, d := range diags {
		p := report.Problem{Code: string(schema.CodeOf(d)), Level: reportLevels[d.Severity], Message: printable(d.Summary), Help: printable(d.Detail)}
		if d.Subject != nil {
			p.File, p.At = d.Subject.Filename, *d.Subject
		}
		list = append(list, p)
	}
	return list
}

// noted turns fidelity notes into what a service shows.
func noted(notes []providers.Note) []report.Problem {
	var list []report.Problem
	for _, n := range notes {
		list = append(list, report.Problem{
			Code: string(n.Code), Level: report.Note, File: n.At.Filename, At: n.At, Help: printable(n.Why),
			Message: n.Agent + " on " + string(n.Provider) + ": " + printable(n.Setting) + " is " + string(n.Level),
		})
	}
	return list
}

// The codes of what differs in a golden directory.
const (
	CodeGoldenMissing = "golden-missing"
	CodeGoldenChanged = "golden-changed"
	CodeGoldenStray   = "golden-stray"
)

// differing turns the differences of a golden directory into what a service
// shows.
func differing(t checkedTree) []report.Problem {
	var list []report.Problem
	add := func(code, name, message, help string) {
		list = append(list, report.Problem{Code: code, Level: report.Error, File: filepath.Join(t.Dir, filepath.FromSlash(name)), Message: message, Help: help})
	}
	again := "`subagents render --prune --out " + t.Dir + " --scope " + string(t.Scope) + "` writes it."
	where := cmp.Or(t.Against, "this directory")
	for _, name := range t.Missing {
		add(CodeGoldenMissing, name, "the manifest renders to a file that is missing in "+where, again)
	}
	for _, c := range t.Changed {
		switch message := "the file differs from what the manifest renders to"; c.Reason {
		case "content":
			add(CodeGoldenChanged, c.Path, message, "Change the manifest, not the file. "+again)
		default:
			add(CodeGoldenChanged, c.Path, message+": "+c.Reason, again)
		}
	}
	for _, name := range t.Stray {
		add(CodeGoldenStray, name, "the manifest renders to no such file", again)
	}
	return list
}

// The codes of what differs among installed files.
const (
	CodeInstalledMissing = "installed-missing"
	CodeInstalledStale   = "installed-stale"
	CodeInstalledEdited  = "installed-edited"
	CodeInstalledForeign = "installed-foreign"
	CodeInstalledStray   = "installed-stray"
)

// installedStates says what the states of installed files are called for a service.
var installedStates = map[install.State]struct{ code, message string }{
	install.NotInstalled: {CodeInstalledMissing, "the manifest renders to a file that is not installed"},
	install.OutOfDate:    {CodeInstalledStale, "the manifest changed since the file was written"},
	install.ChangedFile:  {CodeInstalledEdited, "the file was changed by hand"},
	install.NotOurFile:   {CodeInstalledForeign, "somebody else's file lies where the manifest renders to"},
	install.Stray:        {CodeInstalledStray, "the manifest renders to no such file"},
}

// annotateInstalled compares the installed files with the manifest, for a
// service.
func (r *runner) annotateInstalled(flags checkFlags) error {
	status, m, err := r.compare(flags.where, install.Options{Exclusive: flags.exclusive}, install.How{}, install.Job.Check)
	if err != nil {
		return err
	}
	list := diagnosed(m.diags)
	for _, w := range status.Warnings {
		level := report.Warning
		if w.Refused {
			level = report.Error
		}
		list = append(list, report.Problem{Code: w.Code, Level: level, Message: printable(w.Message)})
	}
	here, err := r.absolute(".")
	if err != nil {
		return err
	}
	for _, f := range status.Files {
		state, differs := installedStates[f.State]
		if !differs {
			continue
		}
		file := f.Path
		if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
		list = append(list, report.Problem{Code: state.code, Level: report.Error, File: file, Message: state.message, Help: printable(f.Do)})
	}
	if err := r.annotate(list); err != nil {
		return err
	}
	return answer(status.Differs())
}
