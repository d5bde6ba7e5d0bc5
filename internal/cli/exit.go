package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitYes     = 0 // yes, or done
	exitNo      = 1 // the answer is no
	exitUsage   = 2 // the question could not be asked
	exitMachine = 3 // the machine failed: I/O, permission, lock
)

// A failure is an error with the exit code that follows from it. Its err is nil
// where everything has been said already.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string {
	if f.err == nil {
		return "failed"
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// no is the answer no, which has been printed.
func no() error { return &failure{code: exitNo} }

// nope is the answer no with the reason.
func nope(format string, args ...any) error {
	return &failure{exitNo, fmt.Errorf(format, args...)}
}

// usage says that the question could not be asked.
func usage(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...)}
}

// unusable says that the question could not be asked of this manifest, whose
// problems have been printed.
func unusable() error { return &failure{code: exitUsage} }

// machine says that the machine failed.
func machine(format string, args ...any) error {
	return &failure{exitMachine, fmt.Errorf(format, args...)}
}

// reading sorts an error of reading a file that the user named: one that is not
// there is a mistake in the question, anything else is the machine's.
func reading(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return usage("%w", err)
	}
	return machine("%w", err)
}

// byMachine gives the errors of a command that have no code yet the one of the
// machine: all that a command does beyond its own checks is reading and writing.
func byMachine(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if _, ok := errors.AsType[*failure](err); err == nil || ok {
			return err
		}
		return &failure{exitMachine, err}
	}
}

// exit prints what an error has left to say and gives the exit code. This is
// the only place that maps errors to codes; one without a code is cobra's, about
// flags and arguments.
func (r *runner) exit(err error) int {
	if err == nil {
		return exitYes
	}
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{exitUsage, err}
	}
	if f.err != nil {
		fmt.Fprintf(r.Err, "subagents: %s\n", printable(err.Error()))
	}
	return f.code
}
