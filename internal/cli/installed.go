package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// whereFlags say where files are installed. install, uninstall, status and check
// have them.
type whereFlags struct {
	scope, project, home, ledger, catalogue string
	roots                                   []string
}

// The names of the flags, for the commands that look at them.
const (
	flagProject = "project-dir"
	flagHome    = "home"
	flagRoot    = "root"
)

// whereFlagNames lists them all.
var whereFlagNames = []string{flagProject, flagHome, flagRoot, "ledger", "catalogue"}

func (w *whereFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	values := []string{string(schema.UserScope), string(schema.ProjectScope)}
	f.StringVar(&w.scope, "scope", values[0], "for one person, or for everybody who works in a project: "+strings.Join(values, " or "))
	register(cmd, "scope", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	w.addPlaces(cmd)
}

// addPlaces adds all of the flags but --scope.
func (w *whereFlags) addPlaces(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.project, flagProject, "", "the project's `DIR` (default: the working directory)")
	f.StringVar(&w.home, flagHome, "", "the person's home `DIR`; then no variable that names another place counts (default: $HOME)")
	f.StringArrayVar(&w.roots, flagRoot, nil, "configuration directory of a host, as `HOST=DIR`; it beats the host's variables; may be repeated")
	f.StringVar(&w.ledger, "ledger", "", "`FILE` that records what was written (default: ~/.local/state/subagents/ledger.json, or .subagents/ledger.json in the project)")
	f.StringVar(&w.catalogue, "catalogue", "", "`NAME` under which files are recorded (default: the manifest's own, else its path)")
}

// job says where to act, from the flags and the surroundings.
func (r *runner) job(w whereFlags) (install.Job, error) {
	job := install.Job{Known: r.hosts(nil), Hosts: r.hosts(r.options().Providers)}
	job.Scope = schema.Scope(w.scope)
	if err := oneOf("scope", w.scope, []string{string(schema.UserScope), string(schema.ProjectScope)}); err != nil {
		return job, err
	}
	if len(w.roots) > 0 && job.Scope == schema.ProjectScope {
		return job, usage("--root goes with --scope user: a project's directories are where the hosts look for them")
	}
	var err error
	if job.Home, err = r.homeDir(w.home); err != nil {
		return job, err
	}
	if w.home == "" {
		job.Env = r.Env
	}
	if job.Project, err = r.absolute(cmp.Or(w.project, ".")); err != nil {
		return job, err
	}
	if info, err := os.Stat(job.Project); job.Scope == schema.ProjectScope && (err != nil || !info.IsDir()) {
		return job, usage("there is no project directory %s", job.Project)
	}
	if w.ledger != "" {
		if job.Ledger, err = r.absolute(w.ledger); err != nil {
			return job, err
		}
	}
	job.Roots, err = r.rootsOf(w.roots)
	return job, err
}

// homeDir gives the home of the person.
func (r *runner) homeDir(asked string) (string, error) {
	home := cmp.Or(asked, r.Env("HOME"), r.Env("USERPROFILE"))
	if home == "" || asked == "" && !filepath.IsAbs(home) {
		return "", usage("$HOME names no directory: pass --home DIR")
	}
	return r.absolute(home)
}

// rootsOf reads --root.
func (r *runner) rootsOf(list []string) (map[schema.ProviderID]string, error) {
	roots := map[schema.ProviderID]string{}
	for _, text := range list {
		id, dir, ok := strings.Cut(text, "=")
		if !ok || dir == "" {
			return nil, usage("--root takes HOST=DIR, not %q", text)
		}
		if err := oneOf(flagRoot, id, words(schema.ProviderIDs())); err != nil {
			return nil, err
		}
		if _, twice := roots[schema.ProviderID(id)]; twice {
			return nil, usage("--root names %s twice: give each host one directory", id)
		}
		path, err := r.absolute(dir)
		if err != nil {
			return nil, err
		}
		roots[schema.ProviderID(id)] = path
	}
	return roots, nil
}

// absolute gives the absolute path of what the user named.
func (r *runner) absolute(name string) (string, error) {
	path, err := filepath.Abs(r.path(name))
	if err != nil {
		return "", machine("finding the working directory: %w", err)
	}
	return path, nil
}

// hosts gives the tables of the selected hosts, or of all.
func (r *runner) hosts(selected []schema.ProviderID) []*providers.Facts {
	var list []*providers.Facts
	for _, p := range all.Providers {
		if facts := p.Facts(); len(selected) == 0 || slices.Contains(selected, facts.ID) {
			list = append(list, facts)
		}
	}
	return list
}

// catalogueOf gives the identity of the manifest.
func (r *runner) catalogueOf(w whereFlags, job install.Job, m *loaded) (string, error) {
	own := ""
	if m != nil && m.Manifest != nil {
		own = m.Catalogue
	}
	if w.catalogue != "" || own != "" {
		return job.Catalogue(w.catalogue, own, ""), nil
	}
	names, err := r.manifestNames()
	if err != nil {
		return "", err
	}
	path := names[0]
	if path != builtin {
		if path, err = r.absolute(path); err != nil {
			return "", err
		}
	}
	return job.Catalogue("", "", path), nil
}

// wanter gives what the manifest wants to lie in the directories.
func wanter(m *loaded, result *render.Result) install.Wanter {
	return func(dests []*install.Dest) install.Desired { return install.Want(m.Manifest, result, dests) }
}

// installing loads and renders for the directories of the hosts. A manifest
// with errors is unusable; one that yields no file may still take files away.
func (r *runner) installing(job install.Job, opt render.Options) (*loaded, *render.Result, error) {
	m, err := r.loadManifest()
	if err != nil {
		return nil, nil, err
	}
	opt.Scope = job.Scope
	result := m.render(opt)
	if m.diags.HasErrors() {
		err := r.unusable(m)
		if onlyAnswers(m.diags, opt) {
			err = no()
		}
		return nil, nil, err
	}
	m.diags = settle(m.diags)
	return m, result, nil
}

// unselected says that a selection yields nothing at all: no file, and no entry
// that is to be absent.
func unselected(m *loaded, result *render.Result, opt render.Options) bool {
	if len(result.Files) > 0 {
		return false
	}
	for _, e := range m.Entries() {
		picked := len(opt.Agents) == 0 || slices.Contains(opt.Agents, e.Name)
		if picked && !e.Present() {
			return false
		}
	}
	return true
}

// sort gives an error of package install its exit code.
func sortError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*install.RootError](err); ok {
		return &failure{exitNo, err}
	}
	if _, ok := errors.AsType[*install.EscapeError](err); ok {
		return &failure{exitNo, err}
	}
	if _, ok := errors.AsType[*install.SharedError](err); ok {
		return &failure{exitUsage, err}
	}
	return &failure{exitMachine, err}
}

// tellRoots names the directories, first of all.
func (r *runner) tellRoots(roots []install.Root) {
	for _, root := range roots {
		from := ""
		switch root.From {
		case "home", "project":
		case "--root":
			from = " (--root)"
		default:
			from = " ($" + root.From + ")"
		}
		link := ""
		if root.Real != root.Directory {
			link = " -> " + oneLine(root.Real)
		}
		r.done("target: %s %s%s%s", root.Provider, oneLine(root.Directory), link, from)
	}
}

// tellWarnings prints what is to be known about a run.
func (r *runner) tellWarnings(list []install.Warning) {
	for _, w := range list {
		severity := "Warning"
		if w.Refused {
			severity = "Error"
		}
		fmt.Fprintf(r.Err, "%s: %s [%s]\n", severity, oneLine(w.Message), w.Code)
	}
}
