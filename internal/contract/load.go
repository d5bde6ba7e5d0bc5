package contract

import (
	_ "embed"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// JSONSchema is the JSON Schema (draft 2020-12) of a contract.
//
//go:embed contract.schema.json
var JSONSchema []byte

var shape = sync.OnceValue(func() *schema.Shape { return schema.NewShape("contract.schema.json", JSONSchema) })

// A Contract is a checked contract file.
type Contract struct {
	Source   *schema.Source
	Manifest string       // relative to the contract; empty: not named
	Scope    schema.Scope // empty: the manifest's own
	root     *schema.Node
}

// Load reads a contract. With errors in the diagnostics there is none.
func Load(src *schema.Source) (*Contract, hcl.Diagnostics) {
	root, diags := schema.ParseYAML(src, false)
	if diags.HasErrors() {
		return nil, diags
	}
	if problems := shape().Check(root); len(problems) > 0 {
		return nil, append(diags, problems...)
	}
	return &Contract{
		Source: src, Manifest: root.Get("manifest").Text(), Scope: schema.Scope(root.Get("scope").Text()), root: root,
	}, diags
}
