package tree

import (
	"archive/tar"
	"fmt"
	"io"
	"time"

	"github.com/seed-337579fc/subagents/render"
)

// Tar writes rendered files as a tar archive. The same files give the same
// bytes: every header has owner 0, mode 0644 and the Unix epoch.
func Tar(w io.Writer, files []render.File) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Data)), Mode: fileMode,
			ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(header); err != nil {
			return fmt.Errorf("writing the archive: %w", err)
		}
		if _, err := t.Write(f.Data); err != nil {
			return fmt.Errorf("writing the archive: %w", err)
		}
	}
	if err := t.Close(); err != nil {
		return fmt.Errorf("writing the archive: %w", err)
	}
	return nil
}
