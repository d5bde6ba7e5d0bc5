//go:build conformance

package conformance

import (
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// A fact is what a client does with one native file, written by hand here: the ground that the capability tables
// stand on, and the proof that each driver sees red where there is something to see.
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

// established runs a client once on the files of all facts and checks each.
func established(t *testing.T, driver Driver, bench Bench, dir, extension string, write func(fact) string, facts []fact) *Run {
	t.Helper()
	var probes []Probe
	for _, f := range facts {
		probe := Probe{Name: f.name, File: path.Join(dir, f.name+extension), Calls: f.calls}
		probes = append(probes, probe)
		if err := bench.put(path.Join("project", probe.File), write(f)); err != nil {
			t.Fatal(err)
		}
	}
	run := perform(t, driver, bench, probes)
	if run.Failure != "" {
		t.Fatal(run.Failure)
	}
	for _, f := range facts {
		t.Run(f.name, func(t *testing.T) {
			if err := f.want(run, run.Agent(f.name)); err != nil {
				t.Error(err)
			}
		})
	}
	return run
}

func perform(t *testing.T, driver Driver, bench Bench, probes []Probe) *Run {
	t.Helper()
	start := time.Now()
	run, err := driver.Run(t.Context(), bench, probes)
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
