// Package edit changes the list of subagents in the text of a manifest and
// leaves everything else as it is, byte for byte: comments, order, anchors,
// quoting, line ends.
//
// No YAML is written from a tree but the one entry that is new. The places of
// the others come from package schema; a change is a splice of bytes. Every
// result is parsed again and compared with the tree that was wanted, so that a
// spelling which a splice does not suit is refused and never damaged.
package edit

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// listKey is the key of the list in a manifest.
const listKey = "subagents"

// A File is the text of one manifest file, YAML or JSON.
type File struct {
	Name string

	bom  []byte // a byte order mark, which stays
	src  *schema.Source
	root *schema.Node
	list *schema.Node // nil: there is none, or it is null
	json bool
}

// A RefusedError says why a file is not changed.
type RefusedError struct {
	File string
	Why  string
}

func (e *RefusedError) Error() string { return e.File + ": " + e.Why }

func (f *File) refuse(format string, args ...any) error {
	return &RefusedError{f.Name, fmt.Sprintf(format, args...)}
}

// Parse reads the text of a manifest. The diagnostics are those of its syntax;
// the error refuses a spelling that is not edited.
func Parse(name string, data []byte) (*File, hcl.Diagnostics, error) {
	f := &File{Name: name, src: schema.NewSource(name, data)}
	f.bom = data[:len(data)-len(f.src.Bytes)]
	read := func(src *schema.Source) (*schema.Node, hcl.Diagnostics) { return schema.ParseYAML(src, false) }
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		f.json, read = true, schema.ParseJSON
	case ".toml", ".hcl":
		return nil, nil, f.refuse("only manifests in YAML and JSON are edited; change it by hand, or move it with `subagents convert --to yaml`")
	}
	var diags hcl.Diagnostics
	if f.root, diags = read(f.src); diags.HasErrors() {
		return nil, diags, nil
	}
	if f.root.Kind != schema.Map {
		return nil, nil, f.refuse("a manifest is a mapping")
	}
	if f.root.Get("agent_tools_subagents") != nil {
		return nil, nil, f.refuse("a manifest in the agent_tools_subagents spelling is not edited; change it by hand, or move it with `subagents convert`")
	}
	if f.list = f.root.Get(listKey); f.list.IsNull() {
		f.list = nil
	}
	if f.list != nil && f.list.Kind != schema.List {
		return nil, nil, f.refuse("%s is no list", listKey)
	}
	return f, nil, nil
}

// Reparse takes the result of a change as the text for the next one.
func (f *File) Reparse(data []byte) error {
	again, diags, err := Parse(f.Name, data)
	if err == nil && diags.HasErrors() {
		err = diags
	}
	if err == nil {
		*f = *again
	}
	return err
}

// Has says whether an entry of this name stands in the file.
func (f *File) Has(name string) bool { return f.index(name) >= 0 }

// index gives the place of an entry in the list, or -1.
func (f *File) index(name string) int {
	return slices.IndexFunc(f.list.List(), func(item *schema.Node) bool { return item.Get("name").Text() == name })
}

// must is [File.index] for an entry that has to be there.
func (f *File) must(name string) (int, error) {
	i := f.index(name)
	if i < 0 {
		return 0, f.refuse("there is no subagent %q in this file", name)
	}
	return i, nil
}

// A splice replaces the bytes from start to end.
type splice struct {
	start, end int
	text       string
}

// candidate is one way to make a change: splices that do not overlap.
type candidate []splice

func (f *File) apply(c candidate) []byte {
	slices.SortFunc(c, func(a, b splice) int { return a.start - b.start })
	var out bytes.Buffer
	out.Write(f.bom)
	at := 0
	for _, s := range c {
		out.Write(f.src.Bytes[at:s.start])
		out.WriteString(s.text)
		at = s.end
	}
	out.Write(f.src.Bytes[at:])
	return out.Bytes()
}

// first gives the first candidate whose text means exactly what is wanted: the
// tree of the file with these entries in its list.
func (f *File) first(want []any, candidates ...candidate) ([]byte, error) {
	tree := f.root.Interface().(map[string]any)
	tree[listKey] = want
	for _, c := range candidates {
		data := f.apply(c)
		again, diags, err := Parse(f.Name, data)
		if err == nil && !diags.HasErrors() && reflect.DeepEqual(again.root.Interface(), any(tree)) {
			return data, nil
		}
	}
	return nil, f.refuse("it is written in a way that cannot be changed without touching the rest; change the entry by hand")
}

// entries gives the list as plain values.
func (f *File) entries() []any {
	items := []any{}
	for _, item := range f.list.List() {
		items = append(items, item.Interface())
	}
	return items
}

// Insert adds an entry at the end of the list.
func (f *File) Insert(entry *schema.Node) ([]byte, error) {
	return f.first(append(f.entries(), entry.Interface()), f.inserts(f.written(entry))...)
}

// Copy adds a copy of an entry under another name, comments inside of it
// included. A slug, which must be unique too, is left out.
func (f *File) Copy(from, to string) ([]byte, error) {
	i, err := f.must(from)
	if err != nil {
		return nil, err
	}
	node := Renamed(f.list.Items[i], to)
	want := append(f.entries(), node.Interface())
	if data, err := f.first(want, f.inserts(f.copied(i, to))...); err == nil {
		return data, nil
	}
	return f.first(want, f.inserts(f.written(node))...)
}

// Renamed gives an entry under another name, and without its slug.
func Renamed(entry *schema.Node, name string) *schema.Node {
	n := *entry
	n.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f schema.Field) bool { return f.Key == "slug" })
	if old := n.Field("name"); old != nil {
		old.Value = &schema.Node{Kind: schema.String, Str: name}
	}
	return &n
}

// Replace puts an entry in the place of the one that has its name.
func (f *File) Replace(entry *schema.Node) ([]byte, error) {
	i, err := f.must(entry.Get("name").Text())
	if err != nil {
		return nil, err
	}
	want := f.entries()
	want[i] = entry.Interface()
	at := f.extent(i)
	return f.first(want, candidate{{at.start, at.end, f.written(entry)(at.indent)}})
}

// Remove takes an entry out, with the comments right above it.
func (f *File) Remove(name string) ([]byte, error) {
	i, err := f.must(name)
	if err != nil {
		return nil, err
	}
	return f.first(slices.Delete(f.entries(), i, i+1), f.removals(i)...)
}

// SetAbsent gives an entry state: absent.
func (f *File) SetAbsent(name string) ([]byte, error) {
	i, err := f.must(name)
	if err != nil {
		return nil, err
	}
	item := f.list.Items[i]
	want := f.entries()
	want[i].(map[string]any)["state"] = "absent"
	if state := item.Get("state"); state != nil {
		text := "absent"
		if f.json {
			text = `"absent"`
		}
		return f.first(want, candidate{{state.Range.Start.Byte, state.Range.End.Byte, text}})
	}
	field := item.Field("name")
	at := field.Value.Range.End.Byte
	switch {
	case f.json:
		return f.first(want, candidate{{at, at, `, "state": "absent"`}})
	case f.byteAt(item.Range.Start.Byte) == '{':
		return f.first(want, candidate{{at, at, ", state: absent"}})
	}
	next := f.nextLine(at)
	line := strings.Repeat(" ", field.Range.Start.Column-1) + "state: absent"
	return f.first(want, candidate{f.lineAt(next, line)})
}

func (f *File) byteAt(offset int) byte {
	if offset < len(f.src.Bytes) {
		return f.src.Bytes[offset]
	}
	return 0
}
