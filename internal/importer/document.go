package importer

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/yamltext"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// document writes a manifest with entries and report contracts. No guard is put
// before bodies that come from elsewhere. comments, if given, stand above the
// entries.
func document(targets []schema.ProviderID, entries []*schema.Node, comments []string, results []schema.Field) []byte {
	var w yamltext.Writer
	w.WriteString("version: 1\n")
	if targets != nil {
		w.WriteString("targets: " + yamltext.Flow(providers.ListNode(targets, hcl.Range{})) + "\n")
	}
	w.WriteString("guard: none\n")
	if len(results) > 0 {
		w.WriteString("results:\n")
		w.Fields(&schema.Node{Kind: schema.Map, Fields: results}, 2)
	}
	w.WriteString("subagents:\n")
	for i, e := range entries {
		if comments != nil {
			if i > 0 {
				w.WriteByte('\n')
			}
			w.WriteString("  # " + comments[i] + "\n")
		}
		w.Item(e, 2)
	}
	return []byte(w.String())
}

// write puts the manifest together and loads it once more as a whole.
func (im *importer) write(entries []*proven) {
	r := im.result
	if len(entries) == 0 {
		return
	}
	root := rootTargets(entries)
	everyone := root
	if everyone == nil {
		everyone = schema.ProviderIDs()
	}
	var trees []*schema.Node
	var comments []string
	var results []schema.Field
	for _, p := range entries {
		tree := p.tree
		if !slices.Equal(p.targets, everyone) {
			tree = withKey(tree, providers.ListField("targets", p.targets, hcl.Range{}))
		}
		if p.contract != "" {
			var id string
			id, results = contractFor(results, p.contract)
			tree = withKey(tree, providers.TextField("result", id, hcl.Range{}))
		}
		trees = append(trees, tree)
		comments = append(comments, "From "+strings.Join(comment(p.files()), ", ")+".")
		r.Subagents = append(r.Subagents, Imported{Name: p.name, Targets: p.targets, Files: p.files()})
	}
	r.Manifest = document(root, trees, comments, results)
	_, diags := schema.Load(schema.NewSource("subagents.yml", r.Manifest), schema.Options{HostTool: all.HostTool})
	if diags.HasErrors() {
		for _, d := range onlyErrors(diags) {
			d.Subject = nil // a place in a file that is not written
			r.Problems = append(r.Problems, d)
			r.Skipped = append(r.Skipped, Skipped{Code: schema.CodeOf(d), Reason: d.Summary})
		}
		r.Manifest, r.Subagents = nil, nil
	}
}

// rootTargets gives the hosts that the entries are for together, nil for all.
func rootTargets(entries []*proven) []schema.ProviderID {
	var ids []schema.ProviderID
	for _, id := range schema.ProviderIDs() {
		if slices.ContainsFunc(entries, func(p *proven) bool { return slices.Contains(p.targets, id) }) {
			ids = append(ids, id)
		}
	}
	if len(ids) == len(schema.ProviderIDs()) {
		return nil
	}
	return ids
}

// withKey gives an entry with a key, at its place.
func withKey(tree *schema.Node, f schema.Field) *schema.Node {
	n := *tree
	n.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(old schema.Field) bool { return old.Key == f.Key })
	n.Fields = append(n.Fields, f)
	sortFields(&n)
	return &n
}

// contractFor gives the id of a report contract, which entries with the same
// text share.
func contractFor(results []schema.Field, text string) (string, []schema.Field) {
	for _, f := range results {
		if f.Value.Str == text {
			return f.Key, results
		}
	}
	id := contractID
	if n := len(results); n > 0 {
		id += "-" + strconv.Itoa(n+1)
	}
	return id, append(results, providers.TextField(id, text, hcl.Range{}))
}

// comment makes names of files fit for a comment on one line.
func comment(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.Map(func(r rune) rune {
			if !yamltext.Plain(r) || r == utf8.RuneError {
				return '?'
			}
			return r
		}, name)
	}
	return out
}
