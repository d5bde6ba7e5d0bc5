package schema

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Options for loading.
type Options struct {
	// HostTool recognises host tool names in messages. It may be nil.
	HostTool HostTool
	// Companion reads a file that a manifest names, by a slash-separated path
	// relative to the manifest. Nil: no such file can be read.
	Companion func(manifest, name string) ([]byte, error)
}

// LoadFile reads a manifest from disk and loads it. The error is one of
// reading; problems of the manifest are diagnostics. Files that the manifest
// names are read from its own directory and cannot lie outside it, whatever
// links say.
func LoadFile(path string, opt Options) (*Manifest, hcl.Diagnostics, error) {
	data, err := readLimited(path)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the manifest: %w", err)
	}
	if opt.Companion == nil {
		opt.Companion = readCompanion
	}
	m, diags := Load(NewSource(path, data), opt)
	return m, diags, nil
}

// readLimited reads a file, at most one byte more than a manifest may have.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

func readCompanion(manifest, name string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(manifest))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// Load reads a manifest and checks it: its spelling by the extension of the
// source's name, its tree against the JSON Schema, its meaning by the rules of
// this package. The manifest is nil only if the source has no tree at all; with
// errors in the diagnostics it holds what could be understood, so that
// further checks can go on.
func Load(src *Source, opt Options) (*Manifest, hcl.Diagnostics) {
	root, diags := parse(src)
	if root == nil {
		return nil, diags
	}
	m := &Manifest{Root: root, Sources: []*Source{src}}
	if root.Kind == Map && root.Get(legacyRoot) != nil {
		var more hcl.Diagnostics
		m.legacy = true
		m.Root, more = fromLegacy(root)
		diags = append(diags, more...)
	}
	problems := checkSchema(m.Root, opt.HostTool)
	if m.legacy {
		problems = m.forgive(problems)
	}
	diags = append(diags, problems...)
	if m.Root.Kind != Map {
		return m, diags
	}
	decode(m.Root, &m.Document)
	if list := m.Root.Get("subagents"); list != nil {
		for i, item := range list.Items {
			m.adopt(&m.Subagents[i], item)
		}
	}
	return m, append(diags, m.check(opt)...)
}

// adopt completes a decoded entry: where it stands, and its neutral keys with
// the defaults beneath them.
func (m *Manifest) adopt(e *Entry, item *Node) {
	e.Node, e.At = item, item.Range
	if name := item.Get("name"); name != nil {
		e.At = name.Range
	}
	e.settle(m.Root.Get("defaults"))
	m.entries = append(m.entries, e)
}

// Entries lists the subagents in the order of the manifest, those with state
// absent included.
func (m *Manifest) Entries() []*Entry { return m.entries }

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
	if strings.TrimSpace(string(src.Bytes[:min(len(src.Bytes), 4096)])) == "" && len(src.Bytes) <= 4096 {
		return nil, hcl.Diagnostics{emptyManifest(src)}
	}
	switch ext := strings.ToLower(filepath.Ext(src.Name)); ext {
	case ".json":
		return parseJSON(src)
	case ".toml", ".hcl":
		return nil, hcl.Diagnostics{Problem(CodeNotYet, src.Range(0, 0), "manifests in "+ext+" cannot be read yet", "Write YAML or JSON.")}
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

// instructionsOf reads the body of an entry, from the manifest or from the
// file that it names, without that file's front matter.
func (e *Entry) instructionsOf(opt Options) (string, *hcl.Diagnostic) {
	if e.Instructions != nil {
		return *e.Instructions, nil
	}
	at := e.Node.Get("instructions_file").Range
	name := filepath.ToSlash(e.InstructionsFile)
	if !fs.ValidPath(strings.TrimPrefix(name, "./")) || name == "." || opt.Companion == nil {
		return "", Problemf(CodeInstructionsFile, at, "Name a file in the manifest's directory or below it, with / between the parts.",
			"instructions_file %q leads out of the manifest's directory", name)
	}
	data, err := opt.Companion(at.Filename, strings.TrimPrefix(name, "./"))
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return "", Problemf(CodeInstructionsFile, at, "Name a Markdown file that exists, in the manifest's directory or below it.",
			"instructions_file %q cannot be read: %v", name, err)
	}
	if len(data) > maxBytes || invalidUTF8(data) >= 0 {
		return "", Problemf(CodeInstructionsFile, at, fmt.Sprintf("Save it as UTF-8, at most %d MiB.", maxBytes>>20),
			"instructions_file %q is not a text that can be used", name)
	}
	return withoutFrontMatter(string(data)), nil
}

// withoutFrontMatter takes the front matter off a Markdown text: what stands
// between a first line --- and the next line ---.
func withoutFrontMatter(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
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
