package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// fileMode is the mode of everything that is written, whatever the umask.
const fileMode = 0o644

// writeTemp writes a new file, which nobody reads yet.
func writeTemp(root disk, name string, data []byte, owner heir, durable bool) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, owner.inherit(f), f.Chmod(fileMode))
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// discard removes a temporary file, if it is there.
func discard(root disk, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes those of the names that are temporary files of a ledger.
func sweep(root disk, names []string, id string) error {
	for _, name := range names {
		if isTemp(name, id) {
			if err := discard(root, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// A staged file lies ready beside its place.
type staged struct {
	folder *folder
	name   string // "": not written
}

// stage writes the new contents of all actions beside their places and makes
// them durable: one sync of the file system for many, one of the file for few.
func (r *run) stage(ctx context.Context) ([]staged, error) {
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
		if ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
			return
		}
		f := r.folders[a.Dest]
		ready[i] = staged{f, tempName(r.temp)}
		errs[i] = writeTemp(f.root, ready[i].name, a.file.Data, owners[f], each)
		r.step()
	})
	for i, err := range errs {
		if err != nil && ctx.Err() != nil {
			return ready, context.Cause(ctx)
		}
		if err != nil {
			return ready, fmt.Errorf("writing %s: %w", todo[i].Path(), cause(err))
		}
	}
	if ctx.Err() != nil {
		return ready, context.Cause(ctx)
	}
	if each {
		return ready, nil
	}
	for f := range owners {
		if err := f.root.SyncAll(); err != nil {
			return ready, fmt.Errorf("writing into %s: %w", f.name, cause(err))
		}
	}
	return ready, nil
}

// batch is from how many files on the file system is synced instead of each
// file. Syncing it also waits for what other programs have written, so that few
// files are better synced one by one.
const batch = 16
