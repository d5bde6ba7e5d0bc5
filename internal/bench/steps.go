//go:build unix

package main

import (
	"os"
	"path/filepath"
	"time"
)

// A step is a run to measure.
type step struct {
	name  string
	tool  string   // "": the program itself
	args  []string // of the tool
	fresh string   // what is taken away before each run; "": nothing
}

// The names of the steps that others are compared with.
const (
	stepCopy     = "cp -r of that tree"
	stepRead     = "plain read of that tree"
	stepValidate = "validate"
)

// steps lists the steps in their order: each finds what those before it left.
func (b *bench) steps(manifest, dir string) []step {
	out, home := filepath.Join(dir, "out"), filepath.Join(dir, "home")
	with := func(command string, args ...string) []string {
		return append([]string{command, "-q", "-f", manifest}, args...)
	}
	return []step{
		{name: stepValidate, args: with("validate")},
		{name: "render, cold", args: with("render", "--out", out), fresh: out},
		{name: stepCopy, tool: "cp", args: []string{"-r", out, out + ".copy"}, fresh: out + ".copy"},
		{name: stepRead, tool: b.self, args: []string{modeRead, out}},
		{name: "render, nothing to do", args: with("render", "--out", out)},
		{name: "render to JSON", args: with("render", "--format", "json")},
		{name: "render to a tar", args: with("render", "--out", "-")},
		{name: "check --golden", args: with("check", "--golden", out)},
		{name: "install, cold", args: with("install", "--home", home), fresh: home},
		{name: "install, nothing to do", args: with("install", "--home", home)},
		{name: "check", args: with("check", "--home", home)},
		{name: "status, without audit", args: with("status", "--no-audit", "--home", home)},
		{name: "audit", args: []string{"audit", "-q", "--fail-on", "error", "--home", home}},
		{name: "uninstall --dry-run", args: with("uninstall", "--dry-run", "--home", home)},
	}
}

// best runs a step several times, unless it is long, and gives the run that took
// the least CPU.
func (b *bench) best(s step) (usage, error) {
	const runs, long = 3, 5 * time.Second
	var best usage
	for i := range runs {
		if s.fresh != "" {
			if err := os.RemoveAll(s.fresh); err != nil {
				return best, err
			}
		}
		tool := s.tool
		if tool == "" {
			tool = b.program
		}
		u, err := b.measure(tool, s.args...)
		if err != nil {
			return u, err
		}
		if i == 0 || u.CPU < best.CPU {
			best = u
		}
		if u.Wall > long {
			break
		}
	}
	return best, nil
}
