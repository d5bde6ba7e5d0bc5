package install

import (
	"errors"

	"golang.org/x/sys/unix"
)

const syncsBatches = true

// SyncAll syncs the file system that the directory lies on.
func (d *osDisk) SyncAll() error {
	dir, err := d.dir()
	if err != nil {
		return err
	}
	return uninterrupted(func() error { return unix.Syncfs(int(dir.Fd())) })
}

// SyncNames syncs the directory.
func (d *osDisk) SyncNames() error {
	dir, err := d.dir()
	if err != nil {
		return err
	}
	return dir.Sync()
}

func (d *osDisk) renameNew(from, to string) error {
	dir, err := d.dir()
	if err != nil {
		return err
	}
	err = uninterrupted(func() error {
		return unix.Renameat2(int(dir.Fd()), from, int(dir.Fd()), to, unix.RENAME_NOREPLACE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return linkNew(d, from, to)
	}
	return err
}

// uninterrupted repeats a call that a signal has cut off, as package os does for
// its own: the runtime sends signals to its threads, and network file systems
// let them through.
func uninterrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
