package audit

import (
	"cmp"
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

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Run looks at all files of the places. The error is one of finding the
// directories of the hosts, or a named folder that is not there.
func Run(o Options) (*Report, error) {
	for _, dir := range o.Dirs {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("looking at %s: %w", o.Show(dir), err)
		}
	}
	places, err := o.places()
	if err != nil {
		return nil, err
	}
	s := scan{options: o, seen: map[string]bool{}}
	for _, p := range places {
		s.place(p)
	}
	s.compare()
	return s.report(), nil
}

type scan struct {
	options Options
	seen    map[string]bool // files, by their real path
	units   []*unit
}

// place looks at the files of a place.
func (s *scan) place(p place) {
	for _, f := range p.walk() {
		real, err := filepath.EvalSymlinks(f.path)
		if err != nil {
			real = f.path
		}
		if f.link {
			real = f.path
		}
		if s.seen[real] {
			continue
		}
		if u := s.unit(p, f); u != nil {
			s.seen[real] = true
			s.units = append(s.units, u)
		}
	}
}

// unit looks at one file. It gives nil for one that is of no interest.
func (s *scan) unit(p place, f found) *unit {
	name := filepath.Base(f.path)
	u := &unit{file: &File{Path: filepath.ToSlash(s.options.Show(f.path)), Scope: p.scope, Agents: []string{}}, host: p.host, group: p.dir}
	u.src = schema.NewSource(u.file.Path, nil)
	if p.host != nil {
		u.file.Host, u.group = p.host.ID, string(p.host.ID)+" "+string(p.scope)
	}
	switch {
	case f.err != nil:
		u.file.State = NotLoaded
		u.find(Finding{Code: CodeUnreadable, At: u.src.Range(0, 0), Message: "it cannot be read: " + cause(f.err).Error()})
		return u
	case p.host != nil && !p.single && (!p.reads(name) || p.flat && f.deep):
		if !agentLike(name) || !p.dest {
			return nil
		}
		u.host, u.file.State = nil, NotLoaded
		u.find(Finding{Code: CodeNotRead, At: u.src.Range(0, 0), Message: fmt.Sprintf("%s does not read this file", p.host.Title)})
	case p.host != nil:
		u.form = p.form(name)
	}
	data, err := readFile(f.path)
	if err != nil {
		u.file.State = NotLoaded
		u.find(Finding{Code: CodeUnreadable, At: u.src.Range(0, 0), Message: "it cannot be read: " + err.Error()})
		return u
	}
	u.src = schema.NewSource(u.file.Path, data)
	u.open = opener(filepath.Dir(f.path))
	state := u.file.State
	if p.host == nil {
		u.host, u.form = s.whose(f.path, data)
		if u.host == nil && !isText(name) {
			return nil
		}
		if u.host != nil {
			u.file.Host, u.group = u.host.ID, string(u.host.ID)+" "+filepath.Dir(f.path)
		}
	}
	u.read()
	if state != "" {
		u.file.State = state
	}
	if f.link && u.host != nil && slices.Contains(linkless, u.host.ID) {
		u.file.State = NotLoaded
		u.find(Finding{Code: CodeSymlink, At: u.src.Range(0, 0), Message: fmt.Sprintf("the file is a link, which %s does not follow", u.host.Title)})
	}
	return u
}

// linkless hosts do not load a file that is a link. Observed on goose 1.52.0;
// kirodotdev/Kiro#6067.
var linkless = []schema.ProviderID{schema.GooseID, schema.KiroID}

// agentLike says whether a file may be meant for an agent file.
func agentLike(name string) bool {
	stem := strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name)))
	return isText(name) && !slices.Contains([]string{"readme", "license", "changelog", "contributing"}, stem) && !strings.HasPrefix(name, ".")
}

func isText(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".toml", ".json", ".jsonc", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(name)))
}

