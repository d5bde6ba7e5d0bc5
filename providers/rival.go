package providers

import "github.com/seed-337579fc/subagents/schema"

// A Rival is a place where a host may find another subagent of the same name
// that it would prefer to an installed one.
type Rival struct {
	Scope  schema.Scope // of the installed file; "": either
	Format string       // of the installed file; "": any
	Base   Base
	Paths  []string // below the base, slash-separated; NAME stands for the file's stem
	Table  bool     // the path is a config.toml, and the rival its [agents.NAME]
	Why    string
}

// A Base is where the paths of a rival start. One that is none of the constants
// is a variable that holds directories.
type Base string

// The bases.
const (
	InProject Base = "project" // the project's directory
	Upward    Base = "upward"  // that, and its parents up to the root of the repository
	Outside   Base = "outside" // those parents alone
	Checkout  Base = "main"    // the main checkout of a linked worktree that has no such folder of its own
	InHome    Base = "home"    // the person's home
	InRoot    Base = "root"    // the host's configuration directory
	Absolute  Base = "/"       // the top of the file system
)
