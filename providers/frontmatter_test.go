package providers_test

import (
	"bytes"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A fence found in any text lies in it, in order; no line of the front matter
// could close it; and it is found again where only the body differs.
func FuzzFence(f *testing.F) {
	for _, s := range []string{
		"", "---", "---\n", "---\n---", "---\n---\n", "---\nname: x\n---\nBody.\n", "---\r\nname: x\r\n---\r\nBody.\r\n", "--- \t\n---\nx", "----\n---\nx",
		"---yaml\na: 1\n---\nx", "---\nx: |\n  ---\n--- y\nz", "---\n----\ny", "Body.\n---\n---\n", "---\nnever closed\n", "---\na: b: c\n---\n", "---\n\xff\n---\n",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, open bool) {
		fence, ok := providers.LineFence(text, []string{"yaml"}, open)
		if !ok {
			return
		}
		if fence.Start < 4 || fence.Start > fence.End || fence.End > fence.Body || fence.Body > len(text) {
			t.Fatalf("%+v in %q", fence, text)
		}
		for line := range bytes.Lines(text[fence.Start:fence.End]) {
			if bytes.HasPrefix(line, []byte("---")) {
				t.Fatalf("%q stands in the front matter of %q", line, text)
			}
		}
		if fence.Body < len(text) {
			longer, ok := providers.LineFence(append(bytes.Clone(text), "more\n---\n"...), []string{"yaml"}, open)
			if !ok || longer != fence {
				t.Fatalf("with a longer body %+v becomes %+v in %q", fence, longer, text)
			}
		}
		src := schema.NewSource("m.md", text)
		if len(src.Bytes) != len(text) {
			return // what is no text is told where it is read
		}
		if n, diags := fence.Head(src, true); n == nil && !diags.HasErrors() {
			t.Fatalf("no front matter and no reason in %q", text)
		}
	})
}
