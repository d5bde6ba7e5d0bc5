// Package tree compares rendered files with an output directory and writes them
// there. It is for directories that people render into or keep golden files in;
// the directories of the hosts belong to package install.
//
// [Examine] looks at the directory and changes nothing; what it finds is what
// `check --golden` prints and what [State.Write] carries out. Everything below
// the directory is reached through an os.Root, so that no link can lead out of
// it.
package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Status says how a rendered file compares with what lies in the directory.
type Status string

// The statuses.
const (
	Missing     Status = "missing"
	Changed     Status = "changed"
	LineEndings Status = "line-endings" // the same but for CRLF where we write LF
	Equal       Status = "equal"
	Blocked     Status = "blocked" // what lies there is no regular file, or leads out of the directory
)

// A Found is a rendered file with what lies in its place.
type Found struct {
	render.File
	Status Status
	Why    string // of Blocked
	Disk   []byte // of Changed
}

// A State is what [Examine] finds.
type State struct {
	Dir    string
	Exists bool // the directory itself
	Files  []Found
	Strays []string // files of ours that are not rendered: slash-separated, below Dir
	Others []string // other files in the agents directories of the hosts
}

// Look says where to look for files that are not rendered.
type Look struct {
	Scope     schema.Scope
	Providers []*providers.Facts
	Stems     []string // only files of these stems; nil: any
}

// Examine compares rendered files with a directory. A directory that is not
// there has none of them.
func Examine(dir string, files []render.File, look Look) (*State, error) {
	s := &State{Dir: dir}
	root, err := os.OpenRoot(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("opening the output directory: %w", err)
	default:
		s.Exists = true
		defer root.Close()
	}
	e := examiner{top: root, dirs: map[string]*opened{}}
	defer e.close()
	for _, f := range files {
		found, err := e.file(f)
		if err != nil {
			return nil, err
		}
		s.Files = append(s.Files, found)
	}
	if root == nil {
		return s, nil
	}
	return s, s.look(root, look)
}

// Count says how many files have a status.
func (s *State) Count(status Status) int {
	n := 0
	for _, f := range s.Files {
		if f.Status == status {
			n++
		}
	}
	return n
}

// examiner keeps the directories open that files lie in.
type examiner struct {
	top  *os.Root // nil: the directory is not there
	dirs map[string]*opened
}

// opened is a directory, or why there is none.
type opened struct {
	root *os.Root // nil: not there
	why  string   // it cannot be used
}

func (e *examiner) close() {
	for _, d := range e.dirs {
		if d.root != nil {
			d.root.Close()
		}
	}
}

func (e *examiner) dir(name string) (*opened, error) {
	if d, ok := e.dirs[name]; ok {
		return d, nil
	}
	d := &opened{}
	root, err := e.top.OpenRoot(name)
	switch {
	case err == nil:
		d.root = root
	case errors.Is(err, fs.ErrNotExist):
		// A link that leads nowhere looks like nothing at all.
		if d.why = dangling(e.top, name); d.why == "" {
			break
		}
	case errors.Is(err, syscall.ENOTDIR):
		d.why = "a part of its path is a file"
	case escapes(err):
		d.why = "a part of its path is a link that leads out of the directory"
	default:
		return nil, fmt.Errorf("opening a directory: %w", err)
	}
	e.dirs[name] = d
	return d, nil
}

// dangling finds a link on a path that does not exist.
func dangling(root *os.Root, name string) string {
	for ; name != "."; name = path.Dir(name) {
		info, err := root.Lstat(name)
		if err != nil {
			continue
		}
		if _, err := root.Stat(name); err != nil && info.Mode()&fs.ModeSymlink != 0 {
			return "a part of its path is a link that leads nowhere"
		}
		break
	}
	return ""
}

// escapes says whether an error is os.Root's refusal to leave its directory,
// for which it has no value of its own: everything else comes from the system.
func escapes(err error) bool {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return false
	}
	var errno syscall.Errno
	return !errors.As(pe.Err, &errno)
}

func (e *examiner) file(f render.File) (Found, error) {
	found := Found{File: f, Status: Missing}
	if e.top == nil {
		return found, nil
	}
	d, err := e.dir(path.Dir(f.Path))
	if err != nil {
		return found, err
	}
	if d.why != "" {
		found.Status, found.Why = Blocked, d.why
		return found, nil
	}
	if d.root == nil {
		return found, nil
	}
	info, err := d.root.Lstat(f.Name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found, nil
	case err != nil:
		return found, fmt.Errorf("looking at %s: %w", f.Path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		found.Status, found.Why = Blocked, "it is a link"
		return found, nil
	case !info.Mode().IsRegular():
		found.Status, found.Why = Blocked, "it is no regular file"
		return found, nil
	}
	disk, err := d.root.ReadFile(f.Name())
	if err != nil {
		return found, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	found.Status = compare(f.Data, disk)
	if found.Status == Changed {
		found.Disk = disk
	}
	return found, nil
}

func compare(want, disk []byte) Status {
	switch {
	case bytes.Equal(want, disk):
		return Equal
	case bytes.Equal(unixLines(want), unixLines(disk)):
		return LineEndings
	}
	return Changed
}

func unixLines(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }

// look sorts the files of the hosts' directories that are not rendered.
func (s *State) look(root *os.Root, look Look) error {
	rendered := map[string]bool{}
	for _, f := range s.Files {
		rendered[f.Path] = true
	}
	seen := map[string]bool{}
	for _, facts := range look.Providers {
		for _, place := range facts.Places {
			if place.Scope != look.Scope {
				continue
			}
			if err := s.place(root, place, look.Stems, func(p string) bool {
				known := rendered[p] || seen[p]
				seen[p] = true
				return known
			}); err != nil {
				return err
			}
		}
	}
	slices.Sort(s.Strays)
	slices.Sort(s.Others)
	return nil
}

// place adds the files of one place.
func (s *State) place(root *os.Root, place providers.Place, stems []string, known func(string) bool) error {
	dir := path.Dir(place.Path("x"))
	entries, err := fs.ReadDir(root.FS(), dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), escapes(err):
		return nil // nothing of ours can lie there; files that should are Blocked
	case err != nil:
		return fmt.Errorf("reading a directory: %w", err)
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		stem, ok := cutExt(entry.Name(), place.Ext)
		if !ok || !entry.Type().IsRegular() || stems != nil && !slices.Contains(stems, stem) || known(name) {
			continue
		}
		marked, err := carriesMarker(root, name)
		switch {
		case err != nil:
			return fmt.Errorf("reading %s: %w", name, err)
		case marked:
			s.Strays = append(s.Strays, name)
		default:
			s.Others = append(s.Others, name)
		}
	}
	return nil
}

func cutExt(name, ext string) (stem string, ok bool) {
	if len(name) <= len(ext) || name[len(name)-len(ext):] != ext {
		return "", false
	}
	return name[:len(name)-len(ext)], true
}
