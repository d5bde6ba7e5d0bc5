package schema

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// LoadEdited loads a manifest as if its file held other bytes, with all that it
// includes, so that a change can be judged before it is written.
func LoadEdited(path string, data []byte, opt Options) (*Manifest, hcl.Diagnostics, error) {
	t, name, closer, err := treeOf(path, opt.AllowOutside)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the manifest: %w", err)
	}
	defer closer.Close()
	l := newLoader(opt)
	l.source(t, name, NewSource(t.display(name), data))
	m, diags := l.manifest()
	return m, diags, nil
}
