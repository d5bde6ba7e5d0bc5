package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A spot is a path with links followed: the part that exists, and the names
// below it that do not.
type spot struct {
	base    string
	missing []string
}

func (s spot) path() string { return filepath.Join(append([]string{s.base}, s.missing...)...) }

// locate follows the links of an absolute path as far as it exists. A link that
// leads nowhere is an error, because what lies behind it cannot be created
// without guessing.
func locate(path string) (spot, error) {
	var missing []string
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			slices.Reverse(missing)
			return spot{real, missing}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return spot{}, fmt.Errorf("%s: %w", dir, cause(err))
		}
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return spot{}, fmt.Errorf("%s is a link that leads nowhere", dir)
		}
		missing = append(missing, filepath.Base(dir))
	}
}

// An EscapeError says that a path of a project leads out of it.
type EscapeError struct{ Path, Real, Project string }

func (e *EscapeError) Error() string {
	return fmt.Sprintf("%s leads to %s, outside the project %s; nothing is written there", e.Path, e.Real, e.Project)
}

// A folder is a directory that may not exist yet, held open at the deepest part
// that does. Everything in it is reached through an os.Root, so that neither a
// link nor a parent that is swapped during the run can lead a write elsewhere.
type folder struct {
	name    string   // as people write it
	missing []string // below root
	root    disk
}

// openFolder opens a directory of a person: links on the way have been followed.
func (w Where) openFolder(name string, at spot) (*folder, error) {
	root, err := w.openDisk(at.base)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, cause(err))
	}
	return &folder{name: name, missing: at.missing, root: root}, nil
}

// openFolderIn opens a directory of a project, after proving that its real path
// lies inside the project's.
func (w Where) openFolderIn(name string, at spot) (*folder, error) {
	realProject, err := filepath.EvalSymlinks(w.Project)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	rel, err := filepath.Rel(realProject, at.base)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, &EscapeError{Path: name, Real: at.path(), Project: realProject}
	}
	outer, err := w.openDisk(realProject)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	defer outer.Close()
	root, err := outer.OpenRoot(rel)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, cause(err))
	}
	return &folder{name: name, missing: at.missing, root: root}, nil
}

// exists says whether the directory itself is there.
func (f *folder) exists() bool { return len(f.missing) == 0 }

// make creates what is missing. mode gives the mode of a new directory from the
// number of those that will lie below it.
func (f *folder) make(mode func(below int) fs.FileMode) error {
	for len(f.missing) > 0 {
		name := f.missing[0]
		err := f.root.Mkdir(name, 0o700)
		created := err == nil
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		next, err := f.root.OpenRoot(name)
		if err != nil {
			return err
		}
		if created {
			err = settleDir(f.root, next, mode(len(f.missing)-1))
		}
		if err != nil {
			next.Close()
			return err
		}
		f.root.Close()
		f.root, f.missing = next, f.missing[1:]
	}
	return nil
}

// settleDir gives a new directory its mode, whatever the umask, and the owner
// of the directory that it lies in.
func settleDir(parent, dir disk, mode fs.FileMode) error {
	self, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer self.Close()
	if err := inheritOwner(parent, self); err != nil {
		return err
	}
	return self.Chmod(mode)
}

// private makes new directories that only their owner can enter.
func private(int) fs.FileMode { return 0o700 }

// shared makes new directories that everybody can read.
func shared(int) fs.FileMode { return 0o755 }

// plain says whether a name is one component of a path.
func plain(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\`+"\x00")
}
