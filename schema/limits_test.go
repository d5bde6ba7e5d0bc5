package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// allocated gives the bytes that a function allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// onlyCode loads a manifest that is refused as a whole, for one reason.
func onlyCode(t *testing.T, name, text string, code Code) {
	t.Helper()
	m, diags := Load(NewSource(name, []byte(text)), Options{})
	if m != nil || len(diags) != 1 || CodeOf(diags[0]) != code {
		t.Fatalf("want one %s and no manifest, got %v", code, diags)
	}
	if r := diags[0].Subject; r.Start.Byte > len(text) || r.End.Byte > len(text) || r.Start.Line < 1 {
		t.Errorf("the place %v is not in the file", r)
	}
}

// bomb is a document of few bytes that aliases would blow up to width^levels
// nodes, in lists or, with keys, in maps.
func bomb(levels, width int, keys bool) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= levels; i++ {
		items := make([]string, width)
		for j := range items {
			items[j] = fmt.Sprintf("*a%d", i-1)
			if keys {
				items[j] = fmt.Sprintf("k%d: *a%d", j, i-1)
			}
		}
		open, end := "[", "]"
		if keys {
			open, end = "{", "}"
		}
		fmt.Fprintf(&b, "a%d: &a%d %s%s%s\n", i, i, open, strings.Join(items, ", "), end)
	}
	return b.String()
}

// An alias bomb is refused without being blown up. The bound is on what is
// allocated, which holds on any machine; the time follows from it.
func TestAliasBomb(t *testing.T) {
	merges := strings.Builder{}
	merges.WriteString("a0: &a0 {x: 1}\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&merges, "a%d: &a%d {<<: [*a%d, *a%d], y: *a%d, z: *a%d}\n", i, i, i-1, i-1, i-1, i-1)
	}
	text := "t: &t \"" + strings.Repeat("x", 1<<20) + "\"\nl: [" + strings.Repeat("*t, ", 100) + "]\n"
	for name, doc := range map[string]string{
		"lists":           bomb(12, 10, false),
		"maps":            bomb(12, 10, true),
		"narrow and deep": bomb(60, 2, false),
		"merge keys":      merges.String(),
		"one long text":   text,
	} {
		t.Run(name, func(t *testing.T) {
			used := allocated(func() { onlyCode(t, "m.yml", doc, CodeTooLarge) })
			if limit := uint64(100 << 20); used > limit {
				t.Errorf("allocated %d MiB", used>>20)
			}
		})
	}
}

// What teams do with aliases stays far from the bound.
func TestAliasesInEarnest(t *testing.T) {
	var b strings.Builder
	body := strings.Repeat("Check every claim against the file.\n", 100)
	fmt.Fprintf(&b, "subagents:\n  - name: a0\n    description: Use it when needed.\n    instructions: &body %q\n    providers: &p {codex: {model: m, extra: {a: [1, 2, 3]}}}\n", body)
	for i := 1; i < 5000; i++ {
		fmt.Fprintf(&b, "  - {name: a%d, description: Use it when needed., instructions: *body, providers: *p}\n", i)
	}
	m, diags := Load(NewSource("m.yml", []byte(b.String())), Options{})
	if len(diags) > 0 || len(m.Entries()) != 5000 || m.Entry("a4999").Body != body {
		t.Fatalf("%v", diags)
	}
}

// 64 levels of lists and maps are allowed, whatever stands innermost; more are
// not, however they come about.
func TestDepth(t *testing.T) {
	yaml := func(levels int, inner string) string { // two levels: the root and extra
		return "vars: {a: " + strings.Repeat("[", levels-2) + inner + strings.Repeat("]", levels-2) + "}\n"
	}
	json := func(levels int, inner string) string {
		return `{"vars": {"a": ` + strings.Repeat("[", levels-2) + inner + strings.Repeat("]", levels-2) + "}}"
	}
	for file, nested := range map[string]func(int, string) string{"m.yml": yaml, "m.json": json} {
		for _, inner := range []string{"", "1"} {
			if m, diags := Load(NewSource(file, []byte(nested(maxDepth, inner))), Options{}); m == nil || len(diags) > 0 {
				t.Errorf("%s: %d levels around %q: %v", file, maxDepth, inner, diags)
			}
			onlyCode(t, file, nested(maxDepth+1, inner), CodeTooDeep)
			onlyCode(t, file, nested(100, inner), CodeTooDeep)
		}
	}
	block := strings.Builder{}
	for i := range 100 {
		fmt.Fprintf(&block, "%sk:\n", strings.Repeat(" ", i))
	}
	onlyCode(t, "m.yml", block.String(), CodeTooDeep)
	onlyCode(t, "m.json", strings.Repeat("[", 200_000), CodeTooDeep)
	onlyCode(t, "m.yml", strings.Repeat("[", 200_000), CodeSyntax) // the reader's own bound
	onlyCode(t, "m.yml", strings.Repeat("- ", 5_000)+"x\n", CodeTooDeep)
}

