//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// perFile is how many subagents go into one file: a manifest file may have
// 16 MiB at most.
const perFile = 2000

const words = `report check file line change test build error path call read write return value list map plan verify handle
	input output state cause effect`

// writeManifest writes a manifest of n subagents with bodies of 4 KB, the same
// for every run, and gives its path. A large one includes its parts.
func writeManifest(dir string, n int) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	top := filepath.Join(dir, "subagents.yml")
	if n <= perFile {
		return top, os.WriteFile(top, part(rng, 0, n), 0o644)
	}
	for from := 0; from < n; from += perFile {
		name := filepath.Join(dir, fmt.Sprintf("part-%05d.yml", from))
		if err := os.WriteFile(name, part(rng, from, min(n, from+perFile)), 0o644); err != nil {
			return "", err
		}
	}
	return top, os.WriteFile(top, []byte("include: [\"part-*.yml\"]\n"), 0o644)
}

func part(rng *rand.Rand, from, to int) []byte {
	vocabulary := strings.Fields(words)
	var b strings.Builder
	b.WriteString("version: 1\nsubagents:\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "  - name: agent-%05d\n    description: \"Does thing %d: use after editing code\"\n", i, i)
		b.WriteString("    kind: reviewer\n    access: read-only\n    tools: [read, list, search]\n    tier: deep\n    instructions: |\n")
		for size := 0; size < 4000; {
			line := make([]string, 12)
			for j := range line {
				line[j] = vocabulary[rng.IntN(len(vocabulary))]
			}
			text := strings.Join(line, " ")
			size += len(text) + 1
			fmt.Fprintf(&b, "      %s\n", text)
		}
	}
	return []byte(b.String())
}
