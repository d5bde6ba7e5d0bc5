package cli

import (
	"fmt"
	"io"
	"os"
)

// maxInput is the size up to which a text for an orchestrator is read. A larger
// one is cut, so that whoever checks it sees that it is larger.
const maxInput = 16 << 20

// input reads what the user named: a file, or - for standard input.
func (r *runner) input(name string) ([]byte, error) {
	from := r.In
	if name != "-" {
		f, err := os.Open(r.path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}
