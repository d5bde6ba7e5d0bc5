package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Options for loading.
type Options struct {
	// HostTool recognises host tool names in messages. It may be nil.
	HostTool HostTool
	// Builtin is the embedded catalogue, which builtin:NAME names. It may be nil.
	Builtin *Source
	// Policies holds the policies that come with the program. It may be nil.
	Policies *Source
	// Hold names files of policies, and ready ones as builtin:NAME, that the
	// manifest is held against beside its own.
	Hold []string
	// AllowOutside lets a manifest name files outside its own directory.
	AllowOutside bool
}

// LoadFiles reads manifests from disk, each above those before it, and loads
// them as one. A path that starts with builtin: names the embedded catalogue.
// The error is one of reading a file that the caller named; problems of the
// manifest are diagnostics. Files that a manifest names are read from its own
// directory and cannot lie outside it, whatever links say, unless the options
// allow it.
func LoadFiles(paths []string, opt Options) (*Manifest, hcl.Diagnostics, error) {
	l := newLoader(opt)
	for _, file := range paths {
		if strings.HasPrefix(file, builtinPrefix) {
			if opt.Builtin == nil {
				return nil, nil, fmt.Errorf("reading the manifest: there is no built-in catalogue")
			}
			this, _ := l.catalogue()
			this.only = nil
			continue
		}
		t, name, closer, err := treeOf(file, opt.AllowOutside)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the manifest: %w", err)
		}
		defer closer.Close()
		if err := l.top(t, name, file); errors.Is(err, errNotRegular) {
			return nil, nil, fmt.Errorf("reading the manifest: %s is %w", file, err)
		} else if err != nil {
			return nil, nil, fmt.Errorf("reading the manifest: %w", err)
		}
	}
	if err := l.policies(opt.Hold); err != nil {
		return nil, nil, fmt.Errorf("reading a policy file: %w", err)
	}
	m, diags := l.manifest()
	return m, diags, nil
}

// LoadFile is [LoadFiles] for one file.
func LoadFile(path string, opt Options) (*Manifest, hcl.Diagnostics, error) {
	return LoadFiles([]string{path}, opt)
}

// Load reads a manifest and checks it: its spelling by the extension of the
// source's name, its tree against the JSON Schema, its meaning by the rules of
// this package. It can include the built-in catalogue and no file. The manifest
// is nil only if the source has no tree at all; with errors in the diagnostics
// it holds what could be understood, so that further checks can go on.
func Load(src *Source, opt Options) (*Manifest, hcl.Diagnostics) {
	l := newLoader(opt)
	l.source(nil, "", src)
	return l.manifest()
}

func newLoader(opt Options) *loader {
	return &loader{opt: opt, files: map[fileKey][]known{}, bodies: map[*Node]place{}}
}

// top adds a file that the caller named. It may be a link to anywhere: only
// what it names itself must stay in its directory.
func (l *loader) top(t *tree, name, file string) error {
	data, info, err := readLimited(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return err
	}
	shown := t.display(name)
	if _, twice := l.seen(info, shown); !twice {
		l.source(t, name, NewSource(shown, data))
	}
	return nil
}

// manifest puts the layers together.
func (l *loader) manifest() (*Manifest, hcl.Diagnostics) {
	m := &Manifest{}
	var top *layer
	for _, this := range l.layers {
		m.Sources = append(m.Sources, this.src)
		if this.root == nil || this.root.Kind != Map {
			continue
		}
		this.settle(top)
		top = this
	}
	if top == nil {
		if len(l.layers) == 0 || l.layers[0].root == nil {
			return nil, l.diags
		}
		m.Root = l.layers[0].root
		return m, l.diags
	}
	m.Root, m.Document = top.merged, *top.doc
	b := builder{m: m, top: top, bodies: l.bodies, byName: map[string]int{}}
	for _, this := range l.layers {
		if this.root != nil && this.root.Kind == Map {
			b.layer(this)
		}
	}
	b.settle()
	return m, append(append(l.diags, b.diags...), m.check()...)
}

