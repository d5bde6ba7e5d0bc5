package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// perFile is how many subagents of 4 KB go into one file: it may have 16 MiB.
const perFile = 2000

// catalogue writes a manifest of n subagents with bodies of 4 KB, and gives its
// path. A large one includes its parts.
func catalogue(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		return path
	}
	body := strings.Repeat("      Read the whole change before you judge it, and say plainly what you did not read.\n", 46)
	part := func(from, to int) string {
		var text strings.Builder
		text.WriteString("subagents:\n")
		for i := from; i < to; i++ {
			fmt.Fprintf(&text, `  - name: agent-%d
    description: "Reviews part %d of a change: use it after editing."
    kind: reviewer
    access: read-only
    tools: [read, list, search]
    tier: deep
    instructions: |
%s    providers:
      claude: {color: blue}
      codex: {nickname_candidates: [one-%d, two-%d]}
`, i, i, body, i, i)
		}
		return text.String()
	}
	if n <= perFile {
		return write("subagents.yml", part(0, n))
	}
	for from := 0; from < n; from += perFile {
		write(fmt.Sprintf("part-%05d.yml", from), part(from, min(n, from+perFile)))
	}
	return write("subagents.yml", "include: [part-*.yml]\n")
}

var sizes = []int{10, 100, 1000, 10_000}

func loadFile(b *testing.B, path string, n int) *schema.Manifest {
	b.Helper()
	m, diags, err := schema.LoadFiles([]string{path}, schema.Options{})
	if err != nil || len(diags) > 0 || len(m.Entries()) != n {
		b.Fatal(err, diags)
	}
	return m
}

// renderAll renders for all hosts.
func renderAll(b *testing.B, m *schema.Manifest, opt render.Options, files int) {
	b.Helper()
	result, diags := render.Render(m, opt)
	if diags.HasErrors() || len(result.Files) != files {
		b.Fatal(diags)
	}
}

// BenchmarkLoad is reading and checking, from the files on.
func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := catalogue(b, n)
			b.ReportAllocs()
			for b.Loop() {
				loadFile(b, path, n)
			}
		})
	}
}

// BenchmarkValidate is all that validate does: loading, and rendering for every
// host.
func BenchmarkValidate(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := catalogue(b, n)
			b.ReportAllocs()
			for b.Loop() {
				renderAll(b, loadFile(b, path, n), render.Options{}, 5*n)
			}
		})
	}
}

// BenchmarkRender is rendering for every host.
func BenchmarkRender(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := loadFile(b, catalogue(b, n), n)
			b.ReportAllocs()
			for b.Loop() {
				renderAll(b, m, render.Options{}, 5*n)
			}
		})
	}
}

// BenchmarkEncode is rendering for one host, whose encoder makes the difference.
func BenchmarkEncode(b *testing.B) {
	m := loadFile(b, catalogue(b, 1000), 1000)
	for _, id := range schema.ProviderIDs() {
		b.Run(string(id), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				renderAll(b, m, render.Options{Providers: []schema.ProviderID{id}}, 1000)
			}
		})
	}
}
