package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The committed schema is a valid schema of the draft that it names.
func TestJSONSchemaIsValid(t *testing.T) {
	c := compileSchema()
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	if err := meta.Validate(c.doc); err != nil {
		t.Error(err)
	}
	root := c.doc.(map[string]any)
	if root["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("the draft is %v", root["$schema"])
	}
}

// walkSchema visits every schema of a document with its place.
func walkSchema(at string, s any, visit func(at string, s map[string]any)) {
	switch s := s.(type) {
	case map[string]any:
		visit(at, s)
		for _, key := range slices.Sorted(maps.Keys(s)) {
			switch key {
			case "properties", "$defs":
				for _, name := range slices.Sorted(maps.Keys(s[key].(map[string]any))) {
					walkSchema(at+"/"+key+"/"+name, s[key].(map[string]any)[name], visit)
				}
			case "enum", "examples", "required":
			default:
				walkSchema(at+"/"+key, s[key], visit)
			}
		}
	case []any:
		for i, item := range s {
			walkSchema(fmt.Sprintf("%s/%d", at, i), item, visit)
		}
	}
}

// Editors show descriptions and examples, so every key has the one, and every
// example is a value that the key takes.
func TestJSONSchemaIsDescribed(t *testing.T) {
	doc := compileSchema().doc
	c := jsonschema.NewCompiler()
	if err := c.AddResource("m.json", doc); err != nil {
		t.Fatal(err)
	}
	examples := 0
	walkSchema("", doc, func(at string, s map[string]any) {
		if properties, ok := s["properties"].(map[string]any); ok {
			if s["additionalProperties"] != false {
				t.Errorf("%s lets unknown keys pass", at)
			}
			for name, property := range properties {
				text, _ := property.(map[string]any)["description"].(string)
				if strings.TrimSpace(text) == "" || strings.Contains(text, "\n") {
					t.Errorf("%s/properties/%s is described as %q", at, name, text)
				}
			}
		}
		if strings.HasPrefix(at, "/$defs/") && strings.Count(at, "/") == 2 && s["description"] == nil {
			t.Errorf("%s is not described", at)
		}
		for _, example := range listOf(s["examples"]) {
			examples++
			if err := c.MustCompile("m.json#" + at).Validate(example); err != nil {
				t.Errorf("%s: the example %v: %v", at, example, err)
			}
		}
	})
	if examples < 10 {
		t.Errorf("%d examples", examples)
	}
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// Every rule that the schema can state has a message of its own in
// reporter.leaf; a new one needs one, too.
func TestJSONSchemaRules(t *testing.T) {
	known := strings.Fields(`$schema $id $ref $defs title description examples
		type enum pattern minLength minimum minItems minProperties maxProperties uniqueItems
		items properties required additionalProperties anyOf oneOf`)
	walkSchema("", compileSchema().doc, func(at string, s map[string]any) {
		for key := range s {
			if !slices.Contains(known, key) {
				t.Errorf("%s uses %q", at, key)
			}
		}
	})
}

// The schema is written for people's editors, too: it must be plain JSON.
func TestJSONSchemaIsPlainJSON(t *testing.T) {
	if !json.Valid(JSONSchema) || !strings.HasSuffix(string(JSONSchema), "}\n") || strings.Contains(string(JSONSchema), `\u003c`) {
		t.Error("the schema is not the plain JSON that an editor expects")
	}
}
