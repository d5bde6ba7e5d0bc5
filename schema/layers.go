package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// builtinPrefix names the embedded catalogue in include, and as a manifest.
const builtinPrefix = "builtin:"

// A layer is one manifest file with its checked tree.
type layer struct {
	src    *Source
	root   *Node
	legacy bool
	only   map[string]bool // of the built-in catalogue: the entries that are included; nil: all
	merged *Node           // the root values of this layer and of those beneath it
	doc    *Document       // merged, typed
	vars   func() variables
}

// A tree is where the files of one manifest and of what it includes are read:
// names are slash-separated below its directory. Nothing outside can be read
// through it, whatever links say, unless the loader was told otherwise.
type tree struct {
	fs     fs.FS
	dir    string // the directory as the user wrote it, for the names in messages
	prefix string // what stands before the names when the tree starts at the top of the file system
}

// place is a directory of a tree.
type place struct {
	tree *tree
	dir  string
}

// display gives the name of a file as a person would write it.
func (t *tree) display(name string) string {
	if t.prefix != "" {
		if rel, err := filepath.Rel(t.prefix, "/"+name); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.Join(t.dir, rel)
		}
		return "/" + name
	}
	return filepath.Join(t.dir, filepath.FromSlash(name))
}

// loader collects the layers of a manifest, the lowest first.
type loader struct {
	opt    Options
	layers []*layer
	bodies map[*Node]place     // lists of entries → where the files that they name are read
	files  map[fileKey][]known // what is a layer already
	stack  []string            // files whose includes are being read
	diags  hcl.Diagnostics
}

// known is a file that is a layer, by whatever name.
type known struct {
	info  fs.FileInfo
	shown string // the name it was read by
}

// fileKey is what one file has in common with itself.
type fileKey struct {
	size int64
	time int64
}

// seen gives the name by which a file has been read already, or notes it.
func (l *loader) seen(info fs.FileInfo, shown string) (as string, ok bool) {
	key := fileKey{info.Size(), info.ModTime().UnixNano()}
	for _, k := range l.files[key] {
		if os.SameFile(k.info, info) || k.shown == shown {
			return k.shown, true
		}
	}
	l.files[key] = append(l.files[key], known{info, shown})
	return "", false
}

// file adds a file with what it includes beneath it, unless it is a layer
// already. at is the include item that names it.
func (l *loader) file(t *tree, name string, at hcl.Range) {
	shown := t.display(name)
	data, info, err := readLimited(t.fs, name)
	if err != nil {
		l.unreadable(shown, err, at)
		return
	}
	first, twice := l.seen(info, shown)
	switch i := slices.Index(l.stack, first); {
	case !twice:
		l.source(t, name, NewSource(shown, data))
	case i >= 0:
		l.diags = append(l.diags, Problemf(CodeIncludeCycle, at, "Take one of the files out of the circle.",
			"files include each other: %s", strings.Join(append(slices.Clone(l.stack[i:]), first), " → ")))
	}
}

// unreadable reports a file that an include names and that cannot be read.
func (l *loader) unreadable(shown string, err error, at hcl.Range) {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	detail := "Name a file in the manifest's directory; --allow-outside lifts that."
	switch {
	case errors.Is(err, fs.ErrNotExist):
		detail = "Name a file that exists, relative to this one."
	case errors.Is(err, errNotRegular):
		detail = "Name a file; dir/*.yml names those of a directory."
	}
	l.diags = append(l.diags, Problemf(CodeInclude, at, detail, "%s cannot be read: %v", shown, err))
}

// source adds a manifest that has been read, above what it includes.
func (l *loader) source(t *tree, name string, src *Source) {
	root, diags := parse(src)
	l.diags = append(l.diags, diags...)
	if root == nil {
		l.layers = append(l.layers, &layer{src: src})
		return
	}
	this := &layer{src: src, root: root}
	this.legacy = root.Kind == Map && root.Get(legacyRoot) != nil
	if this.legacy {
		this.root, diags = fromLegacy(root)
		l.diags = append(l.diags, diags...)
	}
	problems := checkSchema(this.root, l.opt.HostTool)
	if this.legacy {
		problems = forgive(this.root, problems)
	}
	l.diags = append(l.diags, problems...)
	if list := this.root.Get("subagents"); list != nil && t != nil {
		l.bodies[list] = place{t, path.Dir(name)}
	}
	l.stack = append(l.stack, src.Name)
	for _, item := range this.root.Get("include").List() {
		if item.Kind == String {
			l.include(t, name, item)
		}
	}
	l.stack = l.stack[:len(l.stack)-1]
	l.layers = append(l.layers, this)
}

