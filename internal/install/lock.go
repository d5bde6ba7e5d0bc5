package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// DefaultWait is how long a run waits for another one to end.
const DefaultWait = time.Minute

// A LockError says that another run kept the lock for too long.
type LockError struct {
	Path string
	Wait time.Duration
}

func (e *LockError) Error() string {
	return fmt.Sprintf("another run still holds %s after %s; try again when it is done", e.Path, e.Wait)
}

// lock takes the lock of a ledger, below the person's state directory. The
// release is to be called at the end.
func (j Job) lock(ctx context.Context, id string) (release func() error, err error) {
	dir, wait := filepath.Join(j.State(), "locks"), cmp.Or(j.Wait, DefaultWait)
	if err := j.createLock(dir, id+".lock"); err != nil {
		return nil, fmt.Errorf("making the lock in %s: %w", dir, cause(err))
	}
	path := filepath.Join(dir, id+".lock")
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	held, err := l.TryLockContext(waiting, 20*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return nil, errors.Join(context.Cause(ctx), l.Close())
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &LockError{Path: path, Wait: wait}
	case err != nil:
		return nil, fmt.Errorf("taking the lock %s: %w", path, err)
	case !held:
		return nil, &LockError{Path: path, Wait: wait}
	}
	return l.Close, nil
}

// createLock makes the lock's file. It is never removed: a run that waits on a
// removed file would hold a lock that nobody else sees.
func (j Job) createLock(dir, name string) error {
	at, err := locate(dir)
	if err != nil {
		return err
	}
	f, err := j.openFolder(dir, at)
	if err != nil {
		return err
	}
	defer func() { f.root.Close() }()
	if !j.AllowRoot {
		if err := f.refuseRoot(); err != nil {
			return err
		}
	}
	if err := f.make(private); err != nil {
		return err
	}
	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(inheritOwner(f.root, file), file.Close())
}
