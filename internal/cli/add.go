package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/importer"
	"github.com/seed-337579fc/subagents/schema"
)

func (r *runner) addCommand() *cobra.Command {
	var replace bool
	cmd := uses(&cobra.Command{
		Use:   "add FILE",
		Short: "Add the subagents of one file to the manifest",
		Long: `Add reads one file, as import does, and adds what it defines to the manifest: a
native file of a host (-p says whose, where its path does not), Markdown with
front matter, or entries of another manifest in YAML or JSON. What is left out,
or read otherwise than it looks, is named. The rest of the manifest stays as it
is, byte for byte.

Exit codes: 0 done; 1 refused: a name is taken (--replace puts the new one in its
place), or the file defines no subagent that can be used.`,
		Args: upToArgs(1, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return r.add(args[0], replace) },
	}, append([]string{flagProvider}, editing...)...)
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an entry of the same name")
	return cmd
}

func (r *runner) add(name string, replace bool) error {
	entries, err := r.entriesOf(name)
	if err != nil {
		return err
	}
	e, err := r.editor()
	if err != nil {
		return err
	}
	var data []byte
	var added, replaced []string
	for _, entry := range entries {
		id := entry.Get("name").Text()
		switch {
		case e.Entry(id) == nil && !e.file.Has(id):
			data, err = e.file.Insert(entry)
			added = append(added, id)
		case !replace:
			return nope("there is a subagent %q already; --replace puts the one of %s in its place", id, name)
		case !e.file.Has(id):
			_, err := e.own(id)
			return err
		default:
			data, err = e.file.Replace(entry)
			replaced = append(replaced, id)
		}
		if err == nil {
			err = e.file.Reparse(data)
		}
		if err != nil {
			return refused(err)
		}
	}
	if err := e.save(data, nil); err != nil {
		return err
	}
	for _, id := range added {
		r.done("%s: added %s", e.name, id)
	}
	for _, id := range replaced {
		r.done("%s: replaced %s", e.name, id)
	}
	r.remind()
	return nil
}

// entriesOf reads the entries that a file defines: those of a manifest, or what
// an import makes of it.
func (r *runner) entriesOf(name string) ([]*schema.Node, error) {
	data, err := os.ReadFile(r.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("%s: no such file", name)
	} else if err != nil {
		return nil, err
	}
	if entries := manifestEntries(schema.NewSource(name, data)); entries != nil && len(r.providers) == 0 {
		return entries, nil
	}
	roots, err := r.importRoots(importFlags{}, []string{name})
	if err != nil {
		return nil, err
	}
	result, err := importer.Import(roots)
	if err != nil {
		return nil, err
	}
	if err := r.reportText(result.Problems, result.Files); err != nil {
		return nil, err
	}
	if result.Manifest == nil || !result.Complete() {
		return nil, nope("%s defines no subagent that can be added", name)
	}
	root, diags := schema.ParseYAML(schema.NewSource(name, result.Manifest), false)
	if diags.HasErrors() {
		return nil, diags
	}
	entries := root.Get("subagents").List()
	for _, entry := range entries {
		if targets := root.Get("targets"); targets != nil && entry.Get("targets") == nil {
			set(entry, "targets", targets)
		}
	}
	return entries, nil
}

// manifestEntries gives the entries of a file in the spelling of a manifest: a
// whole one, or one entry alone. Nil: it is something else.
func manifestEntries(src *schema.Source) []*schema.Node {
	var root *schema.Node
	var diags hcl.Diagnostics
	switch strings.ToLower(filepath.Ext(src.Name)) {
	case ".yml", ".yaml":
		root, diags = schema.ParseYAML(src, false)
	case ".json":
		root, diags = schema.ParseJSON(src)
	}
	switch {
	case root == nil || diags.HasErrors():
		return nil
	case root.Get("subagents") != nil:
		return root.Get("subagents").List()
	case root.Get("name") != nil && (root.Get("instructions") != nil || root.Get("instructions_file") != nil):
		return []*schema.Node{root}
	}
	return nil
}
