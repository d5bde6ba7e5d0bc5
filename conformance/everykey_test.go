package conformance

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// everyKey is the manifest that sets every key of every block.
func everyKey(t *testing.T, server, kiroFormat string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/every-key.yml")
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.NewReplacer("SERVER", server, "KIRO_FORMAT", kiroFormat).Replace(string(data)))
}

// TestEveryKeyIsSet holds the manifest against the JSON Schema: what the five blocks and an entry can have is set.
func TestEveryKeyIsSet(t *testing.T) {
	data, err := os.ReadFile("../schema/subagents.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Subagents []any }
	if err := yaml.Unmarshal(everyKey(t, "/server", "both"), &manifest); err != nil {
		t.Fatal(err)
	}
	keys := &keySet{defs: root["$defs"].(map[string]any), known: map[string]bool{}, set: map[string]bool{}}
	keys.list("", keys.defs["Entry"])
	for _, entry := range manifest.Subagents {
		keys.visit("", keys.defs["Entry"], entry)
	}
	if len(keys.known) < 150 {
		t.Fatalf("only %d keys found in the schema", len(keys.known))
	}
	for _, key := range slices.Sorted(maps.Keys(keys.known)) {
		// These two take the place of keys that are set.
		if !keys.set[key] && key != ".instructions_file" && key != ".for_each" {
			t.Errorf("testdata/every-key.yml does not set %s", key)
		}
	}
}

// keySet walks a JSON Schema and a value side by side.
type keySet struct {
	defs       map[string]any
	known, set map[string]bool
}

// each yields what a schema is made of: itself, or what it refers to and chooses from.
func (k *keySet) each(s any, yield func(map[string]any)) {
	object, _ := s.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		k.each(k.defs[strings.TrimPrefix(ref, "#/$defs/")], yield)
		return
	}
	yield(object)
	for _, choice := range []string{"anyOf", "oneOf", "allOf"} {
		options, _ := object[choice].([]any)
		for _, option := range options {
			k.each(option, yield)
		}
	}
}

// list notes the keys that a schema has.
func (k *keySet) list(path string, s any) {
	k.each(s, func(object map[string]any) {
		properties, _ := object["properties"].(map[string]any)
		for key, property := range properties {
			k.known[path+"."+key] = true
			k.list(path+"."+key, property)
		}
		for key, suffix := range map[string]string{"items": "[]", "additionalProperties": ".*"} {
			if object[key] != nil {
				k.list(path+suffix, object[key])
			}
		}
	})
}

// visit notes the keys that a value sets.
func (k *keySet) visit(path string, s, value any) {
	k.each(s, func(object map[string]any) {
		switch value := value.(type) {
		case map[string]any:
			properties, _ := object["properties"].(map[string]any)
			for key, item := range value {
				if property, ok := properties[key]; ok {
					k.set[path+"."+key] = true
					k.visit(path+"."+key, property, item)
				} else if object["additionalProperties"] != nil {
					k.visit(path+".*", object["additionalProperties"], item)
				}
			}
		case []any:
			for _, item := range value {
				if object["items"] != nil {
					k.visit(path+"[]", object["items"], item)
				}
			}
		}
	})
}

// TestEveryKeyRenders: the manifest is in order.
func TestEveryKeyRenders(t *testing.T) {
	result := renderedManifest(t, "every-key.yml", everyKey(t, "/server", "both"))
	for _, id := range schema.ProviderIDs() {
		if !slices.ContainsFunc(result.Files, func(f render.File) bool { return f.Provider == id }) {
			t.Errorf("nothing for %s", id)
		}
	}
}
