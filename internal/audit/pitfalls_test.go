package audit_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seed-337579fc/subagents/internal/audit"
)

// codesOf cuts the codes off the path of a file: those of warnings and errors,
// and in parentheses those of notes.
func codesOf(name string) (path string, bad, notes []string) {
	path, codes, _ := strings.Cut(name, "=>")
	codes, inside, _ := strings.Cut(codes, "(")
	return strings.TrimSpace(path), strings.Fields(codes), strings.Fields(strings.TrimSuffix(strings.TrimSpace(inside), ")"))
}

// Each pitfall of the hosts is found, with its code, and nothing else is. A27 K88
// K89
func TestPitfalls(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("..", "..", "testdata", "audit", "*.txtar"))
	if err != nil || len(archives) < 5 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range a.Files {
				name, _, _ := codesOf(f.Name)
				place(t, dir, name, f.Data)
			}
			report := run(t, dir)
			for _, f := range a.Files {
				name, bad, notes := codesOf(f.Name)
				slices.Sort(bad)
				var got, gotNotes []string
				for _, found := range report.Findings {
					switch {
					case found.At.Filename != name:
					case found.Severity == audit.Note:
						gotNotes = append(gotNotes, string(found.Code))
					default:
						got = append(got, string(found.Code))
					}
				}
				if slices.Sort(got); !slices.Equal(got, bad) {
					t.Errorf("%s: found %v, want %v", name, got, bad)
				}
				for _, note := range notes {
					if !slices.Contains(gotNotes, note) {
						t.Errorf("%s: found notes %v, want %s", name, gotNotes, note)
					}
				}
			}
			for _, found := range report.Findings {
				placed(t, dir, found)
			}
		})
	}
}

// place writes a file of a project.
func place(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// placed checks that a finding says where, what, why and what to do.
func placed(t *testing.T, dir string, f audit.Finding) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.At.Filename)))
	if err != nil || f.At.Start.Line < 1 || f.At.Start.Column < 1 || f.At.End.Byte > len(data) {
		t.Errorf("%s stands at %v (%v)", f.Code, f.At, err)
	}
	if f.Message == "" || f.Why == "" || f.Fix == "" || f.Host == "" {
		t.Errorf("a finding that says too little: %+v", f)
	}
}
