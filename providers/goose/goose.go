// Package goose knows goose: a subagent is an agent file, Markdown with front
// matter, or a recipe in YAML.
//
// An agent file carries name, description and model alone. A recipe has
// settings of its own and can be run by itself; delegated to, it keeps them
// except for its extensions. goose evaluates both as templates, so that braces
// in a text are escaped.
//
// Facts name the client version that they were observed on, offline; the others
// name a documentation page or a public issue of aaif-goose/goose.
package goose

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// Provider is goose.
type Provider struct{}

// Facts gives the tables.
func (Provider) Facts() *providers.Facts { return &facts }

var facts = providers.Facts{
	ID:           schema.GooseID,
	Title:        "goose",
	Client:       "goose 1.52.0",
	Observed:     []string{"1.37.0", "1.50.0", "1.52.0"},
	Proof:        "the real client lists, delegates to and runs every rendered subagent in the conformance suite",
	Places:       places,
	Rivals:       rivals,
	Inputs:       inputs,
	Tools:        tools,
	Capabilities: capabilities,
	SkipsLinks:   true, // observed on 1.52.0
	Observe:      providers.Observe{TrimBody: true, DescriptionRunes: shownRunes},
}

// The formats of a file.
const (
	asAgent  = "agent"
	asRecipe = "recipe"
)

// maxFile is the size up to which the client reads a file; it skips a larger
// one without a word. Observed on 1.52.0.
const maxFile = 1 << 20

// shownRunes is how much of a description the calling model sees. Observed on
// 1.52.0.
const shownRunes = 160
