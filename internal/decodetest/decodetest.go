// Package decodetest holds what the tests of the hosts' decoders share: it
// writes a decoded subagent into a manifest, renders that, and compares.
package decodetest

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Decode is the decoder of a host.
type Decode = func(providers.Native) ([]providers.Decoded, hcl.Diagnostics)

// One decodes a file that must define exactly one subagent, and gives the codes
// of the warnings.
func One(t testing.TB, decode Decode, name, text string) (providers.Decoded, []string) {
	t.Helper()
	got, diags := decode(providers.Native{Name: name, Data: []byte(text)})
	if len(got) != 1 || diags.HasErrors() {
		t.Fatalf("%d subagents, %v\n%s", len(got), diags, text)
	}
	Placed(t, diags, text)
	return got[0], Codes(diags)
}

// None decodes a file that must define no subagent, and gives the codes.
func None(t testing.TB, decode Decode, name, text string) []string {
	t.Helper()
	got, diags := decode(providers.Native{Name: name, Data: []byte(text)})
	if len(got) != 0 || !diags.HasErrors() {
		t.Fatalf("%d subagents, %v\n%s", len(got), diags, text)
	}
	Placed(t, diags, text)
	return Codes(diags)
}

// Placed checks that problems stand inside of a text and say what to do.
func Placed(t testing.TB, diags hcl.Diagnostics, text string) {
	t.Helper()
	for _, d := range diags {
		if d.Summary == "" || d.Detail == "" || schema.CodeOf(d) == "" {
			t.Errorf("a problem that says too little: %+v", d)
		}
		if d.Subject != nil && (d.Subject.Filename == "" || d.Subject.End.Byte > len(text) || d.Subject.Start.Line < 1) {
			t.Errorf("%s stands at %+v in %d bytes", d.Summary, d.Subject, len(text))
		}
	}
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

// JSON writes fields as JSON, sorted, to compare them in tests.
func JSON(t testing.TB, fields []schema.Field) string {
	t.Helper()
	data, err := json.Marshal((&schema.Node{Kind: schema.Map, Fields: fields}).Interface())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Neutral gives the neutral keys of a subagent as JSON.
func Neutral(t testing.TB, d providers.Decoded) string {
	t.Helper()
	var fields []schema.Field
	for _, r := range d.Readings {
		fields = append(fields, r.Neutral...)
	}
	return JSON(t, fields)
}

// Block gives all settings in keys of the block, as JSON.
func Block(t testing.TB, d providers.Decoded) string {
	t.Helper()
	return JSON(t, d.Block().Fields)
}

// Permission gives the permission of a block as JSON in its order, which counts.
func Permission(t testing.TB, d providers.Decoded) string {
	t.Helper()
	n := d.Block().Get("permission")
	if n == nil {
		return ""
	}
	return string(ordered(t, n))
}

// Files renders a decoded subagent for its host: with neutral keys where there
// are any, or with the block alone.
func Files(t testing.TB, id schema.ProviderID, d providers.Decoded, neutral bool) []render.File {
	t.Helper()
	entry := mapping("name", providers.ManifestName(d.Name), "description", d.Description, "instructions", d.Body)
	block := mapping()
	for _, r := range d.Readings {
		if neutral && r.Neutral != nil {
			entry.Fields = append(entry.Fields, r.Neutral...)
		} else {
			block.Fields = append(block.Fields, r.Block...)
		}
	}
	entry.Fields = append(entry.Fields, schema.Field{Key: "providers", Value: mapping(string(id), block)})
	root := mapping("guard", "none", "targets", []*schema.Node{providers.TextNode(string(id), hcl.Range{})}, "subagents", []*schema.Node{entry})
	data := ordered(t, root)
	m, diags := schema.Load(schema.NewSource("m.json", data), schema.Options{})
	if diags.HasErrors() {
		t.Fatalf("loading: %v\n%s", diags, data)
	}
	result, diags := render.Render(m, render.Options{})
	if diags.HasErrors() || len(result.Files) == 0 {
		t.Fatalf("rendering: %v\n%s", diags, data)
	}
	return result.Files
}

// mapping makes a mapping of keys and values.
func mapping(pairs ...any) *schema.Node {
	n := &schema.Node{Kind: schema.Map}
	for i := 0; i < len(pairs); i += 2 {
		var v *schema.Node
		switch value := pairs[i+1].(type) {
		case string:
			v = providers.TextNode(value, hcl.Range{})
		case []*schema.Node:
			v = &schema.Node{Kind: schema.List, Items: value}
		case *schema.Node:
			v = value
		}
		n.Fields = append(n.Fields, schema.Field{Key: pairs[i].(string), Value: v})
	}
	return n
}

// ordered writes a tree as JSON whose keys stand in the order of the tree.
func ordered(t testing.TB, n *schema.Node) []byte {
	t.Helper()
	write := func(v any) []byte {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var b bytes.Buffer
	switch n.Kind {
	case schema.Map:
		b.WriteByte('{')
		for i, f := range n.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(write(f.Key))
			b.WriteByte(':')
			b.Write(ordered(t, f.Value))
		}
		b.WriteByte('}')
	case schema.List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(ordered(t, item))
		}
		b.WriteByte(']')
	default:
		b.Write(write(n.Interface()))
	}
	return b.Bytes()
}

// Same checks that a text read by a host, written as a manifest and rendered
// again means the same to that host, with neutral keys and without.
func Same(t testing.TB, id schema.ProviderID, decode Decode, name, text string) []render.File {
	t.Helper()
	first, _ := One(t, decode, name, text)
	var files []render.File
	for _, neutral := range []bool{false, true} {
		files = Files(t, id, first, neutral)
		for _, f := range files {
			again, _ := One(t, decode, f.Path, string(f.Data))
			if x, y := Block(t, first), Block(t, again); x != y {
				t.Errorf("the settings\n%s\ncame back as\n%s\nneutral: %v\n%s", x, y, neutral, f.Data)
			}
			if x, y := Permission(t, first), Permission(t, again); x != y {
				t.Errorf("the permission\n%s\ncame back as\n%s\nneutral: %v\n%s", x, y, neutral, f.Data)
			}
			if first.Body != again.Body || first.Description != again.Description {
				t.Errorf("the texts\n%q\n%q\ncame back as\n%q\n%q", first.Description, first.Body, again.Description, again.Body)
			}
		}
	}
	return files
}

// Identity checks that files of ours, read and written again, are the same
// bytes.
func Identity(t testing.TB, id schema.ProviderID, decode Decode, files []render.File) {
	t.Helper()
	for _, f := range files {
		got, diags := decode(providers.Native{Name: f.Path, Data: f.Data})
		if len(got) != 1 || diags.HasErrors() {
			t.Fatalf("%s: %d subagents, %v\n%s", f.Path, len(got), diags, f.Data)
		}
		for _, neutral := range []bool{false, true} {
			again := Files(t, id, got[0], neutral)
			i := slices.IndexFunc(again, func(other render.File) bool { return path.Ext(other.Path) == path.Ext(f.Path) })
			if i < 0 || string(again[i].Data) != string(f.Data) {
				t.Errorf("%s came back otherwise, neutral: %v\nbefore:\n%s\nafter:\n%s", f.Path, neutral, f.Data, again[max(i, 0)].Data)
			}
		}
	}
}
