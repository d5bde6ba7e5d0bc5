package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers/all"
)

func TestMain(m *testing.M) {
	code := m.Run()
	removeProgram()
	os.Exit(code)
}

// The committed pages are what the tables, the commands and the examples say
// now. If this fails, run go generate.
func TestPagesAreCurrent(t *testing.T) {
	want, err := documents(root)
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := want[dir+"/"+f.Name()]; !ok {
			t.Errorf("%s is the page of no host", f.Name())
		}
	}
	for name, page := range want {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(got), page); diff != "" {
			t.Errorf("%s is stale (-committed +now):\n%s", name, diff)
		}
	}
}

// Every row of a table is on its host's page, and every table has as many cells
// in each row as in its head. M17
func TestPagesAreWhole(t *testing.T) {
	list := pages()
	for _, p := range all.Providers {
		f := p.Facts()
		page := list[string(f.ID)+".md"]
		for _, c := range f.Capabilities {
			if n := strings.Count(page, "| `"+c.Setting+"` | "+string(c.Level)+" | "); n == 0 {
				t.Errorf("%s: no row for %s, %s", f.ID, c.Setting, c.Level)
			}
		}
		for _, place := range f.Places {
			if !strings.Contains(page, place.Path("NAME")) {
				t.Errorf("%s: the path %s is missing", f.ID, place.Path("NAME"))
			}
		}
	}
	for name, page := range list {
		columns := 0
		for line := range strings.Lines(page) {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if strings.HasPrefix(line, "|") && columns > 0 && n != columns {
				t.Errorf("%s: a row of %d bars under %d: %s", name, n, columns, line)
			}
			columns = n
		}
		if slices.Contains(strings.Split(page, "\n"), "# ") || !strings.HasSuffix(page, "\n") {
			t.Errorf("%s: out of form", name)
		}
	}
}
