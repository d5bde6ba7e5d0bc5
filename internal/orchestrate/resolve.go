package orchestrate

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Reason says why the dedicated subagent is not ready.
type Reason string

// The reasons.
const (
	NotInstalled Reason = "not-installed"       // there is no file that the host reads
	Mismatch     Reason = "definition-mismatch" // the file is not what the manifest renders
	Shadowed     Reason = "shadowed"            // the host prefers another file of that name
	NotTargeted  Reason = "not-targeted"        // the manifest does not render it for the host
	WrongScope   Reason = "wrong-scope"         // the manifest renders it for the other scope
)

// Readiness says whether a host would start exactly what the manifest renders.
type Readiness struct {
	Version  int               `json:"version"`
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	Scope    schema.Scope      `json:"scope"` // that was looked at
	Native   bool              `json:"native"`
	// SubagentType is what to start: the subagent if Native, else the host's
	// generic one, or nil where the host has none.
	SubagentType *string           `json:"subagent_type"`
	Reason       *Reason           `json:"reason"` // nil if Native
	Hint         *string           `json:"hint"`   // nil if Native
	Dir          string            `json:"dir"`    // where the host looks for it
	ShadowedBy   []install.Shadow  `json:"shadowed_by,omitempty"`
	Warnings     []install.Warning `json:"warnings"`
}

// A Query asks about one subagent on one host.
type Query struct {
	Manifest  *schema.Manifest
	Entry     *schema.Entry
	Facts     *providers.Facts
	Job       install.Job // its scope does not count
	Catalogue func(schema.Scope) string
	// Scopes are looked at in turn until one has the subagent ready. At least one.
	Scopes []schema.Scope
	// Rendered gives the entry rendered for the host in a scope.
	Rendered func(schema.Scope) *render.Result
}

// Resolve answers the query. It reads the directories of the host and writes
// nothing. Of several scopes the first that is ready counts, else the first that
// has a file, else the first.
func (q Query) Resolve() (*Readiness, error) {
	if !q.Entry.Present() || !slices.Contains(q.Manifest.Targets(q.Entry), q.Facts.ID) {
		return q.untargeted()
	}
	scopes := q.Scopes
	if own := q.Manifest.BlockScope(q.Entry, q.Facts.ID); own != "" {
		if !slices.Contains(scopes, own) {
			return q.elsewhere(own)
		}
		scopes = []schema.Scope{own}
	}
	var best *Readiness
	for i, scope := range scopes {
		found, err := q.look(scope)
		if _, escapes := errors.AsType[*install.EscapeError](err); escapes && i > 0 {
			best.Warnings = append(best.Warnings, install.Warning{Code: "project-skipped", Message: err.Error()})
			continue
		}
		if err != nil {
			return nil, err
		}
		if found.Native {
			return found, nil
		}
		if best == nil || *best.Reason == NotInstalled && *found.Reason != NotInstalled {
			best = found
		}
	}
	return best, nil
}

// start gives an answer with the directory and nothing decided.
func (q Query) start(scope schema.Scope) (*Readiness, install.Job, *install.Dest, error) {
	job := q.Job
	job.Scope, job.Hosts = scope, []*providers.Facts{q.Facts}
	r := &Readiness{Version: Version, Agent: q.Entry.Name, Provider: q.Facts.ID, Scope: scope, Warnings: []install.Warning{}}
	dests, err := job.Dests(job.Hosts)
	if err != nil {
		return nil, job, nil, err
	}
	dest := dests[0]
	if files := q.Rendered(scope).Files; len(files) > 0 {
		for _, d := range dests {
			if slices.ContainsFunc(d.Places, func(p providers.Place) bool { return p.Dir == files[0].Place.Dir }) {
				dest = d
			}
		}
	}
	r.Dir = dest.Dir
	return r, job, dest, nil
}

// untargeted answers for a host that the entry is not rendered for.
func (q Query) untargeted() (*Readiness, error) {
	r, _, _, err := q.start(q.Scopes[0])
	if err != nil {
		return nil, err
	}
	return r.generic(q.Facts, NotTargeted, q.hintTarget()), nil
}

