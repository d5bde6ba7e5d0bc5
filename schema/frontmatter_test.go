package schema

import (
	"strings"
	"testing"
)

// What stands behind the front matter of a body's file is the body, byte for
// byte; a text without front matter is all body.
func FuzzFrontMatter(f *testing.F) {
	for _, s := range []string{
		"", "---", "---\n", "---\n---", "---\n---\n", "---\nname: x\n---\nBody.\n", "---\r\nname: x\r\n---\r\nBody.\r\n", "--- \n---\nx", "----\n---\nx",
		"---\nx: |\n  ---\n---\ny", "---\n----\n---\ny", "\ufeff---\n---\ny", "Body.\n---\nmore\n---\n", "---\nnever closed\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		body := withoutFrontMatter(text)
		head, ok := strings.CutSuffix(text, body)
		switch {
		case !ok:
			t.Fatalf("%q is no end of %q", body, text)
		case body == text && !strings.HasPrefix(text, "---"):
			return
		case head == "":
			for i, line := range strings.Split(text, "\n") {
				if i > 0 && strings.TrimRight(line, "\r") == "---" && (strings.HasPrefix(text, "---\n") || strings.HasPrefix(text, "---\r\n")) {
					t.Fatalf("the front matter of %q stays in the body", text)
				}
			}
			return
		}
		lines := strings.Split(strings.TrimSuffix(head, "\n"), "\n")
		for i, line := range lines {
			fence := strings.TrimRight(line, "\r") == "---"
			if edge := i == 0 || i == len(lines)-1; fence != edge {
				t.Fatalf("%q is not taken for front matter", head)
			}
		}
		if again := withoutFrontMatter("---\n---\n" + text); again != text {
			t.Fatalf("behind empty front matter %q becomes %q", text, again)
		}
	})
}
