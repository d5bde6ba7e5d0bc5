//go:build conformance

package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// shown runs a client once on the files of all showings and holds what they show against its capability table.
func shown(t *testing.T, driver Driver, bench Bench, showings []showing) {
	t.Helper()
	at := driver.Client()
	id := schema.ProviderID(at.Provider)
	var probes []Probe
	files, bare := map[string][]byte{}, map[string][]byte{}
	for _, s := range showings {
		for settings, data := range map[bool]map[string][]byte{true: files, false: bare} {
			file, err := s.render(id, settings)
			if err != nil {
				t.Fatalf("%s: %v", s.name(), err)
			}
			if data[s.name()] = file.Data; settings {
				put(t, bench, "project/"+file.Path, string(file.Data))
				probes = append(probes, Probe{Name: s.name(), File: file.Path, Calls: s.calls, Args: s.args})
			}
		}
	}
	run := perform(t, driver, bench, probes)
	if run.Failure != "" {
		t.Fatal(run.Failure)
	}
	facts := all.Get(id).Facts()
	for _, s := range showings {
		t.Run(s.name(), func(t *testing.T) {
			row, ok := rowOf(facts, s.row, s.when, at.Version)
			if !ok {
				t.Fatalf("no row of %s when %q holds for %s", s.row, s.when, at.Label())
			}
			level, why := s.level(run, files[s.name()], bare[s.name()])
			if level != row.Level {
				t.Errorf("%s is called %s, seen %s on %s: %s", s.row, row.Level, level, at.Label(), why)
			}
			suite.Add(run, Capability{Setting: s.row, When: s.when, Claimed: string(row.Level), Seen: string(level), Note: why})
		})
	}
}

// worldOf gives the world of a bench. A sandboxed client may write into its project and the temporary folders, and so
// outside is somewhere else.
func worldOf(t *testing.T, bench Bench) world {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	outside, err := os.MkdirTemp(cache, "conformance-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(outside) })
	return world{project: bench.Project(), outside: filepath.Join(outside, "new"), mcp: mcpCommand(t)}
}
