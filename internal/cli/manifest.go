package cli

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// builtin names the embedded catalogue where a manifest file could stand.
const builtin = "builtin:"

// defaultManifests are the names under which a manifest is found in the working
// directory.
var defaultManifests = []string{"subagents.yml", "subagents.yaml", "subagents.json", "subagents.toml", "subagents.hcl"}

// A loaded is a manifest with the problems found so far. The Manifest is nil
// where there is no tree at all.
type loaded struct {
	*schema.Manifest
	name  string // as the user wrote it
	diags hcl.Diagnostics
}

// files gives the sources that are known.
func (m *loaded) files() map[string]*hcl.File {
	if m.Manifest == nil {
		return nil
	}
	return m.Files()
}

// loadManifest reads the manifests that -f names, or the one in the working
// directory. The error is about finding and reading them; what is wrong in them
// is in the diagnostics.
func (r *runner) loadManifest() (*loaded, error) {
	names, err := r.manifestNames()
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = name
		if name != builtin {
			paths[i] = r.path(name)
		}
	}
	m, diags, err := schema.LoadFiles(paths, r.loading())
	if err != nil {
		return nil, reading(err)
	}
	return &loaded{m, strings.Join(names, ", "), diags}, nil
}

// loading says how manifests are loaded.
func (r *runner) loading() schema.Options {
	return schema.Options{
		HostTool:     all.HostTool,
		Builtin:      schema.NewSource(builtin+"subagents.yml", subagents.Catalogue),
		Policies:     schema.NewSource(builtin+"policies.yml", subagents.Policies),
		Hold:         r.policyFiles(),
		AllowOutside: r.allowOutside,
	}
}

// policyFiles gives the policies that --policy names.
func (r *runner) policyFiles() []string {
	var names []string
	for _, name := range r.policies {
		if !strings.HasPrefix(name, builtin) {
			name = r.path(name)
		}
		names = append(names, name)
	}
	return names
}

// manifestNames decides which manifests are meant.
func (r *runner) manifestNames() ([]string, error) {
	for _, name := range r.manifests {
		if name == "-" {
			return nil, usage("a manifest is not read from standard input: name a file, whose extension says its spelling")
		}
		if rest, ok := strings.CutPrefix(name, builtin); ok && rest != "" {
			return nil, usage("%q is no manifest: %s is the whole built-in catalogue, -a chooses from it", name, builtin)
		}
		if name == builtin {
			continue
		}
		switch info, err := os.Stat(r.path(name)); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, usage("%s: no such file", name)
		case err == nil && info.IsDir():
			return nil, usage("%s is a directory: name the manifest in it", name)
		}
	}
	if len(r.manifests) > 0 {
		return r.manifests, nil
	}
	found := slices.DeleteFunc(slices.Clone(defaultManifests), func(name string) bool {
		_, err := os.Lstat(r.path(name))
		return errors.Is(err, fs.ErrNotExist)
	})
	switch len(found) {
	case 0:
		return nil, usage("there is no subagents.yml, .yaml, .json, .toml or .hcl here: name a manifest with -f, or write one with `subagents init`")
	case 1:
		return found, nil
	}
	return nil, usage("%s are both here: name the one that is meant with -f", strings.Join(found, " and "))
}

// needManifest loads a manifest that a command cannot do without. One with
// errors is reported whole and is unusable.
func (r *runner) needManifest() (*loaded, error) {
	m, err := r.loadManifest()
	if err != nil {
		return nil, err
	}
	if m.diags.HasErrors() {
		m.render(render.Options{})
		return nil, r.unusable(m)
	}
	return m, nil
}

// unusable reports the problems of a manifest that a command cannot work with.
func (r *runner) unusable(m *loaded) error {
	m.diags = settle(m.diags)
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	return unusable()
}

// render renders and adds the problems to those of loading. A problem at a
// place where the manifest itself is wrong already says nothing new, nor does a
// path taken twice where a name is.
func (m *loaded) render(opt render.Options) *render.Result {
	if m.Manifest == nil {
		return &render.Result{}
	}
	wrong, double := map[hcl.Range]bool{}, false
	for _, d := range m.diags {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			wrong[*d.Subject] = true
		}
		double = double || schema.CodeOf(d) == schema.CodeDuplicateName
	}
	result, diags := render.Render(m.Manifest, opt)
	for _, d := range diags {
		if d.Subject != nil && wrong[*d.Subject] || double && schema.CodeOf(d) == render.CodeCollision {
			continue
		}
		m.diags = append(m.diags, d)
	}
	return result
}

// rendered loads the manifest and renders the selection, for the commands that
// need the files. There is at least one.
func (r *runner) rendered(opt render.Options) (*loaded, *render.Result, error) {
	return r.renderedOrEmpty(opt, false)
}

// renderedOrEmpty is rendered for commands that can do with no file at all.
func (r *runner) renderedOrEmpty(opt render.Options, empty bool) (*loaded, *render.Result, error) {
	m, err := r.loadManifest()
	if err != nil {
		return nil, nil, err
	}
	result := m.render(opt)
	if m.diags.HasErrors() {
		err := r.unusable(m)
		if onlyAnswers(m.diags, opt) {
			err = no()
		}
		return nil, nil, err
	}
	if len(result.Files) == 0 && !empty {
		m.diags = append(m.diags, nothing(result))
		if err := r.report(settle(m.diags), m.files()); err != nil {
			return nil, nil, err
		}
		return nil, nil, no()
	}
	m.diags = settle(m.diags)
	return m, result, nil
}

// nothing is the problem of a selection that yields no file.
func nothing(result *render.Result) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError, Extra: render.CodeNothing,
		Summary: "nothing is selected: no subagent has a file in scope " + string(result.Scope),
		Detail:  "`subagents list` shows the subagents with their tags and targets.",
	}
}

// onlyAnswers says whether the errors are all answers to what was asked of a
// manifest that is valid: a name that nobody has, a strictness that is not met.
func onlyAnswers(diags hcl.Diagnostics, opt render.Options) bool {
	for _, d := range diags {
		code := schema.CodeOf(d)
		answer := code == render.CodeNotFound || opt.Strict && code == render.CodeBelow
		if d.Severity == hcl.DiagError && !answer {
			return false
		}
	}
	return true
}

// completeNames completes the names of subagents from the manifest, silently.
func (r *runner) completeNames(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if m, err := r.loadManifest(); err == nil && m.Manifest != nil {
		for _, e := range m.Entries() {
			if strings.HasPrefix(e.Name, start) {
				names = append(names, e.Name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
