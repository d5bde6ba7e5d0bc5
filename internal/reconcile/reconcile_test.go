package reconcile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/reconcile"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

func load(data []byte) (*schema.Manifest, hcl.Diagnostics, error) {
	m, diags := schema.Load(schema.NewSource("subagents.yml", data), schema.Options{HostTool: all.HostTool})
	return m, diags, nil
}

// files renders a manifest; ok is false if it has errors.
func files(t testing.TB, manifest string) ([]render.File, bool) {
	t.Helper()
	m, diags, _ := load([]byte(manifest))
	if diags.HasErrors() {
		return nil, false
	}
	result, diags := render.Render(m, render.Options{})
	return result.Files, !diags.HasErrors()
}

// edits gives the files of one manifest with the contents that another one gives
// them.
func edits(t testing.TB, from, to string, only schema.ProviderID) ([]reconcile.Edit, bool) {
	t.Helper()
	old, ok := files(t, from)
	now, fine := files(t, to)
	if !ok || !fine || len(old) != len(now) {
		return nil, false
	}
	var list []reconcile.Edit
	for i, f := range old {
		if (only == "" || f.Provider == only) && string(f.Data) != string(now[i].Data) {
			list = append(list, reconcile.Edit{Agent: f.Agent, Provider: f.Provider, Path: "/home/" + f.Path, Written: f.Data, Found: now[i].Data})
		}
	}
	return list, true
}

