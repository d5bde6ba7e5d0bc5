package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/manifestfmt"
	"github.com/seed-337579fc/subagents/schema"
)

// codeCommentsLost is the code of a conversion that leaves comments behind.
const codeCommentsLost schema.Code = "comments-lost"

func (r *runner) convertCommand() *cobra.Command {
	var to, out string
	cmd := uses(&cobra.Command{
		Use:   "convert --to SPELLING [FILE]",
		Short: "Write a manifest in another spelling",
		Long: `Convert writes one manifest file as YAML, JSON, TOML or HCL: what stands in the
file itself, without what it includes. Keys keep their order as far as the
spelling lets them, texts stay byte for byte what they are. Comments stay only
where the spelling stays; else one warning tells how many are left behind. A
manifest that begins with agent_tools_subagents is turned into one with a
subagents list, which renders to the same files. It never writes over a file.

Exit codes: 0 done; 1 the spelling cannot hold a value, or the file is there; 2
the manifest cannot be read.`,
		Args: upToArgs(0, 1, "one FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("to", to, schema.Spellings()); err != nil {
				return err
			}
			if out != "" && out != "-" && schema.SpellingOf(out) != to {
				return usage("%s would be read as %s: give it an extension of %s", out, schema.SpellingOf(out), to)
			}
			name, err := r.oneManifest(args)
			if err != nil {
				return err
			}
			return r.convert(name, to, out)
		},
	}, flagManifest, flagOutside)
	cmd.Flags().StringVar(&to, "to", "", "spelling: "+strings.Join(schema.Spellings(), ", "))
	cmd.Flags().StringVarP(&out, "out", "o", "-", "`FILE` to write; - for standard output")
	register(cmd, "to", cobra.FixedCompletions(schema.Spellings(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// oneManifest gives the one manifest file that is meant: an argument, what -f
// names, or the one in the working directory.
func (r *runner) oneManifest(args []string) (string, error) {
	if len(args) > 0 && len(r.manifests) > 0 {
		return "", usage("name the manifest once: as an argument or with -f")
	}
	r.manifests = append(r.manifests, args...)
	names, err := r.manifestNames()
	switch {
	case err != nil:
		return "", err
	case len(names) > 1:
		return "", usage("name one manifest")
	case names[0] == builtin:
		return "", usage("the built-in catalogue is no file: `subagents eject` writes it as one")
	}
	return names[0], nil
}

// convert writes a manifest in a spelling.
func (r *runner) convert(name, to, out string) error {
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		return reading(err)
	}
	src := schema.NewSource(name, text)
	root, diags := schema.Tree(src)
	other := root.Get("agent_tools_subagents") != nil
	if other {
		root, diags = schema.OwnTree(src)
	}
	files := map[string]*hcl.File{name: src.File()}
	if diags.HasErrors() {
		if err := r.report(settle(diags), files); err != nil {
			return err
		}
		return unusable()
	}
	var data []byte
	var more hcl.Diagnostics
	if !other && schema.SpellingOf(name) == to {
		data, more, err = manifestfmt.Format(name, text)
	} else {
		data, more, err = r.rewrite(src, root, to, other)
	}
	if err != nil {
		return refusedFormat(name, err)
	}
	diags = append(diags, more...)
	if err := r.report(settle(diags), files); err != nil {
		return err
	}
	if diags.HasErrors() {
		return no()
	}
	if out == "-" {
		_, err := r.Out.Write(data)
		return err
	}
	if err := r.writeNew(out, data); err != nil {
		return err
	}
	r.done("wrote %s", out)
	if filepath.Dir(out) != filepath.Dir(name) && namesFiles(root) {
		r.note("The files that it names are looked for beside it, in %s.", filepath.Dir(out))
	}
	return nil
}

// rewrite writes a tree in a spelling, and says how many comments it leaves
// behind.
func (r *runner) rewrite(src *schema.Source, root *schema.Node, to string, sort bool) ([]byte, hcl.Diagnostics, error) {
	data, diags, err := manifestfmt.Write(root, to, manifestfmt.Options{Template: r.templatesBelow(root), Sort: sort})
	if n := schema.Comments(src); n > 0 && err == nil && !diags.HasErrors() {
		diags = append(diags, schema.Warning(codeCommentsLost, src.Range(0, 0), plural(n, "comment")+" cannot come along", "Copy by hand what is still needed."))
	}
	return data, diags, err
}

// templatesBelow says whether the layers below a manifest make its entries
// templates. Their problems are for validate to tell.
func (r *runner) templatesBelow(root *schema.Node) bool {
	if root.At("defaults", "template") != nil || root.Get("include") == nil {
		return false
	}
	m, err := r.loadManifest()
	if err != nil || m.Manifest == nil {
		return false
	}
	template := m.Root.At("defaults", "template")
	return template != nil && template.Bool
}

// namesFiles says whether a manifest names files beside it.
func namesFiles(root *schema.Node) bool {
	for _, item := range root.Get("include").List() {
		if !strings.HasPrefix(item.Text(), builtin) {
			return true
		}
	}
	return slices.ContainsFunc(root.Get("subagents").List(), func(item *schema.Node) bool { return item.Get("instructions_file") != nil })
}

// refusedFormat turns the refusal of a layout into the answer no.
func refusedFormat(name string, err error) error {
	if _, ok := errors.AsType[*manifestfmt.RefusedError](err); ok {
		return nope("%s: %w", name, err)
	}
	return machine("%s: %w", name, err)
}
