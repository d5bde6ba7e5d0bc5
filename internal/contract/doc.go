// Package contract tests a catalogue: a contract file says what a manifest has
// to become on each host, and [Contract.Check] holds the rendered files against
// it. What a host's file says is read back by the host's own decoder, so that a
// contract speaks of what the client will see, not of what the manifest asks for.
//
// A contract is YAML; its JSON Schema is docs/contract.schema.json. For every
// expectation a null means that the file must not have the key at all.
package contract

//go:generate cp contract.schema.json ../../docs/contract.schema.json