// elsewhere answers for a scope that the entry is not rendered in.
func (q Query) elsewhere(own schema.Scope) (*Readiness, error) {
	r, _, _, err := q.start(q.Scopes[0])
	if err != nil {
		return nil, err
	}
	return r.generic(q.Facts, WrongScope, q.hintScope(own)), nil
}

// look answers for one scope.
func (q Query) look(scope schema.Scope) (*Readiness, error) {
	r, job, dest, err := q.start(scope)
	if err != nil {
		return nil, err
	}
	result := q.Rendered(scope)
	status, err := q.status(job, result)
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, status.Warnings...)
	if r.ShadowedBy, err = q.shadows(job, status, result); err != nil {
		return nil, err
	}
	h := hinter{q, scope, dest}
	for i := range result.Files {
		file := &result.Files[i]
		f, ok := stateOf(status, file)
		if !ok {
			continue // reported for another host: cannot be, only one was asked about
		}
		switch reason := q.judge(f, file); reason {
		case NotInstalled:
			return r.generic(q.Facts, reason, h.missing(f)), nil
		case Mismatch:
			return r.generic(q.Facts, reason, h.differs(f)), nil
		}
	}
	if len(r.ShadowedBy) > 0 {
		return r.generic(q.Facts, Shadowed, h.shadowed(r.ShadowedBy[0])), nil
	}
	name := q.Entry.Stem()
	r.Native, r.SubagentType = true, &name
	return r, nil
}

func (q Query) status(job install.Job, result *render.Result) (*install.Status, error) {
	want := func(dests []*install.Dest) install.Desired { return install.Want(q.Manifest, result, dests) }
	options := install.Options{Catalogue: q.Catalogue(job.Scope), Agents: []string{q.Entry.Name}}
	return job.Status(options, want, install.How{})
}

// shadows lists what the host prefers to the files: seen from the project and,
// where that is a linked worktree, from the main checkout, since the session
// that starts the subagent may run in either.
func (q Query) shadows(job install.Job, status *install.Status, result *render.Result) ([]install.Shadow, error) {
	list := shadowsOf(nil, status, result)
	main := job.MainCheckout()
	if job.Scope != schema.UserScope || main == "" {
		return list, nil
	}
	job.Project = main
	there, err := q.status(job, result)
	if err != nil {
		return nil, err
	}
	return shadowsOf(list, there, result), nil
}

// shadowsOf adds what a status has found to a list, each path once.
func shadowsOf(list []install.Shadow, status *install.Status, result *render.Result) []install.Shadow {
	for i := range result.Files {
		f, _ := stateOf(status, &result.Files[i])
		for _, s := range f.Shadows {
			if !slices.ContainsFunc(list, func(o install.Shadow) bool { return o.Path == s.Path }) {
				list = append(list, s)
			}
		}
	}
	return list
}

// stateOf finds the state of a rendered file.
func stateOf(status *install.Status, file *render.File) (install.FileStatus, bool) {
	i := slices.IndexFunc(status.Files, func(f install.FileStatus) bool {
		return f.Agent == file.Agent && f.Provider == file.Provider && filepath.Base(f.Path) == file.Name()
	})
	if i < 0 {
		return install.FileStatus{}, false
	}
	return status.Files[i], true
}

// judge says what is wrong with an installed file, or "". Whose file it is does
// not count, its bytes do.
func (q Query) judge(f install.FileStatus, file *render.File) Reason {
	switch f.State {
	case install.NotInstalled:
		return NotInstalled
	case install.Current, install.Shadowed:
		return ""
	}
	info, err := os.Lstat(f.Path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 && q.Facts.SkipsLinks {
		return NotInstalled
	}
	if data, err := os.ReadFile(f.Path); err == nil && bytes.Equal(data, file.Data) {
		return ""
	}
	return Mismatch
}

// generic fills in what to start instead, and why.
func (r *Readiness) generic(facts *providers.Facts, reason Reason, hint string) *Readiness {
	r.Reason, r.Hint = &reason, &hint
	if facts.Generic.Name != "" {
		name := facts.Generic.Name
		r.SubagentType = &name
	}
	return r
}
