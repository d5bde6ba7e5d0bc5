package cli

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/internal/reconcile"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// reconcileDocument is what reconcile prints with --format json.
type reconcileDocument struct {
	Version  int                `json:"version"`
	Manifest string             `json:"manifest"`
	Written  bool               `json:"written"`
	Changes  []reconcile.Change `json:"changes"`
	Kept     []reconcile.Kept   `json:"kept"`
	Diff     string             `json:"diff"` // of the manifest, unified
}

func (r *runner) reconcileCommand() *cobra.Command {
	var where whereFlags
	var yes bool
	cmd := uses(&cobra.Command{
		Use:   "reconcile",
		Short: "Take what was edited in installed files back into the manifest",
		Long: `Reconcile reads the files that install wrote and somebody edited since, and puts
what is different into their entries: a description or instructions into the text
that all hosts share, anything else into the block of the host. It shows the
change of the manifest first, and writes it when that is confirmed or with --yes.
The rest of the manifest stays as it is, byte for byte.

A change that could be meant in more than one way is named and left to people: of
the shared preamble, of two files in two ways, or where the manifest has changed
since the file was written.

Exit codes: 0 nothing is left; 1 something was kept, or the change was not
confirmed.`,
		Args: noArgs,
		RunE: byMachine(func(*cobra.Command, []string) error { return r.reconcile(where, yes) }),
	}, selection...)
	where.add(cmd)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "write the change without asking")
	return cmd
}

func (r *runner) reconcile(where whereFlags, yes bool) error {
	e, err := r.editor()
	if err != nil {
		return err
	}
	job, err := r.job(where)
	if err != nil {
		return err
	}
	m, rendered, err := r.installing(job, r.options())
	if err != nil {
		return err
	}
	catalogue, err := r.catalogueOf(where, job, m)
	if err != nil {
		return err
	}
	edits, kept, err := edited(job, m, rendered, catalogue)
	if err != nil {
		return sortError(err)
	}
	before, err := os.ReadFile(e.path)
	if err != nil {
		return reading(err)
	}
	load := func(data []byte) (*schema.Manifest, hcl.Diagnostics, error) {
		return schema.LoadEdited(e.path, data, r.loading())
	}
	result, err := reconcile.Run(e.name, before, job.Scope, load, edits)
	if err != nil {
		return err
	}
	result.Kept = append(kept, result.Kept...)
	doc := reconcileDocument{Version: documentVersion, Manifest: e.name, Changes: orEmpty(result.Changes), Kept: orEmpty(result.Kept)}
	doc.Diff = udiff.Unified(e.name, e.name+" (reconciled)", string(before), string(result.Data))
	return r.settleReconcile(e, doc, result.Data, yes)
}

// settleReconcile shows the change, writes it if that is wanted, and answers.
func (r *runner) settleReconcile(e *editor, doc reconcileDocument, data []byte, yes bool) error {
	if r.format == formatText {
		r.tellReconcile(doc)
	}
	if doc.Diff != "" && (yes || r.confirms(e.name)) {
		if err := edit.Save(e.path, data); err != nil {
			return err
		}
		doc.Written = true
	}
	if r.format == formatJSON {
		if err := r.json(r.Out, doc); err != nil {
			return err
		}
	}
	switch {
	case doc.Written && r.format == formatText:
		r.done("wrote %s", e.name)
		r.remind()
	case doc.Diff != "" && !doc.Written:
		r.note("nothing is written: confirm it on a terminal, or pass --yes")
		return no()
	}
	return answer(len(doc.Kept) > 0)
}

// tellReconcile prints the change of the manifest and where it comes from.
func (r *runner) tellReconcile(doc reconcileDocument) {
	for _, c := range doc.Changes {
		fmt.Fprintf(r.Out, "edited   %s: %s\n", oneLine(c.Path), strings.Join(c.Keys, ", "))
		if !c.Exact {
			r.note("%s is written otherwise than subagents writes it: `subagents install --force` replaces it", oneLine(c.Path))
		}
	}
	for _, k := range doc.Kept {
		fmt.Fprintf(r.Out, "kept     %s: %s\n", oneLine(k.Path), oneLine(k.Reason))
	}
	if len(doc.Changes)+len(doc.Kept) == 0 {
		r.done("no installed file was edited")
	}
	fmt.Fprint(r.Out, r.forPeople(doc.Diff))
}

// confirms asks, on a terminal.
func (r *runner) confirms(name string) bool {
	in, is := r.In.(*os.File)
	if !is || !term.IsTerminal(int(in.Fd())) || r.format != formatText {
		return false
	}
	fmt.Fprintf(r.Err, "Write this to %s? [y/N] ", name)
	line, err := bufio.NewReader(in).ReadString('\n')
	return err == nil && slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
}

// edited lists the installed files that somebody changed, with what was written:
// only what the manifest still renders tells that. The others are kept.
func edited(job install.Job, m *loaded, rendered *render.Result, catalogue string) (edits []reconcile.Edit, kept []reconcile.Kept, err error) {
	s, err := job.View()
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	want := install.Want(m.Manifest, rendered, s.Dests)
	for _, d := range s.Dests {
		for _, name := range slices.Sorted(maps.Keys(want.Files[d.Key])) {
			file := want.Files[d.Key][name]
			record, known := s.Recorded().Record(d.Key, name)
			if !known || record.Catalogue != catalogue {
				continue
			}
			path := d.Path(name)
			found, ok := regular(path)
			if !ok || install.Sum(found) == record.SHA256 || string(found) == string(file.Data) {
				continue
			}
			if record.SHA256 != file.Sum {
				kept = append(kept, reconcile.Kept{
					Agent: file.Agent, Provider: d.Provider, Path: path,
					Reason: "the manifest has changed since it was written, too, so that what was edited cannot be told",
				})
				continue
			}
			edits = append(edits, reconcile.Edit{Agent: file.Agent, Provider: d.Provider, Path: path, Written: file.Data, Found: found})
		}
	}
	return edits, kept, nil
}

// regular reads a regular file, if there is one.
func regular(path string) ([]byte, bool) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return nil, false
	}
	data, err := os.ReadFile(path)
	return data, err == nil
}
