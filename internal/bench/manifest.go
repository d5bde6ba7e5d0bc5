//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// perFile is how many subagents go into one file: a manifest file may have
// 16 MiB at most.
const perFile = 2000

const words = `report check file line change test build error path call read write return value list map plan verify handle
	input output state cause effect`

// manifestName is what the manifest is called in its directory.
const manifestName = "subagents.yml"

// writeManifest writes a manifest of so many subagents with bodies of 4 KB, the
// same for every run; a large one includes its parts.
func writeManifest(dir, number string) error {
	n, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	top := filepath.Join(dir, manifestName)
	if n <= perFile {
		return os.WriteFile(top, part(rng, 0, n), 0o644)
	}
	for from := 0; from < n; from += perFile {
		name := filepath.Join(dir, fmt.Sprintf("part-%05d.yml", from))
		if err := os.WriteFile(name, part(rng, from, min(n, from+perFile)), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(top, []byte("include: [\"part-*.yml\"]\n"), 0o644)
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
