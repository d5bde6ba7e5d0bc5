package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/internal/cli"
)

// FuzzValidate feeds validate with anything: it never panics, says no or yes, and
// hands no control character of the manifest to a terminal.
func FuzzValidate(f *testing.F) {
	f.Add("subagents.yml", subagents.Catalogue[:2000])
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		f.Fatal("no scripts", err)
	}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			switch filepath.Ext(file.Name) {
			case ".yml", ".json", ".toml", ".hcl":
				f.Add("subagents"+filepath.Ext(file.Name), file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		switch filepath.Ext(name) {
		case ".yml", ".json", ".toml", ".hcl":
		default:
			t.Skip()
		}
		path := filepath.Join(t.TempDir(), "subagents"+filepath.Ext(name))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, problems bytes.Buffer
		app := cli.App{In: &bytes.Buffer{}, Out: &out, Err: &problems, Env: func(string) string { return "" }}
		code := app.Run([]string{"validate", path})
		if code != 0 && code != 1 {
			t.Fatalf("exit code %d: %s", code, problems.Bytes())
		}
		for _, b := range problems.Bytes() {
			if b < ' ' && b != '\n' && b != '\t' || b == 0x7f {
				t.Fatalf("a control character in the output: %q", problems.Bytes())
			}
		}
	})
}
