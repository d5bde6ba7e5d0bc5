package cli

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/revision"
	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A golden is a directory that holds an earlier rendering.
type golden struct {
	dir   string
	scope schema.Scope // empty: as the manifest says
}

// goldensOf reads the values of --golden: DIR, user=DIR or project=DIR.
func goldensOf(values []string, scope schema.Scope) []golden {
	list := make([]golden, len(values))
	for i, value := range values {
		list[i] = golden{value, scope}
		for _, s := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
			if dir, ok := strings.CutPrefix(value, string(s)+"="); ok && dir != "" {
				list[i] = golden{dir, s}
			}
		}
	}
	return list
}

// renderedFor renders for every scope that golden directories have; there is at
// least one file in each.
func (r *runner) renderedFor(goldens []golden, opt render.Options) (*loaded, map[schema.Scope]*render.Result, error) {
	m, err := r.loadManifest()
	if err != nil {
		return nil, nil, err
	}
	results, empty := map[schema.Scope]*render.Result{}, false
	for _, g := range goldens {
		if results[g.scope] == nil {
			opt.Scope = g.scope
			results[g.scope] = m.render(opt)
			empty = empty || len(results[g.scope].Files) == 0
		}
	}
	m.diags = settle(m.diags)
	switch {
	case m.diags.HasErrors() && onlyAnswers(m.diags, opt):
		return nil, nil, errors.Join(r.report(m.diags, m.files()), no())
	case m.diags.HasErrors():
		return nil, nil, r.unusable(m)
	case empty:
		for _, result := range results {
			if len(result.Files) == 0 {
				m.diags = append(m.diags, nothing(result))
			}
		}
		return nil, nil, errors.Join(r.report(settle(m.diags), m.files()), no())
	}
	return m, results, nil
}

// examine compares a golden directory, or what it was in a revision, with the
// rendered files.
func (r *runner) examine(g golden, against string, result *render.Result, look tree.Look) (*tree.State, error) {
	dir := r.path(g.dir)
	if against == "" {
		state, err := tree.Examine(dir, result.Files, look)
		if err == nil && !state.Exists {
			err = usage("there is no directory %s: `subagents render --out %s` writes it", g.dir, g.dir)
		}
		return state, err
	}
	temp, err := os.MkdirTemp("", "subagents-check-")
	if err != nil {
		return nil, machine("making a temporary directory: %w", err)
	}
	defer os.RemoveAll(temp)
	err = revision.Extract(against, dir, compared(result, look), temp)
	if _, ok := errors.AsType[*revision.Error](err); ok {
		return nil, usage("%w", err)
	} else if err != nil {
		return nil, err
	}
	return tree.Examine(temp, result.Files, look)
}

// compared says which files of a directory a comparison looks at: those in the
// directories that the files lie in, and the ones that lead there.
func compared(result *render.Result, look tree.Look) func(string) bool {
	var dirs []string
	for _, f := range result.Files {
		dirs = append(dirs, path.Dir(f.Path))
	}
	for _, facts := range look.Providers {
		for _, place := range facts.Places {
			if place.Scope == look.Scope {
				dirs = append(dirs, path.Dir(place.Path("x")))
			}
		}
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	return func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return path.Dir(name) == dir || strings.HasPrefix(dir, name+"/") || dir == name
		})
	}
}
