// Package conformance runs the real clients — Claude Code, Codex, goose, OpenCode — on rendered sub-agent files and
// reports what each client made of them.
//
// A [Driver] starts one client in a [Bench] (a project and a home of its own), lets it talk to the model stand-in of
// package standin and nothing else, makes it spawn every sub-agent of a list of probes, and returns a [Run]: for each
// sub-agent whether the client lists it, with which description, and the request that the spawned sub-agent sent to
// its model. That request is the truth about prompt, tools, model and effort; no claim in this repository about what
// a client enforces or ignores rests on anything weaker.
//
// The suite itself is behind the build tag "conformance", since it needs gigabytes of clients; conformance/run
// installs them and runs it.
package conformance

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// Driver runs one client.
type Driver interface {
	Client() clients.Client
	// Run starts the client on the project of the bench and spawns every probe once. A client that refuses to start
	// is not an error but a Run with Failure set; an error means that nothing can be said about the client.
	Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error)
}

// Bench is the place of one run: a project with the rendered files and the client's own home, side by side below one
// directory of the caller. A bench serves one run.
type Bench struct{ Dir string }

// Project is the directory that the client works in; its files must be there before the run.
func (b Bench) Project() string { return filepath.Join(b.Dir, "project") }

// Home is where a driver puts the client's home, configuration and temporary files.
func (b Bench) Home() string { return filepath.Join(b.Dir, "home") }

// Probe names a sub-agent that a run has to look for and spawn.
type Probe struct {
	Name string // native name
	File string // slash-separated path in the project; the client's complaints are attributed by it
	// Calls are the tool calls that the spawned sub-agent makes, one a turn. IDs are given by the driver.
	Calls []standin.Call
	// Args are further command-line arguments, for clients that are started once per probe (goose recipes).
	Args []string
}

// Observation is what one run showed about one sub-agent.
type Observation struct {
	Name        string
	Listed      bool
	Description string // as the client shows it to the parent model or to a person
	Definition  string // the client's own view of the definition as JSON, where it has one

	Spawned  *standin.Request   // the sub-agent's first request; nil if it was never spawned
	Requests []*standin.Request // all of them, one a turn
	Answer   string             // what the client told the main thread: the report, or why there is none
	// Body is the part of Spawned's system prompt that the definition supplied, cut out of what the client wraps
	// around it; BodyFound is false where the wrapping was not recognised.
	Body      string
	BodyFound bool
	Results   []standin.Result // what became of Probe.Calls, in their order
}

// Tools returns the names of the tools that the spawned sub-agent was offered, sorted.
func (o *Observation) Tools() []string {
	if o.Spawned == nil {
		return nil
	}
	return slices.Sorted(slices.Values(o.Spawned.ToolNames()))
}

// defined is the JSON text of a field of the client's own view of the definition, "" if there is none.
func (o *Observation) defined(field string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(o.Definition), &object) != nil {
		return ""
	}
	return string(object[field])
}

// Run is the outcome of one client run.
type Run struct {
	Client     clients.Client
	Agents     []Observation    // one per probe, in the order of the probes
	Control    Observation      // the suite's own sub-agent, which sets nothing: what a session gives to any
	Unexpected []string         // listed, but neither a probe nor built in; always empty for Codex
	Complaints []Complaint      // what the client said about the probes' files
	Log        string           // the client's own log, where a driver keeps it
	Failure    string           // why the client did not start; empty if it did
	Parent     *standin.Request // the first request of the main thread
}

// Agent returns the observation of that name, nil if it was no probe.
func (r *Run) Agent(name string) *Observation {
	for i := range r.Agents {
		if r.Agents[i].Name == name {
			return &r.Agents[i]
		}
	}
	return nil
}

func (r *Run) names() []string {
	names := make([]string, len(r.Agents))
	for i, agent := range r.Agents {
		names[i] = agent.Name
	}
	return names
}

// list records that the client lists a sub-agent.
func (r *Run) list(name, description string, definition json.RawMessage, builtins []string) {
	if agent := r.Agent(name); agent != nil {
		agent.Listed, agent.Description, agent.Definition = true, description, string(definition)
	} else if !slices.Contains(builtins, name) {
		r.Unexpected = append(r.Unexpected, name)
	}
}

// Complaint is one line of a client's warnings or logs that concerns a probe's file.
type Complaint struct {
	File string // as in Probe; empty when the client names neither file nor sub-agent
	Text string
}

// attribute returns the complaints among lines: those that name a probe's file, or a probe in quotes.
func attribute(lines []string, probes []Probe) []Complaint {
	var complaints []Complaint
	for _, line := range lines {
		at := slices.IndexFunc(probes, func(p Probe) bool { return strings.Contains(line, p.File) })
		if at < 0 {
			at = slices.IndexFunc(probes, func(p Probe) bool { return p.namedIn(line) })
		}
		if at >= 0 {
			complaints = append(complaints, Complaint{File: probes[at].File, Text: line})
		}
	}
	return complaints
}

func (p Probe) namedIn(line string) bool {
	for _, quote := range []string{"'", "`", `"`} {
		if strings.Contains(line, quote+p.Name+quote) {
			return true
		}
	}
	return false
}
