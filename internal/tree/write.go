package tree

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Modes of what is written, whatever the umask.
const (
	fileMode = 0o644
	dirMode  = 0o755
)

// Blocked lists the files whose places are taken by something that is not to be
// replaced. With any, nothing can be written.
func (s *State) Blocked() []Found {
	var list []Found
	for _, f := range s.Files {
		if f.Status == Blocked {
			list = append(list, f)
		}
	}
	return list
}

// Write makes the directory hold the rendered files: it writes those that are
// missing or differ, each whole or not at all, and leaves every other file
// alone; with prune it deletes the strays. It refuses to start where a file is
// blocked, and stops between two files with the cause for which ctx ends.
func (s *State) Write(ctx context.Context, prune bool) error {
	if blocked := s.Blocked(); len(blocked) > 0 {
		return fmt.Errorf("%s: %s", blocked[0].Path, blocked[0].Why)
	}
	if err := makeDirs(s.Dir); err != nil {
		return fmt.Errorf("creating the output directory: %w", err)
	}
	top, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fmt.Errorf("opening the output directory: %w", err)
	}
	defer top.Close()
	w := writer{top: top}
	defer w.close()
	for _, f := range s.Files {
		if f.Status == Equal {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := w.file(path.Dir(f.Path), f.Name(), f.Data); err != nil {
			return fmt.Errorf("writing %s: %w", filepath.Join(s.Dir, filepath.FromSlash(f.Path)), err)
		}
	}
	if !prune {
		return nil
	}
	for _, name := range s.Strays {
		if err := top.Remove(name); err != nil {
			return fmt.Errorf("deleting %s: %w", filepath.Join(s.Dir, filepath.FromSlash(name)), err)
		}
	}
	return nil
}

// writer keeps the directory open that it writes into; files come sorted by
// path.
type writer struct {
	top  *os.Root
	name string
	dir  *os.Root
}

func (w *writer) close() {
	if w.dir != nil {
		w.dir.Close()
	}
}

func (w *writer) enter(name string) error {
	if w.dir != nil && w.name == name {
		return nil
	}
	w.close()
	w.dir = nil
	if err := makeDirsIn(w.top, name); err != nil {
		return err
	}
	dir, err := w.top.OpenRoot(name)
	w.name, w.dir = name, dir
	return err
}

// file writes one file beside its place and moves it there.
func (w *writer) file(dir, name string, data []byte) error {
	if err := w.enter(dir); err != nil {
		return err
	}
	temp := "." + name + "." + rand.Text() + ".tmp"
	f, err := w.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(fileMode), f.Close())
	if err == nil {
		err = w.dir.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, w.dir.Remove(temp))
	}
	return nil
}

// MakePlaces makes the agents directories of hosts, whether or not a file goes
// into them.
func (s *State) MakePlaces(look Look) error {
	top, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fmt.Errorf("opening the output directory: %w", err)
	}
	defer top.Close()
	for _, facts := range look.Providers {
		for _, place := range facts.Places {
			if place.Scope != look.Scope {
				continue
			}
			if err := makeDirsIn(top, path.Join(place.Home, place.Dir)); err != nil {
				return fmt.Errorf("creating the directories of %s: %w", facts.Title, err)
			}
		}
	}
	return nil
}

// makeDirsIn creates a directory below a root with its parents.
func makeDirsIn(root *os.Root, name string) error {
	if name == "." {
		return nil
	}
	err := root.Mkdir(name, dirMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeDirsIn(root, path.Dir(name)); err != nil {
			return err
		}
		err = root.Mkdir(name, dirMode)
	}
	switch {
	case err == nil:
		return root.Chmod(name, dirMode)
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return err
}

// makeDirs creates the output directory with its parents.
func makeDirs(name string) error {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if parent := filepath.Dir(name); parent != name {
		if err := makeDirs(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(name, dirMode); err != nil {
		return err
	}
	return os.Chmod(name, dirMode)
}
