package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// fileMode is the mode of everything that is written, whatever the umask.
const fileMode = 0o644

// writeTemp writes a new file, which nobody reads yet.
func writeTemp(root *os.Root, name string, data []byte, owner heir, durable bool) error {
	boundary("create " + name)
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	boundary("write " + name)
	_, err = f.Write(data)
	err = errors.Join(err, owner.inherit(f), f.Chmod(fileMode))
	if err == nil && durable {
		boundary("sync " + name)
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// discard removes a temporary file, if it is there.
func discard(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes those of the names that are temporary files of a ledger.
func sweep(root *os.Root, names []string, id string) error {
	for _, name := range names {
		if isTemp(name, id) {
			boundary("sweep " + name)
			if err := discard(root, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// syncDir makes the names of a directory durable.
func syncDir(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	err = syncNames(dir)
	return errors.Join(err, dir.Close())
}

// A staged file lies ready beside its place.
type staged struct {
	folder *folder
	name   string // "": not written
}

// stage writes the new contents of all actions beside their places and makes
// them durable: one sync of the file system for many, one of the file for few.
func (r *run) stage() ([]staged, error) {
	todo := r.todo
	ready, errs := make([]staged, len(todo)), make([]error, len(todo))
	owners := map[*folder]heir{}
	writes := 0
	for _, a := range todo {
		if a.file == nil {
			continue
		}
		writes++
		f := r.folders[a.Dest]
		if _, known := owners[f]; known {
			continue
		}
		if err := f.make(r.dirMode); err != nil {
			return nil, fmt.Errorf("creating %s: %w", a.Dest.Dir, cause(err))
		}
		owner, err := heirOf(f.root)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", a.Dest.Dir, cause(err))
		}
		owners[f] = owner
	}
	each := !syncsBatches || writes < batch
	parallel(len(todo), func(i int, _ *[]byte) {
		a := todo[i]
		if a.file == nil {
			return
		}
		f := r.folders[a.Dest]
		ready[i] = staged{f, tempName(r.temp)}
		errs[i] = writeTemp(f.root, ready[i].name, a.file.Data, owners[f], each)
		r.step()
	})
	for i, err := range errs {
		if err != nil {
			return ready, fmt.Errorf("writing %s: %w", todo[i].Path(), cause(err))
		}
	}
	if each {
		return ready, nil
	}
	boundary("sync batch")
	for f := range owners {
		if err := syncBatch(f.root); err != nil {
			return ready, fmt.Errorf("writing into %s: %w", f.name, cause(err))
		}
	}
	return ready, nil
}

// batch is from how many files on the file system is synced instead of each
// file. Syncing it also waits for what other programs have written, so that few
// files are better synced one by one.
const batch = 16
