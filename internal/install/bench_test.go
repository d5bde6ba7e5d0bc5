package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/schema"
)

// benchSizes are the numbers of subagents.
var benchSizes = []int{10, 100, 1000, 10_000}

// many is n subagents on five hosts, with 4 KB each.
func many(n int) map[string]string {
	files := map[string]string{}
	text := strings.Repeat("Reads the whole change before it says anything.\n", 85)
	for i := range n {
		for _, f := range []string{"claude/a%d.md", "codex/a%d.toml", "goose/a%d.md", "kiro/a%d.json", "opencode/a%d.md"} {
			files[fmt.Sprintf(f, i)] = fmt.Sprint(i, text)
		}
	}
	return files
}

func installed(b *testing.B, n int) *world {
	b.Helper()
	w := newWorld(b, schema.UserScope)
	w.render(many(n))
	w.run()
	return w
}

// BenchmarkPlainRead is the floor of a run that has nothing to do.
func BenchmarkPlainRead(b *testing.B) {
	w := installed(b, 1000)
	var paths []string
	dests, err := w.job.Dests(hosts)
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range dests {
		entries, err := os.ReadDir(d.Dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			paths = append(paths, filepath.Join(d.Dir, e.Name()))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range paths {
			if _, err := os.ReadFile(path); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkNoOp is a run that has nothing to do: everything but loading and
// rendering the manifest.
func BenchmarkNoOp(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := installed(b, n)
			desired := map[string]Desired{}
			wanted := func(dests []*Dest) Desired { // rendering is measured elsewhere
				if _, ok := desired[""]; !ok {
					desired[""] = w.wanted(dests)
				}
				return desired[""]
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := w.job.Install(context.Background(), w.opt, wanted, How{})
				if err != nil || r.Changed || r.Summary[Unchanged] != 5*n {
					b.Fatal(err, r.Summary)
				}
			}
		})
	}
}

// BenchmarkPlan is the decision alone.
func BenchmarkPlan(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := installed(b, n)
			s, err := w.job.View()
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			want := w.wanted(s.Dests)
			have, err := s.Look(want, false)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if p := NewPlan(s.Dests, want, have, s.Recorded(), w.opt); p.Changes() != 0 {
					b.Fatal("something is to be done")
				}
			}
		})
	}
}

// BenchmarkApply installs everything anew.
func BenchmarkApply(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := many(n)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				w := newWorld(b, schema.UserScope)
				w.render(files)
				b.StartTimer()
				w.run()
				b.StopTimer()
				if err := os.RemoveAll(w.job.Home); err != nil { // 200 MB each
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkParseLedger reads the records of 5,000 files.
func BenchmarkParseLedger(b *testing.B) {
	w := installed(b, 1000)
	data := []byte(read(b, w.job.LedgerPath("")))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseLedger(data); err != nil {
			b.Fatal(err)
		}
	}
}
