package orchestrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Mode is how much a spawned child may do.
type Mode string

// The modes. Neither lets a child do more than its parent.
const (
	ReadOnly Mode = "read_only" // it may change nothing
	General  Mode = "general"   // what its parent may
)

// An Order is what an orchestrator needs to start a subagent on a task.
type Order struct {
	Version int    `json:"version"`
	Agent   string `json:"agent"`
	Input   Input  `json:"input"`
	Policy  Policy `json:"policy"`
	// Enforced and Advisory list the keys of Input and Policy that bind the child,
	// and those that only tell what is wanted of it.
	Enforced []string `json:"enforced"`
	Advisory []string `json:"advisory"`
	// PreferHost is where the manifest suggests to run it; empty: anywhere.
	PreferHost string   `json:"prefer_host,omitempty"`
	Command    *Command `json:"command,omitempty"` // for one host
}

// Input goes into the spawn call.
type Input struct {
	Task  string  `json:"task"`
	Mode  Mode    `json:"mode"`
	Label string  `json:"label"`
	Tier  *string `json:"tier"` // nil: the session's own model
}

// Policy stands beside the call.
type Policy struct {
	Access    *string       `json:"access"` // nil: not restricted
	Tools     []schema.Verb `json:"tools"`  // nil: not restricted
	Isolation string        `json:"isolation"`
}

// NewOrder makes the order for an entry. Only the mode binds: whoever takes the
// order starts a child that reads only, or one like its parent.
func NewOrder(m *schema.Manifest, e *schema.Entry, task string) *Order {
	n := e.Resolved
	o := &Order{
		Version: Version, Agent: e.Name,
		Input:    Input{Task: task, Mode: General, Label: cmp.Or(n.Title, e.Name), Tier: optional(n.Tier)},
		Policy:   Policy{Access: optional(n.Access), Tools: toolsOf(m, e), Isolation: cmp.Or(n.Isolation, "none")},
		Enforced: []string{"mode"}, Advisory: []string{"access", "tools", "isolation"},
	}
	if n.Access == "read-only" {
		o.Input.Mode = ReadOnly
	}
	if n.PreferHost != "any" {
		o.PreferHost = n.PreferHost
	}
	return o
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// baseline is what an empty list of tools means.
var baseline = []schema.Verb{schema.Read, schema.ListFiles, schema.Search}

// toolsOf gives the allow-list in neutral verbs, as the rules that hold on every
// host leave it; nil where nothing is restricted.
func toolsOf(m *schema.Manifest, e *schema.Entry) []schema.Verb {
	a := &providers.Agent{Agent: m.Resolve(e, schema.ProviderIDs()[0])}
	grant := providers.GrantOf(a)
	if !grant.Restricted {
		return nil
	}
	verbs := slices.Clone(grant.Verbs)
	if len(verbs) == 0 {
		verbs = slices.Clone(baseline)
	}
	return append(verbs, grant.Extra(a)...)
}

// For adds the command line of a host. What binds there is what its table and
// the command line itself enforce.
func (o *Order) For(r *render.Rendered, scope schema.Scope) error {
	facts := all.Get(r.Provider).Facts()
	form, ok := forms[r.Provider]
	if !ok {
		return fmt.Errorf("no command line of %s is known", facts.Title)
	}
	c := form(&request{order: o, rendered: r})
	if longest := len(slices.MaxFunc(c.Argv, func(a, b string) int { return len(a) - len(b) })); longest >= maxArgument {
		return &TaskError{fmt.Sprintf("has %d bytes, and a command line takes fewer than %d in one argument: put the text into a file that the task names", len(o.Input.Task), maxArgument)}
	}
	c.Provider = r.Provider
	c.Levels = levels(o, r, scope)
	for key, level := range c.own {
		c.Levels[key] = level
	}
	o.split(c.Levels)
	c.Notes = append(c.Notes, o.notes(facts)...)
	c.Line = c.line()
	o.Command = c
	return nil
}

// levels says what the host does with what the order asks for.
func levels(o *Order, r *render.Rendered, scope schema.Scope) map[string]providers.Level {
	found := map[string]providers.Level{}
	for _, v := range all.Get(r.Provider).Facts().Verdicts(scope, r.Uses) {
		key := v.About()
		if key != "access" && key != "tools" && key != "isolation" && key != "tier" {
			continue
		}
		if old, known := found[key]; !known || v.Row.Level.Weaker(old) {
			found[key] = v.Row.Level
		}
	}
	if o.Policy.Isolation == "none" {
		found["isolation"] = providers.Enforced
	}
	return found
}

// split sorts the keys by their levels. The mode is what access makes of it.
func (o *Order) split(levels map[string]providers.Level) {
	o.Enforced, o.Advisory = []string{}, []string{}
	put := func(key string, level providers.Level) {
		if level == providers.Enforced {
			o.Enforced = append(o.Enforced, key)
		} else {
			o.Advisory = append(o.Advisory, key)
		}
	}
	mode := providers.Enforced // a general child is never held back
	if o.Input.Mode == ReadOnly {
		mode = levels["access"]
	}
	put("mode", mode)
	for _, key := range []string{"tier", "access", "tools", "isolation"} {
		if level, known := levels[key]; known {
			put(key, level)
		}
	}
}

// notes says what to know before the command is run.
func (o *Order) notes(facts *providers.Facts) []string {
	notes := []string{fmt.Sprintf("`subagents resolve %s -p %s` says whether the subagent is ready there.", o.Agent, facts.ID)}
	if o.PreferHost != "" && o.PreferHost != string(facts.ID) {
		notes = append(notes, fmt.Sprintf("The manifest would rather have it run on %s.", o.PreferHost))
	}
	return notes
}

// A TaskError says why a task cannot be handed over.
type TaskError struct{ why string }

func (e *TaskError) Error() string { return "the task " + e.why }

// CheckTask refuses a task that no host could be handed as it is.
func CheckTask(task []byte) error {
	switch {
	case len(bytes.TrimSpace(task)) == 0:
		return &TaskError{"is empty"}
	case !utf8.Valid(task):
		return &TaskError{"is not valid UTF-8"}
	case bytes.IndexByte(task, 0) >= 0:
		return &TaskError{"holds a NUL byte, which no command line can carry"}
	}
	return nil
}

// IsTaskError says whether an error is about the task itself.
func IsTaskError(err error) bool {
	_, is := errors.AsType[*TaskError](err)
	return is
}
