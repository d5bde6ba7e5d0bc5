package tree

import (
	"errors"
	"io"
	"os"

	"github.com/seed-337579fc/subagents/providers"
)

// Marked says whether a file carries the line that we write into ours: as a
// comment on the first line, or on the first line of the front matter. The same
// words further down are somebody's text.
func Marked(data []byte) bool { return providers.Marked(data) }

// markerReach is how much of a file is read for its marker.
const markerReach = 256

func carriesMarker(root *os.Root, name string) (bool, error) {
	f, err := root.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, markerReach)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return Marked(head[:n]), nil
}
