package conformance

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Promise is what a manifest, the rendered file and the host's tables say about one sub-agent before a client has
// seen it. What it promises about tools, model and effort is said relative to a sub-agent without any settings, so
// that [Promise.Expect] can tell only after a run.
type Promise struct {
	Probe
	Agent  *schema.Agent
	Facts  *providers.Facts
	Body   string // that the file holds, without the escapes of its format
	recipe bool
}

// Promises lists the rendered sub-agents of a host in the manifest's order. It reads each file with a parser of its
// format that is not the product's, and checks that the instructions are in there byte for byte.
func Promises(result *render.Result, id schema.ProviderID) ([]Promise, error) {
	var promises []Promise
	for _, r := range result.Agents {
		if r.Provider != id || len(r.Files) == 0 {
			continue
		}
		file := r.Files[0]
		p := Promise{
			Probe: Probe{Name: r.Agent.Slug, File: file.Path}, Agent: r.Agent, Facts: all.Get(id).Facts(),
			recipe: file.Place.Format == "recipe",
		}
		body, err := readBody(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		if !holds(body, r.Agent) {
			return nil, fmt.Errorf("%s: the body lacks the instructions: %.200q", file.Path, body)
		}
		p.Body = body
		promises = append(promises, p)
	}
	return promises, nil
}

// holds says whether a body has the instructions of a sub-agent byte for byte; those of a template are not in there.
func holds(body string, a *schema.Agent) bool {
	return a.Template != nil && *a.Template || strings.Contains(body, a.Instructions)
}

// ProbesOf gives the probes of promises, for a Driver.
func ProbesOf(promises []Promise) []Probe {
	probes := make([]Probe, len(promises))
	for i, p := range promises {
		probes[i] = p.Probe
	}
	return probes
}

// putRendered writes the rendered files of a host into the project.
func (b Bench) putRendered(result *render.Result, id schema.ProviderID) error {
	for _, file := range result.Files {
		if file.Provider != id {
			continue
		}
		if err := b.put("project/"+file.Path, string(file.Data)); err != nil {
			return err
		}
	}
	return nil
}

// readBody reads a body as the first reader of the file would, and takes back what is escaped for a second one.
func readBody(file render.File) (string, error) {
	switch {
	case file.Provider == schema.CodexID:
		var role struct {
			Body string `toml:"developer_instructions"`
		}
		err := toml.Unmarshal(file.Data, &role)
		return role.Body, err
	case file.Place.Format == "recipe":
		var recipe struct{ Instructions, Prompt string }
		if err := yaml.Unmarshal(file.Data, &recipe); err != nil {
			return "", err
		}
		if recipe.Prompt != "" {
			return recipe.Instructions, nil
		}
		return unescapeTemplate.Replace(recipe.Instructions), nil
	}
	_, body, found := strings.Cut(string(file.Data), "\n---\n")
	if !found {
		return "", fmt.Errorf("no line --- ends the front matter")
	}
	if file.Provider == schema.GooseID {
		body = unescapeTemplate.Replace(body)
	}
	return body, nil
}

// unescapeTemplate does what goose does to the escapes when it evaluates a text.
var unescapeTemplate = strings.NewReplacer("{{ '{{' }}", "{{", "{{ '{%' }}", "{%", "{{ '{#' }}", "{#")

// shownBody is the body after the trimming that the tables say the client does.
func (p Promise) shownBody() string {
	switch {
	case !p.Facts.Observe.TrimBody:
		return p.Body
	case p.Facts.ID == schema.GooseID:
		if p.recipe {
			return p.Body
		}
		return strings.TrimSpace(p.Body)
	}
	return trimScript(p.Body)
}

// trimScript trims as JavaScript does: other than Unicode it leaves U+0085 and takes the byte order mark.
func trimScript(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}

// shownDescription is the description as the tables say the client lists it.
func (p Promise) shownDescription() string {
	text := p.Agent.Description
	if p.Facts.Observe.BackslashNewline {
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	if p.Facts.Observe.TrimDescription {
		text = strings.TrimSpace(text)
	}
	return text
}

// Expect says what the client of a run must make of the sub-agent. A sub-agent without settings gets what the run's
// control got.
func (p Promise) Expect(run *Run) Expect {
	e := Expect{Probe: p.Probe, Description: p.shownDescription(), Body: p.shownBody()}
	if p.Facts.ID == schema.OpenCodeID && !p.native() {
		e.Defined = map[string]string{"mode": `"subagent"`, "options": "{}"} // where keys go that the client does not know
	}
	if run.Control.Spawned == nil {
		return e
	}
	e.Tools = p.tools(run.Control.Tools())
	e.Model, e.Effort = p.model(run.Control.Spawned)
	return e
}

// Expected is [Promise.Expect] for all of them.
func Expected(promises []Promise, run *Run) []Expect {
	expected := make([]Expect, len(promises))
	for i, p := range promises {
		expected[i] = p.Expect(run)
	}
	return expected
}

// native says whether the block sets anything, its model apart, that may bear on tools.
func (p Promise) native() bool {
	return slices.ContainsFunc(p.Agent.Settings(), func(s schema.Setting) bool {
		key, ofBlock := strings.CutPrefix(s.Key, string(p.Facts.ID)+".")
		return ofBlock && !slices.Contains([]string{"model", "effort", "reasoning_effort", "variant", "format", "scope", "enabled"}, key)
	})
}
