package importer

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// A definition is what one file says of one subagent.
type definition struct {
	file        *file
	at          hcl.Range
	name        string // in the form of a manifest
	description string
	body        string
	// hosts holds how hosts read it. Without any it is for every host.
	hosts map[schema.ProviderID]*providers.Decoded
	// neutral are keys that the file itself has in neutral words.
	neutral []schema.Field
	// targets are the hosts that it is for, nil for all of them.
	targets []schema.ProviderID
	source  string // id of where it comes from
}

// reads lists the hosts that have a reading of their own, in their order.
func (d *definition) reads() []schema.ProviderID {
	var ids []schema.ProviderID
	for _, id := range schema.ProviderIDs() {
		if d.hosts[id] != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// hostFile reads a file of a host.
func (im *importer) hostFile(f *file, c claim) {
	native := providers.Native{Name: f.shown, Form: c.form, Data: f.data, Open: f.open}
	if c.host == schema.OpenCodeID {
		native.Name = whereFrom(f)
	}
	found, diags := all.Get(c.host).Decode(native)
	rename(diags, native.Name, f.shown)
	if len(diags) == 1 && schema.CodeOf(diags[0]) == providers.CodeNoHead && !f.named {
		im.result.Passed = append(im.result.Passed, Passed{f.shown, "no front matter"})
		return
	}
	im.report(f, diags)
	for i := range found {
		d := &found[i]
		im.define(&definition{
			file: f, at: at(d.At, native.Name, f.shown), name: d.Name, description: d.Description, body: d.Body,
			hosts: map[schema.ProviderID]*providers.Decoded{c.host: d}, targets: []schema.ProviderID{c.host}, source: string(c.host),
		})
	}
	if len(found) == 0 && !diags.HasErrors() && f.named {
		im.skip(f, schema.Problemf(CodeNoSubagent, start(f),
			"Name a file or folder that has some.", "%s defines no subagent", f.shown))
	}
}

// whereFrom gives the name by which a host finds a subagent's name: the whole
// path, since folders count.
func whereFrom(f *file) string { return strings.ReplaceAll(f.path, `\`, "/") }

// rename puts the name that people know into the places of problems.
func rename(diags hcl.Diagnostics, from, to string) {
	for _, d := range diags {
		if d.Subject != nil {
			moved := at(*d.Subject, from, to)
			d.Subject = &moved
		}
	}
}

func at(r hcl.Range, from, to string) hcl.Range {
	if r.Filename == from {
		r.Filename = to
	}
	return r
}

// define takes a definition in, under a name that a manifest can have.
func (im *importer) define(d *definition) {
	native := d.name
	d.name = providers.ManifestName(native)
	switch {
	case d.name == "":
		im.skip(d.file, schema.Problemf(providers.CodeBadNativeName, d.at, "Give it a name with letters from a to z.",
			"nothing of the name %q can stand in a manifest", native))
		return
	case d.name != native:
		im.warn(providers.CodeNameChanged, d.at, "A manifest has names of lower-case letters, digits and single hyphens. The hosts will know it by the new name.",
			"%q becomes %q", native, d.name)
		if strings.ContainsAny(native, " ") && !slices.ContainsFunc(d.neutral, func(f schema.Field) bool { return f.Key == "title" }) {
			d.neutral = append(d.neutral, providers.TextField("title", strings.Join(strings.Fields(native), " "), d.at))
		}
	}
	im.found = append(im.found, d)
}
