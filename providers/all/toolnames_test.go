package all_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// nativeNames lists what hosts call their tools, with the hosts, but for names
// that are neutral verbs as well.
func nativeNames() map[string][]schema.ProviderID {
	names := map[string][]schema.ProviderID{}
	for _, p := range all.Providers {
		f := p.Facts()
		list := slices.Concat(f.Tools.Baseline, f.Tools.Reading, f.Tools.Writing, f.Observe.NeverForSubagents)
		for _, rows := range [][]providers.ToolName{f.Tools.Names, f.Tools.Aliases} {
			for _, row := range rows {
				list = append(list, row.Native...)
			}
		}
		for _, name := range list {
			if word.MatchString(name) && !slices.Contains(common, name) && !slices.Contains(schema.Verbs(), schema.Verb(name)) && !slices.Contains(names[name], f.ID) {
				names[name] = append(names[name], f.ID)
			}
		}
	}
	return names
}

// common are names that mean something else where they stand alone: the product's
// own word, that by which goose calls an agent without a description, and the
// name of a flag.
var common = []string{"subagent", "Agent", "report"}

// neutralWords are the words of catalogues that are nobody's own and that a host
// happens to have, by the file that reads such catalogues.
var neutralWords = map[string][]string{"internal/importer/catalogue.go": {"read_file", "apply_patch"}}

var (
	word = regexp.MustCompile(`^[A-Za-z_]{2,}$`)
	// Names that no sentence has: with an underscore or a hump.
	distinctive = regexp.MustCompile(`[a-z]_[a-z]|[a-z][A-Z]`)
	words       = regexp.MustCompile(`[A-Za-z_]+`)
)

// TestToolNamesStandInOnePlace searches the code for what hosts call their
// tools: each name stands in the folder of its host, in tests, and nowhere
// else.
func TestToolNamesStandInOnePlace(t *testing.T) {
	names := nativeNames()
	if len(names) < 40 {
		t.Fatalf("only %d names of tools found", len(names))
	}
	searched := 0
	for file := range codeFiles(t) {
		home := schema.ProviderID("")
		if rest, ok := strings.CutPrefix(file, "providers/"); ok {
			host, _, _ := strings.Cut(rest, "/")
			home = schema.ProviderID(host)
		}
		searched++
		for _, text := range texts(t, file) {
			for _, name := range mentioned(text, names) {
				if !slices.Contains(names[name], home) && !slices.Contains(neutralWords[file], name) {
					t.Errorf("%s has %q in %.60q, which is a tool of %v", file, name, text, names[name])
				}
			}
		}
	}
	if searched < 100 {
		t.Errorf("only %d files searched", searched)
	}
}

// mentioned gives the names in a text: the text itself, or a distinctive name
// within it.
func mentioned(text string, names map[string][]schema.ProviderID) []string {
	if names[text] != nil {
		return []string{text}
	}
	var found []string
	for _, w := range words.FindAllString(text, -1) {
		if names[w] != nil && distinctive.MatchString(w) {
			found = append(found, w)
		}
	}
	return found
}

// root is the repository.
var root = filepath.Join("..", "..")

// codeFiles gives the files of code, without tests and what belongs to them.
func codeFiles(t *testing.T) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		skipped := []string{"testdata", "docs", ".git", "conformance", "node_modules", "agenttest", "decodetest", "dist", "out"}
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "tests/"):
		case slices.Contains([]string{".go", ".js", ".py", ".nix", ".sh"}, filepath.Ext(path)):
			files[path] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// texts gives the string literals of a Go file but for those of tags and
// imports, and the lines of any other.
func texts(t *testing.T, file string) []string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(file))
	if filepath.Ext(file) != ".go" {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(data), "\n")
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil // the keys of a manifest
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				list = append(list, text)
			}
		}
		return true
	})
	return list
}
