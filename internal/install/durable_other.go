//go:build !linux

package install

import (
	"errors"
	"runtime"
)

const syncsBatches = false

// SyncAll is never called where a file system cannot be synced as a whole.
func (d *osDisk) SyncAll() error { return errors.ErrUnsupported }

// SyncNames syncs the directory, where directories can be synced at all.
func (d *osDisk) SyncNames() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := d.dir()
	if err != nil {
		return err
	}
	return dir.Sync()
}

func (d *osDisk) renameNew(from, to string) error { return linkNew(d, from, to) }
