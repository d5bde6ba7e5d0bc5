package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// maxFile is the size up to which a file is read.
const maxFile = 16 << 20

// maxFolders is how many folders deep a folder is looked through.
const maxFolders = 32

// A Root is a file or folder to import from.
type Root struct {
	Path  string            // absolute
	Shown string            // as people named it
	Host  schema.ProviderID // whose files stand there; empty: what path and content say
	// Inputs limit what is read in the folder, by patterns relative to it.
	Inputs []providers.Input
}

// A file is a file that may define subagents.
type file struct {
	shown string // as people named it, slash-separated
	path  string // absolute
	named bool   // named itself, and not found in a folder
	host  schema.ProviderID
	claim *claim // how it is to be read, where that is known from its root
	data  []byte
	fault string // why it cannot be read
}

// open reads a file that this one names, inside of its folder whatever links say.
func (f *file) open(name string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(f.path))
	if err != nil {
		return nil, cause(err)
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	data, err := root.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return nil, cause(err)
	}
	return data, nil
}

// cause gives what lies behind an error about a path that is named anyway.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// find lists the files below the roots, each once, in the order of the roots and
// then of their names. The error is about a root that is not there.
func find(roots []Root) ([]*file, error) {
	w := walker{seen: map[string]bool{}}
	for _, root := range roots {
		info, err := os.Stat(root.Path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", root.Shown, err)
		}
		w.root = root
		at := &file{shown: filepath.ToSlash(root.Shown), path: root.Path, host: root.Host}
		switch {
		case info.IsDir():
			w.folder(at, 0)
		case root.Inputs != nil:
			at.claim = &claim{host: root.Host, form: root.Inputs[0].Form}
			w.add(at, info)
		default:
			at.named = true
			w.add(at, info)
		}
	}
	return w.files, nil
}

// A walker goes through folders. Links are followed, as most hosts do, and
// nothing is looked at twice.
type walker struct {
	root  Root
	seen  map[string]bool // real paths
	files []*file
}

// notLookedInto are folders that hold no agents, or copies of other people's.
var notLookedInto = []string{".git", ".hg", ".svn", "node_modules"}

func (w *walker) folder(at *file, depth int) {
	if !w.first(at.path) {
		return
	}
	entries, err := os.ReadDir(at.path)
	if err != nil || depth > maxFolders {
		if err == nil {
			err = errors.New("too many folders inside each other")
		}
		w.files = append(w.files, &file{shown: at.shown, path: at.path, fault: cause(err).Error()})
		return
	}
	for _, e := range entries {
		below := &file{shown: strings.TrimSuffix(at.shown, "/") + "/" + e.Name(), path: filepath.Join(at.path, e.Name()), host: at.host}
		if at.shown == "." {
			below.shown = e.Name()
		}
		info, err := os.Stat(below.path)
		switch {
		case err != nil:
			if w.wants(below) {
				below.fault = cause(err).Error()
				w.files = append(w.files, below)
			}
		case info.IsDir():
			if !slices.Contains(notLookedInto, e.Name()) {
				w.folder(below, depth+1)
			}
		case w.wants(below):
			w.add(below, info)
		}
	}
}

// first says whether a path is met for the first time, whatever links lead to it.
func (w *walker) first(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	if w.seen[real] {
		return false
	}
	w.seen[real] = true
	return true
}

func (w *walker) add(f *file, info fs.FileInfo) {
	if !w.first(f.path) {
		return
	}
	w.files = append(w.files, f)
	switch {
	case !info.Mode().IsRegular():
		f.fault = "it is no regular file"
	case info.Size() > maxFile:
		f.fault = fmt.Sprintf("it is larger than %d MiB", maxFile>>20)
	default:
		data, err := os.ReadFile(f.path)
		if err != nil {
			f.fault = cause(err).Error()
		}
		f.data = data
	}
}

// extensions are those that files with subagents have.
var extensions = []string{".md", ".markdown", ".toml", ".json", ".jsonc", ".yaml", ".yml"}

// notAgents are files of those extensions that have a meaning of their own.
var notAgents = []string{
	"skill.md", "agents.md", "claude.md", "gemini.md", "package.json", "package-lock.json", "tsconfig.json", ".mcp.json", "mcp.json",
	"settings.json", "settings.local.json", "plugin.json", "marketplace.json", "cargo.toml", "pyproject.toml",
}

// wants says whether a file of a folder is worth reading: by the inputs of the
// root, by the host's inputs, or by its name.
func (w *walker) wants(f *file) bool {
	rel, err := filepath.Rel(w.root.Path, f.path)
	for _, in := range w.root.Inputs {
		if err == nil && in.Is(filepath.ToSlash(rel)) {
			f.claim = &claim{host: w.root.Host, form: in.Form}
			return true
		}
	}
	switch {
	case w.root.Inputs != nil:
		return false
	case w.root.Host != "":
		return slices.ContainsFunc(all.Get(w.root.Host).Facts().Inputs, func(in providers.Input) bool {
			return path.Ext(in.Path) == filepath.Ext(f.path)
		})
	}
	name := strings.ToLower(filepath.Base(f.path))
	return slices.Contains(extensions, filepath.Ext(name)) && !slices.Contains(notAgents, name)
}
