// Package schema knows the manifest, subagents.yml, and nothing above it.
//
// A manifest goes through this package in one direction:
//
//	bytes → Source → Node (a tree with a position for every value)
//	      → JSON Schema check → Manifest (typed) → rules → Agent (one entry resolved for one provider)
//
// [Load] does the first half and reports every problem at once, as
// hcl.Diagnostics whose Extra holds a stable [Code]. [Manifest.Resolve] does
// the second half: it applies the precedence
//
//	provider block › entry › defaults.providers.P › defaults › host default
//
// on the trees, before anything is typed, so that an absent key, an empty
// list and a null stay three different things, and so that every value keeps
// the place it came from (see [Agent.Origin]).
//
// The types of this package are the manifest: subagents.schema.json is
// reflected from them, and a test fails when it is stale.
package schema
