package providers

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A ToolList is the allow-list of a subagent on a host, in native names.
type ToolList struct {
	Grant
	Restricted bool     // the list is to be written
	Natives    []string // may be empty only if Verbatim
	Verbatim   bool     // it is the block's own list
	Problems   hcl.Diagnostics
}

// ListTools decides the allow-list of a subagent: the block's native list or
// the verbs of the entry, whichever ranks higher, under the entry's access. It
// notes what is stripped. block is nil where the block has no list.
func ListTools(a *Agent, f *Facts, block []string, out *Output) ToolList {
	l := ToolList{Grant: GrantOf(a)}
	l.Restricted = l.Grant.Restricted
	key := a.BlockKey("tools")
	if block != nil && a.Rank(key) > a.Rank("tools") {
		l.Restricted, l.Verbatim, l.Natives = true, true, slices.Clone(block)
		l.keepReading(a, f, out)
		return l
	}
	if !l.Restricted {
		return l
	}
	l.Natives = f.Tools.Natives(a, l.Grant)
	for _, v := range l.Stripped {
		out.Use("tools#stripped", string(v), ItemAt(a, "tools", string(v)))
	}
	return l
}

// keepReading holds a native list against access: read-only. What the block of
// the entry lists is an error; what defaults gave is stripped.
func (l *ToolList) keepReading(a *Agent, f *Facts, out *Output) {
	if !a.ReadOnly() {
		return
	}
	key := a.BlockKey("tools")
	l.Natives = slices.DeleteFunc(l.Natives, func(native string) bool {
		name, _, _ := strings.Cut(native, "(")
		verb, _ := f.Tools.Verb(name)
		if f.Tools.Reads(name) || verb == schema.Shell && AllowsShell(a) {
			return false
		}
		at := ItemAt(a, key, native)
		if a.Rank(key) == schema.FromBlock {
			l.Problems = append(l.Problems, schema.Problemf(schema.CodeToolConflict, at,
				"Remove it, or set access: workspace-write.", "%q is read-only and its block lists %q, which can write", a.Name, native))
		}
		out.Use("tools#stripped", native, at)
		return true
	})
}

// ItemAt gives the place of an item of a list setting.
func ItemAt(a *Agent, key, item string) hcl.Range {
	s, ok := a.Setting(key)
	if !ok {
		return a.Entry.At
	}
	for _, n := range s.Value.List() {
		if n.Text() == item {
			return n.Range
		}
	}
	return s.At()
}