// Entries lists the subagents in the order of the manifest, those with state
// absent included.
func (m *Manifest) Entries() []*Entry { return m.entries }

// Overridden lists the entries that a later layer replaced.
func (m *Manifest) Overridden() []*Entry { return m.overridden }

// Entry gives the subagent of a name, or nil.
func (m *Manifest) Entry(name string) *Entry {
	for _, e := range m.entries {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// parse reads a source into a tree, after checks that hold for every spelling.
func parse(src *Source) (*Node, hcl.Diagnostics) {
	if len(src.Bytes) > maxBytes {
		return nil, hcl.Diagnostics{Problem(CodeTooLarge, src.Range(0, 0), fmt.Sprintf("the manifest is larger than %d MiB", maxBytes>>20),
			"Split it, and name the parts in include.")}
	}
	if at := invalidUTF8(src.Bytes); at >= 0 {
		return nil, hcl.Diagnostics{Problem(CodeSyntax, src.Range(at, at+1), "not valid UTF-8",
			fmt.Sprintf("Byte 0x%02X stands here. Save the file as UTF-8.", src.Bytes[at]))}
	}
	if len(src.Bytes) <= 4096 && strings.TrimSpace(string(src.Bytes)) == "" {
		return nil, hcl.Diagnostics{emptyManifest(src)}
	}
	switch strings.ToLower(filepath.Ext(src.Name)) {
	case ".json":
		return parseJSON(src)
	case ".toml":
		return parseTOML(src)
	case ".hcl":
		return parseHCL(src)
	}
	return parseYAML(src)
}

// invalidUTF8 gives the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// readBody reads the instructions of an entry, from the manifest or from the
// file that it names, without that file's front matter.
func (e *Entry) readBody() *hcl.Diagnostic {
	if e.Instructions != nil {
		e.Body, e.bodyNode = *e.Instructions, e.Node.Get("instructions")
		return nil
	}
	at := e.Node.Get("instructions_file").Range
	t := e.files.tree
	if t == nil {
		return Problemf(CodeInstructionsFile, at, "Write the body under instructions.", "no file can be read here")
	}
	name := filepath.ToSlash(e.InstructionsFile)
	if path.IsAbs(name) && t.prefix != "" {
		name = strings.TrimPrefix(path.Clean(name), "/")
	} else if !path.IsAbs(name) {
		name = path.Join(e.files.dir, name)
	}
	if !fs.ValidPath(name) {
		return Problemf(CodeInstructionsFile, at, "Name a file in the manifest's directory or below it; --allow-outside lifts that.",
			"instructions_file %q leads out of the manifest's directory", e.InstructionsFile)
	}
	data, _, err := readLimited(t.fs, name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return Problemf(CodeInstructionsFile, at, "Name a Markdown file that exists, in the manifest's directory or below it.",
			"instructions_file %q cannot be read: %v", e.InstructionsFile, err)
	}
	if len(data) > maxBytes || invalidUTF8(data) >= 0 {
		return Problemf(CodeInstructionsFile, at, fmt.Sprintf("Save it as UTF-8, at most %d MiB.", maxBytes>>20),
			"instructions_file %q is not a text that can be used", e.InstructionsFile)
	}
	src := NewSource(t.display(name), data)
	e.Body = withoutFrontMatter(string(src.Bytes))
	e.bodyNode = &Node{
		Kind: String, Str: e.Body, Range: src.Range(0, 0),
		block: &blockText{src: src, offset: len(src.Bytes) - len(e.Body)},
	}
	e.bodySource = src
	return nil
}

// withoutFrontMatter takes the front matter off a Markdown text: what stands
// between a first line --- and the next line ---.
func withoutFrontMatter(text string) string {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "---\r\n"); !ok {
			return text
		}
	}
	for at := 0; at < len(rest); {
		line, after := rest[at:], len(rest)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, after = line[:i], at+i+1
		}
		if strings.TrimRight(line, "\r") == "---" {
			return rest[after:]
		}
		at = after
	}
	return text
}
