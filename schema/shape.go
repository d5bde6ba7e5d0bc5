package schema

import (
	"github.com/hashicorp/hcl/v2"
)

// A Shape is the JSON Schema of a document that is no manifest, for packages
// that have such documents and want problems with places in them.
type Shape struct{ compiled }

// NewShape compiles a schema of the program's own; it panics for one that is
// none.
func NewShape(name string, text []byte) *Shape { return &Shape{compile(name, text)} }

// Check reports every violation at its place.
func (s *Shape) Check(root *Node) hcl.Diagnostics {
	if root.Kind != Map {
		return hcl.Diagnostics{Problemf(CodeWrongType, root.Range, "Write its keys as a mapping.", "the document must be a mapping, not %s", root.Kind)}
	}
	return s.check(root, nil)
}
