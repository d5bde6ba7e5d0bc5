package importer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Result is what importing gives.
type Result struct {
	Manifest  []byte // YAML; nil if there is no subagent
	Subagents []Imported
	Skipped   []Skipped
	Conflicts []Conflict
	// Passed lists the Markdown files of folders that define no subagent.
	Passed   []Passed
	Problems hcl.Diagnostics // of everything, in order of the files
	Files    map[string]*hcl.File
}

// An Imported is an entry of the manifest.
type Imported struct {
	Name    string              `json:"name"`
	Targets []schema.ProviderID `json:"targets"`
	Files   []string            `json:"files"`
}

// A Skipped is a file, or a subagent of one, that is not in the manifest.
type Skipped struct {
	File   string      `json:"file"`
	Code   schema.Code `json:"code"`
	Reason string      `json:"reason"`
}

// A Conflict is a subagent that files define differently.
type Conflict struct {
	Name  string   `json:"name"`
	Key   string   `json:"key"`
	Files []string `json:"files"`
	As    string   `json:"as,omitempty"` // the name of the second one; empty: it was skipped
}

// A Passed is a file that defines no subagent.
type Passed struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// Complete says whether everything that was found is in the manifest, in one
// entry for each name.
func (r *Result) Complete() bool { return len(r.Skipped) == 0 && len(r.Conflicts) == 0 }

// Import reads files and folders. The error is about one that is not there.
func Import(roots []Root) (*Result, error) {
	files, err := find(roots)
	if err != nil {
		return nil, err
	}
	im := &importer{result: &Result{Files: map[string]*hcl.File{}}}
	im.read(files)
	im.write(im.prove(im.merge()))
	return im.result, nil
}

type importer struct {
	result *Result
	found  []*definition
	names  map[string]bool // of all entries
}

// read reads the files: those that a host or a tool is known to have there, and
// others by what stands in them. Hidden folders are looked into for the former
// alone, once there are any.
func (im *importer) read(files []*file) {
	claims := make([]claim, len(files))
	known := make([]bool, len(files))
	for i, f := range files {
		claims[i], known[i] = byPath(f)
	}
	for i, f := range files {
		im.result.Files[f.shown] = schema.NewSource(f.shown, f.data).File()
		why := ""
		if f.fault == "" && !known[i] {
			if !f.named && slices.Contains(known, true) && hidden(f) {
				continue
			}
			claims[i], why = byContent(f)
		}
		switch c := claims[i]; {
		case f.fault != "":
			im.skip(f, schema.Problemf(CodeUnreadable, start(f), "Make it readable, or leave it out.", "%s cannot be read: %s", f.shown, f.fault))
		case why != "" && f.named:
			im.skip(f, schema.Problemf(CodeNoSubagent, start(f), "Name a file that defines one, or say with -p whose it is.", "%s defines no subagent: %s", f.shown, why))
		case why != "":
			if ext := strings.ToLower(filepath.Ext(f.shown)); ext == ".md" || ext == ".markdown" {
				im.result.Passed = append(im.result.Passed, Passed{f.shown, why})
			}
		case c.read != nil:
			c.read(im, f)
		default:
			im.hostFile(f, c)
		}
	}
}

// hidden says whether a file stands in a folder whose name starts with a dot.
func hidden(f *file) bool {
	for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(f.shown)), "/") {
		if len(part) > 1 && part[0] == '.' && part != ".." {
			return true
		}
	}
	return false
}

// report takes problems of a file in. Each error is a subagent, or a whole file,
// that is skipped.
func (im *importer) report(f *file, diags hcl.Diagnostics) {
	for _, d := range diags {
		im.result.Problems = append(im.result.Problems, d)
		if d.Severity == hcl.DiagError {
			im.result.Skipped = append(im.result.Skipped, Skipped{f.shown, schema.CodeOf(d), reason(d)})
		}
	}
}

// reason gives a problem on one line, with its place.
func reason(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return d.Summary
	}
	return fmt.Sprintf("%d:%d: %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Summary)
}

func (im *importer) skip(f *file, d *hcl.Diagnostic) { im.report(f, hcl.Diagnostics{d}) }

func (im *importer) warn(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	im.result.Problems = append(im.result.Problems, schema.Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// sortByName sorts definitions by name, and those of one name in the order in
// which they were found.
func sortByName(list []*definition) {
	slices.SortStableFunc(list, func(a, b *definition) int { return cmp.Compare(a.name, b.name) })
}