// include adds what one item of an include list names.
func (l *loader) include(t *tree, from string, item *Node) {
	if name, ok := strings.CutPrefix(item.Str, builtinPrefix); ok {
		l.builtin(name, item)
		return
	}
	if t == nil {
		l.diags = append(l.diags, Problem(CodeInclude, item.Range, "no files can be included here", "Load the manifest from a file."))
		return
	}
	pattern := path.Join(path.Dir(from), filepath.ToSlash(item.Str))
	if path.IsAbs(filepath.ToSlash(item.Str)) && t.prefix != "" {
		pattern = strings.TrimPrefix(path.Clean(filepath.ToSlash(item.Str)), "/")
	}
	if !fs.ValidPath(pattern) || path.IsAbs(filepath.ToSlash(item.Str)) && t.prefix == "" {
		l.diags = append(l.diags, Problemf(CodeInclude, item.Range, "Keep included files in the manifest's directory; --allow-outside lifts that.",
			"%q leads out of the manifest's directory", item.Str))
		return
	}
	names := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		var err error
		if names, err = fs.Glob(t.fs, pattern); err != nil {
			l.diags = append(l.diags, Problemf(CodeInclude, item.Range, "Write * and ? for characters, [abc] for one of several.", "%q is not a pattern", item.Str))
			return
		}
		names = slices.DeleteFunc(names, func(n string) bool { return t.display(n) == l.stack[len(l.stack)-1] })
		if len(names) == 0 {
			l.diags = append(l.diags, Warning(CodeInclude, item.Range, fmt.Sprintf("%q matches no file", item.Str), "Check the pattern."))
		}
	}
	for _, name := range names {
		l.file(t, name, item.Range)
	}
}

// builtin adds one entry of the embedded catalogue, or all of them.
func (l *loader) builtin(name string, item *Node) {
	if l.opt.Builtin == nil {
		l.diags = append(l.diags, Problem(CodeInclude, item.Range, "there is no built-in catalogue here", "Include a file."))
		return
	}
	this, added := l.catalogue()
	if added {
		this.only = map[string]bool{}
	}
	var names []string
	for _, e := range this.root.Get("subagents").List() {
		names = append(names, e.Get("name").Text())
	}
	switch {
	case name == "*":
		this.only = nil
	case !slices.Contains(names, name):
		l.diags = append(l.diags, Problemf(CodeInclude, item.Range, didYouMean(name, names), "the built-in catalogue has no subagent %q", name))
	case this.only != nil:
		this.only[name] = true
	}
}

// catalogue gives the layer of the built-in catalogue, and adds it where it is
// none yet.
func (l *loader) catalogue() (this *layer, added bool) {
	for _, this := range l.layers {
		if this.src == l.opt.Builtin {
			return this, false
		}
	}
	l.source(nil, "", l.opt.Builtin)
	return l.layers[len(l.layers)-1], true
}

var errNotRegular = errors.New("not a regular file")

// readLimited reads a file, at most one byte more than a manifest may have. It
// opens nothing but regular files: a pipe would wait for its other end.
func readLimited(fsys fs.FS, name string) ([]byte, fs.FileInfo, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), maxBytes)) + 1 + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, maxBytes+1))
	return b.Bytes(), info, err
}

// treeOf opens the directory of a manifest, and gives the manifest's name in
// it. close ends it.
func treeOf(file string, outside bool) (t *tree, name string, closer io.Closer, err error) {
	dir := filepath.Dir(file)
	if outside {
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, "", nil, err
		}
		top := filepath.VolumeName(abs) + string(filepath.Separator)
		return &tree{fs: os.DirFS(top), dir: dir, prefix: filepath.Dir(abs)}, filepath.ToSlash(abs[len(top):]), io.NopCloser(nil), nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", nil, err
	}
	return &tree{fs: root.FS(), dir: dir}, filepath.Base(file), root, nil
}
