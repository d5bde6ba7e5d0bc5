package kirorules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// decodeJSON reads a file as strictly as the stricter engine: one object in UTF-8, no byte order mark, comment,
// trailing comma or duplicate key. It returns nil for a file that is not that.
func (c *checker) decodeJSON(data []byte) map[string]any {
	switch {
	case bytes.HasPrefix(data, []byte("\ufeff")):
		c.broken("json-bom", "the file starts with a byte order mark")
		return nil
	case !utf8.Valid(data):
		c.broken("json-utf8", "the file is not UTF-8")
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := decodeValue(decoder)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the object")
		}
	}
	if err != nil {
		c.broken("json-syntax", "%v", err)
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		c.broken("json-object", "the file holds no object")
		return nil
	}
	return object
}

// decodeValue is json.Decoder.Decode, but for duplicate keys, which it does not let pass: V2 refuses the file.
func decodeValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			if _, twice := object[key.(string)]; twice {
				return nil, fmt.Errorf("key %q stands twice", key)
			}
			if object[key.(string)], err = decodeValue(decoder); err != nil {
				return nil, err
			}
		}
		_, err = decoder.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			item, err := decodeValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = decoder.Token()
		return list, err
	default:
		return token, nil
	}
}
