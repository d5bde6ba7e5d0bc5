// Package arrows holds no code: its test keeps the import arrows of the
// project pointing one way.
package arrows

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/seed-337579fc/subagents"

// rank gives the height of a package, and whether packages of its height may
// import each other. A package may import what is lower.
func rank(path string) (int, bool) {
	name := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	switch {
	case name == "", name == "internal/lazyregexp": // no imports of ours
		return -1, false
	case name == "providers/all":
		return 4, false
	case name == "render":
		return 5, false
	case name == "internal/cli":
		return 7, false
	case name == "internal/docgen": // generates pages about the commands too
		return 8, false
	case strings.HasPrefix(name, "internal/"):
		return 6, true
	case strings.HasPrefix(name, "cmd/"):
		return 8, false
	case name == "schema":
		return 0, false
	case name == "providers/internal/agenttest": // for tests alone
		return 9, true
	case strings.HasPrefix(name, "providers/internal/"):
		return 1, true
	case name == "providers":
		return 2, false
	case strings.HasPrefix(name, "providers/"):
		return 3, false
	}
	return 9, true // suites of tests beside the product
}

// imports gives a line for each package: its path, and what it imports. Every
// file is looked at, so that go does not answer with the result of an earlier run
// after one of them changed.
func imports(t *testing.T) []string {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestImportArrows(t *testing.T) {
	seen := 0
	for _, line := range imports(t) {
		from, imports, _ := strings.Cut(line, " ")
		height, open := rank(from)
		for _, to := range strings.Fields(imports) {
			if to != module && !strings.HasPrefix(to, module+"/") {
				continue
			}
			seen++
			other, _ := rank(to)
			if other > height || other == height && !open {
				t.Errorf("%s imports %s: an arrow that points up or sideways", from, to)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d imports seen: the test does not look where the code is", seen)
	}
}

// formats says which package alone may import each library of a format.
var formats = map[string][]string{
	"gopkg.in/yaml.v3":                         {"schema", "internal/", "providers/internal/agenttest"},
	"github.com/hashicorp/hcl/v2/hclsyntax":    {"schema"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"schema", "internal/"},
	"github.com/invopop/jsonschema":            {"internal/"},
}

func TestFormatLibrariesStayInTheirRooms(t *testing.T) {
	for _, line := range imports(t) {
		from, imports, _ := strings.Cut(line, " ")
		name := strings.TrimPrefix(from, module+"/")
		for _, to := range strings.Fields(imports) {
			allowed, listed := formats[to]
			if !listed || strings.HasPrefix(name, "conformance") {
				continue
			}
			ok := false
			for _, room := range allowed {
				ok = ok || name == room || strings.HasSuffix(room, "/") && strings.HasPrefix(name, room)
			}
			if !ok {
				t.Errorf("%s imports %s, which only %v may", from, to, allowed)
			}
		}
	}
}
