// Package reconcile takes what somebody changed in an installed file back into
// the manifest that the file came from.
//
// A file that was written by install and edited since is read as its host reads
// it, and so is what the manifest renders. What is different goes into the entry:
// a description or instructions into the shared text, anything else into the
// block of the host, which ranks above all that made the value before. The
// manifest with the change is then rendered and compared with the edited file;
// a change that does not come out the same is given back with the reason, and
// so is one that can be meant in more than one way. Nothing is guessed.
package reconcile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/internal/importer"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// An Edit is a file that was changed after it was written.
type Edit struct {
	Agent    string
	Provider schema.ProviderID
	Path     string
	Written  []byte // as the manifest renders it
	Found    []byte // as it lies there
}

// A Change is what of an edited file went into the manifest.
type Change struct {
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	Path     string            `json:"path"`
	Keys     []string          `json:"keys"` // of the entry
	// Exact says whether the manifest now renders to the very bytes of the file.
	Exact bool `json:"exact"`
}

// A Kept is what of an edited file did not.
type Kept struct {
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	Path     string            `json:"path"`
	Reason   string            `json:"reason"`
}

// A Result is the text of the manifest with the changes, and what they are.
type Result struct {
	Data    []byte
	Changes []Change
	Kept    []Kept
}

// A Loader loads the manifest as if its file held other bytes.
type Loader func(data []byte) (*schema.Manifest, hcl.Diagnostics, error)

// Run takes edits into the text of a manifest, whose name says its spelling. The
// error is one of the machine.
func Run(name string, data []byte, scope schema.Scope, load Loader, edits []Edit) (*Result, error) {
	r := &run{name: name, scope: scope, load: load, result: &Result{Data: data}}
	m, _, err := load(data)
	if err != nil {
		return nil, err
	}
	r.m = m
	for _, e := range m.Entries() {
		var mine []Edit
		for _, one := range edits {
			if one.Agent == e.Name {
				mine = append(mine, one)
			}
		}
		if len(mine) > 0 {
			if err := r.entry(e.Name, mine); err != nil {
				return nil, err
			}
		}
	}
	return r.result, nil
}

type run struct {
	name   string
	scope  schema.Scope
	load   Loader
	m      *schema.Manifest
	result *Result
}

// A reading is an edit with what its host reads before and after.
type reading struct {
	Edit
	before, after *providers.Decoded
	agent         *schema.Agent
	keys          []string
}

func (r *run) keep(e Edit, format string, args ...any) {
	r.result.Kept = append(r.result.Kept, Kept{e.Agent, e.Provider, e.Path, fmt.Sprintf(format, args...)})
}

// entry takes in the edits of the files of one subagent.
func (r *run) entry(name string, edits []Edit) error {
	var list []*reading
	for _, one := range edits {
		if read := r.read(name, one); read != nil {
			list = append(list, read)
		}
	}
	list, err := r.texts(name, list)
	if err != nil {
		return err
	}
	for _, read := range list {
		if err := r.settings(name, read); err != nil {
			return err
		}
	}
	return nil
}

// read reads a file as it was written and as it is, or keeps the edit.
func (r *run) read(name string, e Edit) *reading {
	if reason := r.untouchable(name); reason != "" {
		r.keep(e, "%s", reason)
		return nil
	}
	host := all.Get(e.Provider)
	before, _ := host.Decode(providers.Native{Name: e.Path, Data: e.Written})
	after, diags := host.Decode(providers.Native{Name: e.Path, Data: e.Found})
	switch {
	case len(after) != 1 || len(before) != 1:
		reason := "it defines no subagent any more"
		if diags.HasErrors() {
			reason = fmt.Sprintf("%s cannot read it: %s", host.Facts().Title, place(diags[0]))
		}
		r.keep(e, "%s", reason)
		return nil
	case providers.Marked(e.Written) && !providers.Marked(e.Found):
		r.keep(e, "the line that says whose file it is is gone: it may be somebody else's now")
		return nil
	case after[0].Name != before[0].Name:
		r.keep(e, "its name is now %q: rename the entry, if that is meant", after[0].Name)
		return nil
	}
	return &reading{Edit: e, before: &before[0], after: &after[0], agent: r.m.Resolve(r.m.Entry(name), e.Provider)}
}

// place gives a problem with its line.
func place(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return d.Summary
	}
	return fmt.Sprintf("line %d: %s", d.Subject.Start.Line, d.Summary)
}

// untouchable says why an entry cannot be changed in the file, "" if it can.
func (r *run) untouchable(name string) string {
	e := r.m.Entry(name)
	file, diags, err := edit.Parse(r.name, r.result.Data)
	switch {
	case err != nil:
		return err.Error()
	case diags.HasErrors():
		return diags[0].Summary
	case e.Pack != nil:
		return "the entry is made from a pack"
	case !file.Has(name):
		return fmt.Sprintf("the entry stands in %s: reconcile that file, with -f", e.Layer)
	}
	return ""
}

// try changes the entry in the text and loads the result. It gives the reason
// where that is not possible, and nothing has changed then.
func (r *run) try(node *schema.Node) (data []byte, m *schema.Manifest, reason string, err error) {
	file, _, err := edit.Parse(r.name, r.result.Data)
	if err != nil {
		return nil, nil, err.Error(), nil
	}
	data, err = file.Update(node)
	if err != nil {
		return nil, nil, err.Error(), nil
	}
	m, diags, err := r.load(data)
	if err != nil {
		return nil, nil, "", err
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return nil, nil, "the manifest would be invalid: " + d.Summary, nil
		}
	}
	return data, m, "", nil
}

// rendered gives what a manifest renders a subagent to, for the file of an edit.
func (r *run) rendered(m *schema.Manifest, read *reading) (data []byte, reason string) {
	result, diags := render.Render(m, render.Options{Scope: r.scope, Providers: []schema.ProviderID{read.Provider}, Agents: []string{read.Agent}})
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return nil, "it could not be rendered: " + d.Summary
		}
	}
	i := slices.IndexFunc(result.Files, func(f render.File) bool {
		return strings.HasSuffix(strings.ReplaceAll(read.Path, `\`, "/"), "/"+f.Name())
	})
	if i < 0 {
		return nil, "it would not be written any more"
	}
	return result.Files[i].Data, ""
}

// compare says why the rendered file is not what the edited one says, "" if it
// is. A text that was not edited in this file is the one that all hosts share by
// now.
func (r *run) compare(m *schema.Manifest, read *reading) (reason string, exact bool) {
	data, reason := r.rendered(m, read)
	if reason != "" {
		return reason, false
	}
	again, _ := all.Get(read.Provider).Decode(providers.Native{Name: read.Path, Data: data})
	if len(again) != 1 {
		return "what is rendered from the manifest cannot be read back", false
	}
	want := *read.after
	if want.Description == read.before.Description {
		want.Description = again[0].Description
	}
	if want.Body == read.before.Body {
		want.Body = again[0].Body
	}
	if key := importer.Differs(read.Provider, &again[0], &want); key != "" {
		return "rendered from the manifest it would still differ in " + key, false
	}
	return "", string(data) == string(read.Found)
}
