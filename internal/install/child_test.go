package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/schema"
)

// childVar carries a task for the test binary, which then does that instead of
// testing: a run in a process of its own can be killed and can wait for others.
const childVar = "SUBAGENTS_TEST_CHILD"

// A task is a run of a child.
type task struct {
	Scope     schema.Scope
	Home      string
	Project   string
	Opt       Options
	Files     map[string]string
	Subagents map[string]Subagent
	Uninstall bool
	KillAt    int           // end with SIGKILL right before this change on disk; 0: never
	Hold      time.Duration // keep the lock for so long before the first change
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVar); text != "" {
		os.Exit(child(text))
	}
	os.Exit(m.Run())
}

// child does a task and prints how many changes on disk it made.
func child(text string) int {
	var k task
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	job := Job{Where: Where{Scope: k.Scope, Home: k.Home, Project: k.Project}, Hosts: hosts, Known: hosts}
	var steps atomic.Int64
	job.spy(func(c call) *fault {
		if !c.changes() {
			return nil
		}
		n := steps.Add(1)
		if strings.HasSuffix(c.path, ".lock") {
			return nil
		}
		if k.Hold > 0 && c.op == "create" {
			time.Sleep(k.Hold)
		}
		if int(n) == k.KillAt {
			kill()
		}
		return nil
	})
	w := world{job: job, file: k.Files}
	w.want.Subagents = k.Subagents
	run := job.Install
	if k.Uninstall {
		run = job.Uninstall
	}
	r, err := run(context.Background(), k.Opt, w.wanted, How{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	fmt.Println(steps.Load())
	if r.Refused() {
		return 1
	}
	return 0
}

// kill ends this process as kill -9 does.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	fmt.Fprintln(os.Stderr, "still alive:", err)
	select {}
}

// task makes a task of a world.
func (w *world) task() task {
	return task{
		Scope: w.job.Scope, Home: w.job.Home, Project: w.job.Project, Opt: w.opt,
		Files: w.file, Subagents: w.want.Subagents,
	}
}

// start starts a task.
func (k task) start(t testing.TB) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	c := exec.Command(self)
	c.Env = append(os.Environ(), childVar+"="+string(text))
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, &out
}

// finish runs a task to its end and gives the number of its changes on disk.
func (k task) finish(t testing.TB) int {
	t.Helper()
	c, out := k.start(t)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var n int
	if _, err := fmt.Sscan(out.String(), &n); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return n
}
