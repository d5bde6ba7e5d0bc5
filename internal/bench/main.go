//go:build unix

// Command bench measures whole runs of the program beside what the same bytes
// cost without it: CPU time, wall time and peak memory of every step that deals
// with a catalogue, for catalogues of several sizes, against `cp -r` and a plain
// read of the rendered tree, and the exponent with which each step grows.
//
// It is run through scripts/bench and judges nothing: a slow machine is no
// failure.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	program := flag.String("program", "", "the program to measure")
	dir := flag.String("dir", os.TempDir(), "where to work; a tmpfs leaves the disk out")
	big := flag.Bool("big", false, "measure 10,000 subagents as well")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case modeMeasure:
		err = measureHere(flag.Args()[1:])
	case modeRead:
		err = readTree(flag.Arg(1))
	case modeManifest:
		err = writeManifest(flag.Arg(1), flag.Arg(2))
	default:
		err = run(*program, *dir, *big)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A bench measures the steps, one size after the other.
type bench struct {
	self, program, dir string
	table              *table
}

func run(program, dir string, big bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, "subagents-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{self: self, program: program, dir: work, table: newTable(os.Stdout)}
	version, err := b.best(step{name: "version", args: []string{"version"}})
	if err != nil {
		return err
	}
	b.table.rows("", []row{{"version", version}})
	sizes := []int{1, 10, 100, 1000}
	if big {
		sizes = append(sizes, 10_000)
	}
	for _, n := range sizes {
		rows, err := b.size(n)
		if err != nil {
			return err
		}
		b.table.rows(fmt.Sprint(n), rows)
		b.table.remember(n, rows)
	}
	return b.table.exponents()
}

// size measures one number of subagents.
func (b *bench) size(n int) ([]row, error) {
	dir := filepath.Join(b.dir, fmt.Sprint(n))
	if err := b.must(b.self, modeManifest, dir, fmt.Sprint(n)); err != nil {
		return nil, err
	}
	var rows []row
	for _, s := range b.steps(filepath.Join(dir, manifestName), dir) {
		u, err := b.best(s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{s.name, u})
	}
	return rows, os.RemoveAll(dir)
}
