package audit

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Options say where to look.
type Options struct {
	Where install.Where // its scope does not count
	// Scopes of the hosts' own directories to look into.
	Scopes []schema.Scope
	Hosts  []*providers.Facts
	Dirs   []string // further files and folders
	// Show gives the name of a path for people.
	Show func(path string) string
	// Ignore are suppressions for all files.
	Ignore []Ignore
}

// A place is a directory, or a file, with whose files stand there.
type place struct {
	dir    string
	host   *providers.Facts // nil: what path and content of each file say
	scope  schema.Scope
	form   func(name string) string
	flat   bool // the host does not look into folders
	reads  func(name string) bool
	single bool // a file
	dest   bool // files are installed into it
}

// flatHosts do not look into folders of the agents directory. Observed on goose
// 1.52.0.
var flatHosts = []schema.ProviderID{schema.GooseID}

// places lists where the hosts look, in the scopes that are asked for: the
// directories that are installed into, and the others of which their tables
// know.
func (o *Options) places() ([]place, error) {
	var list []place
	for _, scope := range o.Scopes {
		where := o.Where
		where.Scope = scope
		dests, err := where.Dests(o.Hosts)
		if err != nil {
			return nil, err
		}
		for _, d := range dests {
			list = append(list, o.destination(d, scope))
		}
		base := where.Project
		if scope == schema.UserScope {
			base = where.Home
		}
		for _, host := range o.Hosts {
			list = append(list, further(host, base, scope)...)
		}
	}
	for _, dir := range o.Dirs {
		list = append(list, place{dir: dir})
	}
	return list, nil
}

func (o *Options) destination(d *install.Dest, scope schema.Scope) place {
	i := slices.IndexFunc(o.Hosts, func(f *providers.Facts) bool { return f.ID == d.Provider })
	p := place{dir: d.Dir, host: o.Hosts[i], scope: scope, flat: slices.Contains(flatHosts, d.Provider), dest: true}
	p.form = func(name string) string {
		switch d.Provider {
		case schema.CodexID:
			return role
		case schema.GooseID:
			return d.Places[0].Format
		case schema.KiroID: // both formats stand in one directory, whichever are written
			if strings.HasSuffix(name, ".md") {
				return "markdown"
			}
			return "json"
		}
		return ""
	}
	p.reads = func(name string) bool {
		return slices.ContainsFunc(p.host.Inputs, func(in providers.Input) bool {
			dir, pattern := path.Split(strings.ReplaceAll(in.Path, "**/", ""))
			ok, err := path.Match(pattern, name)
			return ok && err == nil && path.Base(dir) == path.Base(d.Places[0].Dir)
		})
	}
	return p
}

// further lists the places of a host's inputs below a home or a project.
func further(host *providers.Facts, base string, scope schema.Scope) []place {
	var list []place
	for _, in := range host.Inputs {
		if in.Beside != "" {
			continue
		}
		dir, name := path.Split(in.Path)
		dir = strings.TrimSuffix(dir, "/")
		flat := !strings.HasSuffix(dir, "/**")
		dir = strings.TrimSuffix(dir, "/**")
		p := place{dir: filepath.Join(base, filepath.FromSlash(dir)), host: host, scope: scope, flat: flat, form: func(string) string { return in.Form }}
		if host.ID == schema.CodexID && in.Form == "" {
			p.form = func(string) string { return role }
		}
		if !strings.Contains(name, "*") {
			p.dir, p.single = filepath.Join(p.dir, name), true
		}
		p.reads = func(file string) bool { ok, err := path.Match(name, file); return ok && err == nil }
		list = append(list, p)
	}
	return list
}

// found is a file of a place.
type found struct {
	path string
	link bool // the file itself is a link
	deep bool // in a folder below the place
	err  error
}

// maxDepth is how many folders deep a place is looked through.
const maxDepth = 32

// walk lists the files of a place, sorted. Links to folders are followed, each
// folder once.
func (p *place) walk() []found {
	var list []found
	seen := map[string]bool{}
	var into func(dir string, depth int)
	into = func(dir string, depth int) {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || seen[real] || depth > maxDepth {
			return
		}
		seen[real] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			list = append(list, found{path: dir, err: err})
			return
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			info, err := os.Stat(name)
			link := e.Type()&fs.ModeSymlink != 0
			switch {
			case err != nil:
				list = append(list, found{path: name, link: link, deep: depth > 0, err: err})
			case info.IsDir() && !slices.Contains(skipped, e.Name()):
				into(name, depth+1)
			case info.Mode().IsRegular():
				list = append(list, found{path: name, link: link, deep: depth > 0})
			}
		}
	}
	info, err := os.Stat(p.dir)
	switch {
	case err != nil:
	case info.IsDir():
		into(p.dir, 0)
	default:
		list = append(list, found{path: p.dir})
	}
	return list
}

// skipped are folders without agents of anybody's own.
var skipped = []string{".git", "node_modules"}
