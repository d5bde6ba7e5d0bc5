package tree_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
)

func TestMarked(t *testing.T) {
	line := "# " + providers.Marker
	for text, want := range map[string]bool{
		line + "\nname = \"x\"\n":              true,
		line:                                   true,
		line + "\r\nname = \"x\"\r\n":          true,
		"---\n" + line + "\nname: x\n---\n":    true,
		"---\r\n" + line + "\r\n":              true,
		"---\nname: x\n" + line + "\n---\n":    false,
		"---\nname: x\n---\n" + line + "\n":    false,
		"\n" + line:                            false,
		" " + line:                             false,
		line + " ":                             false,
		strings.TrimSuffix(line, "."):          false,
		"":                                     false,
		"---\n":                                false,
		"{\"prompt\": \"" + line + "\"}":       false,
		"title: x\n" + line + "\n":             false,
		"--- \n" + line + "\n":                 false,
		"#" + providers.Marker + "\n":          false,
		"---\n---\n" + line:                    false,
		"# " + providers.Marker + " or not.\n": false,
	} {
		if got := tree.Marked([]byte(text)); got != want {
			t.Errorf("Marked(%q) = %v", text, got)
		}
	}
}

var files = []render.File{
	{Path: ".claude/agents/a.md", Data: []byte("A\n")},
	{Path: ".claude/agents/b.md", Data: []byte("B\r\n")},
	{Path: ".codex/agents/a.toml", Data: []byte("a = 1\n")},
}

func examine(t *testing.T, dir string) *tree.State {
	t.Helper()
	state, err := tree.Examine(dir, files, tree.Look{})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestWriteThenExamine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "some", "where")
	state := examine(t, dir)
	if state.Exists || state.Count(tree.Missing) != 3 {
		t.Fatalf("an absent directory: %+v", state)
	}
	if err := state.Write(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if state := examine(t, dir); !state.Exists || state.Count(tree.Equal) != 3 {
		t.Fatalf("after writing: %+v", state)
	}
	for _, c := range []struct {
		data string
		want tree.Status
	}{
		{"B\n", tree.LineEndings}, // the CRLF is ours here
		{"B\r\n", tree.Equal},
		{"B", tree.Changed},
		{"", tree.Changed},
	} {
		if err := os.WriteFile(filepath.Join(dir, ".claude/agents/b.md"), []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := examine(t, dir).Files[1].Status; got != c.want {
			t.Errorf("%q is %s, want %s", c.data, got, c.want)
		}
	}
}

func TestTarIsTheSameEveryTime(t *testing.T) {
	var one, two bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &two} {
		if err := tree.Tar(w, files); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two archives of the same files differ")
	}
}