func manifest(t testing.TB, description, body, more string) string {
	t.Helper()
	quote := func(s string) string {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return "# Ours\nguard: none\npreamble: \"Shared.\\n\"\nsubagents:\n  - name: probe # here\n    description: " + quote(description) + "\n    role: A prober.\n    instructions: " + quote(body) + "\n" + more
}

// An edited text comes back as it is, whatever stands in it, on every host.
func TestTexts(t *testing.T) {
	for _, id := range schema.ProviderIDs() {
		for _, c := range []struct{ description, body string }{
			{"New: one.", "Look."}, {"Old.", "Look twice.\n\n- and list\n"}, {"New.", "\n  Indented {{ x }} {% y %}\n\n\n"}, {"Old.", "A prober."}, {"Old.", "'''\"\"\"\\ ---\n---\n"},
		} {
			from, to := manifest(t, "Old.", "Look.", ""), manifest(t, c.description, c.body, "")
			list, ok := edits(t, from, to, id)
			if !ok {
				t.Fatal("the manifests do not render")
			}
			result, err := reconcile.Run("subagents.yml", []byte(from), schema.ProjectScope, load, list)
			if err != nil || len(result.Kept) > 0 || len(result.Changes) != 1 || !result.Changes[0].Exact {
				t.Errorf("%s: %v %+v %+v", id, err, result.Kept, result.Changes)
				continue
			}
			m, _, _ := load(result.Data)
			if e := m.Entry("probe"); e.Body != c.body || e.Description != c.description {
				t.Errorf("%s: %q %q", id, e.Description, e.Body)
			}
			if !strings.HasPrefix(string(result.Data), "# Ours\nguard: none\npreamble: \"Shared.\\n\"\nsubagents:\n  - name: probe # here\n") {
				t.Errorf("the rest was changed:\n%s", result.Data)
			}
		}
	}
}

// The same edit of every file is one edit.
func TestAllHostsAgree(t *testing.T) {
	from, to := manifest(t, "Old.", "Look.", ""), manifest(t, "Old.", "Look again.", "")
	list, _ := edits(t, from, to, "")
	result, err := reconcile.Run("subagents.yml", []byte(from), schema.ProjectScope, load, list)
	if err != nil || len(result.Kept) > 0 || len(result.Changes) != 5 {
		t.Fatalf("%v %+v %+v", err, result.Kept, result.Changes)
	}
	if strings.Count(string(result.Data), "Look again.") != 1 {
		t.Errorf("%s", result.Data)
	}
}

// The role is the entry's own; what stands around it is not.
func TestRole(t *testing.T) {
	from := manifest(t, "Old.", "Look.", "")
	for _, c := range []struct{ to, kept string }{
		{strings.Replace(from, "A prober.", "A finder.", 1), ""},
		{strings.Replace(from, "Shared.", "Shared by all.", 1), "outside of the entry's own instructions"},
	} {
		list, _ := edits(t, from, c.to, schema.ClaudeID)
		result, err := reconcile.Run("subagents.yml", []byte(from), schema.ProjectScope, load, list)
		switch {
		case err != nil:
			t.Fatal(err)
		case c.kept == "" && (string(result.Data) != c.to || len(result.Kept) > 0):
			t.Errorf("%+v\n%s", result.Kept, result.Data)
		case c.kept != "" && (string(result.Data) != from || len(result.Kept) != 1 || !strings.Contains(result.Kept[0].Reason, c.kept)):
			t.Errorf("%+v\n%s", result.Kept, result.Data)
		}
	}
}

// Any setting of a block comes back, and the manifest renders to the very bytes of
// the file.
func TestSettings(t *testing.T) {
	for id, c := range map[schema.ProviderID]struct{ from, to string }{
		schema.ClaudeID:   {"{color: red, extra: {a: 1, b: x}}", "{color: red, max_turns: 3, hooks: {Stop: [{hooks: [{type: command, command: x}]}]}, extra: {b: y, c: [1]}}"},
		schema.CodexID:    {"{model: m, reasoning_effort: low, features: {shell_tool: false}}", "{model: n, reasoning_effort: low, nickname_candidates: [A]}"},
		schema.GooseID:    {"{format: recipe, prompt: Go.}", "{format: recipe, prompt: 'Go {{ x }}.', settings: {temperature: 0.5}}"},
		schema.KiroID:     {"{format: markdown, model: auto}", "{format: markdown, tools: [read, aws], excluded_tools: [write]}"},
		schema.OpenCodeID: {"{mode: all, permission: {edit: deny, bash: ask}}", "{mode: primary, permission: {bash: {\"*\": ask, \"git *\": allow}, edit: deny}, options: {a: 1}}"},
	} {
		block := func(text string) string { return "    providers: {" + string(id) + ": " + text + "}\n" }
		from, to := manifest(t, "Old.", "Look.", block(c.from)), manifest(t, "Old.", "Look.", block(c.to))
		list, ok := edits(t, from, to, id)
		if !ok || len(list) != 1 {
			t.Fatalf("%s: %d edits", id, len(list))
		}
		result, err := reconcile.Run("subagents.yml", []byte(from), schema.ProjectScope, load, list)
		if err != nil || len(result.Kept) > 0 || len(result.Changes) != 1 {
			t.Errorf("%s: %v %+v %+v", id, err, result.Kept, result.Changes)
			continue
		}
		again, _ := edits(t, string(result.Data), to, id)
		if id != schema.OpenCodeID && (len(again) > 0 || !result.Changes[0].Exact) {
			t.Errorf("%s: not the same file\n%s", id, result.Data)
		}
	}
}

// What a host's default was before goes into the block; what defaults gave is
// unset with a null.
func TestRemoved(t *testing.T) {
	const head = "guard: none\ntargets: [claude]\ndefaults: {providers: {claude: {max_turns: 5}}}\nsubagents:\n  - name: probe\n    description: D.\n    instructions: I.\n"
	list, _ := edits(t, head, strings.Replace(head, "max_turns: 5", "background: true", 1), "")
	result, err := reconcile.Run("subagents.yml", []byte(head), schema.ProjectScope, load, list)
	if err != nil || len(result.Kept) > 0 || !strings.HasPrefix(string(result.Data), head) {
		t.Fatalf("%v %+v\n%s", err, result.Kept, result.Data)
	}
	m, _, _ := load(result.Data)
	block := m.Entry("probe").Node.At("providers", "claude")
	if !block.Get("max_turns").IsNull() || !block.Get("background").Bool {
		t.Errorf("%s", result.Data)
	}

	// A restriction that a neutral key of the entry makes has no null.
	limited := strings.Replace(head, "    instructions", "    tools: [read]\n    instructions", 1)
	list, _ = edits(t, limited, head, "")
	result, err = reconcile.Run("subagents.yml", []byte(limited), schema.ProjectScope, load, list)
	if err != nil || len(result.Kept) != 1 || string(result.Data) != limited || !strings.Contains(result.Kept[0].Reason, "claude.tools") {
		t.Errorf("%v %+v\n%s", err, result.Kept, result.Data)
	}
}

// Whatever people write, it comes back exactly, or is kept; nothing else moves.
func FuzzBody(f *testing.F) {
	f.Add("Look.", "Look.\nTwice.\n", "Old.")
	f.Add("{{ a }}", "\t---\n'''", "x: y")
	f.Fuzz(func(t *testing.T, before, after, description string) {
		from, to := manifest(t, "Old.", before, ""), manifest(t, description, after, "")
		list, ok := edits(t, from, to, schema.GooseID)
		if !ok || len(list) == 0 {
			t.Skip()
		}
		result, err := reconcile.Run("subagents.yml", []byte(from), schema.ProjectScope, load, list)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Kept) > 0 {
			if len(result.Changes) == 0 && string(result.Data) != from {
				t.Errorf("kept, and changed:\n%s", result.Data)
			}
			return
		}
		if again, _ := edits(t, string(result.Data), to, schema.GooseID); len(again) > 0 {
			t.Errorf("%q became\n%s", after, result.Data)
		}
	})
}
