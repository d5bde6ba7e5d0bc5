package cli

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// writeJSON writes a document as encoding/json does with an indent of two
// spaces, without ever holding more of the text than one item of a list: a
// document of a large catalogue is larger than everything else together.
func writeJSON(w io.Writer, document any) error {
	s := jsonStream{w: w}
	s.value(reflect.ValueOf(document), "")
	s.text("\n")
	return s.err
}

// A jsonStream writes until something fails.
type jsonStream struct {
	w   io.Writer
	buf bytes.Buffer
	err error
}

func (s *jsonStream) text(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, text)
	}
}

// value writes a value, its lines after the first behind a prefix.
func (s *jsonStream) value(v reflect.Value, prefix string) {
	for v.Kind() == reflect.Pointer && !v.IsNil() && !spellsItself(v.Type()) {
		v = v.Elem()
	}
	switch {
	case s.err != nil:
	case !v.IsValid():
		s.text("null")
	case spellsItself(v.Type()):
		s.whole(v, prefix)
	case v.Kind() == reflect.Struct:
		s.object(v, prefix)
	case v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8:
		s.list(v, prefix)
	default:
		s.whole(v, prefix)
	}
}

func (s *jsonStream) object(v reflect.Value, prefix string) {
	before := "{\n"
	for _, m := range jsonMembers(v) {
		s.text(before + prefix + jsonIndent)
		s.whole(reflect.ValueOf(m.name), "")
		s.text(": ")
		s.value(m.value, prefix+jsonIndent)
		before = ",\n"
	}
	if before == "{\n" {
		s.text("{}")
		return
	}
	s.text("\n" + prefix + "}")
}

func (s *jsonStream) list(v reflect.Value, prefix string) {
	before := "[\n"
	for i := range v.Len() {
		s.text(before + prefix + jsonIndent)
		s.value(v.Index(i), prefix+jsonIndent)
		before = ",\n"
	}
	s.text("\n" + prefix + "]")
}

// whole writes a value by means of encoding/json. What is on one line is not
// looked through for places to indent.
func (s *jsonStream) whole(v reflect.Value, prefix string) {
	s.buf.Reset()
	e := json.NewEncoder(&s.buf)
	e.SetEscapeHTML(false)
	if v.Kind() == reflect.Map || v.Kind() == reflect.Interface || v.Type().Implements(reflect.TypeFor[json.Marshaler]()) {
		e.SetIndent(prefix, jsonIndent)
	}
	if s.err = e.Encode(v.Interface()); s.err == nil {
		_, s.err = s.w.Write(bytes.TrimSuffix(s.buf.Bytes(), []byte("\n")))
	}
}

const jsonIndent = "  "

type jsonMember struct {
	name  string
	value reflect.Value
}

// jsonMembers lists what a struct has as JSON. An embedded struct's members
// stand among its own.
func jsonMembers(v reflect.Value) []jsonMember {
	var list []jsonMember
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			if value = reflect.Indirect(value); value.IsValid() {
				list = append(list, jsonMembers(value)...)
			}
		case name == "-" || !field.IsExported():
		case strings.Contains(options, "omitempty") && emptyJSON(value), strings.Contains(options, "omitzero") && value.IsZero():
		case name == "":
			list = append(list, jsonMember{field.Name, value})
		default:
			list = append(list, jsonMember{name, value})
		}
	}
	return list
}

// emptyJSON says what omitempty leaves out.
func emptyJSON(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// spellsItself says whether a type has a JSON of its own.
func spellsItself(t reflect.Type) bool {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}
