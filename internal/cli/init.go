package cli

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// starter is the manifest that init writes.
//
//go:embed starter.yml
var starter []byte

func (r *runner) initCommand() *cobra.Command {
	return uses(&cobra.Command{
		Use:   "init",
		Short: "Write a small commented manifest, subagents.yml, here",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return r.init() },
	})
}

// init writes the starter manifest. It never writes over a file, and not beside
// another manifest either, since then neither would be found.
func (r *runner) init() error {
	for _, name := range defaultManifests {
		switch _, err := os.Lstat(r.path(name)); {
		case err == nil:
			return nope("%s is here already, and nothing is written", name)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if err := r.writeNew(defaultManifests[0], starter); err != nil {
		return err
	}
	r.done("wrote %s: edit it, then run `subagents validate` and `subagents render --out out`", defaultManifests[0])
	return nil
}

// writeNew writes a file that is not there yet, whole or not at all.
func (r *runner) writeNew(name string, data []byte) error {
	f, err := os.OpenFile(r.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nope("%s is here already, and nothing is written", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(r.path(name)))
	}
	return nil
}
