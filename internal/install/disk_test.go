package install

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// A call is one call of a run to the file system.
type call struct {
	op   string
	path string // slash-separated; a temporary file is called TEMP
}

// changes says whether the call can change something on disk.
func (c call) changes() bool {
	switch c.op {
	case "mkdir", "create", "write", "sync", "chmod", "link", "rename", "rename-new", "remove", "sync-names", "sync-all":
		return true
	}
	return false
}

// A fault is what a call comes to instead of its work.
type fault struct {
	err  error
	late bool // the work is done all the same
}

// A spyDisk is a disk that is asked before each of its calls, and those of its
// files, what is to become of it; nil: what it is meant for. It syncs nothing.
type spyDisk struct {
	disk
	path string
	ask  func(c call) *fault
}

// spy puts a spyDisk between a job and the system. Calls are asked for one at a
// time.
func (j *Job) spy(ask func(c call) *fault) {
	var one sync.Mutex
	top := filepath.Dir(j.Home)
	j.disk = func(name string) (disk, error) {
		d, err := openDisk(name)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(top, name)
		return &spyDisk{d, filepath.ToSlash(rel), func(c call) *fault {
			one.Lock()
			defer one.Unlock()
			return ask(c)
		}}, err
	}
}

func (d *spyDisk) call(op, name string) call {
	if strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix) {
		name = "TEMP"
	}
	return call{op, path.Join(d.path, name)}
}

// through makes a call unless it is to fail.
func (d *spyDisk) through(op, name string, do func() error) error {
	f := d.ask(d.call(op, name))
	if f != nil && !f.late {
		return f.err
	}
	err := do()
	if f != nil {
		return f.err
	}
	return err
}

// fileThrough is through for calls that open a file.
func (d *spyDisk) fileThrough(op, name string, open func() (file, error)) (opened file, err error) {
	err = d.through(op, name, func() (err error) {
		opened, err = open()
		return err
	})
	if err != nil && opened != nil {
		opened.Close()
	}
	if err != nil {
		return nil, err
	}
	return &spyFile{opened, d, name}, nil
}

func (d *spyDisk) Open(name string) (file, error) {
	return d.fileThrough("open", name, func() (file, error) { return d.disk.Open(name) })
}

func (d *spyDisk) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	return d.fileThrough(op, name, func() (file, error) { return d.disk.OpenFile(name, flag, perm) })
}

func (d *spyDisk) OpenRoot(name string) (disk, error) {
	var root disk
	err := d.through("open-root", name, func() (err error) {
		root, err = d.disk.OpenRoot(name)
		return err
	})
	if err != nil && root != nil {
		root.Close()
	}
	if err != nil {
		return nil, err
	}
	return &spyDisk{root, path.Join(d.path, filepath.ToSlash(name)), d.ask}, nil
}

func (d *spyDisk) Stat(name string) (info fs.FileInfo, err error) {
	err = d.through("stat", name, func() (err error) { info, err = d.disk.Stat(name); return err })
	return info, err
}

func (d *spyDisk) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.through("lstat", name, func() (err error) { info, err = d.disk.Lstat(name); return err })
	return info, err
}

func (d *spyDisk) Readlink(name string) (to string, err error) {
	err = d.through("readlink", name, func() (err error) { to, err = d.disk.Readlink(name); return err })
	return to, err
}

func (d *spyDisk) Mkdir(name string, perm fs.FileMode) error {
	return d.through("mkdir", name, func() error { return d.disk.Mkdir(name, perm) })
}

func (d *spyDisk) Link(from, to string) error {
	return d.through("link", to, func() error { return d.disk.Link(from, to) })
}

func (d *spyDisk) Rename(from, to string) error {
	return d.through("rename", to, func() error { return d.disk.Rename(from, to) })
}

func (d *spyDisk) RenameNew(from, to string) error {
	return d.through("rename-new", to, func() error { return d.disk.RenameNew(from, to) })
}

func (d *spyDisk) Remove(name string) error {
	return d.through("remove", name, func() error { return d.disk.Remove(name) })
}

func (d *spyDisk) SyncNames() error {
	return d.through("sync-names", ".", func() error { return nil })
}

func (d *spyDisk) SyncAll() error {
	return d.through("sync-all", ".", func() error { return nil })
}

// A spyFile is a file of a spyDisk.
type spyFile struct {
	file
	disk *spyDisk
	name string
}

func (f *spyFile) Read(p []byte) (n int, err error) {
	err = f.disk.through("read", f.name, func() (err error) { n, err = f.file.Read(p); return err })
	return n, err
}

// Write fails half-way.
func (f *spyFile) Write(p []byte) (int, error) {
	if bad := f.disk.ask(f.disk.call("write", f.name)); bad != nil {
		n, err := f.file.Write(p[:len(p)/2])
		if err == nil {
			err = bad.err
		}
		return n, err
	}
	return f.file.Write(p)
}

func (f *spyFile) Seek(offset int64, whence int) (n int64, err error) {
	err = f.disk.through("seek", f.name, func() (err error) { n, err = f.file.Seek(offset, whence); return err })
	return n, err
}

func (f *spyFile) Stat() (info fs.FileInfo, err error) {
	err = f.disk.through("stat-open", f.name, func() (err error) { info, err = f.file.Stat(); return err })
	return info, err
}

func (f *spyFile) ReadDir(n int) (list []fs.DirEntry, err error) {
	err = f.disk.through("list", f.name, func() (err error) { list, err = f.file.ReadDir(n); return err })
	return list, err
}

func (f *spyFile) Readdirnames(n int) (names []string, err error) {
	err = f.disk.through("list", f.name, func() (err error) { names, err = f.file.Readdirnames(n); return err })
	return names, err
}

func (f *spyFile) Chmod(mode fs.FileMode) error {
	return f.disk.through("chmod", f.name, func() error { return f.file.Chmod(mode) })
}

func (f *spyFile) Chown(uid, gid int) error {
	return f.disk.through("chown", f.name, func() error { return f.file.Chown(uid, gid) })
}

func (f *spyFile) Sync() error {
	return f.disk.through("sync", f.name, func() error { return nil })
}

// Close always lets go of the file; what fails is to write what was kept back.
func (f *spyFile) Close() error {
	err := f.file.Close()
	if bad := f.disk.ask(f.disk.call("close", f.name)); bad != nil {
		return bad.err
	}
	return err
}

// atBoundaries calls a function before every change that the runs of a world
// make on disk.
func atBoundaries(w *world, do func(c call)) {
	w.job.spy(func(c call) *fault {
		if c.changes() {
			do(c)
		}
		return nil
	})
}
