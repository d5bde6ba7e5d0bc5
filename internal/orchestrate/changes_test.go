package orchestrate

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		name, list string
		nul        bool
		want       []string // nil: unreadable
	}{
		{"nothing", "", false, []string{}},
		{"nothing, NUL", "", true, []string{}},
		{"lines", "a\nb/c\n", false, []string{"a", "b/c"}},
		{"no last line feed, CRLF, blank lines", "a\r\n\r\nb", false, []string{"a", "b"}},
		{"spaces are part of a name", " a b \n", false, []string{" a b "}},
		{"cleaned", "./a//b/../c\n", false, []string{"a/c"}},
		{"NUL without the flag", "a\x00b\x00", false, []string{"a", "b"}},
		{"a line feed in a name", "a\nb\x00", true, []string{"a\nb"}},
		{"quoted", `"a\tb\"c\\d\303\274"` + "\n", false, []string{"a\tb\"c\\dü"}},
		{"a quote inside", `a"b` + "\n", false, []string{`a"b`}},
		{"not closed", `"a` + "\n", false, nil},
		{"a quote alone", `"` + "\n", false, nil},
		{"two quotes", `"a"b"` + "\n", false, nil},
		{"a bad escape", `"\q"` + "\n", false, nil},
		{"no byte", `"\u0100"` + "\n", false, nil},
		{"absolute", "/a\n", false, nil},
		{"outside", "a/../../b\n", false, nil},
		{"the root itself", ".\n", false, nil},
		{"quoted nothing", `""` + "\n", false, nil},
		{"cut off", "a\x00b", true, nil},
		{"an empty name", "a\x00\x00", true, nil},
	} {
		got, err := Paths([]byte(c.list), c.nul)
		if (err != nil) != (c.want == nil) || err == nil && !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func FuzzPaths(f *testing.F) {
	f.Add([]byte("a\n\"b\\tc\"\n"), false)
	f.Add([]byte("a\x00b\x00"), true)
	f.Fuzz(func(t *testing.T, data []byte, nul bool) {
		paths, err := Paths(data, nul)
		if err != nil && paths != nil {
			t.Fatalf("%q: paths beside an error", data)
		}
		for _, p := range paths {
			if p == "" || p[0] == '/' || p == ".." || strings.HasPrefix(p, "../") {
				t.Fatalf("%q: %q", data, p)
			}
		}
	})
}

// Names as git itself quotes them come back as they are.
func TestPathsAsGitQuotesThem(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	names := []string{"plain", "a b", `q"q`, "tab\tx", "nl\nx", "ü", `back\slash`, "bell\a", "\x01"}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Skip("the file system does not take the names: ", err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	out, err := exec.Command("git", "-C", dir, "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Paths(out, false)
	slices.Sort(got)
	slices.Sort(names)
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("%q, %v; want %q", got, err, names)
	}
}
