package cli

import (
	"errors"
	"os"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/schema"
)

// editing are the global flags of a command that changes a manifest.
var editing = []string{flagManifest, flagOutside, flagPolicy}

// An editor changes the one manifest file that is meant.
type editor struct {
	*runner
	*loaded
	path string
	file *edit.File
}

// editor opens the manifest for a change. It may have errors, since a skeleton
// that is not filled in yet is one.
func (r *runner) editor() (*editor, error) {
	names, err := r.manifestNames()
	switch {
	case err != nil:
		return nil, err
	case len(names) > 1:
		return nil, usage("name the one manifest that is to be changed with -f")
	case names[0] == builtin:
		return nil, usage("the built-in catalogue is not changed: `subagents eject` writes it as a manifest to own")
	}
	m, err := r.loadManifest()
	if err != nil {
		return nil, err
	}
	e := &editor{runner: r, loaded: m, path: r.path(names[0])}
	data, err := os.ReadFile(e.path)
	if err != nil {
		return nil, reading(err)
	}
	file, diags, err := edit.Parse(names[0], data)
	if diags.HasErrors() || m.Manifest == nil {
		return nil, r.unusable(m)
	}
	e.file = file
	return e, refused(err)
}

// refused turns the refusal of an edit into the answer no.
func refused(err error) error {
	if _, ok := errors.AsType[*edit.RefusedError](err); ok {
		return &failure{exitNo, err}
	}
	return err
}

// find gives an entry by its name.
func (e *editor) find(name string) (*schema.Entry, error) {
	if entry := e.Entry(name); entry != nil {
		return entry, nil
	}
	var names []string
	for _, entry := range e.Entries() {
		names = append(names, entry.Name)
	}
	if near := schema.Nearest(name, names); near != "" {
		return nil, nope("there is no subagent %q; did you mean %q?", name, near)
	}
	return nil, nope("there is no subagent %q", name)
}

// own gives an entry that stands in the file itself, where it can be changed.
func (e *editor) own(name string) (*schema.Entry, error) {
	entry, err := e.find(name)
	switch {
	case err != nil:
		return nil, err
	case e.file.Has(name):
		return entry, nil
	case entry.Pack != nil:
		return nil, nope("%q is one of the subagents that the entry at %s:%d makes from packs: change that by hand", name, entry.At.Filename, entry.At.Start.Line)
	case entry.Layer == builtin+"subagents.yml":
		return nil, nope("%q stands in the built-in catalogue: take it out of include, or write an entry of your own over it", name)
	}
	return nil, nope("%q stands in %s, which is included: change it there, with -f %s", name, entry.Layer, entry.Layer)
}

// save writes a change, unless the manifest would have errors that it does not
// have now. Codes that are expected to come are no such errors.
func (e *editor) save(data []byte, err error, expected ...schema.Code) error {
	if err != nil {
		return refused(err)
	}
	m, diags, err := schema.LoadEdited(e.path, data, e.loading())
	if err != nil {
		return reading(err)
	}
	changed := &loaded{m, e.name, newErrors(e.diags, diags, expected)}
	if changed.diags.HasErrors() {
		changed.diags = settle(changed.diags)
		if err := e.report(changed.diags, changed.files()); err != nil {
			return err
		}
		return nope("%s stays as it is: the change would make it invalid", e.name)
	}
	return edit.Save(e.path, data)
}

// newErrors gives the errors that were not there before, wherever they stand.
func newErrors(before, after hcl.Diagnostics, expected []schema.Code) hcl.Diagnostics {
	type said struct {
		code    schema.Code
		summary string
	}
	known := map[said]int{}
	for _, d := range before {
		known[said{schema.CodeOf(d), d.Summary}]++
	}
	return slices.DeleteFunc(after, func(d *hcl.Diagnostic) bool {
		key := said{schema.CodeOf(d), d.Summary}
		known[key]--
		return d.Severity != hcl.DiagError || known[key] >= 0 || slices.Contains(expected, key.code)
	})
}

// remind says what a change of the manifest does not do.
func (r *runner) remind() {
	r.note("No host has changed: run `subagents install`, then open a new session there.")
}
