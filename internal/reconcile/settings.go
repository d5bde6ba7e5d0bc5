package reconcile

import (
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// A setting is a key of a block with its new value, nil where it is gone.
type setting struct {
	path  []string // from the block down
	value *schema.Node
}

// settings takes in what else was changed: into the block of the host, in the
// first way that makes the rendered file say what the edited one does.
func (r *run) settings(name string, read *reading) error {
	changes := changedSettings(read)
	reason := ""
	for _, node := range r.ways(name, read, changes) {
		data, m, why, err := r.try(node)
		if err != nil {
			return err
		}
		if why != "" {
			reason = why
			continue
		}
		why, exact := r.compare(m, read)
		if why == "" {
			r.result.Data, r.m = data, m
			for _, c := range changes {
				read.keys = append(read.keys, "providers."+string(read.Provider)+"."+strings.Join(c.path, "."))
			}
			r.changed(read, exact)
			return nil
		}
		reason = why
	}
	if len(changes) == 0 {
		why, exact := r.compare(r.m, read)
		if why == "" {
			r.changed(read, exact)
			return nil
		}
		reason = why
	}
	if len(read.keys) > 0 {
		r.changed(read, false)
	}
	r.keep(read.Edit, "%s: %s", keysOf(read, changes), reason)
	return nil
}

func (r *run) changed(read *reading, exact bool) {
	keys := read.keys
	if keys == nil {
		keys = []string{}
	}
	r.result.Changes = append(r.result.Changes, Change{read.Agent, read.Provider, read.Path, keys, exact})
}

// keysOf names the settings of an edit for people.
func keysOf(read *reading, changes []setting) string {
	var keys []string
	for _, c := range changes {
		keys = append(keys, string(read.Provider)+"."+strings.Join(c.path, "."))
	}
	if keys == nil {
		return "the whole file"
	}
	return strings.Join(keys, ", ")
}

// changedSettings compares the settings of a file before and after, in keys of
// the block. Keys of extra are compared one by one.
func changedSettings(read *reading) []setting {
	before, after := read.before.Block(), read.after.Block()
	var list []setting
	compare := func(path []string, old, now *schema.Node) {
		for _, f := range now.Fields {
			if was := old.Get(f.Key); was == nil || !alike(was, f.Value) {
				list = append(list, setting{append(slices.Clone(path), f.Key), f.Value})
			}
		}
		for _, f := range old.Fields {
			if now.Get(f.Key) == nil {
				list = append(list, setting{append(slices.Clone(path), f.Key), nil})
			}
		}
	}
	empty := &schema.Node{Kind: schema.Map}
	part := func(n *schema.Node) (block, extra *schema.Node) {
		extra = empty
		rest := &schema.Node{Kind: schema.Map}
		for _, f := range n.Fields {
			if f.Key == "extra" {
				extra = f.Value
			} else {
				rest.Fields = append(rest.Fields, f)
			}
		}
		return rest, extra
	}
	oldBlock, oldExtra := part(before)
	newBlock, newExtra := part(after)
	compare(nil, oldBlock, newBlock)
	compare([]string{"extra"}, oldExtra, newExtra)
	return list
}

// alike says whether two values are the same, the order of keys included.
func alike(a, b *schema.Node) bool {
	switch {
	case a.Kind == schema.List && b.Kind == schema.List:
		return slices.EqualFunc(a.Items, b.Items, alike)
	case a.Kind == schema.Map && b.Kind == schema.Map:
		return slices.EqualFunc(a.Fields, b.Fields, func(x, y schema.Field) bool { return x.Key == y.Key && alike(x.Value, y.Value) })
	}
	return a.Kind == b.Kind && a.Str == b.Str && a.Bool == b.Bool && a.Float == b.Float
}

// ways lists the entries that may mean the changes: with no more in the block
// than was changed; with nulls for what is gone, which unset what defaults gave;
// and with whole permissions, in which the order counts.
func (r *run) ways(name string, read *reading, changes []setting) []*schema.Node {
	if len(changes) == 0 {
		return nil
	}
	entry := r.m.Entry(name).Node
	block := []string{"providers", string(read.Provider)}
	var list []*schema.Node
	for _, whole := range []bool{false, true} {
		for _, nulls := range []bool{false, true} {
			node := entry
			for _, c := range changes {
				path, value := slices.Concat(block, c.path), c.value
				own := entry.At(path...)
				switch {
				case value == nil && nulls:
					value = &schema.Node{Kind: schema.Null}
				case value != nil && value.Kind == schema.Map && !whole && c.path[0] == permission:
					value = onlyChanged(own, read.before.Block().Get(permission), value)
				}
				node = with(node, path, value)
			}
			list = append(list, node)
		}
	}
	return list
}

// permission is the key whose rules are written beneath those that the entry's
// neutral keys mean.
const permission = "permission"

// onlyChanged gives the rules of a block with those of a file that were changed.
func onlyChanged(own, before, after *schema.Node) *schema.Node {
	out := &schema.Node{Kind: schema.Map}
	if own != nil && own.Kind == schema.Map {
		out.Fields = slices.Clone(own.Fields)
	}
	for _, f := range after.Fields {
		was := before.Get(f.Key)
		if was != nil && alike(was, f.Value) {
			continue
		}
		if old := out.Field(f.Key); old != nil {
			old.Value = f.Value
		} else {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}
