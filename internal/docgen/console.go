package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A console runs commands of the documentation as a person would type them: in a
// shell, with the program on its path, in a directory that is home and working
// directory alike.
type console struct{ dir, bin string }

// program builds the program, once, and gives the directory that it lies in.
var program = sync.OnceValues(func() (string, error) {
	bin, err := os.MkdirTemp("", "subagents-docs-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "subagents"), module+"/cmd/subagents").CombinedOutput()
	if err != nil {
		os.RemoveAll(bin)
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return bin, nil
})

// removeProgram takes away what [program] built.
func removeProgram() {
	if bin, err := program(); err == nil {
		os.RemoveAll(bin)
	}
}

// openConsole gives a console in a directory of its own, and a function that
// removes it.
func openConsole() (console, func(), error) {
	bin, err := program()
	if err != nil {
		return console{}, nil, err
	}
	dir, err := os.MkdirTemp("", "subagents-example-")
	if err != nil {
		return console{}, nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return console{}, nil, err
	}
	return console{dir, bin}, func() { os.RemoveAll(dir) }, nil
}

// run gives what a command prints, standard error included, with ~ for the
// directory, and its exit code.
func (c console) run(command string) (output string, code int, err error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + c.bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + c.dir, "NO_COLOR=1", "LC_ALL=C.UTF-8", "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=You", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_COMMITTER_NAME=You", "GIT_COMMITTER_EMAIL=you@example.com",
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code, err = exit.ExitCode(), nil
	}
	return strings.ReplaceAll(out.String(), c.dir, "~"), code, err
}

// write puts a file into the console's directory.
func (c console) write(name string, data []byte) error {
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
