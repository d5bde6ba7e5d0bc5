package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/seed-337579fc/subagents/schema"
)

// A ledgerFile is a ledger with the place that it is kept in.
type ledgerFile struct {
	path   string // as people write it
	real   string // with links followed: what temporary files and the lock are named after
	name   string // of the file, in its folder
	folder *folder
	bytes  []byte  // as read; nil: there is none yet
	ledger *Ledger // nil: it cannot be read
	why    error   // it cannot be read
	mode   func(int) fs.FileMode
}

// openLedger finds and reads the scope's ledger. That it cannot be read is no
// error: then the run may only add files.
func (w Where) openLedger(override string) (*ledgerFile, error) {
	l := &ledgerFile{path: w.LedgerPath(override), mode: private}
	at, err := locate(l.path)
	if err != nil {
		return nil, fmt.Errorf("finding the ledger: %w", err)
	}
	l.real = at.path()
	dir := filepath.Dir(l.real)
	if at, err = locate(dir); err != nil {
		return nil, fmt.Errorf("finding the ledger: %w", err)
	}
	l.name = filepath.Base(l.real)
	if w.Scope == schema.ProjectScope && override == "" {
		l.mode = shared
		l.folder, err = w.openFolderIn(dir, at)
	} else {
		l.folder, err = w.openFolder(dir, at)
	}
	if err != nil {
		return nil, err
	}
	l.read()
	if l.ledger != nil && w.Scope == schema.UserScope {
		l.ledger.follow()
	}
	return l, nil
}

// read reads the ledger.
func (l *ledgerFile) read() {
	if !l.folder.exists() {
		l.ledger = &Ledger{}
		return
	}
	l.bytes, l.why = slurp(l.folder.root, l.name)
	if errors.Is(l.why, fs.ErrNotExist) {
		l.ledger, l.why = &Ledger{}, nil
		return
	}
	if l.why == nil {
		l.ledger, l.why = parseLedger(l.bytes)
	}
}

// slurp reads a regular file whole.
func slurp(root disk, name string) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = io.Copy(b, f)
	return b.Bytes(), err
}

// write replaces the ledger's file, durably, and removes it with its last
// record. The same bytes are not written again.
func (l *ledgerFile) write(next *Ledger, temp string) error {
	if next.empty() && l.bytes != nil {
		if err := l.folder.root.Remove(l.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the ledger %s: %w", l.path, cause(err))
		}
		l.ledger, l.bytes = next, nil
		return l.folder.root.SyncNames()
	}
	data, err := next.Bytes()
	if err != nil || bytes.Equal(data, l.bytes) || next.empty() {
		return err
	}
	if err := l.replace(data, temp); err != nil {
		return fmt.Errorf("writing the ledger %s: %w", l.path, cause(err))
	}
	l.ledger, l.bytes = next, data
	return nil
}

func (l *ledgerFile) replace(data []byte, temp string) error {
	if err := l.folder.make(l.mode); err != nil {
		return err
	}
	owner, err := heirOf(l.folder.root)
	if err != nil {
		return err
	}
	name := tempName(temp)
	if err := writeTemp(l.folder.root, name, data, owner, true); err != nil {
		return errors.Join(err, discard(l.folder.root, name))
	}
	if err := over(l.folder.root.Rename(name, l.name)); err != nil {
		return errors.Join(err, discard(l.folder.root, name))
	}
	return l.folder.root.SyncNames()
}

// tidy removes what a killed run left beside the ledger.
func (l *ledgerFile) tidy(temp string) error {
	if !l.folder.exists() {
		return nil
	}
	dir, err := l.folder.root.Open(".")
	if err != nil {
		return err
	}
	names, err := dir.Readdirnames(-1)
	dir.Close()
	if err != nil {
		return err
	}
	return sweep(l.folder.root, names, temp)
}
