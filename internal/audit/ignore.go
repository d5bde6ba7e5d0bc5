package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// IgnoreFile is the name of the file with suppressions, in the project or in a
// folder that is looked at.
const IgnoreFile = ".subagents-audit.yml"

// An Ignore accepts findings of a code, with the reason.
type Ignore struct {
	Code   schema.Code
	Path   string // pattern for the shown path: * within a name, ** for any folders; empty: any
	Reason string
	At     hcl.Range
}

// ParseIgnore reads a file with suppressions. prefix is put before its paths,
// which are relative to its folder.
func ParseIgnore(name string, data []byte, prefix string) ([]Ignore, hcl.Diagnostics) {
	src := schema.NewSource(name, data)
	root, diags := schema.ParseYAML(src, false)
	if diags.HasErrors() {
		return nil, diags
	}
	var list []Ignore
	problem := func(at hcl.Range, detail, format string, args ...any) {
		diags = append(diags, schema.Problemf("audit-file", at, detail, format, args...))
	}
	for _, f := range fields(root) {
		if f.Key != "ignore" {
			problem(f.Range, "Possible here: ignore.", "there is no key %q", f.Key)
		}
	}
	for _, item := range root.Get("ignore").List() {
		ignore := Ignore{At: item.Range}
		for _, f := range item.Fields {
			switch f.Key {
			case "code":
				ignore.Code = schema.Code(f.Value.Text())
			case "path":
				ignore.Path = path.Join(prefix, f.Value.Text())
			case "reason":
				ignore.Reason = strings.TrimSpace(f.Value.Text())
			default:
				problem(f.Range, "Possible here: code, path, reason.", "there is no key %q", f.Key)
			}
		}
		switch {
		case !slices.ContainsFunc(rules, func(r Rule) bool { return r.Code == ignore.Code }):
			problem(item.Range, "Write a code that audit prints.", "there is no finding %q", ignore.Code)
		case ignore.Reason == "":
			problem(item.Range, "Write why it is acceptable under reason.", "a suppression needs a reason")
		case !doublestar.ValidatePattern(ignore.Path):
			problem(item.Range, "Write * for part of a name, ** for any folders.", "%q is no pattern", ignore.Path)
		case ignore.Path == "" || ignore.Path == prefix:
			problem(item.Range, "Write the path of the file, with * and ** if need be.", "a suppression needs a path")
		}
		list = append(list, ignore)
	}
	return list, diags
}

// ignorer decides what is suppressed.
type ignorer struct {
	list []Ignore
	used []bool
}

func newIgnorer(list []Ignore) *ignorer {
	return &ignorer{list: list, used: make([]bool, len(list))}
}

// comment is a suppression in a file: it holds for that file.
var comment = lazyregexp.New(`^\s*(?:#|//|<!--)\s*subagents-audit:\s*ignore\s+([a-z0-9-]+)[ \t]*(.*?)\s*(?:-->)?\s*$`)

// inline collects the suppressions that stand as comments in the head of a file:
// before the body of Markdown, anywhere in TOML and YAML.
func (g *ignorer) inline(u *unit) {
	at, fences := 0, 0
	markdown := strings.EqualFold(path.Ext(u.file.Path), ".md")
	for line := range strings.Lines(string(u.src.Bytes)) {
		start := at
		at += len(line)
		if fences += min(strings.Count(line, "---"), 2); markdown && (fences == 0 || fences > 1) {
			return
		}
		m := comment().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		if where := u.src.Range(start, at-1); m[2] == "" {
			u.find(Finding{Code: CodeNoReason, At: where, Message: fmt.Sprintf("%s is to be ignored, and nobody says why", m[1])})
		} else {
			g.list = append(g.list, Ignore{Code: schema.Code(m[1]), Path: u.file.Path, Reason: m[2], At: where})
			g.used = append(g.used, false)
		}
	}
}

// accepts says whether a finding is suppressed, and why.
func (g *ignorer) accepts(f Finding) (reason string, ok bool) {
	for i, ignore := range g.list {
		if ignore.Code == f.Code && f.Code != CodeNoReason && (ignore.Path == f.At.Filename || doublestar.MatchUnvalidated(ignore.Path, f.At.Filename)) {
			g.used[i] = true
			return ignore.Reason, true
		}
	}
	return "", false
}

// unused lists the suppressions that did nothing.
func (g *ignorer) unused() []Finding {
	u := &unit{file: &File{}}
	for i, ignore := range g.list {
		if !g.used[i] {
			u.find(Finding{Code: CodeUnusedIgnored, At: ignore.At, Message: fmt.Sprintf("no finding %s is here", ignore.Code)})
		}
	}
	return u.findings
}
