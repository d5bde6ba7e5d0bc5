package contract

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Suite is a contract held against a manifest.
type Suite struct {
	File  string
	Cases []Case
}

// A Case is one expectation.
type Case struct {
	Name    string
	At      hcl.Range // where the contract asks for it
	Problem string    // empty: it holds
}

// Failed counts the cases that do not hold.
func (s *Suite) Failed() int {
	n := 0
	for _, c := range s.Cases {
		if c.Problem != "" {
			n++
		}
	}
	return n
}

// Check holds the contract against a manifest and the whole of what it renders.
func (c *Contract) Check(m *schema.Manifest, result *render.Result) *Suite {
	k := &checker{m: m, result: result, suite: &Suite{File: c.Source.Name, Cases: []Case{}}}
	if all := c.root.Get("all"); all != nil {
		for _, e := range k.present() {
			k.phrases(e.Name, all.Get("phrases"), k.natives(e.Name, ""))
		}
	}
	agents := c.root.Get("agents")
	if only := c.root.Get("only"); only != nil && only.Bool {
		k.only(agents, only.Range)
	}
	if agents != nil {
		for _, f := range agents.Fields {
			k.agent(f)
		}
	}
	if f := c.root.Field("nicknames"); f != nil {
		k.nicknames(f.Range)
	}
	if f := c.root.Field("delegation"); f != nil {
		k.delegation(f)
	}
	return k.suite
}

type checker struct {
	m      *schema.Manifest
	result *render.Result
	suite  *Suite
}

// add adds a case; problem is empty where it holds.
func (k *checker) add(at hcl.Range, problem, format string, args ...any) {
	k.suite.Cases = append(k.suite.Cases, Case{Name: fmt.Sprintf(format, args...), At: at, Problem: problem})
}

// present lists the entries that are rendered.
func (k *checker) present() []*schema.Entry {
	return slices.DeleteFunc(slices.Clone(k.m.Entries()), func(e *schema.Entry) bool { return !e.Present() })
}

// only expects no other subagents than the contract lists.
func (k *checker) only(agents *schema.Node, at hcl.Range) {
	problem := ""
	for _, e := range k.present() {
		if agents.Field(e.Name) == nil {
			problem = fmt.Sprintf("%q (%s:%d) is not in the contract", e.Name, e.At.Filename, e.At.Start.Line)
			break
		}
	}
	k.add(at, problem, "the manifest has no other subagents")
}
