package schema

// Blocks holds a block per host, in an entry.
type Blocks struct {
	// Claude Code.
	Claude *Claude `json:"claude,omitempty"`
	// Codex CLI.
	Codex *Codex `json:"codex,omitempty"`
	// Goose.
	Goose *Goose `json:"goose,omitempty"`
	// Kiro.
	Kiro *Kiro `json:"kiro,omitempty"`
	// OpenCode.
	OpenCode *OpenCode `json:"opencode,omitempty"`
}

// DefaultBlocks holds a block per host, in defaults, where a table of models
// may stand beside the keys of the block.
type DefaultBlocks struct {
	// Claude Code.
	Claude *ClaudeDefaults `json:"claude,omitempty"`
	// Codex CLI.
	Codex *CodexDefaults `json:"codex,omitempty"`
	// Goose.
	Goose *GooseDefaults `json:"goose,omitempty"`
	// Kiro.
	Kiro *KiroDefaults `json:"kiro,omitempty"`
	// OpenCode.
	OpenCode *OpenCodeDefaults `json:"opencode,omitempty"`
}

// BlockCommon holds the keys that every block has.
type BlockCommon struct {
	// Enabled false takes the host away from the entry's targets, true adds it.
	Enabled *bool `json:"enabled,omitempty"`
	// Scope leaves the file out of the other scope. Absent: it goes with either.
	Scope Scope `json:"scope,omitempty" jsonschema:"enum=user,enum=project"`
	// Extra holds native keys that the tool does not model. A key that it does model is an error.
	Extra Value `json:"extra,omitempty"`
}

// Common gives the keys that every block has.
func (b *BlockCommon) Common() *BlockCommon { return b }

// A Block is the block of a host.
type Block interface{ Common() *BlockCommon }

// Models maps a tier to a model of the host; empty switches the host's built-in table off.
type Models map[string]ModelChoice

// newBlock makes an empty block of a host.
func newBlock(id ProviderID) Block {
	switch id {
	case ClaudeID:
		return new(Claude)
	case CodexID:
		return new(Codex)
	case GooseID:
		return new(Goose)
	case KiroID:
		return new(Kiro)
	case OpenCodeID:
		return new(OpenCode)
	}
	return new(BlockCommon)
}
