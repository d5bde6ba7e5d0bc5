package cli

import (
	"cmp"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// installInput is what render --for-install adds to the document: all that a
// program needs besides the files to install them as install does.
type installInput struct {
	Release   string         `json:"release"`             // of this program
	Catalogue string         `json:"catalogue,omitempty"` // the manifest's own
	Marker    string         `json:"marker"`              // the line that says whose a file is, without the comment sign
	Subagents []wantedEntry  `json:"subagents"`           // every entry of the manifest
	Places    []installPlace `json:"places"`              // of every host in the scope, selected or not
}

// wantedEntry is what a plan needs to know of an entry.
type wantedEntry struct {
	Name    string              `json:"name"`
	Present bool                `json:"present"`
	Targets []schema.ProviderID `json:"targets"`
	Tags    []string            `json:"tags"`
}

// installPlace is a directory in which a host looks for files of one format.
type installPlace struct {
	Provider schema.ProviderID `json:"provider"`
	Format   string            `json:"format,omitempty"`
	Home     string            `json:"home"` // configuration directory below the home or the project
	Dir      string            `json:"dir"`  // directory of the files below that
	Ext      string            `json:"ext"`
	Env      []placeVariable   `json:"env"` // variables that name another directory than home, the first that is set
}

type placeVariable struct {
	Name string `json:"name"`
	Sub  string `json:"sub"` // below the variable's value
}

// renderForInstall prints the document for a program that installs the files
// itself. A selection without files is no problem here: what was installed may
// have to go.
func (r *runner) renderForInstall(opt render.Options) error {
	m, result, err := r.installing(install.Job{Where: install.Where{Scope: opt.Scope}}, opt)
	if err != nil {
		return err
	}
	doc := renderDocumentOf(m, result, nil)
	doc.Install = &installInput{
		Release: cmp.Or(build(r.Release).Release, "unknown"), Catalogue: m.Catalogue, Marker: providers.Marker,
		Subagents: []wantedEntry{}, Places: installPlaces(result.Scope),
	}
	for _, e := range m.Entries() {
		doc.Install.Subagents = append(doc.Install.Subagents, wantedEntry{
			Name: e.Name, Present: e.Present(), Targets: append([]schema.ProviderID{}, m.Targets(e)...), Tags: append([]string{}, e.Resolved.Tags...),
		})
	}
	return r.json(r.Out, doc)
}

// installPlaces lists the places of a scope in the order of the hosts.
func installPlaces(scope schema.Scope) []installPlace {
	var list []installPlace
	for _, p := range all.Providers {
		facts := p.Facts()
		for _, place := range facts.Places {
			if place.Scope != scope {
				continue
			}
			row := installPlace{facts.ID, place.Format, place.Home, place.Dir, place.Ext, []placeVariable{}}
			for _, v := range place.Env {
				row.Env = append(row.Env, placeVariable(v))
			}
			list = append(list, row)
		}
	}
	return list
}
