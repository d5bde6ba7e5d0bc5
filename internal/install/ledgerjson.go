package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// unknown holds keys that this version does not know. They are written back as
// they were read, at every level.
type unknown map[string]json.RawMessage

// keep reads the value of a key that this version does not know.
func (u *unknown) keep(d *json.Decoder, key string) error {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	if *u == nil {
		*u = unknown{}
	}
	(*u)[key] = raw
	return nil
}

// parseLedger reads a ledger's bytes, in one pass.
func parseLedger(data []byte) (*Ledger, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	l, version := &Ledger{Dirs: map[string]*LedgerDir{}}, 0
	err := members(d, func(key string) error {
		switch key {
		case "version":
			return d.Decode(&version)
		case "directories":
			return members(d, func(key string) (err error) {
				l.Dirs[key], err = parseDir(d)
				return err
			})
		}
		return l.extra.keep(d, key)
	})
	if err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("something stands behind its end")
		}
	}
	switch {
	case version > LedgerVersion:
		return nil, fmt.Errorf("it is of version %d, written by a newer subagents; this one reads version %d", version, LedgerVersion)
	case err != nil:
		return nil, plainly(err, data)
	case version < 1:
		return nil, errors.New("it has no version")
	}
	return l, nil
}

// plainly says in plain words what the decoder says of a ledger.
func plainly(err error, data []byte) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends too soon")
	case errors.As(err, &wrong):
		where, _, _ := strings.Cut(err.Error(), "json: ")
		return fmt.Errorf("%sa %s stands where a %s is needed", where, wrong.Value, kindNames[wrong.Type.Kind()])
	}
	return err
}

// kindNames are the names of the types that values of a ledger have.
var kindNames = map[reflect.Kind]string{reflect.Int: "number", reflect.String: "text", reflect.Bool: "boolean", reflect.Slice: "list"}

func parseDir(d *json.Decoder) (*LedgerDir, error) {
	dir := &LedgerDir{Files: map[string]Record{}}
	err := members(d, func(key string) error {
		switch key {
		case "provider":
			return d.Decode(&dir.Provider)
		case "files":
			return members(d, func(key string) (err error) {
				dir.Files[key], err = parseRecord(d)
				return err
			})
		}
		return dir.extra.keep(d, key)
	})
	return dir, err
}

func parseRecord(d *json.Decoder) (Record, error) {
	var r Record
	err := members(d, func(key string) error {
		switch key {
		case "agent":
			return d.Decode(&r.Agent)
		case "catalogue":
			return d.Decode(&r.Catalogue)
		case "tags":
			return d.Decode(&r.Tags)
		case "sha256":
			return d.Decode(&r.SHA256)
		case "pending":
			return d.Decode(&r.Pending)
		case "link":
			return d.Decode(&r.Link)
		}
		return r.extra.keep(d, key)
	})
	return r, err
}

// members reads an object: read reads the value of each key.
func members(d *json.Decoder, read func(key string) error) error {
	open, err := d.Token()
	if err != nil {
		return err
	}
	switch open {
	case json.Delim('{'):
	case nil:
		return errors.New("null stands where an object is needed")
	case json.Delim('['):
		return errors.New("a list stands where an object is needed")
	default:
		return fmt.Errorf("%v stands where an object is needed", open)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := read(key.(string)); err != nil {
			return fmt.Errorf("%v: %w", key, err)
		}
	}
	_, err = d.Token()
	return err
}

// Bytes writes the ledger: two spaces, keys sorted at every level, a final line
// feed. The same records give the same bytes.
func (l *Ledger) Bytes() ([]byte, error) {
	dirs := make(map[string]any, len(l.Dirs))
	for key, dir := range l.Dirs {
		files := make(map[string]any, len(dir.Files))
		for name, r := range dir.Files {
			files[name] = r.fields()
		}
		dirs[key] = with(dir.extra, "provider", dir.Provider, "files", files)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(with(l.extra, "version", LedgerVersion, "directories", dirs)); err != nil {
		return nil, fmt.Errorf("writing the ledger: %w", err)
	}
	return b.Bytes(), nil
}

func (r Record) fields() map[string]any {
	fields := with(r.extra, "agent", r.Agent, "catalogue", r.Catalogue)
	if len(r.Tags) > 0 {
		fields["tags"] = r.Tags
	}
	for key, value := range map[string]string{"sha256": r.SHA256, "pending": r.Pending, "link": r.Link} {
		if value != "" {
			fields[key] = value
		}
	}
	return fields
}

// with adds keys to those that are not ours.
func with(extra unknown, pairs ...any) map[string]any {
	fields := make(map[string]any, len(extra)+len(pairs)/2)
	for key, raw := range extra {
		fields[key] = raw
	}
	for i := 0; i < len(pairs); i += 2 {
		fields[pairs[i].(string)] = pairs[i+1]
	}
	return fields
}
