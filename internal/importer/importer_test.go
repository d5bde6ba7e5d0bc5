package importer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/importer"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// folder writes files, by their paths.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, dir string) *importer.Result {
	t.Helper()
	result, err := importer.Import([]importer.Root{{Path: dir, Shown: "."}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func codes(r *importer.Result) string {
	var list []string
	for _, d := range r.Problems {
		list = append(list, string(schema.CodeOf(d)))
	}
	return strings.Join(list, " ")
}

// entry gives an entry of the manifest that came out.
func entry(t testing.TB, r *importer.Result, name string) *schema.Entry {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", r.Manifest), schema.Options{})
	if diags.HasErrors() || m == nil {
		t.Fatalf("%v\n%s", diags, r.Manifest)
	}
	e := m.Entry(name)
	if e == nil {
		t.Fatalf("no %q in\n%s", name, r.Manifest)
	}
	return e
}

// A neutral key stays where every host gets the same file as before, and nowhere
// else.
func TestNeutralOnlyWhereExact(t *testing.T) {
	const head = "---\nname: a-b\ndescription: D\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // keys of the entry beyond those that all have
	}{
		{"one host", map[string]string{".claude/agents/a.md": head + "tools: Read, Grep, Glob\n---\nB"}, `tools: [read, search, list]`},
		{
			"a list that no verbs are written as",
			map[string]string{".claude/agents/a.md": head + "tools: Read, Edit\n---\nB"},
			"providers:\n  claude:\n    tools: [Read, Edit]",
		},
		{
			"a host without a list keeps the default", map[string]string{
				".claude/agents/a.md": head + "tools: Read, Grep, Glob\n---\nB", ".opencode/agents/a-b.md": "---\ndescription: D\nmode: subagent\n---\nB",
			}, "providers:\n  claude:\n    tools: [Read, Grep, Glob]",
		},
		{
			"a host where every verb is the session's", map[string]string{
				".claude/agents/a.md": head + "tools: Read, Grep, Glob\n---\nB", ".goose/agents/a.md": head + "---\nB",
			}, "tools: [read, search, list]",
		},
		{
			"two values of one key", map[string]string{
				".claude/agents/a.md":  head + "effort: high\n---\nB",
				".codex/agents/a.toml": "name = \"a-b\"\ndescription = \"D\"\ndeveloper_instructions = \"B\"\nmodel_reasoning_effort = \"low\"\n",
			}, "effort: high\nproviders:\n  codex:\n    reasoning_effort: low",
		},
		{
			"a sandbox and a list without tools that write", map[string]string{
				".claude/agents/a.md":  head + "tools: Read, Grep, Glob\n---\nB",
				".codex/agents/a.toml": "name = \"a-b\"\ndescription = \"D\"\ndeveloper_instructions = \"B\"\nsandbox_mode = \"read-only\"\n",
			}, "access: read-only\ntools: [read, search, list]",
		},
		{
			"a sandbox and a host without limits", map[string]string{
				".claude/agents/a.md":  head + "---\nB",
				".codex/agents/a.toml": "name = \"a-b\"\ndescription = \"D\"\ndeveloper_instructions = \"B\"\nsandbox_mode = \"read-only\"\n",
			}, "providers:\n  codex:\n    sandbox_mode: read-only",
		},
		{
			"unlike lists of two hosts", map[string]string{
				".claude/agents/a.md":   head + "tools: Read\n---\nB",
				".kiro/agents/a-b.json": `{"name": "a-b", "description": "D", "prompt": "B", "tools": ["read", "shell"]}`,
			}, "tools: [read]\nproviders:\n  kiro:\n    tools: [read, shell]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := load(t, folder(t, c.files))
			if !r.Complete() {
				t.Fatalf("%+v", r.Skipped)
			}
			if got := rest(t, r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			proven(t, r, c.files)
		})
	}
}

// rest gives the lines of the one entry but for those that every entry has.
func rest(t *testing.T, r *importer.Result) string {
	t.Helper()
	_, text, ok := strings.Cut(string(r.Manifest), "  - name: a-b\n")
	if !ok {
		t.Fatalf("%s", r.Manifest)
	}
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimPrefix(line, "    ")
		if !slices.ContainsFunc([]string{"description:", "origin:", "  kind:", "  source:", "instructions:"}, func(p string) bool { return strings.HasPrefix(line, p) }) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// proven renders the manifest and imports what comes out: it must be the same
// manifest.
func proven(t *testing.T, r *importer.Result, files map[string]string) {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", r.Manifest), schema.Options{HostTool: all.HostTool})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	result, diags := render.Render(m, render.Options{})
	if diags.HasErrors() || len(result.Files) != len(files) {
		t.Fatalf("%d files, %v", len(result.Files), diags)
	}
	out := map[string]string{}
	for _, f := range result.Files {
		out[f.Path] = string(f.Data)
	}
	again := load(t, folder(t, out))
	strip := func(manifest []byte) string {
		lines := strings.Split(string(manifest), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  # From") }), "\n")
	}
	if diff := cmp.Diff(strip(r.Manifest), strip(again.Manifest)); diff != "" {
		t.Error(diff)
	}
}

// What is different when it is rendered again is told.
func TestNotExact(t *testing.T) {
	r := load(t, folder(t, map[string]string{
		".claude/agents/a.md": "---\nname: a-b\ndescription: D\ntools: Read\nmemory: user\n---\nB",
	}))
	if got := codes(r); got != "not-exact" {
		t.Errorf("%s\n%v", got, r.Problems)
	}
	if !strings.Contains(r.Problems[0].Summary, "claude.disallowed_tools") {
		t.Errorf("%s", r.Problems[0].Summary)
	}
}

// One name, several files: the same thing twice is one thing.
func TestSameFileTwice(t *testing.T) {
	const text = "---\nname: a-b\ndescription: D\ntools: [Read, LSP]\n---\n"
	dir := folder(t, map[string]string{"x/.claude/agents/a.md": text + "B\n", "y/.claude/agents/a.md": text + "\nB"})
	if err := os.Symlink(filepath.Join(dir, "x"), filepath.Join(dir, "z")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "x", "loop")); err != nil {
		t.Fatal(err)
	}
	r := load(t, dir)
	if len(r.Subagents) != 1 || !r.Complete() || len(r.Subagents[0].Files) != 2 {
		t.Errorf("%+v %+v", r.Subagents, r.Skipped)
	}
}

// Names that a manifest cannot have are changed, those of which nothing is left
// are skipped, and two that become one are kept apart.
func TestNames(t *testing.T) {
	agent := func(name, body string) string { return "---\nname: \"" + name + "\"\ndescription: D\n---\n" + body }
	r := load(t, folder(t, map[string]string{
		".claude/agents/1.md": agent("Code Reviewer", "A"), ".claude/agents/2.md": agent("code_reviewer", "B"), ".claude/agents/3.md": agent("审查", "C"),
		".claude/agents/4.md": agent("3d", "D"), ".claude/agents/5.md": agent("CON", "E"), ".claude/agents/6.md": agent(strings.Repeat("long", 30), "F"),
	}))
	var names []string
	for _, s := range r.Subagents {
		names = append(names, s.Name)
	}
	want := []string{"agent-3d", "agent-con", "code-reviewer", "code-reviewer-claude", strings.Repeat("long", 16)}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if len(r.Skipped) != 1 || r.Skipped[0].Code != "no-usable-name" {
		t.Errorf("%+v", r.Skipped)
	}
	if title := entry(t, r, "code-reviewer").Title; title != "Code Reviewer" {
		t.Errorf("title %q", title)
	}
}

// Bodies come back byte for byte, whatever stands in them.
func TestBodies(t *testing.T) {
	for _, body := range []string{
		"B", "B\n", "\nB\n\n\n", "  indented\n", "\ttab\n", "a\n   \nb", "# h\n\n```yaml\na: |\n  b\n```\n", "dos\r\nlines\r\n", "nul\x00", "{{ x }} ${y} %{z}", "\u2028\u0085\ufeff", "---\n", "é 👩‍💻",
		strings.Repeat("line of text\n", 3000),
	} {
		files := map[string]string{".claude/agents/a.md": "---\nname: a-b\ndescription: D\n---\n" + body}
		r := load(t, folder(t, files))
		if got := entry(t, r, "a-b").Body; got != body {
			t.Errorf("%q came back as %q", body, got)
		}
	}
}

// Nothing outside of a file's folder is read for it, whatever a link says.
func TestOpenStaysInside(t *testing.T) {
	dir := folder(t, map[string]string{
		"secret.md": "SECRET", ".kiro/agents/a.json": `{"name": "a", "description": "d", "tools": ["*"], "prompt": "file://link.md"}`,
		".kiro/agents/b.json": `{"name": "b", "description": "d", "tools": ["*"], "prompt": "file://../../secret.md"}`,
	})
	if err := os.Symlink(filepath.Join(dir, "secret.md"), filepath.Join(dir, ".kiro/agents/link.md")); err != nil {
		t.Fatal(err)
	}
	r := load(t, filepath.Join(dir, ".kiro"))
	if strings.Contains(string(r.Manifest), "SECRET") || len(r.Skipped) < 2 {
		t.Errorf("%+v\n%s", r.Skipped, r.Manifest)
	}
}

// Whatever the files hold, the result is a manifest that loads, or none, and it is
// the same every time.
func FuzzImport(f *testing.F) {
	f.Add([]byte("---\nname: a-b\ndescription: D\ntools: Read, Bash(x, y)\nmodel: opus\n---\nB"), []byte("name = \"a-b\"\ndescription = \"D\"\ndeveloper_instructions = \"B\"\n"))
	f.Add([]byte("---\nname: a-b\ndescription: D\nmodel_tier: deep\ntools: [read_file]\n---\nB"), []byte("[agents.x]\nconfig_file = \"a.toml\"\n"))
	f.Fuzz(func(t *testing.T, md, toml []byte) {
		dir := folder(t, map[string]string{".claude/agents/a.md": string(md), ".opencode/agents/a.md": string(md), "c/a.md": string(md), ".codex/agents/a.toml": string(toml), ".rulesync/subagents/a.md": string(md)})
		r := load(t, dir)
		if again := load(t, dir); string(again.Manifest) != string(r.Manifest) {
			t.Errorf("two manifests:\n%s\n%s", r.Manifest, again.Manifest)
		}
		if (r.Manifest == nil) != (len(r.Subagents) == 0) {
			t.Errorf("%d subagents in\n%s", len(r.Subagents), r.Manifest)
		}
		if r.Manifest == nil {
			return
		}
		m, diags := schema.Load(schema.NewSource("m.yml", r.Manifest), schema.Options{HostTool: all.HostTool})
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, r.Manifest)
		}
		if _, diags := render.Render(m, render.Options{}); diags.HasErrors() {
			t.Errorf("%v\n%s", diags, r.Manifest)
		}
	})
}
