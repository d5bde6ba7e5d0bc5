// Command subagents turns one manifest of sub-agents into the native files of
// Claude Code, Codex, goose, Kiro and OpenCode, and checks, installs and
// explains them. `subagents --help` lists what it does.
package main

import (
	"os"

	"github.com/seed-337579fc/subagents/internal/cli"
)

// release is the version of the program, set with
// -ldflags "-X main.release=1.2.3". Without it the version of the module holds.
var release string

func main() {
	app := cli.App{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Release: release}
	os.Exit(app.Run(os.Args[1:]))
}
