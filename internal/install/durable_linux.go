package install

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const syncsBatches = true

// syncBatch makes everything durable that was written to the file system of a
// directory.
func syncBatch(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}

func syncNames(dir *os.File) error { return dir.Sync() }

// renameNew renames a file to a name that nothing has yet.
func renameNew(root *os.Root, from, to string) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = unix.Renameat2(int(dir.Fd()), from, int(dir.Fd()), to, unix.RENAME_NOREPLACE)
	if err == nil || errors.Is(err, unix.EEXIST) || !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EOPNOTSUPP) {
		return err
	}
	return linkNew(root, from, to)
}
