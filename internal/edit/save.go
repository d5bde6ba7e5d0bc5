package edit

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Save puts new bytes into an existing file, whole or not at all. Links are
// followed; the mode stays.
func Save(path string, data []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing the manifest: %w", err), os.Remove(temp))
	}
	return nil
}
