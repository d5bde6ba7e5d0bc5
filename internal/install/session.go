package install

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A Job says where to act.
type Job struct {
	Where
	Hosts     []*providers.Facts // the hosts to act on, in their order
	Known     []*providers.Facts // all hosts, to judge what a ledger may record
	Ledger    string             // --ledger: another ledger than the scope's
	AllowRoot bool               // root may write into directories of others
	Wait      time.Duration      // for another run; 0: [DefaultWait]
}

// A Session is a job with the directories of the hosts and the ledger open.
// Everything that it reads and writes from then on lies in those directories,
// whatever happens to the paths that led there.
type Session struct {
	Job
	Dests   []*Dest
	ledger  *ledgerFile
	folders map[*Dest]*folder
	temp    string // in the names of temporary files
	release func() error
}

// View opens a session that only looks.
func (j Job) View() (*Session, error) { return j.open(nothing) }

// Open opens a session that may write: it holds the lock of the ledger until it
// is closed, and waits for a run that holds it before.
func (j Job) Open(ctx context.Context) (*Session, error) {
	return j.open(func(s *Session) error { return s.acquire(ctx) })
}

func nothing(*Session) error { return nil }

// open opens a session, after what has to be done before anything is read.
func (j Job) open(first func(*Session) error) (_ *Session, err error) {
	s := &Session{Job: j, folders: map[*Dest]*folder{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := first(s); err != nil {
		return nil, err
	}
	if s.ledger, err = j.openLedger(j.Ledger); err != nil {
		return nil, err
	}
	s.temp = tempID(s.ledger.real)
	if s.Dests, err = j.Dests(j.Hosts); err != nil {
		return nil, err
	}
	for _, d := range s.Dests {
		if s.folders[d], err = j.folder(d); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// acquire waits for the ledger, before anything is read.
func (s *Session) acquire(ctx context.Context) error {
	at, err := locate(s.LedgerPath(s.Ledger))
	if err != nil {
		return err
	}
	s.release, err = s.lock(ctx, tempID(at.path()))
	return err
}

func (j Job) folder(d *Dest) (*folder, error) {
	if j.Scope == schema.ProjectScope {
		return j.openFolderIn(d.Dir, d.at)
	}
	return j.openFolder(d.Dir, d.at)
}

// RefuseRoot stops root at directories that somebody else owns, unless it is
// allowed.
func (s *Session) RefuseRoot() error {
	if s.AllowRoot {
		return nil
	}
	for _, d := range s.Dests {
		if err := s.folders[d].refuseRoot(); err != nil {
			return err
		}
	}
	return s.ledger.folder.refuseRoot()
}

// Recorded gives the ledger, or nil where there is one that cannot be read.
func (s *Session) Recorded() *Ledger { return s.ledger.ledger }

// dirMode gives the mode of a directory that is created for a host: what lies
// above the files is a person's configuration.
func (s *Session) dirMode(below int) fs.FileMode {
	if s.Scope == schema.UserScope && below > 0 {
		return private(below)
	}
	return shared(below)
}

// Look reads what lies in the directories: the files that are desired and those
// that the ledger knows and, with all, every other file that the hosts would
// read.
func (s *Session) Look(want Desired, all bool) (Actual, error) {
	have := Actual{}
	for _, d := range s.Dests {
		also := func(name string) bool {
			_, known := s.ledger.ledger.Record(d.Key, name)
			return known || all
		}
		state, err := look{dest: d, folder: s.folders[d], want: want.Files[d.Key], also: also}.read(s.temp)
		if err != nil {
			return nil, err
		}
		have[d.Key] = state
	}
	return have, nil
}

// Close lets the next run in.
func (s *Session) Close() error {
	var errs []error
	for _, f := range s.folders {
		if f != nil {
			errs = append(errs, f.root.Close())
		}
	}
	if s.ledger != nil && s.ledger.folder != nil {
		errs = append(errs, s.ledger.folder.root.Close())
	}
	if s.release != nil {
		errs = append(errs, s.release())
	}
	return errors.Join(errs...)
}
