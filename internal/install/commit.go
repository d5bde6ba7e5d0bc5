package install

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// still checks that what lies at a path is what the plan saw there.
func (a *Action) still(root disk) error {
	info, err := root.Lstat(a.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &changedError{Edited}
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		if to, err := root.Readlink(a.Name); err != nil || a.old.Kind != Link || to != a.old.Link {
			return &changedError{Symlink}
		}
		return nil
	case !info.Mode().IsRegular():
		return &changedError{NotRegular}
	case a.old.Kind != Regular || !os.SameFile(info, a.old.info) || info.Size() != a.old.info.Size() || !info.ModTime().Equal(a.old.info.ModTime()):
		return &changedError{Edited}
	}
	if changeTime(info).Equal(changeTime(a.old.info)) {
		return nil
	}
	return a.sameBytes(root)
}

// sameBytes reads a file again whose size and time are as the plan saw them but
// which was touched since: the time of a file can be set, and clocks go back.
func (a *Action) sameBytes(root disk) error {
	data, err := slurp(root, a.Name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && Sum(data) != a.old.Sum {
		return &changedError{Edited}
	}
	return err
}

// keep gives what lies at a path a second name, which nothing has yet. A run
// that was killed after doing so is not repeated under another name.
func keep(root disk, a *Action) error {
	for i := range maxBackupTrial {
		name := backupName(a.Name, i)
		err := root.Link(a.Name, name)
		if errors.Is(err, fs.ErrExist) {
			if there, err := root.Lstat(name); err != nil || !os.SameFile(there, a.old.info) {
				continue
			}
			err = nil
		}
		if noLinks(err) {
			if err = copyNew(root, a.Name, name); errors.Is(err, fs.ErrExist) {
				continue
			}
		}
		if err == nil {
			a.Backup = name
		}
		return err
	}
	return errors.New("there are too many backups of it")
}

// noLinks says whether a file system has no hard links.
func noLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EMLINK)
}

// copyNew copies a file to a name that nothing has yet.
func copyNew(root disk, from, to string) error {
	in, err := root.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Chmod(info.Mode().Perm()), out.Sync(), out.Close()); err != nil {
		return errors.Join(err, root.Remove(to))
	}
	return nil
}

// linkNew renames a file to a name that nothing has yet, for systems that
// cannot do so in one step.
func linkNew(root disk, from, to string) error {
	err := root.Link(from, to)
	if err == nil {
		return root.Remove(from)
	}
	if !noLinks(err) {
		return err
	}
	if _, err := root.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return root.Rename(from, to)
}
