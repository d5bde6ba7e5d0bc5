package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/schema"
)

func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nname: x\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	one := folder(t, "testing/SKILL.md", "empty/README.md", "lower/skill.txt", "file", "deep/er/SKILL.md")
	two := folder(t, "testing/SKILL.md", "review/SKILL.md")
	if err := os.MkdirAll(filepath.Join(one, "odd", "SKILL.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := Set{"testing": one, "review": two}
	if err := os.Symlink(filepath.Join(two, "review"), filepath.Join(one, "linked")); err == nil {
		want["linked"] = one
	}
	if err := os.Symlink("nowhere", filepath.Join(one, "broken")); err != nil {
		t.Log(err)
	}
	got, err := Find([]string{one, two})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, want -, got +:\n%s", err, diff)
	}
	if _, err := Find([]string{filepath.Join(one, "gone")}); err == nil {
		t.Error("a folder that is not there")
	}
}

// K12, A31, A32: ids are held against the folders; plugin:skill is not.
func TestCheck(t *testing.T) {
	text := `
skills: {unlisted: {description: x}}
defaults:
  skills: [testing, revue]
  providers: {claude: {skills: [reviw]}}
subagents:
  - {name: aa, description: d, instructions: x}
  - {name: bb, description: d, instructions: x}
  - name: cc
    description: d
    instructions: x
    skills:
      - plugin:anything
      - {id: nothing-like-it, preload: true}
    providers: {claude: {enabled: false}}
  - {name: dd, state: absent, description: d, instructions: x, skills: [gone]}
  - {name: ee, description: d, instructions: x, skills: [], providers: {claude: {skills: [testing, "p:q"]}}}
`
	m, diags := schema.Load(schema.NewSource("m.yml", []byte(text)), schema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, d := range Check(m, Set{"testing": "s", "review": "s"}, []string{"s"}) {
		if schema.CodeOf(d) != CodeUnknown {
			t.Error(d)
		}
		got = append(got, fmt.Sprintf("%d:%d %s %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, d.Detail))
	}
	want := []string{
		`4:21 no folder revue with a SKILL.md is in s Did you mean "review"?`,
		`5:33 no folder reviw with a SKILL.md is in s Did you mean "review"?`,
		`14:14 no folder nothing-like-it with a SKILL.md is in s There are: review, testing.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
