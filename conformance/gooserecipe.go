package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// GooseRecipe drives goose with one recipe at a time as the main thread, "goose run --recipe FILE", the other way to
// use a recipe and the only one in which its extensions count. A recipe that goose recipe validate accepts counts as
// listed, and its definition is the recipe as the client renders it. Observed with 1.52.0.
type GooseRecipe struct {
	At clients.Client
}

// Client is the client that is run.
func (g GooseRecipe) Client() clients.Client { return g.At }

// parallelRecipes is how many clients run at once; each keeps a core busy.
const parallelRecipes = 2

// Run is [Driver]\'s.
func (g GooseRecipe) Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error) {
	control := Probe{Name: controlName, File: ".goose/recipes/" + controlName + ".yaml"}
	probes = append(slices.Clone(probes), control)
	text := fmt.Sprintf("version: \"1.0.0\"\ntitle: Control\ndescription: Control.\ninstructions: %q\nprompt: Begin.\n", controlBody)
	if err := bench.put("project/"+control.File, text); err != nil {
		return nil, err
	}
	if err := bench.prepareHome(); err != nil {
		return nil, err
	}
	run := &Run{Client: g.At, Agents: make([]Observation, len(probes))}
	failures := make([]error, len(probes))
	slots := make(chan struct{}, parallelRecipes)
	var all sync.WaitGroup
	for i, probe := range probes {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			run.Agents[i], failures[i] = g.one(ctx, bench, probe)
		})
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	complaints, err := gooseComplaints(bench, probes)
	if err != nil {
		return nil, err
	}
	run.Complaints = complaints
	err = run.settleControl()
	run.takeGooseAnswerForm()
	return run, err
}

// one validates, renders and runs a single recipe.
func (g GooseRecipe) one(ctx context.Context, bench Bench, probe Probe) (Observation, error) {
	var mu sync.Mutex
	seen := Observation{Name: probe.Name}
	server, err := standin.Start(func(_ context.Context, request *standin.Request) standin.Reply {
		if isGooseTitle(request) {
			return standin.Reply{Text: "Conformance"}
		}
		mu.Lock()
		defer mu.Unlock()
		return seen.answer(0, probe, request)
	})
	if err != nil {
		return seen, err
	}
	defer server.Close()

	goose := func(args ...string) (output, error) {
		return gooseCommand(g.At, bench, server.URL(), args...).run(ctx)
	}
	valid, err := goose("recipe", "validate", probe.File)
	if err != nil {
		return seen, err
	}
	seen.Listed = valid.Exit == 0
	rendered, err := goose(append([]string{"run", "--recipe", probe.File, "--render-recipe"}, probe.Args...)...)
	if err != nil {
		return seen, err
	}
	if rendered.Exit == 0 {
		var recipe struct{ Description string }
		if err := yaml.Unmarshal([]byte(rendered.Stdout), &recipe); err != nil {
			return seen, fmt.Errorf("the client rendered %s as no YAML: %w", probe.File, err)
		}
		seen.Definition, seen.Description = rendered.Stdout, recipe.Description
	}
	ran, err := goose(append([]string{"run", "--no-session", "--recipe", probe.File}, probe.Args...)...)
	if err != nil {
		return seen, err
	}
	seen.Answer = strings.TrimSpace(valid.Stderr + ran.Stdout + ran.Stderr)
	return seen, nil
}
