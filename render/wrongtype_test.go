package render_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A value of the wrong type in a block is told once, by the check of the
// manifest's form: no host applies its own rules to it as well.
func TestAWrongTypeInABlockIsToldOnce(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(schema.JSONSchema, &doc); err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	wrong := 0
	for _, id := range schema.ProviderIDs() {
		properties := defs[blockNames[id]].(map[string]any)["properties"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			for _, value := range []string{"true", "3", "word", "{a: 1}", "{a: {b: 1}}", "[[1]]", "[true]", "[{a: 1}]", "{a: [1]}", "{a: [{b: 1}]}"} {
				text := fmt.Sprintf("targets: [%s]\nsubagents:\n  - name: probe\n    description: Use it when needed.\n    instructions: x\n    providers:\n      %s:\n        %s: %s\n", id, id, key, value)
				if key != "format" && id == schema.GooseID {
					text += "        format: recipe\n"
				}
				m, diags := schema.Load(schema.NewSource("m.yml", []byte(text)), schema.Options{})
				if !diags.HasErrors() {
					continue
				}
				wrong++
				_, more := render.Render(m, render.Options{})
				for _, d := range more {
					for _, told := range diags {
						if d.Subject != nil && d.Subject.Overlaps(*told.Subject) {
							t.Errorf("%s.%s: %s: %v, and then %v", id, key, value, told, d)
						}
					}
				}
			}
		}
	}
	if wrong < 300 {
		t.Errorf("only %d values were wrong", wrong)
	}
}
