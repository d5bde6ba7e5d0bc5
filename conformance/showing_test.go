package conformance

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A showing is a sub-agent, rendered from a small manifest, whose run shows what a client does with one row of its
// capability table. The table is the expectation: the showing only says what each level would look like.
type showing struct {
	row   string // setting of the table
	when  string // condition of the row
	tag   string // tells showings of one row apart
	entry string // keys of the manifest's entry, at the margin
	root  string // further keys of the manifest, at the margin
	calls []standin.Call
	args  []string
	is    []outcome
}

// An outcome is a level and what is seen of a client that gives it. The first that is seen counts.
type outcome struct {
	level providers.Level
	see   check // nil: the rendered file is the same as without the setting
}

func enforced(checks ...check) outcome    { return outcome{providers.Enforced, every(checks...)} }
func advisory(checks ...check) outcome    { return outcome{providers.Advisory, every(checks...)} }
func inherited(checks ...check) outcome   { return outcome{providers.Inherited, every(checks...)} }
func unsupported(checks ...check) outcome { return outcome{providers.Unsupported, every(checks...)} }

// leftOut: there is nothing about the setting in the file, so that no client can do anything with it.
var leftOut = outcome{level: providers.Unsupported}

var notOfNames = regexp.MustCompile(`[^a-z0-9]+`)

// name is the sub-agent's.
func (s showing) name() string {
	return notOfNames.ReplaceAllString(strings.ToLower(strings.TrimSpace("row "+s.row+" "+s.tag)), "-")
}

// other is a second sub-agent of every showing's manifest, for delegates to name.
const other = "another"

// manifest writes the manifest of the showing; without its settings it is that of a sub-agent of the same name.
func (s showing) manifest(id schema.ProviderID, settings bool) string {
	if !settings {
		s.entry, s.root = "", ""
	}
	entry := "name: " + s.name() + "\n" + s.entry
	for key, value := range map[string]string{"description": "d", "instructions": bodyOf(s.name())} {
		if !strings.Contains("\n"+entry, "\n"+key+":") {
			entry += "\n" + key + ": " + value
		}
	}
	entries := "- " + strings.ReplaceAll(entry, "\n", "\n  ") + "\n- {name: " + other + ", description: d, instructions: x}\n"
	return fmt.Sprintf("targets: [%s]\nguard: none\n%s\nsubagents:\n%s", id, s.root, entries)
}

// render renders the showing's one file, with its settings or without.
func (s showing) render(id schema.ProviderID, settings bool) (render.File, error) {
	result, err := s.result(id, settings)
	if err != nil {
		return render.File{}, err
	}
	return result.Files[0], nil
}

func (s showing) result(id schema.ProviderID, settings bool) (*render.Result, error) {
	manifest := s.manifest(id, settings)
	m, diags := schema.Load(schema.NewSource("showing.yml", []byte(manifest)), schema.Options{HostTool: all.HostTool})
	if diags.HasErrors() {
		return nil, fmt.Errorf("%w in\n%s", errorsOf(diags), manifest)
	}
	result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope, Agents: []string{s.name()}})
	if diags.HasErrors() {
		return nil, fmt.Errorf("%w in\n%s", errorsOf(diags), manifest)
	}
	return result, nil
}

// touches says whether the settings bring the showing's row into play.
func (s showing) touches(rendered render.Rendered) bool {
	setting, value, valued := strings.Cut(s.row, "=")
	return slices.ContainsFunc(rendered.Uses, func(u providers.Use) bool {
		return u.Setting == setting && (!valued || u.Value == value)
	})
}

