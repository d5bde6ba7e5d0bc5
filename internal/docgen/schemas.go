package main

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/seed-337579fc/subagents/internal/cli"
)

// schemasDir holds the JSON Schemas of what the commands print with --format
// json. Two of them are written by hand; the others are reflected.
const schemasDir = "docs/schemas"

// schemas gives the reflected schemas by path. An object is closed and has every
// key that is not left out when it is empty.
func schemas() (map[string]string, error) {
	list := map[string]string{}
	for name, document := range cli.Documents() {
		r := &jsonschema.Reflector{Mapper: texts}
		s := r.Reflect(document)
		nullable(s, reflect.TypeOf(document), "", map[reflect.Type]bool{})
		s.ID = jsonschema.ID("https://" + module + "/" + schemasDir + "/" + name + ".schema.json")
		s.Title = "What subagents prints with --format json: " + name
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(s); err != nil {
			return nil, fmt.Errorf("writing the schema %s: %w", name, err)
		}
		list[path.Join(schemasDir, name+".schema.json")] = b.String()
	}
	return list, nil
}

// nullable lets a key be null whose Go type is a pointer that is always written,
// and a list of which null says something else than an empty one. The keys of an
// embedded struct are those of its owner.
func nullable(s *jsonschema.Schema, t reflect.Type, owner string, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	owner = cmp.Or(owner, t.Name())
	for field := range t.Fields() {
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && key == "" {
			nullable(s, field.Type, owner, seen)
			continue
		}
		always := field.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") || slices.Contains(nullLists, t.Name()+"."+key)
		if def := s.Definitions[owner]; always && def != nil && def.Properties != nil {
			if value, ok := def.Properties.Get(key); ok {
				def.Properties.Set(key, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{value, {Type: "null"}}})
			}
		}
		nullable(s, field.Type, "", seen)
	}
}

// nullLists are lists of which null means that there is no limit, as TYPE.KEY.
var nullLists = []string{"Policy.tools"}

// texts describes what is bytes in Go and spells itself as a text.
func texts(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Slice && t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}
