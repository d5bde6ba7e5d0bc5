//go:build conformance

package conformance

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// A fact is what a client does with one native file that the renderer never writes, or with one that sets nothing: the
// ground that the fact sheets stand on, and the proof that each driver sees red where there is something to see.
type fact struct {
	name  string // of the test, and of the sub-agent
	keys  string // what the file says beside name and description
	text  string // body of the file, "" for bodyOf(name)
	calls []standin.Call
	want  check
}

func (f fact) body() string {
	if f.text != "" {
		return f.text
	}
	return bodyOf(f.name)
}

// byHand are facts whose files go to one place.
type byHand struct {
	dir, extension string
	write          func(fact) string
	facts          []fact
}

// trial is one start of a client.
type trial struct {
	driver   Driver
	bench    Bench
	byHand   []byHand
	showings []showing
}

// run starts the client once and checks what it made of every fact and every showing.
func (tr trial) run(t *testing.T) *Run {
	t.Helper()
	at := tr.driver.Client()
	id := schema.ProviderID(at.Provider)
	if observed := all.Get(id).Facts().Observed; !slices.Contains(observed, at.Version) {
		t.Errorf("%s is not among the clients that its table names as observed: %v", at.Label(), observed)
	}
	var probes []Probe
	for _, group := range tr.byHand {
		for _, f := range group.facts {
			probe := Probe{Name: f.name, File: path.Join(group.dir, f.name+group.extension), Calls: f.calls}
			probes = append(probes, probe)
			put(t, tr.bench, path.Join("project", probe.File), group.write(f))
		}
	}
	shown := make([]shownFile, len(tr.showings))
	for i, s := range tr.showings {
		file, err := s.render(id, true)
		if err != nil {
			t.Fatal(err)
		}
		bare, err := s.render(id, false)
		if err != nil {
			t.Fatal(err)
		}
		shown[i] = shownFile{file.Data, bare.Data}
		probes = append(probes, Probe{Name: s.name(), File: file.Path, Calls: s.calls, Args: s.args})
		put(t, tr.bench, path.Join("project", file.Path), string(file.Data))
	}
	run := perform(t, tr.driver, tr.bench, probes)
	if run.Failure != "" {
		t.Fatal(run.Failure)
	}
	for _, group := range tr.byHand {
		for _, f := range group.facts {
			t.Run(f.name, func(t *testing.T) {
				if err := f.want(run, run.Agent(f.name)); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for i, s := range tr.showings {
		t.Run(s.name(), func(t *testing.T) { s.check(t, run, shown[i]) })
	}
	return run
}

// check holds what the showing showed against the capability table.
func (s showing) check(t *testing.T, run *Run, files shownFile) {
	at := run.Client
	row, ok := rowOf(all.Get(schema.ProviderID(at.Provider)).Facts(), s.row, s.when, at.Version)
	if !ok {
		t.Fatalf("no row of %s when %q holds for %s", s.row, s.when, at.Label())
	}
	level, why := s.level(run, files)
	if level != row.Level {
		t.Errorf("%s is called %s, seen %s on %s: %s", s.row, row.Level, level, at.Label(), why)
	}
	suite.Add(run, Capability{Setting: s.row, When: s.when, Claimed: string(row.Level), Seen: string(level), Note: why})
}

// patience is how long one run of a client may take: many times what it does on two cores, so that only a client that
// hangs comes to its end.
const patience = 10 * time.Minute

func perform(t *testing.T, driver Driver, bench Bench, probes []Probe) *Run {
	t.Helper()
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	run, err := driver.Run(ctx, bench, probes)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d sub-agents in %.1f s", run.Client.Label(), len(probes), time.Since(start).Seconds())
	return run
}

func find(t *testing.T, key string) clients.Client {
	t.Helper()
	at, err := clients.Find(key)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func newBench(t *testing.T) Bench {
	t.Helper()
	return Bench{t.TempDir()}
}

// worldOf gives the world of a bench. A sandboxed client may write into its project and the temporary folders, and so
// outside is somewhere else.
func worldOf(t *testing.T, bench Bench) world {
	t.Helper()
	parent := os.Getenv(outsideVariable)
	if parent == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		parent = cache
	}
	outside, err := os.MkdirTemp(parent, "conformance-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(outside) })
	return world{project: bench.Project(), outside: filepath.Join(outside, "file"), mcp: mcpCommand(t)}
}

// mcpCommand starts the stand-in MCP server, which is this test binary.
func mcpCommand(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func put(t *testing.T, bench Bench, name, text string) {
	t.Helper()
	if err := bench.put(name, text); err != nil {
		t.Fatal(err)
	}
}

// frontMatter writes a Markdown file; keys may be empty.
func frontMatter(keys, body string) string {
	return "---\n" + strings.TrimPrefix(keys+"\n", "\n") + "---\n" + body
}

// skillFile writes a skill.
func skillFile(name, description, body string) string {
	return frontMatter("name: "+name+"\ndescription: "+description, body+"\n")
}
