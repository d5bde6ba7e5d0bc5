package install

import (
	"fmt"
	"os"
)

// A RootError says that root would write into the directory of somebody else.
type RootError struct {
	Dir string
	UID int
}

func (e *RootError) Error() string {
	return fmt.Sprintf("this runs as root, and %s belongs to user %d: run it as that user, or pass --allow-root", e.Dir, e.UID)
}

// refuseRoot stops root at a directory that somebody else owns.
func (f *folder) refuseRoot() error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := f.root.Stat(".")
	if err != nil {
		return err
	}
	if uid, _ := ownerOf(info); uid != 0 {
		return &RootError{Dir: f.name, UID: uid}
	}
	return nil
}

// An heir gives what root creates to the owner of the directory that it is
// created in, so that the owner's own runs can go on from there.
type heir struct {
	uid, gid int
	changes  bool
}

func heirOf(dir disk) (heir, error) {
	if os.Geteuid() != 0 {
		return heir{}, nil
	}
	info, err := dir.Stat(".")
	if err != nil {
		return heir{}, err
	}
	uid, gid := ownerOf(info)
	return heir{uid, gid, uid != 0}, nil
}

// inherit hands a new file over.
func (h heir) inherit(f file) error {
	if !h.changes {
		return nil
	}
	return f.Chown(h.uid, h.gid)
}

// inheritOwner hands a new file of a directory over.
func inheritOwner(dir disk, f file) error {
	h, err := heirOf(dir)
	if err != nil {
		return err
	}
	return h.inherit(f)
}
