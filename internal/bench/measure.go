//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// The things that the bench has done by a process of its own.
const (
	modeMeasure  = "measure"
	modeRead     = "read"
	modeManifest = "manifest"
)

// usage is what one process took.
type usage struct {
	CPU, Wall time.Duration
	RSS       int64 // KiB
}

// must runs a command whose cost does not matter.
func (b *bench) must(name string, args ...string) error {
	out, err := b.command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

func (b *bench) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"HOME=" + b.dir, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = b.dir
	return cmd
}

// measure runs a command below a small process that does nothing else: a child
// is charged with the memory that its parent had when it was started.
func (b *bench) measure(name string, args ...string) (u usage, err error) {
	cmd := b.command(b.self, append([]string{modeMeasure, name}, args...)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return u, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return u, json.Unmarshal(out, &u)
}

// measureHere runs a command, without its output, and prints what it took.
func measureHere(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	err := cmd.Run()
	u := usage{Wall: time.Since(start)}
	if err != nil {
		return err
	}
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.RSS = r.Maxrss
		if runtime.GOOS == "darwin" {
			u.RSS >>= 10 // it counts bytes
		}
	}
	return json.NewEncoder(os.Stdout).Encode(u)
}

// readTree reads every file of a tree.
func readTree(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			_, err = os.ReadFile(path)
		}
		return err
	})
}
