package matrix

import "github.com/seed-337579fc/subagents/schema"

// Version is that of [Document]. It grows when a key changes its meaning or goes
// away.
const Version = 1

// A Document is the matrix for programs.
type Document struct {
	Version   int                `json:"version"`
	Scope     schema.Scope       `json:"scope"`
	Providers []Host             `json:"providers"`
	Subagents []DocumentSubagent `json:"subagents"`
}

// DocumentSubagent is a subagent in a [Document].
type DocumentSubagent struct {
	Name      string             `json:"name"`
	Title     string             `json:"title,omitempty"`
	Tags      []string           `json:"tags,omitempty"`
	Providers []DocumentProvider `json:"providers"`
}

// DocumentProvider is a subagent on one host in a [Document].
type DocumentProvider struct {
	Provider schema.ProviderID `json:"provider"`
	Files    []string          `json:"files"` // paths below the project or the home
	Settings []Cell            `json:"settings"`
}

// Document gives the matrix for programs.
func (m *Matrix) Document() Document {
	d := Document{Version: Version, Scope: m.Scope, Providers: append([]Host{}, m.Hosts...), Subagents: []DocumentSubagent{}}
	for _, s := range m.Subagents {
		out := DocumentSubagent{Name: s.Name, Title: s.Title, Tags: s.Tags}
		for _, on := range s.On {
			p := DocumentProvider{Provider: on.Host, Files: []string{}, Settings: on.Cells}
			for _, f := range on.Files {
				p.Files = append(p.Files, f.Path)
			}
			out.Providers = append(out.Providers, p)
		}
		d.Subagents = append(d.Subagents, out)
	}
	return d
}
