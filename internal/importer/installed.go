package importer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Dirs say where the hosts' own directories are.
type Dirs struct {
	Project string // absolute; empty: no project is looked into
	Home    string // absolute; empty: no person's directories are looked into
	Env     func(string) string
	Roots   map[schema.ProviderID]string // configuration directories, which beat the variables
}

// Installed lists the files and folders that are there of those from which hosts
// take subagents: first a project's, which most hosts prefer, then a person's.
func (d Dirs) Installed(hosts []*providers.Facts) []Root {
	var roots []Root
	for _, host := range hosts {
		if d.Project != "" {
			roots = appendRoots(roots, host, func(dir string) string { return filepath.Join(d.Project, filepath.FromSlash(dir)) })
		}
		if d.Home != "" {
			roots = appendRoots(roots, host, func(dir string) string { return d.personal(host, dir) })
		}
	}
	return roots
}

// personal gives the path of a directory or file of a person. What lies in the
// host's configuration directory moves with it.
func (d Dirs) personal(host *providers.Facts, dir string) string {
	for _, place := range host.Places {
		below, ok := strings.CutPrefix(dir, place.Home+"/")
		if place.Scope != schema.UserScope || !ok {
			continue
		}
		root := d.Roots[host.ID]
		if root == "" {
			root = place.Root(d.Home, d.Env)
		}
		return filepath.Join(root, filepath.FromSlash(below))
	}
	return filepath.Join(d.Home, filepath.FromSlash(dir))
}

// appendRoots adds what there is of a host's inputs, each folder once. locate
// gives the path of a directory or file of an input.
func appendRoots(roots []Root, host *providers.Facts, locate func(dir string) string) []Root {
	for _, in := range host.Inputs {
		if in.Beside != "" {
			continue
		}
		dir, below := in.Folder()
		path := locate(dir)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		i := slices.IndexFunc(roots, func(r Root) bool { return r.Path == path && r.Host == host.ID })
		if i < 0 {
			roots = append(roots, Root{Path: path, Shown: path, Host: host.ID})
			i = len(roots) - 1
		}
		roots[i].Inputs = append(roots[i].Inputs, below)
	}
	return roots
}
