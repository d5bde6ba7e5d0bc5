package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// policies adds what the caller asks to be held against the manifest: files
// that hold policies and nothing else, and ready policies by name. They lie
// above every layer.
func (l *loader) policies(names []string) error {
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		if ready, ok := strings.CutPrefix(name, builtinPrefix); ok {
			l.readyPolicy(ready)
			continue
		}
		before := len(l.layers)
		t, base, closer, err := treeOf(name, l.opt.AllowOutside)
		if err != nil {
			return err
		}
		err = l.top(t, base, name)
		closer.Close()
		if err != nil {
			return err
		}
		for _, this := range l.layers[before:] {
			l.onlyPolicies(this)
		}
	}
	return nil
}

// onlyPolicies refuses a policy file that says more.
func (l *loader) onlyPolicies(this *layer) {
	if this.root == nil || this.root.Kind != Map {
		return
	}
	for _, f := range this.root.Fields {
		if !slices.Contains([]string{"version", "include", "policies"}, f.Key) {
			l.diags = append(l.diags, Problemf(CodeUnknownKey, f.Range, "Put it into the manifest.", "a policy file holds policies, not %q", f.Key))
		}
	}
}

// readyPolicy adds one of the policies that come with the program.
func (l *loader) readyPolicy(name string) {
	var known []string
	if l.opt.Policies != nil {
		root, diags := parse(l.opt.Policies)
		l.diags = append(l.diags, diags...)
		for _, p := range root.Get("policies").List() {
			id := p.Get("name").Text()
			if id == name {
				one := mapNode(p.Range, Field{"policies", p.Range, &Node{Kind: List, Items: []*Node{p}, Range: p.Range}})
				l.layers = append(l.layers, &layer{src: l.opt.Policies, root: one})
				return
			}
			known = append(known, id)
		}
	}
	l.diags = append(l.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: fmt.Sprintf("there is no ready policy %q", name), Detail: didYouMean(name, known), Extra: CodeInclude,
	})
}
