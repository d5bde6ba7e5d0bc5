//go:build unix

// Command bench measures whole runs of the program beside what the same bytes
// cost without it: CPU time, wall time and peak memory of rendering, checking
// and installing manifests of several sizes, against `cp -r` and a plain read
// of the rendered tree, and the exponent with which the cost grows.
//
// It is run through scripts/bench and judges nothing: a slow machine is no
// failure.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	program := flag.String("program", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where to work; a tmpfs leaves the disk out")
	big := flag.Bool("big", false, "measure 10,000 subagents as well")
	flag.Parse()
	if err := run(*program, *dir, *big); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// usage is what one process took.
type usage struct {
	cpu, wall time.Duration
	rss       int64 // KiB
}

type bench struct {
	program, dir string
	table        *tabwriter.Writer
	render       map[int]usage
}

func run(program, dir string, big bool) error {
	work, err := os.MkdirTemp(dir, "subagents-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{program: program, dir: work, render: map[int]usage{}, table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)}
	fmt.Fprintln(b.table, "run\tsubagents\tCPU ms\twall ms\tpeak MiB\tratio\tagainst\t")
	if err := b.row("version", 0, nil, "", "version"); err != nil {
		return err
	}
	sizes := []int{1, 10, 100, 1000}
	if big {
		sizes = append(sizes, 10000)
	}
	for _, n := range sizes {
		if err := b.size(n); err != nil {
			return err
		}
	}
	if err := b.table.Flush(); err != nil {
		return err
	}
	fmt.Printf("\nCPU of render grows with the %.3f-th power from 100 to %d subagents.\n", b.exponent(), sizes[len(sizes)-1])
	return nil
}

// size measures one number of subagents.
func (b *bench) size(n int) error {
	manifest, err := writeManifest(filepath.Join(b.dir, fmt.Sprint("m", n)), n)
	if err != nil {
		return err
	}
	out, home := filepath.Join(b.dir, fmt.Sprint("out", n)), filepath.Join(b.dir, fmt.Sprint("home", n))
	if err := b.row("validate", n, nil, "", "validate", "-q", "-f", manifest); err != nil {
		return err
	}
	if err := b.row("render, cold", n, nil, "", "render", "-q", "-f", manifest, "--out", out); err != nil {
		return err
	}
	copied, err := b.best(1, exec.Command("cp", "-r", out, out+".copy"))
	if err != nil {
		return err
	}
	read, err := readTree(out)
	if err != nil {
		return err
	}
	b.print("cp -r of that tree", n, copied, nil, "")
	b.print("plain read of that tree", n, read, nil, "")
	b.compare("render, cold", n, copied, "cp -r")
	if err := b.row("render, nothing to do", n, &read, "plain read", "render", "-q", "-f", manifest, "--out", out); err != nil {
		return err
	}
	if err := b.row("check --golden", n, &read, "plain read", "check", "-q", "-f", manifest, "--golden", out); err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	if err := b.row("install, cold", n, &copied, "cp -r", "install", "-q", "-f", manifest, "--home", home); err != nil {
		return err
	}
	validate, err := b.best(3, exec.Command(b.program, "validate", "-q", "-f", manifest))
	if err != nil {
		return err
	}
	floor := usage{cpu: validate.cpu + read.cpu, wall: validate.wall + read.wall}
	if err := b.row("install, nothing to do", n, &floor, "validate + plain read", "install", "-q", "-f", manifest, "--home", home); err != nil {
		return err
	}
	return b.row("check", n, &floor, "validate + plain read", "check", "-q", "-f", manifest, "--home", home)
}

// row measures the program and prints a line.
func (b *bench) row(name string, n int, against *usage, what string, args ...string) error {
	runs := 3
	if strings.HasSuffix(name, "cold") {
		runs = 1
	}
	u, err := b.best(runs, exec.Command(b.program, args...))
	if err != nil {
		return err
	}
	if name == "render, cold" {
		b.render[n] = u
	}
	b.print(name, n, u, against, what)
	return nil
}

func (b *bench) print(name string, n int, u usage, against *usage, what string) {
	ratio := ""
	if against != nil && against.cpu > 0 {
		ratio = fmt.Sprintf("%.2f", float64(u.cpu)/float64(against.cpu))
	}
	fmt.Fprintf(b.table, "%s\t%d\t%.1f\t%.1f\t%.1f\t%s\t%s\t\n", name, n, ms(u.cpu), ms(u.wall), float64(u.rss)/1024, ratio, what)
}

func (b *bench) compare(name string, n int, against usage, what string) {
	b.print(name, n, b.render[n], &against, what)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// best runs a command several times and gives the run that took the least CPU.
func (b *bench) best(runs int, template *exec.Cmd) (usage, error) {
	var best usage
	for i := range runs {
		cmd := exec.Command(template.Path, template.Args[1:]...)
		cmd.Env = []string{"HOME=" + b.dir, "PATH=" + os.Getenv("PATH")}
		cmd.Dir = b.dir
		start := time.Now()
		out, err := cmd.CombinedOutput()
		u := usage{wall: time.Since(start)}
		if err != nil {
			return u, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
		}
		u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			u.rss = r.Maxrss
		}
		if i == 0 || u.cpu < best.cpu {
			best = u
		}
	}
	return best, nil
}

// readTree reads every file of a tree in this process.
func readTree(root string) (usage, error) {
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		return usage{}, err
	}
	start := time.Now()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	wall := time.Since(start)
	if err2 := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err == nil {
		err = err2
	}
	cpu := func(r syscall.Rusage) int64 { return r.Utime.Nano() + r.Stime.Nano() }
	return usage{cpu: time.Duration(cpu(after) - cpu(before)), wall: wall}, err
}

// exponent fits the growth of CPU time from 100 subagents on.
func (b *bench) exponent() float64 {
	var n, sx, sy, sxx, sxy float64
	for size, u := range b.render {
		if size < 100 {
			continue
		}
		x, y := math.Log(float64(size)), math.Log(ms(u.cpu))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
