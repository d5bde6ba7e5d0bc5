package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-337579fc/subagents/internal/cli"
)

// stage is a home and a project with a manifest.
type stage struct {
	t               *testing.T
	home, dir       string
	changes, states *jsonschema.Schema
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, home: t.TempDir(), dir: t.TempDir()}
	compile := func(name string) *jsonschema.Schema {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		return schema
	}
	s.changes, s.states = compile("install.schema.json"), compile("status.schema.json")
	return s
}

// run runs a command and holds its document against the schema.
func (s *stage) run(want int, args ...string) string {
	s.t.Helper()
	var out, errs bytes.Buffer
	app := cli.App{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string {
		return map[string]string{"HOME": s.home}[name]
	}, Dir: s.dir}
	if got := app.Run(append(args, "--format", "json")); got != want {
		s.t.Errorf("%v: exit code %d, want %d\n%s%s", args, got, want, &out, &errs)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		s.t.Fatalf("%v: %v\n%s%s", args, err, &out, &errs)
	}
	schema := s.changes
	if args[0] == "status" || args[0] == "check" {
		schema = s.states
	}
	if err := schema.Validate(doc); err != nil {
		s.t.Errorf("%v: %v\n%s", args, err, &out)
	}
	return out.String()
}

func (s *stage) write(path, text string) {
	s.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// Every document that install, uninstall, status and check print meets its JSON
// Schema, whatever they find.
func TestInstallDocumentsMeetTheirSchemas(t *testing.T) {
	for _, scope := range []string{"user", "project"} {
		t.Run(scope, func(t *testing.T) {
			s := newStage(t)
			top := map[string]string{"user": s.home, "project": s.dir}[scope]
			entry := func(name, text string) string {
				return "{name: " + name + ", description: Does it., instructions: " + text + "}"
			}
			manifest := func(entries ...string) {
				s.write("subagents.yml", "targets: [claude, codex, kiro, opencode]\nsubagents: ["+strings.Join(entries, ", ")+"]\n")
			}
			everywhere := func() {
				t.Helper()
				s.run(1, "install", "--dry-run", "--diff", "--scope", scope)
				s.run(0, "status", "--scope", scope)
				s.run(1, "check", "--diff", "--scope", scope)
				s.run(1, "check", "--exclusive", "--scope", scope)
				s.run(1, "uninstall", "--dry-run", "--diff", "--scope", scope)
			}
			manifest(entry("one", "first"), entry("two", "first"))
			s.run(0, "install", "--scope", scope)
			s.run(0, "install", "--scope", scope)
			manifest(entry("one", "second"))
			s.run(1, "check", "--scope", scope)
			s.write(filepath.Join(top, ".claude/agents/one.md"), "by hand")
			s.write(filepath.Join(top, ".claude/agents/theirs.md"), "---\nname: theirs\n---\n")
			s.write(filepath.Join(top, ".codex/config.toml"), "[agents.one]\ndescription = 'x'\n")
			everywhere()
			s.run(1, "install", "--scope", scope, "--diff")
			s.run(0, "install", "--scope", scope, "--force")
			s.run(1, "install", "--scope", scope, "--exclusive")
			s.run(1, "install", "--scope", scope, "--catalogue", "another")
			s.run(0, "uninstall", "--scope", scope, "--catalogue", "another")
			s.write(filepath.Join(top, map[string]string{"user": ".local/state/subagents", "project": ".subagents"}[scope], "ledger.json"), "{")
			everywhere()
			s.run(1, "install", "--scope", scope)
		})
	}
}
