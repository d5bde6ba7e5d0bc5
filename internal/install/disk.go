package install

import (
	"io"
	"io/fs"
	"os"
	"sync"
)

// A disk is a directory that is held open. All that a run does to files it does
// through one, so that neither a link nor a parent that is swapped during the
// run can lead a write elsewhere, and so that tests can put one in between that
// fails, watches or ends the process at a call.
type disk interface {
	Open(name string) (file, error)
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	OpenRoot(name string) (disk, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Mkdir(name string, perm fs.FileMode) error
	Link(from, to string) error
	Rename(from, to string) error
	RenameNew(from, to string) error // to a name that nothing has yet, else [fs.ErrExist]
	Remove(name string) error
	SyncNames() error // makes the names of the directory durable
	SyncAll() error   // makes everything on its file system durable
	Close() error
}

// A file is an open file of a disk.
type file interface {
	io.ReadWriteSeeker
	io.Closer
	Stat() (fs.FileInfo, error)
	ReadDir(n int) ([]fs.DirEntry, error)
	Readdirnames(n int) ([]string, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
}

// osDisk is a disk of the system.
type osDisk struct {
	*os.Root
	once sync.Once
	self *os.File // the directory, for calls that os.Root does not have
	err  error
}

func openDisk(path string) (disk, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &osDisk{Root: root}, nil
}

func (d *osDisk) Open(name string) (file, error) { return opened(d.Root.Open(name)) }

func (d *osDisk) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	return opened(d.Root.OpenFile(name, flag, perm))
}

// opened keeps a nil file from becoming a file that is not nil.
func opened(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *osDisk) OpenRoot(name string) (disk, error) {
	root, err := d.Root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &osDisk{Root: root}, nil
}

func (d *osDisk) RenameNew(from, to string) error { return d.renameNew(from, to) }

func (d *osDisk) Close() error {
	if d.self != nil {
		d.self.Close()
	}
	return d.Root.Close()
}

// dir gives the directory as an open file.
func (d *osDisk) dir() (*os.File, error) {
	d.once.Do(func() { d.self, d.err = d.Root.Open(".") })
	return d.self, d.err
}

// openDisk opens a directory of the system, or what tests put in its place.
func (w Where) openDisk(path string) (disk, error) {
	if w.disk != nil {
		return w.disk(path)
	}
	return openDisk(path)
}
