package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// command is one start of a client. Its environment is exactly Env, its standard input empty unless Input is set.
type command struct {
	Path  string
	Args  []string
	Env   []string
	Dir   string
	Input io.Reader
}

// output is what a finished client left behind.
type output struct {
	Stdout, Stderr string
	Exit           int
}

// run starts a client, waits for its end and kills whatever it leaves running. A non-zero exit is no error.
func (c command) run(ctx context.Context) (output, error) {
	var stdout, stderr bytes.Buffer
	cmd := c.prepare(ctx)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	killGroup(cmd)
	out := output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode()}
	if ctx.Err() != nil {
		return out, fmt.Errorf("%s did not end: %w\n%s", filepath.Base(c.Path), context.Cause(ctx), out.Stderr)
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return out, fmt.Errorf("run %s: %w", filepath.Base(c.Path), err)
	}
	return out, nil
}

func (c command) prepare(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir, cmd.Stdin = c.Env, c.Dir, c.Input
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would inherit
	}
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// baseEnv is the environment that every client gets: nothing of the person's, no way out but loopback. The proxy
// points at a port where nothing listens, so that a client that tries the network fails at once, even where the run
// is not in a network namespace of its own.
func (b Bench) baseEnv() []string {
	const dead = "http://127.0.0.1:9"
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"HOME=" + b.Home(), "TMPDIR=" + filepath.Join(b.Home(), "tmp"),
		"HTTP_PROXY=" + dead, "HTTPS_PROXY=" + dead, "ALL_PROXY=" + dead,
		"http_proxy=" + dead, "https_proxy=" + dead, "all_proxy=" + dead,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
}

// prepareHome makes the client's home and the named directories in it.
func (b Bench) prepareHome(dirs ...string) error {
	for _, dir := range append(dirs, "tmp") {
		if err := os.MkdirAll(filepath.Join(b.Home(), dir), 0o700); err != nil {
			return fmt.Errorf("home of the client: %w", err)
		}
	}
	return nil
}

// put writes a file of the project or of the home, given relative to the bench.
func (b Bench) put(name, text string) error {
	path := filepath.Join(b.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// gitInit makes the project a repository of its own with one commit of everything in it: no client then looks for
// files above it, and a worktree can be made of it.
func gitInit(dir string) error {
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--allow-empty", "--message", "project"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=suite", "GIT_AUTHOR_EMAIL=suite@example.invalid", "GIT_COMMITTER_NAME=suite", "GIT_COMMITTER_EMAIL=suite@example.invalid",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}
