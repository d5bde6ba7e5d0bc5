package install

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Where says for whom files are installed, and where the hosts look for them.
type Where struct {
	Scope schema.Scope
	// Home of the person, absolute. At project scope only the lock lies there.
	Home string
	// Env looks a variable up. Nil: no variable counts (--home).
	Env func(string) string
	// Roots are configuration directories given on the command line (--root);
	// they beat the variables. User scope only.
	Roots map[schema.ProviderID]string
	// Project is the project's directory, absolute. At user scope it is only
	// looked into for files that the host would prefer.
	Project string

	disk func(path string) (disk, error) // nil: the system's; tests put others in between
}

// A Dest is a directory of one host, with the places that lie in it: two where
// a host reads two formats from one directory.
type Dest struct {
	Provider schema.ProviderID
	Places   []providers.Place
	Rivals   []providers.Rival
	Root     string // the host's configuration directory
	From     string // what decided it: --root, the name of a variable, home, or project
	Dir      string // the directory of the files, as people write it
	Real     string // the same with links followed, as far as it exists
	Key      string // its name in the ledger

	at spot
}

// Takes says whether a file of this name can be one of ours in the directory.
func (d *Dest) Takes(name string) bool {
	return slices.ContainsFunc(d.Places, func(p providers.Place) bool { return takes(p, name) })
}

// reads says whether the host reads files of this name in the directory, ours or
// not.
func (d *Dest) reads(name string) bool {
	return slices.ContainsFunc(d.Places, func(p providers.Place) bool { return strings.HasSuffix(name, p.Ext) })
}

// Path gives the path of a file of the directory, as people write it.
func (d *Dest) Path(name string) string { return filepath.Join(d.Dir, name) }

// Dests resolves the directories of the hosts in the scope, in the order of the
// hosts and their places. It is the one function that does: install, uninstall,
// status and check act on what it gives.
func (w Where) Dests(hosts []*providers.Facts) ([]*Dest, error) {
	var dests []*Dest
	for _, host := range hosts {
		for _, place := range host.Places {
			if place.Scope != w.Scope {
				continue
			}
			d, err := w.dest(host, place)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(dests, func(o *Dest) bool { return o.Real == d.Real })
			if i < 0 {
				dests = append(dests, d)
				continue
			}
			if first := dests[i]; first.Provider != d.Provider {
				return nil, &SharedError{Dir: d.Dir, First: first.Provider, Second: d.Provider}
			}
			dests[i].Places = append(dests[i].Places, place)
		}
	}
	return dests, nil
}

func (w Where) dest(host *providers.Facts, place providers.Place) (*Dest, error) {
	d := &Dest{Provider: host.ID, Places: []providers.Place{place}, Rivals: host.Rivals}
	d.Root, d.From = w.root(host.ID, place)
	d.Dir = filepath.Join(d.Root, filepath.FromSlash(place.Dir))
	at, err := locate(d.Dir)
	if err != nil {
		return nil, fmt.Errorf("finding the directory of %s: %w", host.ID, err)
	}
	d.at, d.Real, d.Key = at, at.path(), at.path()
	if w.Scope == schema.ProjectScope {
		d.Key = path.Join(place.Home, place.Dir)
	}
	return d, nil
}

// root gives the host's configuration directory, and what decided it.
func (w Where) root(id schema.ProviderID, place providers.Place) (dir, from string) {
	if w.Scope == schema.ProjectScope {
		return filepath.Join(w.Project, filepath.FromSlash(place.Home)), "project"
	}
	if dir := w.Roots[id]; dir != "" {
		return filepath.Clean(dir), "--root"
	}
	dir = place.Root(w.Home, w.Env)
	for _, v := range place.Env {
		only := func(name string) string {
			if name != v.Name {
				return ""
			}
			return w.Env(name)
		}
		if w.Env != nil && place.Root("", only) == dir {
			return dir, v.Name
		}
	}
	return dir, "home"
}

// State is the directory of the person's ledger and of all locks. It never
// moves with a variable: shells, become and activation scripts set different
// ones.
func (w Where) State() string { return filepath.Join(w.Home, ".local", "state", "subagents") }

// LedgerPath gives the path of the scope's ledger, unless --ledger names another.
func (w Where) LedgerPath(override string) string {
	if w.Scope == schema.ProjectScope {
		return cmp.Or(override, filepath.Join(w.Project, ".subagents", "ledger.json"))
	}
	return cmp.Or(override, filepath.Join(w.State(), "ledger.json"))
}

// Catalogue gives the identity under which files are recorded: the one asked
// for, else the manifest's own, else the path of the manifest. In a project's
// ledger, which is committed, a manifest inside the project goes by its path
// there, so that every clone means the same.
func (w Where) Catalogue(asked, own, manifest string) string {
	if id := cmp.Or(asked, own); id != "" || w.Scope != schema.ProjectScope {
		return cmp.Or(id, manifest)
	}
	if rel, err := filepath.Rel(w.Project, manifest); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return manifest
}

// A SharedError says that two hosts would look into one directory.
type SharedError struct {
	Dir           string
	First, Second schema.ProviderID
}

func (e *SharedError) Error() string {
	return fmt.Sprintf("%s and %s would share the directory %s; give one of them another with --root or its variable", e.First, e.Second, e.Dir)
}
