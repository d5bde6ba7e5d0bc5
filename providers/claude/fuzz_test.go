package claude_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

type noteT = providers.Note

// manifestOf writes a manifest whose description and body are one text.
func manifestOf(t testing.TB, text string) []byte {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"targets": []string{"claude"}, "guard": "none",
		"subagents": []any{map[string]any{"name": "probe", "description": text, "instructions": text}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("Reviews code: read-only --- now")
	f.Add("\"'\\\n\r\x00\x7f\u0085")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.TrimSpace(text) == "" {
			t.Skip()
		}
		m, diags := schema.Load(schema.NewSource("m.json", manifestOf(t, text)), schema.Options{})
		if diags.HasErrors() {
			t.Skip()
		}
		result, diags := render.Render(m, render.Options{})
		if diags.HasErrors() {
			t.Skip()
		}
		keys, body := parsed(t, string(result.Files[0].Data))
		if keys["description"] != text || body != text {
			t.Errorf("%q came back as %q and %q", text, keys["description"], body)
		}
	})
}
