//go:build linux

package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What a client left running in a session of its own is ended all the same. The test starts itself, since it takes
// every child of its process.
func TestEndOrphans(t *testing.T) {
	if os.Getenv("ORPHANS") == "" {
		again := exec.Command("/proc/self/exe", "-test.run=^TestEndOrphans$", "-test.v")
		again.Env = append(os.Environ(), "ORPHANS=1")
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestEndOrphans") {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("/bin/sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!").Output()
	if err != nil {
		t.Fatal(err)
	}
	process := "/proc/" + strings.TrimSpace(string(out))
	if _, err := os.Stat(process); err != nil {
		t.Fatalf("nothing was left running: %v", err)
	}
	if err := endOrphans(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(process); err == nil {
		t.Errorf("%s still runs", process)
	}
}
