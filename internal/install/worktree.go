package install

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// repository finds the root of the git repository that a directory lies in, or
// "".
func repository(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// mainCheckoutOf gives the main checkout of the linked worktree that a directory
// lies in, or "" if it lies in none. A linked worktree has a file .git that
// names its own folder below the common one (gitrepository-layout(5)).
func mainCheckoutOf(dir string) string {
	root := repository(dir)
	text, err := os.ReadFile(filepath.Join(root, ".git"))
	if root == "" || err != nil {
		return ""
	}
	own, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return ""
	}
	own = from(root, own)
	text, err = os.ReadFile(filepath.Join(own, "commondir"))
	if err != nil {
		return ""
	}
	common := from(own, strings.TrimSpace(string(text)))
	if filepath.Base(common) != ".git" {
		return "" // a bare repository has no checkout of its own
	}
	return filepath.Dir(common)
}

// from makes a path absolute that is relative to a directory.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// mainCheckout names the main checkout if the project is a linked worktree of
// it and it has a ledger, or a file where one of ours would lie.
func (s *Session) mainCheckout(want Desired) string {
	if s.Scope != schema.ProjectScope {
		return ""
	}
	main := mainCheckoutOf(s.Project)
	if main == "" || main == repository(s.Project) {
		return ""
	}
	there := s.Where
	there.Project = main
	if _, err := os.Lstat(there.LedgerPath("")); err == nil {
		return main
	}
	for _, d := range s.Dests {
		for name := range want.Files[d.Key] {
			if _, err := os.Lstat(filepath.Join(main, filepath.FromSlash(d.Key), name)); err == nil {
				return main
			}
		}
	}
	return ""
}
