// Package matrix shows who may do what where: for every subagent, host and
// setting the level at which the host applies it, what stands in the native
// file, and why that is known.
//
// The data is what rendering returns, held against the capability tables of the
// hosts. The views (text for a terminal, Markdown, JSON, a page of HTML) are
// functions of one [Matrix].
package matrix

import (
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Matrix is the fidelity of a rendered selection.
type Matrix struct {
	Scope     schema.Scope
	Hosts     []Host // those that a subagent of the selection is rendered for
	Subagents []Subagent
}

// A Host is a column.
type Host struct {
	ID     schema.ProviderID `json:"id"`
	Title  string            `json:"title"`  // Claude Code
	Client string            `json:"client"` // that the levels were observed on, with its version
	Proof  string            `json:"proof"`
}

// A Subagent is what its hosts do with it.
type Subagent struct {
	Name        string
	Title       string
	Description string
	Tags        []string
	On          []OnHost // in the order of the hosts; one that it is not rendered for is left out
}

// OnHost is a subagent on one host.
type OnHost struct {
	Host  schema.ProviderID
	Files []render.File
	Cells []Cell
}

// A Cell is what a host does with one setting of a subagent.
type Cell struct {
	Setting string          `json:"setting"` // tools, claude.tools, or a finer fact: tools#stripped
	Value   string          `json:"value,omitempty"`
	Level   providers.Level `json:"level"`
	Native  string          `json:"native,omitempty"` // what stands for it in the file; empty: nothing, or not one place
	Code    schema.Code     `json:"code,omitempty"`   // of the fidelity note about it; empty: there is none
	Finer   bool            `json:"-"`                // about one value of a list, or a fact beside the whole
	About   string          `json:"-"`                // the value that the reason is about; empty: the key
	From    string          `json:"from,omitempty"`   // first client version of which it is true
	When    string          `json:"when,omitempty"`
	Why     string          `json:"why"`
	Source  string          `json:"source"`
	Others  []Row           `json:"others,omitempty"` // what holds for other client versions and under other conditions
}

// A Row is a further row of the host's table about a setting.
type Row struct {
	Level  providers.Level `json:"level"`
	From   string          `json:"from,omitempty"`  // first client version
	Until  string          `json:"until,omitempty"` // last client version
	When   string          `json:"when,omitempty"`
	Why    string          `json:"why"`
	Source string          `json:"source"`
}

// Build makes the matrix of what was rendered.
func Build(result *render.Result) *Matrix {
	m := &Matrix{Scope: result.Scope}
	used := map[schema.ProviderID]bool{}
	for i := range result.Agents {
		r := &result.Agents[i]
		used[r.Provider] = true
		a := r.Agent
		if n := len(m.Subagents); n == 0 || m.Subagents[n-1].Name != a.Name {
			m.Subagents = append(m.Subagents, Subagent{Name: a.Name, Title: a.Title, Description: a.Description, Tags: a.Tags})
		}
		s := &m.Subagents[len(m.Subagents)-1]
		s.On = append(s.On, OnHost{Host: r.Provider, Files: r.Files, Cells: Cells(r, result.Scope)})
	}
	for _, p := range all.Providers {
		if f := p.Facts(); used[f.ID] {
			m.Hosts = append(m.Hosts, Host{f.ID, f.Title, f.Client, f.Proof})
		}
	}
	return m
}

// On gives a subagent on a host, or nil.
func (s *Subagent) on(host schema.ProviderID) *OnHost {
	for i := range s.On {
		if s.On[i].Host == host {
			return &s.On[i]
		}
	}
	return nil
}