// Anchors that each hold the one before would nest without end, though no
// place in the file is deep.
func TestDepthThroughAliases(t *testing.T) {
	chain := func(links, levels int) string {
		var b strings.Builder
		b.WriteString("vars:\n  a0: &a0 x\n")
		for i := 1; i <= links; i++ {
			fmt.Fprintf(&b, "  a%d: &a%d %s*a%d%s\n", i, i, strings.Repeat("[", levels), i-1, strings.Repeat("]", levels))
		}
		return b.String()
	}
	if _, diags := Load(NewSource("m.yml", []byte(chain(6, 10))), Options{}); len(diags) > 0 { // 2 + 6 × 10
		t.Errorf("62 levels: %v", diags)
	}
	onlyCode(t, "m.yml", chain(7, 10), CodeTooDeep)
	onlyCode(t, "m.yml", chain(2_000, 20), CodeTooDeep)
}

// large marks a test of sizes and bounds: much work in one goroutine, which the
// race detector has nothing to say about. Its run leaves these out with -short.
func large(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("large inputs: run without -short")
	}
}

// A file of more than 16 MiB is refused before anything reads it.
func TestTooLarge(t *testing.T) {
	large(t)
	comment := "# " + strings.Repeat("x", 1021) + "\n" // 1 KiB
	for _, file := range []string{"m.yml", "m.json"} {
		data := strings.Repeat(comment, 17<<10)
		used := allocated(func() { onlyCode(t, file, data, CodeTooLarge) })
		if used > 32<<20 {
			t.Errorf("%s: allocated %d MiB to refuse 17 MiB", file, used>>20)
		}
	}
	exact := one + strings.Repeat("#", maxBytes-len(one)-1) + "\n"
	if m, diags := Load(NewSource("m.yml", []byte(exact)), Options{}); m == nil || len(diags) > 0 {
		t.Errorf("16 MiB: %v", diags)
	}
	onlyCode(t, "m.yml", exact+"\n", CodeTooLarge)
}

// A body may be as large as its file, and is the same byte for byte.
func TestLargeBody(t *testing.T) {
	body := strings.Repeat("Read \"all\" of it: #1, é, \\n, {{x}}.\n", maxBytes/48)
	m, diags := Load(NewSource("m.yml", []byte("subagents:\n  - name: aa\n    description: Use it when.\n    instructions: |\n      "+strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n", "\n      ")+"\n")), Options{})
	if m == nil || diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := m.Entries()[0].Body; got != body {
		t.Errorf("the body has %d bytes, want %d", len(got), len(body))
	}
}

// A thousand files may be included.
func TestManyIncludes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		write(fmt.Sprintf("part-%d.yml", i), strings.ReplaceAll(one, "aa", fmt.Sprint("a", i)))
	}
	write("m.yml", "include: [part-*.yml]\n")
	m, diags, err := LoadFiles([]string{filepath.Join(dir, "m.yml")}, Options{})
	if err != nil || len(diags) > 0 || len(m.Entries()) != 1000 {
		t.Fatal(err, diags)
	}
}

// The documentation states the limits that hold.
func TestLimitsAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	grouped := func(n int) string {
		text := fmt.Sprint(n)
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
		return text
	}
	for what, limit := range map[string]string{
		"one file of a manifest":              fmt.Sprintf("%d MiB", maxBytes>>20),
		"levels of lists":                     fmt.Sprint(maxDepth),
		"what the aliases":                    fmt.Sprintf("%d MiB", maxGrowth>>20),
		"values of a TOML":                    grouped(maxValues),
		"words and punctuation":               grouped(maxWords),
		"loops of an HCL":                     fmt.Sprint(maxLoops),
		"expressions and rounds":              grouped(maxSteps),
		"text and elements that one template": fmt.Sprintf("%d MiB", maxWork>>20),
	} {
		found := false
		for line := range strings.Lines(string(data)) {
			found = found || strings.HasPrefix(line, "| "+what) && strings.Contains(line, "| "+limit)
		}
		if !found {
			t.Errorf("docs/limits.md does not say that %s… has the limit %s", what, limit)
		}
	}
}
