// Command schemagen writes the JSON Schema of the manifest, reflected from the
// types of package schema and their doc comments.
//
// It runs from the schema directory, through go generate.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/seed-337579fc/subagents/schema"
)

func main() {
	data, err := Generate(".")
	if err == nil {
		err = os.WriteFile("subagents.schema.json", data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// Generate reflects the schema; dir is the directory of package schema, whose
// comments become the descriptions.
func Generate(dir string) ([]byte, error) {
	r := &jsonschema.Reflector{
		RequiredFromJSONSchemaTags: true,
	}
	if err := r.AddGoComments("github.com/seed-337579fc/subagents/schema", dir); err != nil {
		return nil, fmt.Errorf("reading doc comments: %w", err)
	}
	// The reader keys the comments by the directory it was given.
	for key, text := range r.CommentMap {
		if _, name, ok := strings.Cut(key, "/schema/"+dir); ok {
			r.CommentMap["github.com/seed-337579fc/subagents/schema"+name] = text
		}
	}
	r.Mapper = generator{r.CommentMap}.special
	s := r.Reflect(&schema.Document{})
	s.ID = "https://github.com/seed-337579fc/subagents/schema/subagents.schema.json"
	s.Title = "subagents manifest"
	for name, def := range s.Definitions {
		if union, ok := textOr[name]; ok {
			object := *def
			object.Description = ""
			s.Definitions[name] = &jsonschema.Schema{
				Description: def.Description,
				OneOf:       []*jsonschema.Schema{union, &object},
			}
			def = &object
		}
		nullable(def)
		dropEmpty(def)
	}
	delete(s.Definitions, "BlockCommon")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// textOr names the types that may also be written as a plain text.
var textOr = map[string]*jsonschema.Schema{
	"SkillRef":    {Type: "string", Pattern: `^[A-Za-z0-9][A-Za-z0-9._-]*(:[A-Za-z0-9][A-Za-z0-9._-]*)?$`},
	"ModelChoice": {Type: "string", MinLength: new(uint64(1))},
}

// generator holds the doc comments for the types that are reflected inline.
type generator struct{ comments map[string]string }

// special gives the schemas of the types that decode themselves.
func (g generator) special(t reflect.Type) *jsonschema.Schema {
	actions := func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Enum: []any{"allow", "ask", "deny"}}
	}
	switch t {
	case reflect.TypeFor[schema.Value]():
		return &jsonschema.Schema{Type: "object"}
	case reflect.TypeFor[schema.Guard]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "string", Enum: []any{"default", "none"}},
			object("text", &jsonschema.Schema{Type: "string", Pattern: `\S`, Description: "Text of your own block."}),
		}}
	case reflect.TypeFor[schema.ClaudeMCP]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "string", MinLength: new(uint64(1))},
			{
				Type: "object", MinProperties: new(uint64(1)), MaxProperties: new(uint64(1)),
				AdditionalProperties: g.inline(schema.ClaudeMCPConfig{}),
			},
		}}
	case reflect.TypeFor[schema.CodexApproval]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "string", Enum: []any{"untrusted", "on-failure", "on-request", "never"}},
			object("granular", g.inline(schema.CodexGranular{})),
		}}
	case reflect.TypeFor[schema.KiroResource]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "string", Pattern: `^(file|skill)://`},
			g.inline(schema.KiroKnowledge{}),
		}}
	case reflect.TypeFor[schema.OpenCodePermission]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			actions(),
			{Type: "object", AdditionalProperties: &jsonschema.Schema{OneOf: []*jsonschema.Schema{
				actions(),
				{Type: "object", AdditionalProperties: actions()},
			}}},
		}}
	}
	return nil
}

// object is a closed object with one required key.
func object(key string, value *jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(),
		Required: []string{key}, AdditionalProperties: jsonschema.FalseSchema,
	}
	s.Properties.Set(key, value)
	return s
}

// inline reflects a type that is not referred to from anywhere else.
func (g generator) inline(v any) *jsonschema.Schema {
	r := &jsonschema.Reflector{RequiredFromJSONSchemaTags: true, DoNotReference: true, ExpandedStruct: true, Anonymous: true, CommentMap: g.comments}
	s := r.Reflect(v)
	s.Version = ""
	nullable(s)
	return s
}

// nullable lets every key that is not required be null, which unsets what
// defaults gave.
func nullable(s *jsonschema.Schema) {
	if s.Properties == nil {
		return
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if slices.Contains(s.Required, p.Key) {
			continue
		}
		value := *p.Value
		outer := &jsonschema.Schema{Description: value.Description, Examples: value.Examples}
		value.Description, value.Examples = "", nil
		outer.AnyOf = []*jsonschema.Schema{&value, {Type: "null"}}
		p.Value = outer
	}
}

// dropEmpty removes what the reflector writes for embedded structs.
func dropEmpty(s *jsonschema.Schema) {
	s.Description = strings.Join(strings.Fields(s.Description), " ")
}
