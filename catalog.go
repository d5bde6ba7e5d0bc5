// Package subagents holds the built-in catalogue: ten subagents that are ready
// to use, the example that the documentation refers to, and what
// `builtin:NAME` in a manifest's include list names.
//
// The program is in cmd/subagents. To embed it in another program, use the
// packages schema (load and check a manifest), render (turn it into native
// files) and providers (what each host is and does).
package subagents

import _ "embed"

//go:generate go generate ./schema
//go:generate go run ./internal/docgen

// Catalogue is the built-in manifest, subagents.yml.
//
//go:embed subagents.yml
var Catalogue []byte

// Policies are the policies that come with the program, policies.yml.
//
//go:embed policies.yml
var Policies []byte
