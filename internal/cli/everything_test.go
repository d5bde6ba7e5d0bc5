package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/internal/manifestfmt"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// everything are the files of one manifest in its four spellings.
func everything() []string {
	const stem = "../../testdata/everything/everything."
	return []string{stem + "yml", stem + "json", stem + "toml", stem + "hcl"}
}

// The four spellings of one manifest are one manifest: the same files in both
// scopes, the same notes, nothing to complain about.
func TestEverythingInEverySpelling(t *testing.T) {
	type outcome struct {
		Files map[string]string
		Notes []string
	}
	var want outcome
	for _, file := range everything() {
		m, diags, err := schema.LoadFile(file, schema.Options{HostTool: all.HostTool, Builtin: schema.NewSource("builtin:subagents.yml", subagents.Catalogue)})
		if err != nil || diags.HasErrors() {
			t.Fatalf("%s: %v %v", file, err, diags)
		}
		got := outcome{Files: map[string]string{}}
		for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
			result, more := render.Render(m, render.Options{Scope: scope})
			for _, f := range result.Files {
				got.Files[string(scope)+" "+f.Path] = string(f.Data)
			}
			for _, n := range result.Notes {
				got.Notes = append(got.Notes, strings.Join([]string{string(scope), n.Agent, string(n.Provider), n.Setting, n.Value, string(n.Level)}, " "))
			}
			diags = append(diags, more...)
		}
		slices.Sort(got.Notes) // they follow the keys, which TOML has in an order of its own
		if len(diags) > 0 {
			t.Errorf("%s: %v", file, diags)
		}
		if want.Files == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (yml -, this +):\n%s", file, diff)
		}
	}
	if len(want.Files) < 60 || len(want.Notes) < 100 {
		t.Errorf("only %d files and %d notes", len(want.Files), len(want.Notes))
	}
}

// Converted to whatever spelling, it is the same manifest still.
func TestEverythingConverted(t *testing.T) {
	var want []byte
	for _, file := range everything() {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		root, diags := schema.OwnTree(schema.NewSource(file, data))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, spelling := range schema.Spellings() {
			text, diags, err := manifestfmt.Write(root, spelling, manifestfmt.Options{})
			if err != nil || diags.HasErrors() {
				t.Fatalf("%s to %s: %v %v", file, spelling, err, diags)
			}
			again, diags := schema.OwnTree(schema.NewSource("m."+spelling, text))
			if diags.HasErrors() {
				t.Fatalf("%s as %s: %v", file, spelling, diags)
			}
			got, _, err := manifestfmt.Write(again, "yaml", manifestfmt.Options{Sort: true})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s by way of %s:\n%s", file, spelling, diff)
			}
		}
	}
}

// Every key that the JSON Schema has, of the root, of entries, of provider blocks
// and of whatever stands in those, is used in the manifest, in each spelling.
func TestEverythingHasEveryKey(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(schema.JSONSchema, &doc); err != nil {
		t.Fatal(err)
	}
	keys := schemaKeys{defs: doc["$defs"].(map[string]any), all: map[string]bool{}}
	keys.list("Document", keys.defs["Document"])
	if len(keys.all) < 250 {
		t.Fatalf("only %d keys were found in the schema", len(keys.all))
	}
	for _, file := range everything() {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		root, diags := schema.Tree(schema.NewSource(file, data))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		used := map[string]bool{}
		keys.use("Document", keys.defs["Document"], root, used)
		for _, key := range slices.Sorted(maps.Keys(keys.all)) {
			if !used[key] {
				t.Errorf("%s does not use %s", file, key)
			}
		}
	}
}

// schemaKeys finds the keys of a JSON Schema: each is TYPE.KEY, or for an object
// that has no type of its own, TYPE.KEY.KEY.
type schemaKeys struct {
	defs map[string]any
	all  map[string]bool
}

// named gives the schema behind a reference with the name of its type. What stands
// in defaults is of the type that it has in an entry.
func (k schemaKeys) named(name string, node map[string]any) (string, map[string]any) {
	ref, ok := node["$ref"].(string)
	if !ok {
		return name, node
	}
	def := strings.TrimPrefix(ref, "#/$defs/")
	name = def
	switch def {
	case "Defaults":
		name = "Entry"
	case "DefaultBlocks":
		name = "Blocks"
	default:
		name = strings.TrimSuffix(name, "Defaults")
	}
	return name, k.defs[def].(map[string]any)
}

// below lists the schemas of the same value, of items and of the values of maps.
func below(node map[string]any) (same []any, items, values any) {
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := node[word].([]any)
		same = append(same, list...)
	}
	return same, node["items"], node["additionalProperties"]
}

func (k schemaKeys) list(name string, at any) {
	node, ok := at.(map[string]any)
	if !ok {
		return
	}
	name, node = k.named(name, node)
	properties, _ := node["properties"].(map[string]any)
	for key, value := range properties {
		full := name + "." + key
		if !k.all[full] {
			k.all[full] = true
			k.list(full, value)
		}
	}
	same, items, values := below(node)
	for _, other := range append(same, items, values) {
		k.list(name, other)
	}
}

func (k schemaKeys) use(name string, at any, n *schema.Node, used map[string]bool) {
	node, ok := at.(map[string]any)
	if !ok {
		return
	}
	name, node = k.named(name, node)
	same, items, values := below(node)
	for _, other := range same {
		k.use(name, other, n, used)
	}
	for _, item := range n.List() {
		k.use(name, items, item, used)
	}
	properties, _ := node["properties"].(map[string]any)
	for _, f := range n.Fields {
		value, known := properties[f.Key]
		switch {
		case !known:
			k.use(name, values, f.Value, used)
		case f.Value.Kind != schema.Null:
			used[name+"."+f.Key] = true
			k.use(name+"."+f.Key, value, f.Value, used)
		}
	}
}
