// Package cli is the command line of subagents. It is a thin skin: a command
// parses its flags, calls one function of the packages below, and prints what
// comes back.
//
// A command is one file with one constructor, listed in [commands]. Results go
// to standard output, problems to standard error, and the exit code follows
// from the error that the command returns (see failure).
package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// App is the program with what it takes from its surroundings.
type App struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
	Dir      string // what relative paths are relative to; empty: the working directory of the process
	Release  string // version of the program; empty: as the build says
}

// A runner is one run of the program: the App and what the global flags say.
type runner struct {
	App
	globals
	screen io.Writer // where Out ends up
	stderr io.Writer // where Err ends up
}

// Run runs one command line, without the program's name, and gives the exit
// code: 0 yes or done, 1 the answer is no, 2 the question could not be asked,
// 3 the machine failed.
func (a App) Run(args []string) (code int) {
	r := &runner{App: a, screen: a.Out, stderr: a.Err}
	out := bufio.NewWriterSize(a.Out, 1<<16)
	r.Out, r.Err = out, inOrder{out, a.Err}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(r.Err, "subagents: internal error: %v\n%s\nThis is a bug: please report it with the manifest that shows it.\n", p, debug.Stack())
			code = exitMachine
		}
	}()
	root := r.root()
	root.SetArgs(args)
	err := root.Execute()
	if flushed := out.Flush(); flushed != nil {
		err = machine("writing the output: %w", flushed)
	}
	return r.exit(err)
}

// inOrder writes to standard error what belongs after all that has been
// written to standard output so far. A failure of the latter comes up again when
// it is flushed at the end.
type inOrder struct {
	out *bufio.Writer
	err io.Writer
}

func (w inOrder) Write(p []byte) (int, error) {
	w.out.Flush() // it keeps its error
	return w.err.Write(p)
}

// path gives the path of a file that the user named.
func (a *App) path(name string) string {
	if a.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Dir, name)
}

// root builds the tree of commands.
func (r *runner) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "subagents",
		Short: "One manifest of sub-agents, native files for five hosts",
		Long: `subagents keeps a team's sub-agents in one manifest, renders it into the native
files of Claude Code, Codex, goose, Kiro and OpenCode, and says what each host
really does with every setting.

Exit codes: 0 yes, or done; 1 the answer is no; 2 the question could not be
asked; 3 the machine failed.`,
		Version:       cmp.Or(build(r.Release).Release, "unknown"),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(r.Err)
			if err := cmd.Help(); err != nil {
				return machine("writing the help: %w", err)
			}
			return usage("name a command")
		},
	}
	root.SetIn(r.In)
	root.SetOut(r.Out)
	root.SetErr(r.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w\n`%s --help` lists the flags", err, cmd.CommandPath())
	})
	r.globalFlags(root)
	for _, command := range commands {
		cmd := command(r)
		cmd.RunE = byMachine(cmd.RunE)
		root.AddCommand(cmd)
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return r.checkGlobals(cmd) }
	r.standardCommands(root)
	return root
}
