//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A large install or rendering that is interrupted ends with 3, says so, and
// leaves no temporary file; the next run does the rest.
func TestStoppedBySignal(t *testing.T) {
	// A signal that this process was started to ignore, as nohup does, would be
	// ignored by its children too: one that is handled here is not.
	heed := make(chan os.Signal, 1)
	signal.Notify(heed, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heed) })
	program, err := exec.LookPath("subagents") // testscript puts it there
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"install": {"install", "--home", "home"},
		"render":  {"render", "--out", "home"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(name+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				var manifest strings.Builder
				manifest.WriteString("subagents:\n")
				const n = 300
				for i := range n {
					fmt.Fprintf(&manifest, "- {name: a%d, description: Does it., instructions: %q}\n", i, strings.Repeat("x ", 2000))
				}
				if err := os.WriteFile(filepath.Join(dir, "subagents.yml"), []byte(manifest.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(filepath.Join(dir, "home"), 0o755); err != nil {
					t.Fatal(err)
				}
				run := func(stop bool) (int, string) {
					cmd := exec.Command(program, args...)
					cmd.Dir = dir
					var out bytes.Buffer
					cmd.Stdout, cmd.Stderr = &out, &out
					if err := cmd.Start(); err != nil {
						t.Fatal(err)
					}
					ended := make(chan struct{})
					go func() {
						cmd.Wait() //nolint:errcheck // the exit code is looked at
						close(ended)
					}()
					for stop && len(filesBelow(t, dir)) < 20 {
						select {
						case <-ended:
							t.Fatalf("it ended before it could be stopped: %s", &out)
						case <-time.After(time.Millisecond):
						}
					}
					if stop {
						if err := cmd.Process.Signal(sig); err != nil {
							t.Fatal(err)
						}
					}
					<-ended
					return cmd.ProcessState.ExitCode(), out.String()
				}
				if code, out := run(true); code != 3 || !strings.Contains(out, "stopped by a signal ("+sig.String()+"); run again to do the rest") {
					t.Errorf("exit code %d, and it says %s", code, last(out))
				}
				for _, path := range filesBelow(t, dir) {
					if strings.HasSuffix(path, ".tmp") {
						t.Errorf("%s was left behind", path)
					}
				}
				if code, out := run(false); code != 0 {
					t.Errorf("the next run: exit code %d: %s", code, last(out))
				}
				hosts := 0
				for _, path := range filesBelow(t, dir) {
					if strings.Contains(path, "agents/a") {
						hosts++
					}
				}
				if hosts != 5*n {
					t.Errorf("%d files after the next run, want %d", hosts, 5*n)
				}
			})
		}
	}
}

func last(s string) string { return s[max(0, len(s)-400):] }

func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // it has just got its name, or gone
		}
		if err == nil && d.Type().IsRegular() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