func errorsOf(diags hcl.Diagnostics) error {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

// shownFile is the file of a showing, with its settings and without.
type shownFile struct{ set, bare []byte }

// level says which level the run showed, and otherwise why it showed none.
func (s showing) level(run *Run, file shownFile) (providers.Level, string) {
	agent := run.Agent(s.name())
	var why []string
	for _, o := range s.is {
		err := fmt.Errorf("the file is another with the setting:\n%s", file.set)
		switch {
		case o.see != nil:
			err = o.see(run, agent)
		case bytes.Equal(file.set, file.bare):
			err = nil
		}
		if err == nil {
			return o.level, ""
		}
		why = append(why, fmt.Sprintf("not %s: %v", o.level, err))
	}
	return "unclear", strings.Join(why, "; ")
}

// rowOf finds the row of a setting and condition that holds for a client version.
func rowOf(facts *providers.Facts, setting, when, version string) (providers.Capability, bool) {
	at := slices.IndexFunc(facts.Capabilities, func(c providers.Capability) bool {
		return c.Setting == setting && c.When == when && holdsFor(c, version)
	})
	if at < 0 {
		return providers.Capability{}, false
	}
	return facts.Capabilities[at], true
}

// holdsFor says whether a row is about a client version.
func holdsFor(c providers.Capability, version string) bool {
	return (c.From == "" || compareVersions(c.From, version) <= 0) && (c.Until == "" || compareVersions(version, c.Until) <= 0)
}

// compareVersions compares versions of numbers and dots.
func compareVersions(a, b string) int {
	parse := func(version string) (numbers []int) {
		for part := range strings.SplitSeq(version, ".") {
			n, _ := strconv.Atoi(part)
			numbers = append(numbers, n)
		}
		return numbers
	}
	return slices.Compare(parse(a), parse(b))
}

// world is what showings need to know of where they run.
type world struct {
	project string // the project's directory
	outside string // a file outside of what the client's sandbox lets it write
	mcp     string // program that serves MCP
}

// nowhere is a world to render in.
var nowhere = world{project: "/project", outside: "/outside", mcp: "/server"}

// eachShowing lists the showings of every client, the coverage of the tables.
func eachShowing() map[schema.ProviderID][]showing {
	return map[schema.ProviderID][]showing{
		schema.ClaudeID:   slices.Concat(claudeShowings(nowhere), claudeUntrustedShowings(nowhere)),
		schema.CodexID:    slices.Concat(codexShowings(nowhere), codexUntrustedShowings()),
		schema.GooseID:    slices.Concat(gooseShowings(nowhere), gooseRunShowings(nowhere)),
		schema.OpenCodeID: openCodeShowings(nowhere),
	}
}

type rowKey struct{ setting, when string }

func (k rowKey) String() string { return strings.TrimSuffix(k.setting+" when "+k.when, " when ") }

// TestEveryRowIsShownOrSaysWhyNot: a row of a capability table has a showing, and a client of a version that it is
// about, or a reason why it can have none. K79, T74, T75.
func TestEveryRowIsShownOrSaysWhyNot(t *testing.T) {
	showings := eachShowing()
	for _, provider := range all.Providers {
		facts := provider.Facts()
		t.Run(string(facts.ID), func(t *testing.T) {
			pinned, err := clients.Versions(string(facts.ID))
			if err != nil {
				t.Fatal(err)
			}
			shown, rows := map[rowKey]bool{}, map[rowKey]bool{}
			for _, s := range showings[facts.ID] {
				shown[rowKey{s.row, s.when}] = true
			}
			reasons := unobservable[facts.ID]
			for _, c := range facts.Capabilities {
				key := rowKey{c.Setting, c.When}
				rows[key] = true
				_, excused := reasons[c.Setting]
				switch {
				case shown[key] && excused:
					t.Errorf("%s is shown and is said to be unobservable", key)
				case !shown[key] && !excused && reasons["*"] == "":
					t.Errorf("no showing of %s, and no reason why there can be none", key)
				case shown[key] && !slices.ContainsFunc(pinned, func(version string) bool { return holdsFor(c, version) }):
					t.Errorf("%s from %q until %q holds for no client of %v that is run", key, c.From, c.Until, pinned)
				}
			}
			for key := range shown {
				if !rows[key] {
					t.Errorf("there is a showing of %s, and no such row", key)
				}
			}
			for setting := range reasons {
				known := slices.ContainsFunc(facts.Capabilities, func(c providers.Capability) bool { return c.Setting == setting })
				if !known && setting != "*" {
					t.Errorf("a reason is given for %s, of which there is no row", setting)
				}
			}
		})
	}
}

// TestShowingsRender: every showing is a manifest without errors that touches the row.
func TestShowingsRender(t *testing.T) {
	for id, showings := range eachShowing() {
		for _, s := range showings {
			if len(s.is) == 0 {
				t.Errorf("%s: %s shows nothing", id, s.name())
			}
			switch result, err := s.result(id, true); {
			case err != nil:
				t.Errorf("%s: %s: %v", id, s.name(), err)
			case !s.touches(result.Agents[0]):
				t.Errorf("%s: %s does not touch %s but %v", id, s.name(), s.row, result.Agents[0].Uses)
			}
		}
	}
}
