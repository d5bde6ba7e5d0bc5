package install

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// unknown holds keys that this version does not know. They are written back as
// they were read, at every level.
type unknown map[string]json.RawMessage

// parseLedger reads a ledger's bytes.
func parseLedger(data []byte) (*Ledger, error) {
	root, err := object(data)
	if err != nil {
		return nil, err
	}
	var version int
	if err := root.take("version", &version); err != nil || version < 1 {
		return nil, fmt.Errorf("it has no version")
	}
	if version > LedgerVersion {
		return nil, fmt.Errorf("it is of version %d, written by a newer subagents; this one reads version %d", version, LedgerVersion)
	}
	var dirs map[string]json.RawMessage
	if err := root.take("directories", &dirs); err != nil {
		return nil, err
	}
	l := &Ledger{Dirs: make(map[string]*LedgerDir, len(dirs)), extra: root}
	for key, raw := range dirs {
		if l.Dirs[key], err = parseDir(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return l, nil
}

func parseDir(raw json.RawMessage) (*LedgerDir, error) {
	fields, err := object(raw)
	if err != nil {
		return nil, err
	}
	dir := &LedgerDir{}
	if err := fields.take("provider", (*string)(&dir.Provider)); err != nil {
		return nil, err
	}
	var files map[string]json.RawMessage
	if err := fields.take("files", &files); err != nil {
		return nil, err
	}
	dir.Files = make(map[string]Record, len(files))
	for name, raw := range files {
		if dir.Files[name], err = parseRecord(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	dir.extra = fields
	return dir, nil
}

func parseRecord(raw json.RawMessage) (Record, error) {
	fields, err := object(raw)
	if err != nil {
		return Record{}, err
	}
	var r Record
	for _, key := range []struct {
		name string
		into any
	}{
		{"agent", &r.Agent}, {"catalogue", &r.Catalogue}, {"tags", &r.Tags},
		{"sha256", &r.SHA256}, {"pending", &r.Pending}, {"link", &r.Link},
	} {
		if err := fields.take(key.name, key.into); err != nil {
			return Record{}, err
		}
	}
	if len(fields) > 0 {
		r.extra = fields
	}
	return r, nil
}

// object reads a JSON object.
func object(data []byte) (unknown, error) {
	var fields unknown
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, fmt.Errorf("null stands where an object is needed")
	}
	return fields, nil
}

// take reads a key if it is there, and removes it.
func (u unknown) take(key string, into any) error {
	raw, ok := u[key]
	if !ok {
		return nil
	}
	delete(u, key)
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
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
