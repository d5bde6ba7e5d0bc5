package providers

import (
	"path/filepath"
	"strings"
)

// Root gives the host's configuration directory of a place at user scope. home
// is the person's home; env looks a variable up, nil ignores them all. A
// variable counts only if it is an absolute path; blanks around it and a
// trailing separator do not.
func (p Place) Root(home string, env func(string) string) string {
	for _, v := range p.Env {
		if env == nil {
			break
		}
		if dir := strings.TrimSpace(env(v.Name)); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(v.Sub))
		}
	}
	return filepath.Join(home, filepath.FromSlash(p.Home))
}
