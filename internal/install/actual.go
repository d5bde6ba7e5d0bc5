package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"syscall"

	"github.com/seed-337579fc/subagents/internal/tree"
)

// headBytes is enough of a file to see whether it carries our marker.
const headBytes = 512

// A Kind is what lies at a path.
type Kind int

// The kinds.
const (
	Missing Kind = iota
	Regular
	Link  // a symbolic link, wherever it leads
	Other // a directory, a FIFO, a socket, a device
)

// Actual is what lies in the directories of the hosts, by the directory's key.
type Actual map[string]DirState

// DirState is what lies in one directory.
type DirState struct {
	Files  map[string]FileState // everything that the host may read, by name
	Temps  []string             // left behind by a run of this ledger that was killed
	Extras []string             // all other names: what a backup must not be called
}

// FileState is what lies at one path.
type FileState struct {
	Kind   Kind
	Sum    string      // of a regular file that was read
	Link   string      // where a link leads
	Marked bool        // a regular file that is not as desired, with our marker in its place
	info   fs.FileInfo // of a regular file that was read
}

// A look says which files of a directory are to be read.
type look struct {
	dest   *Dest
	folder *folder
	want   map[string]*File // desired contents, by name
	also   func(name string) bool
}

// read lists a directory and reads the files that matter. A file that is as
// desired is hashed once, not twice.
func (l look) read(temp string) (DirState, error) {
	state := DirState{Files: map[string]FileState{}}
	if !l.folder.exists() {
		return state, nil
	}
	dir, err := l.folder.root.Open(".")
	if err != nil {
		return state, fmt.Errorf("reading %s: %w", l.dest.Dir, err)
	}
	entries, err := dir.ReadDir(-1)
	dir.Close()
	if err != nil {
		return state, fmt.Errorf("reading %s: %w", l.dest.Dir, err)
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case isTemp(name, temp):
			state.Temps = append(state.Temps, name)
		case !l.dest.reads(name):
			state.Extras = append(state.Extras, name)
		case e.Type().IsRegular():
			state.Files[name] = FileState{Kind: Regular}
			if l.want[name] != nil || l.also(name) {
				names = append(names, name)
			}
		default:
			state.Files[name] = l.irregular(name, e.Type())
		}
	}
	return state, l.readAll(names, state.Files)
}

// irregular describes what is no regular file, without opening it.
func (l look) irregular(name string, mode fs.FileMode) FileState {
	if mode&fs.ModeSymlink == 0 {
		return FileState{Kind: Other}
	}
	to, _ := l.folder.root.Readlink(name) // for the message, and to recognise a link of ours
	return FileState{Kind: Link, Link: to}
}

// readAll reads files, several at a time.
func (l look) readAll(names []string, into map[string]FileState) error {
	states, errs := make([]FileState, len(names)), make([]error, len(names))
	parallel(len(names), func(i int, buf *[]byte) { states[i], errs[i] = l.readFile(names[i], buf) })
	for i, name := range names {
		if errs[i] != nil {
			return fmt.Errorf("reading %s: %w", l.dest.Path(name), cause(errs[i]))
		}
		into[name] = states[i]
	}
	return nil
}

// readFile reads one file. It never waits for a FIFO that has taken the file's
// place since the directory was listed.
func (l look) readFile(name string, buf *[]byte) (FileState, error) {
	f, err := l.folder.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return FileState{}, nil
	}
	if err != nil {
		return FileState{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return FileState{}, err
	}
	if !info.Mode().IsRegular() {
		return FileState{Kind: Other}, nil
	}
	state := FileState{Kind: Regular, info: info}
	want := l.want[name]
	if want != nil && info.Size() == int64(len(want.Data)) {
		same, err := l.same(f, want, buf)
		if err != nil {
			return FileState{}, err
		}
		if same {
			state.Sum = want.Sum
			return state, nil
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return FileState{}, err
		}
	}
	state.Sum, state.Marked, err = digest(f)
	return state, err
}

// same compares a file of the right size with its desired content.
func (l look) same(f io.Reader, want *File, buf *[]byte) (bool, error) {
	n := len(want.Data)
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	_, err := io.ReadFull(f, (*buf)[:n])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil // it shrinks while it is read
	}
	return err == nil && bytes.Equal((*buf)[:n], want.Data), err
}

// digest hashes a file of any size and looks for our marker.
func digest(f io.Reader) (sum string, marked bool, err error) {
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", false, err
	}
	hash := sha256.New()
	hash.Write(head[:n])
	if _, err := io.Copy(hash, f); err != nil {
		return "", false, err
	}
	return hex.EncodeToString(hash.Sum(nil)), tree.Marked(head[:n]), nil
}

// cause takes the operation and paths off an error of the system, where the
// message says them already.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}

// sortedNames lists the names of a directory.
func sortedNames(files map[string]FileState) []string { return slices.Sorted(maps.Keys(files)) }
