package providers

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// Extra hands the keys of a block's extra map to write, sorted by name. A key
// that the host's encoder writes itself and a null anywhere are problems.
func Extra(a *Agent, native []string, write func(key string, v schema.Value)) hcl.Diagnostics {
	extra := a.Block.Common().Extra
	if extra.Node == nil {
		return nil
	}
	var diags hcl.Diagnostics
	fields := slices.Clone(extra.Fields)
	slices.SortFunc(fields, func(x, y schema.Field) int {
		if x.Key < y.Key {
			return -1
		}
		return 1
	})
	for _, f := range fields {
		if slices.Contains(native, f.Key) {
			diags = append(diags, schema.Problemf("extra-collision", f.Range,
				"Set it through the entry's own keys or the keys of the block.", "extra may not set %q, which the tool manages", f.Key))
			continue
		}
		if d := NoNulls(f.Value); d != nil {
			diags = append(diags, d)
			continue
		}
		write(f.Key, schema.Value{Node: f.Value})
	}
	return diags
}

// NoNulls finds a null in a value that is passed on as it is: a native file
// never has one.
func NoNulls(n *schema.Node) *hcl.Diagnostic {
	if n.Kind == schema.Null {
		return schema.Problem(schema.CodeNullValue, n.Range, "a null is never written to a native file", "Leave the key out.")
	}
	for _, item := range n.Items {
		if d := NoNulls(item); d != nil {
			return d
		}
	}
	for _, f := range n.Fields {
		if d := NoNulls(f.Value); d != nil {
			return d
		}
	}
	return nil
}
