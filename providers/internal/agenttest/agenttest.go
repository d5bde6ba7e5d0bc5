// Package agenttest makes subagents for the tests of the hosts, the way the
// program does: a manifest is loaded, checked and resolved.
package agenttest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Resolve loads a manifest in YAML, which must be free of errors, and resolves
// its first entry for a host.
func Resolve(t testing.TB, id schema.ProviderID, manifest string) *schema.Agent {
	t.Helper()
	return resolve(t, id, "subagents.yml", []byte(manifest))
}

// Entry is [Resolve] for the keys of a single entry, which is given a name, a
// description and instructions. Its lines stand at the margin.
func Entry(t testing.TB, id schema.ProviderID, keys string) *schema.Agent {
	t.Helper()
	entry := "name: probe\ndescription: Probes. Use when testing.\ninstructions: Look.\n" + keys
	return Resolve(t, id, "subagents:\n  - "+strings.ReplaceAll(strings.TrimSpace(entry), "\n", "\n    ")+"\n")
}

// Texts resolves an entry with any description and body, and further keys. The
// manifest is JSON, which can hold every text.
func Texts(t testing.TB, id schema.ProviderID, description, body string, keys map[string]any) *schema.Agent {
	t.Helper()
	entry := map[string]any{"name": "probe", "description": description, "instructions": body}
	for key, value := range keys {
		entry[key] = value
	}
	data, err := json.Marshal(map[string]any{"guard": "none", "subagents": []any{entry}})
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, id, "subagents.json", data)
}

func resolve(t testing.TB, id schema.ProviderID, name string, data []byte) *schema.Agent {
	t.Helper()
	m, diags := schema.Load(schema.NewSource(name, data), schema.Options{})
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			t.Fatalf("%v\n%s", d, data)
		}
	}
	return m.Resolve(m.Entries()[0], id)
}

// Codes lists the codes of diagnostics, warnings with a question mark.
func Codes(diags hcl.Diagnostics) []string {
	codes := []string{}
	for _, d := range diags {
		code := string(schema.CodeOf(d))
		if d.Severity == hcl.DiagWarning {
			code += "?"
		}
		codes = append(codes, code)
	}
	return codes
}

// Placed encodes a subagent and lists its diagnostics: LINE:COLUMN CODE.
func Placed(t testing.TB, p providers.Provider, a *schema.Agent) (hcl.Diagnostics, []string) {
	t.Helper()
	out, diags := p.Encode(&providers.Agent{Agent: a, Body: a.Instructions})
	if diags.HasErrors() && len(out.Docs) > 0 {
		t.Error("there are files in spite of errors")
	}
	codes := Codes(diags)
	for i, d := range diags {
		if d.Detail == "" {
			t.Errorf("%s says nothing of what to write instead", codes[i])
		}
		codes[i] = fmt.Sprintf("%d:%d %s", d.Subject.Start.Line, d.Subject.Start.Column, codes[i])
	}
	return diags, codes
}

// A Refusal is what is expected of the keys of an entry: the codes, and of the
// first problem the line and some words.
type Refusal struct {
	Keys  string
	Codes []string
	Line  int
	Says  string
}

// Check encodes a subagent and compares its diagnostics with what is expected.
func (r Refusal) Check(t testing.TB, p providers.Provider, a *providers.Agent) {
	t.Helper()
	out, diags := p.Encode(a)
	if diff := cmp.Diff(r.Codes, Codes(diags)); diff != "" {
		t.Errorf("%s: %s\n%v", r.Keys, diff, diags)
		return
	}
	if diags.HasErrors() && (out.Docs != nil || out.Uses != nil) {
		t.Errorf("%s: files beside errors", r.Keys)
	}
	if len(diags) == 0 {
		return
	}
	if d := diags[0]; d.Subject.Start.Line != r.Line || !strings.Contains(d.Detail, r.Says) || d.Detail == "" {
		t.Errorf("%s: line %d: %s", r.Keys, d.Subject.Start.Line, d.Detail)
	}
}

// FrontMatter reads a Markdown file with a YAML parser: its keys, the node of
// the head, for what depends on order, and the body as it stands.
func FrontMatter(t testing.TB, data []byte) (keys map[string]any, head *yaml.Node, body string) {
	t.Helper()
	rest, ok := strings.CutPrefix(string(data), "---\n")
	if !ok {
		t.Fatalf("the file does not start with ---:\n%s", data)
	}
	front, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		t.Fatalf("the front matter does not end:\n%s", data)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if err := doc.Decode(&keys); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return keys, doc.Content[0], body
}

// Nasty lists texts that careless writers damage. Each has a character that is
// not blank.
func Nasty() []string {
	return []string{
		"plain", `"quoted" and 'quoted'`, `'''`, `"""`, `ends in a backslash \`, `a\nb`, "a: b # c", "- item", "{{ braces }} ${x}",
		"---", "a\n---\nb", "--- # not the end", "...", "\u0007bell", "bare\rreturn", "dos\r\nlines\r\n", "nul\x00inside", "del\x7f",
		"c1\u0085next\u009fline", "line\u2028paragraph\u2029end", "\ufeffmark", "not\ufffe\uffffcharacters", "emoji 👩‍💻 é e\u0301",
		"    leading spaces", "\tleading tab", "trailing\n\n\n", "\n\nleading lines", "@at", "*star", "&amp <b> >", "!tag", "yes", "null", "0x1F", "2024-01-01", "%percent", "`tick`",
		strings.Repeat("long line with words ", 800), "tab\tinside", "\x1b[31mred",
	}
}