// whose says which host takes a file of a folder that was named: by its path,
// else by its content.
func (s *scan) whose(file string, data []byte) (*providers.Facts, string) {
	whole := filepath.ToSlash(file)
	if abs, err := filepath.Abs(file); err == nil {
		whole = filepath.ToSlash(abs)
	}
	for _, host := range s.options.Hosts {
		for _, in := range host.Inputs {
			if in.Matches(whole) && (in.Beside == "" || besides(whole, in)) {
				if host.ID == schema.CodexID && in.Form == "" {
					return host, role
				}
				return host, in.Form
			}
		}
	}
	id, form := byContent(whole, data)
	for _, host := range s.options.Hosts {
		if host.ID == id {
			return host, form
		}
	}
	return nil, ""
}

// besides says whether the file stands next to an input that has to be there.
func besides(file string, in providers.Input) bool {
	first, _, _ := strings.Cut(in.Path, "/")
	for dir := path.Dir(file); dir != path.Dir(dir); dir = path.Dir(dir) {
		if path.Base(dir) != first {
			continue
		}
		if _, err := os.Stat(filepath.FromSlash(path.Join(path.Dir(dir), in.Beside))); err == nil {
			return true
		}
	}
	return false
}

// maxFile is the size up to which a file is read.
const maxFile = 16 << 20

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	return data, cause(err)
}

// opener opens files that another one names, inside of its folder whatever links
// say.
func opener(dir string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, cause(err)
		}
		defer root.Close()
		if info, err := root.Stat(filepath.FromSlash(name)); err != nil {
			return nil, cause(err)
		} else if !info.Mode().IsRegular() || info.Size() > maxFile {
			return nil, errors.New("it is no regular file, or too large")
		}
		return root.ReadFile(filepath.FromSlash(name))
	}
}

// cause takes the path out of an error, which is told anyway.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// compare finds names that stand in each other's way.
func (s *scan) compare() {
	first := map[string]*unit{}
	project := map[string]*unit{}
	for _, u := range s.units {
		for _, n := range u.names {
			key := u.group + "\x00" + n.name
			other := first[key]
			switch {
			case other == nil:
				first[key] = u
			case other != u && !sameStem(other, u):
				u.find(Finding{Code: CodeDuplicate, Agent: n.name, At: n.at, Message: fmt.Sprintf("%q is the name of a subagent in %s, too", n.name, other.file.Path)})
			}
			if u.file.Scope == schema.ProjectScope {
				project[string(u.file.Host)+"\x00"+n.name] = u
			}
		}
	}
	for _, u := range s.units {
		for _, n := range u.names {
			if by := project[string(u.file.Host)+"\x00"+n.name]; u.file.Scope == schema.UserScope && by != nil {
				u.find(Finding{Code: CodeShadowed, Agent: n.name, At: n.at, Message: fmt.Sprintf("in the project, %s has the name %q, too", by.file.Path, n.name)})
			}
		}
	}
}

// sameStem says whether two files are one subagent of Kiro in both formats.
func sameStem(a, b *unit) bool {
	stem := func(u *unit) string { return strings.TrimSuffix(u.file.Path, path.Ext(u.file.Path)) }
	return a.file.Host == schema.KiroID && stem(a) == stem(b)
}

// report puts everything together, without what is suppressed.
func (s *scan) report() *Report {
	r := &Report{Files: []File{}, Findings: []Finding{}, Suppressed: []Suppressed{}, Sources: map[string]*hcl.File{}}
	ignore := newIgnorer(s.options.Ignore)
	slices.SortStableFunc(s.units, func(a, b *unit) int { return cmp.Compare(a.file.Path, b.file.Path) })
	for _, u := range s.units {
		ignore.inline(u)
		r.Files = append(r.Files, *u.file)
		r.Sources[u.file.Path] = u.src.File()
		for _, f := range u.findings {
			if reason, ok := ignore.accepts(f); ok {
				r.Suppressed = append(r.Suppressed, Suppressed{f, reason})
			} else {
				r.Findings = append(r.Findings, f)
			}
		}
	}
	r.Findings = append(r.Findings, ignore.unused()...)
	sortFindings(r.Findings)
	return r
}
