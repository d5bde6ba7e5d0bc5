package install

import (
	"slices"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Desired is what is to lie in the directories of the hosts.
type Desired struct {
	Files map[string]map[string]*File // by the directory's key, then by name
	// Subagents are all entries of the manifest by name, the absent ones too.
	// They say why a file is not desired any more.
	Subagents map[string]Subagent
	// Unknown says that the manifest could not be loaded, so that nothing can be
	// concluded from what is not desired.
	Unknown bool
}

// A File is the content that a file is to have.
type File struct {
	Agent string
	Tags  []string
	Data  []byte
	Sum   string
}

// A Subagent is what a plan needs to know of an entry.
type Subagent struct {
	Present bool
	Targets []schema.ProviderID
	Tags    []string
}

// Want sorts rendered files into the directories that they belong to.
func Want(m *schema.Manifest, result *render.Result, dests []*Dest) Desired {
	want := Desired{Files: map[string]map[string]*File{}, Subagents: map[string]Subagent{}}
	for _, e := range m.Entries() {
		want.Subagents[e.Name] = Subagent{Present: e.Present(), Targets: m.Targets(e), Tags: e.Resolved.Tags}
	}
	var all []*File
	for i := range result.Files {
		f := &result.Files[i]
		d := destOf(dests, f)
		if d == nil {
			continue // a host that was not selected
		}
		if want.Files[d.Key] == nil {
			want.Files[d.Key] = map[string]*File{}
		}
		file := &File{Agent: f.Agent, Tags: want.Subagents[f.Agent].Tags, Data: f.Data}
		want.Files[d.Key][f.Name()] = file
		all = append(all, file)
	}
	parallel(len(all), func(i int, _ *[]byte) { all[i].Sum = Sum(all[i].Data) })
	return want
}

func destOf(dests []*Dest, f *render.File) *Dest {
	i := slices.IndexFunc(dests, func(d *Dest) bool {
		return d.Provider == f.Provider && slices.ContainsFunc(d.Places, func(p providers.Place) bool {
			return p.Format == f.Place.Format && p.Dir == f.Place.Dir
		})
	})
	if i < 0 {
		return nil
	}
	return dests[i]
}
