// Package providers says what a host is: where it reads subagents, what it
// calls its tools, and which settings it really applies. A host is data
// ([Facts]) and one function that writes its native files ([Provider.Encode]).
//
// Every statement about a host stands once, in a table of the host's package:
// the encoder, the fidelity notes, the matrix, the documentation and the tests
// read the same rows, and the conformance suite holds them against the real
// client.
package providers

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Provider is a host that subagents are rendered for.
type Provider interface {
	// Facts gives the tables of the host. They are not to be changed.
	Facts() *Facts
	// Encode writes the native files of one subagent. With errors in the
	// diagnostics there are none.
	Encode(a *Agent) (Output, hcl.Diagnostics)
	// Decode reads a native file back: the subagents that it defines, as the
	// client reads it. An error is about one that is not among them; a warning
	// about something of one that is not kept, or not as it looks.
	Decode(file Native) ([]Decoded, hcl.Diagnostics)
}

// An Agent is a subagent resolved for the host, with its composed body.
type Agent struct {
	*schema.Agent
	Body string
	// HostTool recognises a tool by what any host calls it. Nil recognises none.
	HostTool func(native string) (schema.Verb, bool)
}

// Facts are the tables of a host.
type Facts struct {
	ID       schema.ProviderID
	Title    string   // as people know it: Claude Code
	Client   string   // the client that the facts were observed on, with its version
	Observed []string // every client version that the tables were held against; the last is the newest
	Proof    string   // how the facts were had, in one line

	Places       []Place
	Rivals       []Rival // what it prefers to an installed file
	Inputs       []Input // the files that it takes subagents from
	Tools        Tools
	Reserved     []string          // names that the host keeps for itself, in lower case
	Models       map[string]string // tier → model where the manifest has no table of its own
	Capabilities []Capability
	Observe      Observe
	Generic      Generic // zero: the host has none
	SkipsLinks   bool    // a file that is a symbolic link is not read

	lookup lookup
}

// Generic is the host's own agent for any task: what an orchestrator can start
// where a dedicated one is not ready.
type Generic struct {
	Name   string // as the host's spawn tool takes it
	Source string // client version it was observed on, documentation page, or public issue
}

// A Place is a directory in which a host looks for files of one format.
type Place struct {
	Scope  schema.Scope
	Format string // json, markdown, recipe, agent: what Doc.Format says
	Home   string // the host's configuration directory, below the home or the project, slash-separated
	Dir    string // the directory of the files, below Home
	Ext    string // with its dot
	Env    []EnvDir
}

// EnvDir is a variable that names another directory than Home, at user scope.
type EnvDir struct {
	Name string
	Sub  string // below the variable's value, "" for the value itself
}

// Path is the path of a file of the place, below the home or the project.
func (p Place) Path(stem string) string {
	return strings.Join([]string{p.Home, p.Dir, stem + p.Ext}, "/")
}

// Place gives the place of a format in a scope.
func (f *Facts) Place(scope schema.Scope, format string) (Place, bool) {
	for _, p := range f.Places {
		if p.Scope == scope && p.Format == format {
			return p, true
		}
	}
	return Place{}, false
}

// Output is what encoding one subagent gives.
type Output struct {
	Docs []Doc
	Uses []Use             // beyond the settings that the manifest has: finer facts that came into play
	Show map[string]string // setting → what stands for it in the file, for people to read
}

// A Doc is one native file.
type Doc struct {
	Format string // which of the host's places it belongs to
	Data   []byte
}

// A Use is a fact of the capability table that a subagent touches.
type Use struct {
	Setting string // as in [Capability]
	Value   string // what the manifest says, for people to read
	At      hcl.Range
	Extent  Extent
	Row     string // what to look up instead of the setting: the finer fact that decides about all of it
}

// An Extent says how much of a setting a use is about.
type Extent int

// The extents. A row about one value of a list says nothing about the whole.
const (
	OneValue  Extent = iota // a text, a number, a switch
	WholeList               // all values of a list
	OneItem                 // one value of a list
)

// Use notes that a fact came into play.
func (o *Output) Use(setting, value string, at hcl.Range) {
	o.Uses = append(o.Uses, Use{Setting: setting, Value: value, At: at})
}

// UseOnly notes that a finer fact came into play and decides about all of the
// setting: it is told instead of what the table says of the setting.
func (o *Output) UseOnly(setting, fact, value string, at hcl.Range) {
	o.Uses = append(o.Uses, Use{Setting: setting, Value: value, At: at, Row: setting + "#" + fact})
}

// Shown notes what stands in the file for a setting.
func (o *Output) Shown(setting, native string) {
	if o.Show == nil {
		o.Show = map[string]string{}
	}
	o.Show[setting] = native
}

// Marker is the one line that says whose a file is, without the comment sign.
// It is the same in every file and every release.
const Marker = "Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file."

// Observe says how a client shows what it loaded, so that a test knows what to
// compare with.
type Observe struct {
	TrimBody          bool // white space around the body is cut
	DescriptionRunes  int  // the description is cut to so many characters in the model's list; 0: never
	BackslashNewline  bool // backslash-n in a description becomes a line feed
	TrimDescription   bool
	FoldedIntoShell   []string // native tools that vanish beside the shell, which has them built in
	NeverForSubagents []string // native tools that a subagent does not get even if listed
}
