package all_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/internal/decodetest"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Every file that is written stands where its host's decoder is told to look.
func TestInputsHaveThePlaces(t *testing.T) {
	for _, p := range all.Providers {
		facts := p.Facts()
		if len(facts.Inputs) == 0 {
			t.Errorf("%s has no inputs", facts.ID)
		}
		for _, place := range facts.Places {
			file := place.Path("probe")
			in, ok := facts.Input(file)
			if !ok || in.Form != "" && in.Form != place.Format {
				t.Errorf("%s: %s is taken for %+v", facts.ID, file, in)
			}
			for _, other := range all.Providers {
				if in, also := other.Facts().Input(file); also && in.Beside == "" && other.Facts().ID != facts.ID {
					t.Errorf("%s takes %s for one of its own", other.Facts().ID, file)
				}
			}
		}
	}
}

func TestInputMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		matches, is   bool
	}{
		{".claude/agents/**/*.md", "p/.claude/agents/a.md", true, false},
		{".claude/agents/**/*.md", ".claude/agents/x/y/a.md", true, true},
		{".claude/agents/**/*.md", ".claude/agents/a.txt", false, false},
		{".claude/agents/**/*.md", "my.claude/agents/a.md", false, false},
		{".goose/agents/*.md", ".goose/agents/x/a.md", false, false},
		{"opencode.json", "a/b/opencode.json", true, false},
		{"opencode.json", "my-opencode.json", false, false},
	} {
		in := providers.Input{Path: c.pattern}
		if got := in.Matches(c.file); got != c.matches {
			t.Errorf("%s matches %s: %v", c.pattern, c.file, got)
		}
		if got := in.Is(c.file); got != c.is {
			t.Errorf("%s is %s: %v", c.pattern, c.file, got)
		}
	}
}

// What is rendered for any host comes back as the same bytes, whatever the texts.
func FuzzIdentity(f *testing.F) {
	for _, s := range []string{"plain", "a: b # c", "---\n", "{{ x }} {% y %}", "'''\n\"\"\"", "\x00\x7f\u2028", `C:\new\table`, "dos\r\nlines\r\n", "  lead\n\n\n"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, description, body string) {
		description, body = strings.ToValidUTF8(description, "?"), strings.ToValidUTF8(body, "?")
		entry := map[string]any{
			"name": "probe", "description": description, "instructions": body, "tools": []string{"read", "shell"}, "effort": "low",
			"providers": map[string]any{"kiro": map[string]any{"format": "both"}},
		}
		data, err := json.Marshal(map[string]any{"guard": "none", "subagents": []any{entry}})
		if err != nil {
			t.Fatal(err)
		}
		m, diags := schema.Load(schema.NewSource("m.json", data), schema.Options{})
		if diags.HasErrors() {
			t.Skip()
		}
		for _, p := range all.Providers {
			id := p.Facts().ID
			result, diags := render.Render(m, render.Options{Providers: []schema.ProviderID{id}})
			if diags.HasErrors() {
				continue
			}
			for _, file := range result.Files {
				got, diags := p.Decode(providers.Native{Name: file.Path, Data: file.Data})
				if len(got) != 1 || diags.HasErrors() {
					t.Fatalf("%s: %v\n%s", file.Path, diags, file.Data)
				}
				if got[0].Body != body || got[0].Description != description {
					t.Errorf("%s: %q and %q came back as %q and %q", id, description, body, got[0].Description, got[0].Body)
				}
				for _, again := range decodetest.Files(t, id, got[0], false) {
					if path.Ext(again.Path) == path.Ext(file.Path) && string(again.Data) != string(file.Data) {
						t.Errorf("%s came back as\n%s\nfrom\n%s", file.Path, again.Data, file.Data)
					}
				}
			}
		}
	})
}
