//go:build !linux

package install

import (
	"errors"
	"os"
	"runtime"
)

const syncsBatches = false

// syncBatch is never called where a file system cannot be synced as a whole.
func syncBatch(*os.Root) error { return errors.ErrUnsupported }

// syncNames makes the names of a directory durable, where directories can be
// synced at all.
func syncNames(dir *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return dir.Sync()
}

// renameNew renames a file to a name that nothing has yet.
func renameNew(root *os.Root, from, to string) error { return linkNew(root, from, to) }
