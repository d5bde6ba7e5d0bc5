package schema

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Spellings lists the spellings of a manifest by the extension that each is
// written with.
func Spellings() []string { return []string{"yaml", "json", "toml", "hcl"} }

// SpellingOf gives the spelling of a file by its name: the one by which
// [LoadFiles] reads it.
func SpellingOf(name string) string {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".json", ".toml", ".hcl":
		return ext[1:]
	}
	return "yaml"
}

// Tree gives the tree of one manifest file as it stands there, without what it
// includes. It is nil if the file has a syntax that cannot be read.
func Tree(src *Source) (*Node, hcl.Diagnostics) { return parse(src) }

// OwnTree gives the tree of one manifest file, without what it includes and
// without defaults, in the spelling with a subagents list: one that begins with
// agent_tools_subagents is turned into it, with the warnings that reading it
// has. The tree is nil if the file has a syntax that cannot be read.
func OwnTree(src *Source) (*Node, hcl.Diagnostics) {
	root, diags := parse(src)
	if root == nil || root.Kind != Map || root.Get(legacyRoot) == nil {
		return root, diags
	}
	own, more := fromLegacy(root)
	diags = append(diags, more...)
	diags = append(diags, forgive(own, checkSchema(own, nil))...)
	guard := Field{"guard", root.Range, textNode(root.Range, "none")}
	own.Fields = append([]Field{guard}, own.Fields...)
	return own, diags
}

// Template gives a text as a template. In HCL that is the text with the escapes
// that it is written with; in any other spelling it is the text itself.
func (n *Node) Template() string { return n.template() }
