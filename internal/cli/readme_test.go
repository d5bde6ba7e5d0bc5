package cli_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/internal/matrix"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// TestReadme renders the manifest of the README and finds every line that it
// shows of the files, in order, and its matrix, which stands there in full.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```").FindAllStringSubmatch(string(text), -1)
	var manifest string
	shown := map[string]string{}
	for _, b := range blocks {
		first, rest, _ := strings.Cut(b[2], "\n")
		switch {
		case b[1] == "yaml" && manifest == "":
			manifest = b[2]
		case strings.HasPrefix(first, "# ."):
			shown[strings.TrimPrefix(first, "# ")] = rest
		case b[1] == "json":
			shown[".kiro/agents/code-reviewer.json"] = b[2]
		}
	}
	result := rendered(t, schema.NewSource("subagents.yml", []byte(manifest)), render.Options{})
	if len(result.Files) != len(shown) {
		t.Errorf("%d files are shown, %d rendered", len(shown), len(result.Files))
	}
	for _, f := range result.Files {
		rest := string(f.Data)
		for line := range strings.Lines(shown[f.Path]) {
			line, cut, _ := strings.Cut(line, "…") // of a body, or of the rest of a list
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			if cut != "" {
				line = strings.TrimSuffix(line, "'''")
			}
			_, after, found := strings.Cut(rest, line)
			if !found {
				t.Errorf("%s has no further line %q", f.Path, line)
			}
			rest = after
		}
	}
	var table bytes.Buffer
	if err := matrix.Build(result).Text(&table, matrix.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	whole, _, _ := strings.Cut(table.String(), "\n\n")
	if !strings.Contains(string(text), "```\n"+whole+"\n```\n") {
		t.Errorf("the README does not show this matrix:\n%s", whole)
	}
}
