package install

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
)

// A Shadow is a file, or a table in one, that the host prefers to an installed
// file.
type Shadow struct {
	Path string `json:"path"`
	Why  string `json:"why"`

	table string // the name of the table; empty: the whole file is meant
}

// Away says how it is taken away.
func (s Shadow) Away() string {
	if s.table != "" {
		return "Take the table [" + s.table + "] out of " + s.Path
	}
	return "Remove " + s.Path
}

// shadows finds what the hosts prefer. Directories are listed and tables read
// once.
type shadows struct {
	where    Where
	listed   map[string]map[string]bool // directory → names
	tables   map[string]map[string]string
	warnings []Warning
}

func newShadows(w Where) *shadows {
	return &shadows{where: w, listed: map[string]map[string]bool{}, tables: map[string]map[string]string{}}
}

// over gives what the host prefers to a file. Equal bytes prefer nothing, and
// neither does another file of the same plan.
func (s *shadows) over(d *Dest, name string, want Desired) []Shadow {
	file := want.Files[d.Key][name]
	place, ok := placeOf(d, name)
	if file == nil || !ok {
		return nil
	}
	stem := strings.TrimSuffix(name, place.Ext)
	var found []Shadow
	for _, r := range d.Rivals {
		if r.Scope != "" && r.Scope != s.where.Scope || r.Format != "" && r.Format != place.Format {
			continue
		}
		for _, dir := range s.bases(r, d) {
			for _, path := range r.Paths {
				path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(path, "NAME", stem)))
				why := strings.ReplaceAll(r.Why, "NAME", stem)
				switch {
				case r.Table && s.table(path, stem, d.Path(name)):
					found = append(found, Shadow{path, why, "agents." + stem})
				case !r.Table && s.differs(path, d, name, want):
					found = append(found, Shadow{path, why, ""})
				}
			}
		}
	}
	return found
}

// placeOf gives the place of a file in its directory.
func placeOf(d *Dest, name string) (providers.Place, bool) {
	i := slices.IndexFunc(d.Places, func(p providers.Place) bool { return takes(p, name) })
	if i < 0 {
		return providers.Place{}, false
	}
	return d.Places[i], true
}

// bases gives the directories that the base of a rival stands for.
func (s *shadows) bases(r providers.Rival, d *Dest) []string {
	project := s.where.Project
	switch r.Base {
	case providers.InHome:
		return []string{s.where.Home}
	case providers.InRoot:
		return []string{d.Root}
	case providers.Absolute:
		return []string{string(filepath.Separator)}
	case providers.InProject, providers.Upward, providers.Outside, providers.Checkout:
		if project == "" {
			return nil
		}
	default:
		return s.variable(string(r.Base))
	}
	switch r.Base {
	case providers.Upward:
		return ancestors(project)
	case providers.Outside:
		return ancestors(project)[1:]
	case providers.Checkout:
		main := mainCheckoutOf(project)
		if _, err := os.Stat(filepath.Join(repository(project), filepath.FromSlash(path.Dir(r.Paths[0])))); main == "" || err == nil {
			return nil
		}
		return []string{main}
	}
	return []string{project}
}

// variable gives the absolute directories that a variable lists.
func (s *shadows) variable(name string) []string {
	if s.where.Env == nil {
		return nil
	}
	dirs := filepath.SplitList(strings.TrimSpace(s.where.Env(name)))
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) })
}

// ancestors lists a directory and its parents up to the root of its repository;
// the directory alone where there is none.
func ancestors(dir string) []string {
	root := repository(dir)
	list := []string{dir}
	for root != "" && dir != root {
		dir = filepath.Dir(dir)
		list = append(list, dir)
	}
	return list
}

// differs says whether there is another file, with other bytes, that this run
// does not render for the host itself.
func (s *shadows) differs(path string, d *Dest, name string, want Desired) bool {
	if !s.exists(path) || s.ours(path, d, want) {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := os.ReadFile(path)
	return err != nil || !bytes.Equal(data, want.Files[d.Key][name].Data)
}

// ours says whether a path is one of the files that are rendered into the same
// directory.
func (s *shadows) ours(path string, d *Dest, want Desired) bool {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	return err == nil && dir == d.Real && want.Files[d.Key][filepath.Base(path)] != nil
}

func (s *shadows) exists(path string) bool {
	dir := filepath.Dir(path)
	names, known := s.listed[dir]
	if !known {
		names = map[string]bool{}
		entries, _ := os.ReadDir(dir) // a directory that cannot be listed holds nothing that the host could read
		for _, e := range entries {
			names[e.Name()] = true
		}
		s.listed[dir] = names
	}
	return names[filepath.Base(path)]
}

// table says whether a Codex configuration has a table for a subagent, other
// than one that points at the very file.
func (s *shadows) table(path, stem, file string) bool {
	if !s.exists(path) {
		return false
	}
	tables, known := s.tables[path]
	if !known {
		var err error
		if tables, err = codexTables(path); err != nil {
			s.warnings = append(s.warnings, Warning{CodeCodexConfig, "whether " + path + " hides subagents is not known: " + err.Error(), false})
		}
		s.tables[path] = tables
	}
	config, ok := tables[stem]
	return ok && (config == "" || !sameFile(from(filepath.Dir(path), config), file))
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
