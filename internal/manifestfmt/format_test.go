package manifestfmt

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seed-337579fc/subagents/schema"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// Each file of testdata/format holds a text and what it is formatted to. The
// result is formatted to itself.
func TestFormat(t *testing.T) {
	names, err := filepath.Glob("testdata/format/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil || len(archive.Files) != 2 {
				t.Fatal(len(archive.Files), err)
			}
			before, after := archive.Files[0], &archive.Files[1]
			got := format(t, before.Name, before.Data)
			if *update {
				after.Data = got
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(after.Data), string(got)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// format formats a text, twice: the second time nothing changes.
func format(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	out, diags, err := Format(name, data)
	if err != nil || diags.HasErrors() {
		t.Fatalf("%v %v\n%s", err, diags, data)
	}
	again, diags, err := Format(name, out)
	if err != nil || diags.HasErrors() || !bytes.Equal(out, again) {
		t.Fatalf("the second time: %v %v\n%s", err, diags, cmp.Diff(string(out), string(again)))
	}
	return out
}

// What this repository ships is in canonical layout.
func TestShippedManifestsAreFormatted(t *testing.T) {
	for _, name := range []string{"../../subagents.yml", "../cli/starter.yml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(data), string(format(t, name, data))); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", name, diff)
		}
	}
}

// What Write writes is in canonical layout already, if its keys are in order;
// whatever the tree, Format gives a text of the same tree.
func TestFormatWhatIsWritten(t *testing.T) {
	for seed := range uint64(80) {
		root := manifestOf(seed)
		for _, spelling := range schema.Spellings() {
			shuffled, diags, err := Write(root, spelling, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diags.HasErrors() {
				continue
			}
			got := format(t, "m."+spelling, shuffled)
			if spelling == "toml" || spelling == "hcl" {
				continue
			}
			want, _, err := Write(sorted(root, documentShape()), spelling, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if out := format(t, "m."+spelling, want); !bytes.Equal(want, out) {
				t.Fatalf("seed %d, %s: want -, got +:\n%s", seed, spelling, cmp.Diff(string(want), string(out)))
			}
			// An empty line stays with the key that it stands above.
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\n\n", "\n"), strings.ReplaceAll(string(got), "\n\n", "\n")); diff != "" {
				t.Fatalf("seed %d, %s: want -, got +:\n%s", seed, spelling, diff)
			}
		}
	}
}

// roughen makes a text uglier without changing what it means: comments, empty
// lines, blanks at the ends of lines, outside of blocks and texts.
func roughen(r *rand.Rand, data []byte) []byte {
	var out []string
	block := -1 // margin of the key whose block is open
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		indent := margin(line)
		if block >= 0 && (strings.TrimSpace(line) == "" || indent > block) {
			out = append(out, line)
			continue
		}
		block = -1
		switch r.IntN(6) {
		case 0:
			out = append(out, strings.Repeat(" ", indent)+"# about "+strings.Trim(line, " -"))
		case 1:
			if len(out) > 0 && !strings.HasSuffix(strings.TrimSpace(out[len(out)-1]), "+") {
				out = append(out, "", "")
			}
		case 2:
			line += "   "
		}
		out = append(out, line)
		text := strings.TrimSpace(line)
		if i := strings.LastIndex(text, " |"); i >= 0 && len(text)-i <= 4 {
			block = indent
			if strings.HasPrefix(text, "- ") {
				block = indent + 2 - 1
			}
		}
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

// Comments and empty lines wherever they may stand are kept, once.
func TestFormatRoughTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	done := 0
	for seed := range uint64(80) {
		data, diags, err := Write(manifestOf(seed), "yaml", Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		rough := roughen(r, data)
		if _, diags := schema.Tree(schema.NewSource("m.yml", rough)); diags.HasErrors() {
			continue // the comment got into a text
		}
		done++
		out := format(t, "m.yml", rough)
		if a, b := bytes.Count(rough, []byte("# about")), bytes.Count(out, []byte("# about")); a != b {
			t.Errorf("seed %d: %d comments became %d", seed, a, b)
		}
	}
	if done < 60 {
		t.Errorf("only %d texts", done)
	}
}

// Format takes any text: it changes its layout or leaves it alone, and never what
// it means.
func FuzzFormat(f *testing.F) {
	for _, name := range []string{"../../subagents.yml", "../cli/starter.yml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(0), data)
	}
	for _, s := range []string{
		"b: 1\na: &a [1]\n", "subagents:\n- description: x\n  name: aa\n  instructions: |2+\n     x\n\n\n", "# a\n\n# b\nversion: 1\n# c\n", "a: \"x\n\n  y\"\nb: 'a\n  b'\n",
		"- - a\n  - b\n-\n  c: 1\n", "a: &x\n  b: 1\nc: *x\n", "---\na: 1\n...\n", "? a\n: b\n", "a: >-\n    x\n\n    y\n  # c\nb: 1\n", "defaults: &d {tier: deep}\nversion: 1\n",
	} {
		f.Add(uint8(0), []byte(s))
	}
	f.Add(uint8(1), []byte(`{"subagents": [], "version": 1}`))
	f.Add(uint8(2), []byte("a=[1,\n 2] # x\n[b]\nc = '''\n x\n'''\n"))
	f.Add(uint8(3), []byte("a=1\nb{\nc = <<E\n x\nE\n}\n"))
	f.Fuzz(func(t *testing.T, spelling uint8, data []byte) {
		if len(data) > 20_000 {
			return
		}
		name := "m." + schema.Spellings()[spelling%4]
		out, diags, err := Format(name, data)
		if err != nil || diags.HasErrors() {
			return
		}
		again, diags, err := Format(name, out)
		if err != nil || diags.HasErrors() {
			t.Fatalf("the result cannot be formatted: %v %v\n%s", err, diags, out)
		}
		if !bytes.Equal(out, again) {
			t.Fatalf("the second time:\n%s", cmp.Diff(string(out), string(again)))
		}
	})
}
