package schema

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Sizes from which a manifest is warned about, and the reason.
const (
	longDescription = 1024 // characters; hosts show less of it to the calling model
	longBody        = 500  // lines
	manySkills      = 20   // announced in a body, with a paragraph each
)

// check applies the rules that need the manifest alone. Those that need a host
// are applied when it is rendered.
func (m *Manifest) check() hcl.Diagnostics {
	c := &checker{m: m, names: map[string]*Entry{}}
	for _, e := range m.entries {
		c.identity(e)
	}
	for _, e := range m.entries {
		c.body(e)
		c.placeholders(e)
		c.access(e)
		c.skills(e)
		c.references(e)
		c.delegates(e)
		c.origin(e)
	}
	c.cycles()
	c.nicknames()
	return once(c.diags)
}

type checker struct {
	m     *Manifest
	names map[string]*Entry
	diags hcl.Diagnostics
}

func (c *checker) error(code Code, at hcl.Range, detail, format string, args ...any) {
	c.diags = append(c.diags, Problemf(code, at, detail, format, args...))
}

func (c *checker) warn(code Code, at hcl.Range, detail, format string, args ...any) {
	c.diags = append(c.diags, Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// windowsDevices are names that no file on Windows can have, whatever its
// extension.
var windowsDevices = regexp.MustCompile(`^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`)

// identity checks that the names and slugs are usable and unique.
func (c *checker) identity(e *Entry) {
	for _, key := range []string{"name", "slug"} {
		value := e.Node.Get(key)
		if value == nil || value.Kind != String {
			continue
		}
		if windowsDevices.MatchString(value.Str) {
			c.error(CodeBadName, value.Range, "Choose another name.", "%q is the name of a Windows device and cannot name a file there", value.Str)
		}
	}
	at := e.At
	if slug := e.Node.Get("slug"); slug != nil {
		at = slug.Range
	}
	if e.Name == "" {
		return
	}
	if c.names["name "+e.Name] != nil {
		return // told when the layers were read
	}
	c.names["name "+e.Name] = e
	if first, taken := c.names["stem "+e.Stem()]; taken {
		c.diags = append(c.diags, duplicateName(e.Stem(), at, first))
		return
	}
	c.names["stem "+e.Stem()] = e
}

// body finds the instructions and checks them and the description.
func (c *checker) body(e *Entry) {
	if n := utf8.RuneCountInString(e.Description); n > longDescription {
		c.warn(CodeLongDescription, e.Node.Get("description").Range, "Keep to what the subagent does and when to use it; put the rest into the instructions.",
			"the description has %d characters; hosts show the calling model far fewer", n)
	}
	inline, file := e.Node.Get("instructions"), e.Node.Get("instructions_file")
	switch {
	case e.Instructions != nil && e.InstructionsFile != "":
		c.error(CodeInstructions, file.Range, "Keep one of the two.", "both instructions and instructions_file are set")
		return
	case e.Instructions == nil && e.InstructionsFile == "":
		if e.Present() && (inline == nil || inline.Kind == Null) && (file == nil || file.Kind == Null) {
			c.error(CodeInstructions, e.At, "Write the body under instructions, or name a Markdown file in instructions_file.",
				"%q has no instructions", e.Name)
		}
		return
	}
	if problem := e.readBody(); problem != nil {
		c.diags = append(c.diags, problem)
		return
	}
	if e.bodySource != nil {
		c.m.Sources = append(c.m.Sources, e.bodySource)
	}
	body, at := e.Body, cmp.Or(inline, file)
	if strings.TrimSpace(body) == "" && e.Present() {
		c.error(CodeInstructions, at.Range, "Write what the subagent is to do.", "the instructions of %q are blank", e.Name)
	}
	if n := strings.Count(body, "\n"); n > longBody {
		c.warn(CodeLongBody, at.Range, "Move reference material into files that the subagent can read.", "the instructions of %q have %d lines", e.Name, n)
	}
	c.deepReferences(e)
	if start, end, ok := findGuard(body, e.guard()); ok {
		c.error(CodeGuardInBody, e.bodyNode.PosIn(start, end), "Take it out: the guard is put before every body.", "the instructions of %q repeat the guard", e.Name)
	}
}

// access checks what a read-only entry lists.
func (c *checker) access(e *Entry) {
	access, _ := e.Setting("access")
	tools, ok := e.Setting("tools")
	if e.Resolved.Access == "read-only" && ok && tools.Rank == FromEntry && tools.Value.Kind == List {
		shell := e.Resolved.AllowReadOnlyShell != nil && *e.Resolved.AllowReadOnlyShell
		for _, item := range tools.Value.Items {
			verb := Verb(item.Text())
			if !verb.Mutating() || verb == Shell && shell {
				continue
			}
			detail := fmt.Sprintf("Remove it, or set access: workspace-write (access is set on line %d).", access.At().Start.Line)
			if verb == Shell {
				detail += " A reviewer that runs read commands may set allow_read_only_shell: true; no host enforces that they only read."
			}
			c.error(CodeToolConflict, item.Range, detail, "%q is read-only and lists %q, which can write", e.Name, verb)
		}
	}
	if s, ok := e.Setting("isolation"); ok && s.Rank == FromEntry && e.Resolved.Isolation == "worktree" && e.Resolved.Access == "workspace-write" {
		c.warn(CodeIsolationWrites, s.At(), "What it writes stays in that worktree until somebody merges it.",
			"%q may write, and does so in a worktree of its own", e.Name)
	}
}

// skills warns about skills that make the body long.
func (c *checker) skills(e *Entry) {
	announced := 0
	for _, s := range e.base.doc.completeSkills(e.Resolved.Skills) {
		if s.Preload == nil || !*s.Preload {
			announced++
		}
	}
	if s, ok := e.Setting("skills"); ok && announced > manySkills {
		c.warn(CodeManySkills, s.At(), "Keep to those that it needs: each of them is a paragraph of every prompt.", "%q announces %d skills", e.Name, announced)
	}
}

// references checks the ids that an entry names.
func (c *checker) references(e *Entry) {
	if s, ok := e.Setting("result"); ok && e.Resolved.Result != "" {
		if _, ok := e.base.doc.Results[e.Resolved.Result]; !ok {
			c.error(CodeUnknownResult, s.At(), didYouMeanAmong(e.Resolved.Result, slices.Collect(maps.Keys(e.base.doc.Results)), "results"),
				"no report contract is called %q", e.Resolved.Result)
		}
	}
	s, ok := e.Setting("attach_on")
	if !ok || s.Value.Kind != List {
		return
	}
	if e.Resolved.Kind == "executor" && s.Rank == FromEntry {
		c.warn(CodeAttachKind, s.At(), "It applies to reviewers.", "%q is an executor and has attach_on", e.Name)
	}
	for _, item := range s.Value.Items {
		if item.Kind != String {
			continue // told already
		}
		if _, ok := e.base.doc.RiskClasses[item.Text()]; !ok {
			c.error(CodeUnknownRisk, item.Range, didYouMeanAmong(item.Text(), slices.Collect(maps.Keys(e.base.doc.RiskClasses)), "risk_classes"),
				"no risk class is called %q", item.Text())
		}
	}
}

// didYouMeanAmong is [didYouMean] for names that the manifest defines itself.
func didYouMeanAmong(word string, names []string, where string) string {
	if len(names) == 0 {
		return fmt.Sprintf("Define it under %s.", where)
	}
	return didYouMean(word, names)
}

// delegates checks the subagents that an entry may start.
func (c *checker) delegates(e *Entry) {
	s, ok := e.Setting("delegates")
	if !ok || s.Value.Kind != List {
		return
	}
	for _, item := range s.Value.Items {
		name := item.Text()
		other := c.names["name "+name]
		e.startable = append(e.startable, name)
		if other != nil {
			e.startable[len(e.startable)-1] = other.Stem()
		}
		switch {
		case item.Kind != String: // told already
		case name == e.Name && s.Rank == FromEntry:
			c.error(CodeSelfDelegate, item.Range, "Remove it.", "%q delegates to itself", name)
		case other == nil:
			detail := didYouMeanAmong(name, c.entryNames(), "subagents")
			if strings.HasPrefix(e.Layer, builtinPrefix) {
				detail = fmt.Sprintf("Include %q as well, or override %q.", builtinPrefix+name, e.Name)
			}
			c.error(CodeUnknownDelegate, item.Range, detail, "no subagent is called %q, to which %q delegates", name, e.Name)
		case e.Resolved.Access == "read-only" && other.Resolved.Access == "workspace-write":
			c.warn(CodeDelegateWidens, item.Range, "A subagent runs with its own rights, not with its caller's.",
				"%q is read-only and may start %q, which may write", e.Name, name)
		}
	}
}

func (c *checker) entryNames() []string {
	names := make([]string, 0, len(c.m.entries))
	for _, e := range c.m.entries {
		if e.Name != "" {
			names = append(names, e.Name)
		}
	}
	return names
}

// cycles warns about subagents that can start each other for ever.
func (c *checker) cycles() {
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(e *Entry, path []string)
	visit = func(e *Entry, path []string) {
		state[e.Name] = visiting
		path = append(path, e.Name)
		for i, name := range e.Resolved.Delegates {
			other := c.names["name "+name]
			if other == nil || other == e {
				continue
			}
			switch state[name] {
			case visiting:
				circle := append(slices.Clone(path[slices.Index(path, name):]), name)
				s, _ := e.Setting("delegates")
				c.warn(CodeDelegateCycle, s.Value.Items[i].Range, "Break the circle unless the host limits the depth.",
					"subagents can start each other for ever: %s", strings.Join(circle, " → "))
			case 0:
				visit(other, path)
			}
		}
		state[e.Name] = done
	}
	for _, e := range c.m.entries {
		if state[e.Name] == 0 {
			visit(e, nil)
		}
	}
}

// nicknames warns about names that Codex would show for two subagents. Those
// that defaults give are meant for all of them.
func (c *checker) nicknames() {
	taken := map[string]*Entry{}
	for _, e := range c.m.entries {
		list := e.Node.At("providers", string(CodexID), "nickname_candidates").List()
		if len(list) == 0 || !e.Present() || !slices.Contains(c.m.Targets(e), CodexID) {
			continue
		}
		for _, item := range list {
			name := strings.TrimSpace(item.Text())
			switch first := taken[name]; {
			case name == "":
			case first == nil:
				taken[name] = e
			case first != e:
				c.warn(CodeNicknameTaken, item.Range, "Give each subagent nicknames of its own.",
					"%q is a nickname of %q, too, so that nobody can tell the two apart", name, first.Name)
			}
		}
	}
}

// sourceID is what an origin's source must look like: it is never a path.
var sourceID = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

func (c *checker) origin(e *Entry) {
	o := e.Resolved.Origin
	s, ok := e.Setting("origin")
	if o == nil || !ok {
		return
	}
	c.pack(e, o, s)
	switch {
	case o.Source == "" && o.Kind != "authored" && o.Kind != "":
		c.error(CodeOriginSource, s.At(), "Add source: the id of what it comes from.", "an origin of kind %q needs a source", o.Kind)
	case o.Source != "" && (!sourceID.MatchString(o.Source) || strings.Contains(o.Source, "..")):
		c.error(CodeBadSource, s.Value.Get("source").Range, "Write one id of lower-case letters, digits, dots, _ and -.",
			"%q is not an id", o.Source)
	}
}

// pack holds an entry that says that it was generated from a pack against the
// packs of the manifest.
func (c *checker) pack(e *Entry, o *Origin, s Setting) {
	packs := e.base.doc.Packs
	if o.Kind != "generated" || packs == nil || e.Pack != nil || o.Source == "" {
		return
	}
	at := cmp.Or(s.Value.Get("source"), s.Value).Range
	i := slices.IndexFunc(packs, func(p Pack) bool { return p.ID == o.Source })
	switch {
	case i < 0:
		c.error(CodePackMissing, at, "Define the pack, or take the entry out.", "no pack is called %q", o.Source)
	case packs[i].Stability != "stable":
		c.error(CodePackNotStable, at, "Take the entry out until the pack is stable.", "the pack %q is %s", o.Source, packs[i].Stability)
	}
}

// InferredKind gives the kind of an entry, and whether it was inferred: one
// that may edit is an executor, any other a reviewer.
func (e *Entry) InferredKind() (kind string, inferred bool) {
	r := e.Resolved
	switch {
	case r.Kind != "":
		return r.Kind, false
	case r.Access == "read-only":
		return "reviewer", true
	case r.Access == "workspace-write", r.Tools == nil, slices.Contains(r.Tools, Edit):
		return "executor", true
	}
	return "reviewer", true
}

// whenClause finds the part of a description that says when to use the
// subagent.
var whenClause = regexp.MustCompile(`(?i)\b(use|when|before|after|whenever|if|during|once)\b`)

// Lint lists what is legal and could be better, as warnings. --strict shows
// them.
func (m *Manifest) Lint() hcl.Diagnostics {
	c := &checker{m: m}
	for _, e := range m.entries {
		if kind, inferred := e.InferredKind(); inferred {
			c.warn(CodeKindInferred, e.At, fmt.Sprintf("Write kind: %s.", kind), "%q has no kind; it is taken for %s", e.Name, article(kind))
		}
		if d := e.Node.Get("description"); d != nil && !whenClause.MatchString(e.Description) {
			c.warn(CodeNoWhen, d.Range, `Add a sentence such as "Use after editing code."`, "the description of %q does not say when to use it", e.Name)
		}
	}
	return c.diags
}

func article(noun string) string {
	if strings.IndexByte("aeiou", noun[0]) >= 0 {
		return "an " + noun
	}
	return "a " + noun
}
