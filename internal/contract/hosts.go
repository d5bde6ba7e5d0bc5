package contract

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A native is a rendered file as its host reads it.
type native struct {
	provider schema.ProviderID
	file     *render.File
	read     *providers.Decoded // nil: the host does not load it
	problem  string             // why
}

// natives reads the files of a subagent back, for one host or, with "", for all.
func (k *checker) natives(name string, id schema.ProviderID) []native {
	var list []native
	for i := range k.result.Agents {
		r := &k.result.Agents[i]
		if r.Agent.Name != name || id != "" && r.Provider != id {
			continue
		}
		for j := range r.Files {
			n := native{provider: r.Provider, file: &r.Files[j]}
			decoded, diags := all.Get(r.Provider).Decode(providers.Native{Name: n.file.Path, Data: n.file.Data})
			if len(decoded) == 1 {
				n.read = &decoded[0]
			} else if n.problem = "the host reads no subagent from it"; len(diags) > 0 {
				n.problem = diags[0].Summary
			}
			list = append(list, n)
		}
	}
	return list
}

// host checks what the contract says of a subagent on one host; null says that
// it is not rendered for it.
func (k *checker) host(e *schema.Entry, f schema.Field) {
	id := schema.ProviderID(f.Key)
	files := k.natives(e.Name, id)
	where := fmt.Sprintf("%s on %s", e.Name, id)
	if f.Value.IsNull() {
		problem := ""
		if len(files) > 0 {
			problem = "it is rendered as " + files[0].file.Path
		}
		k.add(f.Range, problem, "%s is not rendered", where)
		return
	}
	if len(files) == 0 {
		k.add(f.Range, "the manifest has no file for it in scope "+string(k.result.Scope), "%s is rendered", where)
		return
	}
	for _, n := range files {
		if n.read == nil {
			k.add(f.Range, n.problem, "%s: %s reads back", where, n.file.Path)
			return
		}
	}
	for _, want := range f.Value.Fields {
		switch want.Key {
		case "phrases":
			k.phrases(where, want.Value, files)
		case "native":
			for _, key := range want.Value.Fields {
				k.key(where, key, files)
			}
		default:
			k.field(where, want, files)
		}
	}
}

// key expects exactly a value of a native key, in every file.
func (k *checker) key(where string, want schema.Field, files []native) {
	problem := ""
	for _, n := range files {
		got := n.read.Keys.Get(want.Key)
		switch {
		case want.Value.IsNull() && got != nil:
			problem = fmt.Sprintf("it is %s in %s", got.Brief(), n.file.Path)
		case !want.Value.IsNull() && got == nil:
			problem = "not set in " + n.file.Path
		case !want.Value.IsNull() && !cmp.Equal(want.Value.Interface(), got.Interface()):
			problem = fmt.Sprintf("it is %s in %s", got.Brief(), n.file.Path)
		}
	}
	wanted := "not set"
	if !want.Value.IsNull() {
		wanted = want.Value.Brief()
	}
	k.add(want.Range, problem, "%s: %s is %s", where, want.Key, wanted)
}

// setNames are the keys whose values are sets, as people call them.
var setNames = map[string]string{"tools": "tools", "mcp": "MCP servers"}

// field checks a thing that hosts spell in different ways, in every file that
// has a place for it.
func (k *checker) field(where string, want schema.Field, files []native) {
	_, isSet := setNames[want.Key]
	placed := false
	for _, n := range files {
		i := slices.IndexFunc(fields, func(f field) bool {
			return f.provider == n.provider && f.name == want.Key && (f.format == "" || f.format == n.file.Place.Format)
		})
		if i < 0 {
			continue
		}
		placed = true
		got := fields[i].get(n.read.Keys)
		if isSet {
			k.set(want, names(want.Value), got, "%s: %s", where, setNames[want.Key])
		} else {
			var text *string
			if len(got) == 1 {
				text = &got[0]
			}
			k.text(want, text, "%s: %s", where, want.Key)
		}
	}
	if placed {
		return
	}
	problem := ""
	if !want.Value.IsNull() {
		problem = fmt.Sprintf("%s has no place for it; expect null", all.Get(files[0].provider).Facts().Title)
	}
	k.add(want.Range, problem, "%s: no place for %s", where, want.Key)
}
