package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// check is a question about one sub-agent of a run; nil is yes.
type check func(*Run, *Observation) error

// every joins checks into one.
func every(checks ...check) check {
	return func(run *Run, agent *Observation) error {
		for _, c := range checks {
			if err := c(run, agent); err != nil {
				return err
			}
		}
		return nil
	}
}

// spawned makes a check of something that only a spawned sub-agent shows.
func spawned(ask func(*Observation) error) check {
	return func(_ *Run, agent *Observation) error {
		if agent.Spawned == nil {
			return fmt.Errorf("not spawned: %.300s", agent.Answer)
		}
		return ask(agent)
	}
}

// spawnedIn is spawned for what takes the rest of the run to tell.
func spawnedIn(ask check) check {
	return func(run *Run, agent *Observation) error {
		return spawned(func(a *Observation) error { return ask(run, a) })(run, agent)
	}
}

func same(what, want, got string) error {
	if want != got {
		return fmt.Errorf("%s: want %.300q, got %.300q", what, want, got)
	}
	return nil
}

func body(want string) check {
	return spawned(func(a *Observation) error { return same("body", want, a.Body) })
}

// bodyLost: the client put something of its own in the place of the body.
func bodyLost() check {
	return spawned(func(a *Observation) error {
		if a.BodyFound {
			return fmt.Errorf("the body arrived: %.100q", a.Body)
		}
		return nil
	})
}

func description(want string) check {
	return func(_ *Run, a *Observation) error { return same("description", want, a.Description) }
}

func tools(names ...string) check {
	return spawned(func(a *Observation) error {
		return same("tools", strings.Join(names, " "), strings.Join(a.Tools(), " "))
	})
}

func offered(names ...string) check {
	return spawned(func(a *Observation) error {
		for _, name := range names {
			if !slices.Contains(a.Tools(), name) {
				return fmt.Errorf("%s is not offered, but %v", name, a.Tools())
			}
		}
		return nil
	})
}

// toolsOfControl: the same tools as a sub-agent without settings.
func toolsOfControl() check {
	return spawnedIn(func(run *Run, a *Observation) error {
		return same("tools", strings.Join(run.Control.Tools(), " "), strings.Join(a.Tools(), " "))
	})
}

func modelOfControl() check {
	return spawnedIn(func(run *Run, a *Observation) error { return same("model", run.Control.Spawned.Model, a.Spawned.Model) })
}

func effortOfControl() check {
	return spawnedIn(func(run *Run, a *Observation) error {
		return same("effort", run.Control.Spawned.Effort, a.Spawned.Effort)
	})
}

// offeredIn: tools of one namespace, a client's word for the tools of one server.
func offeredIn(namespace string, names ...string) check {
	return spawned(func(a *Observation) error {
		for _, name := range names {
			if !slices.ContainsFunc(a.Spawned.Tools, func(t standin.Tool) bool { return t.Namespace == namespace && t.Name == name }) {
				return fmt.Errorf("%s of %s is not offered, but %v", name, namespace, a.Spawned.Tools)
			}
		}
		return nil
	})
}

func withheld(names ...string) check {
	return spawned(func(a *Observation) error {
		for _, name := range names {
			if slices.Contains(a.Tools(), name) {
				return fmt.Errorf("%s is offered", name)
			}
		}
		return nil
	})
}

func model(want string) check {
	return spawned(func(a *Observation) error { return same("model", want, a.Spawned.Model) })
}

func effort(want string) check {
	return spawned(func(a *Observation) error { return same("effort", want, a.Spawned.Effort) })
}

// field compares the JSON text of a field of the first request.
func field(want string, path ...string) check {
	return spawned(func(a *Observation) error { return same(strings.Join(path, "."), want, a.Spawned.Field(path...)) })
}

// sent: some text stands anywhere in the first request.
func sent(text string) check {
	return spawned(func(a *Observation) error {
		if !strings.Contains(string(a.Spawned.Body), text) {
			return fmt.Errorf("the request does not hold %q", text)
		}
		return nil
	})
}

func unsent(text string) check {
	return spawned(func(a *Observation) error {
		if sent(text)(nil, a) == nil {
			return fmt.Errorf("the request holds %q", text)
		}
		return nil
	})
}

// sentLater: some text stands in a request after the first.
func sentLater(text string) check {
	return spawned(func(a *Observation) error {
		for _, request := range a.Requests[1:] {
			if strings.Contains(string(request.Body), text) {
				return nil
			}
		}
		return fmt.Errorf("none of %d later requests holds %q", len(a.Requests)-1, text)
	})
}

// parentReads: some text stands in what the main thread's model is given, tools included.
func parentReads(text string) check {
	return func(run *Run, _ *Observation) error {
		if slices.ContainsFunc(run.Parent.Texts(), func(part string) bool { return strings.Contains(part, text) }) {
			return nil
		}
		return fmt.Errorf("the main thread is not shown %.100q", text)
	}
}

// logged: the client's log holds a text.
func logged(text string) check {
	return spawnedIn(func(run *Run, _ *Observation) error {
		if !strings.Contains(run.Log, text) {
			return fmt.Errorf("the log does not hold %q", text)
		}
		return nil
	})
}

func turns(want int) check {
	return spawned(func(a *Observation) error { return same("turns", fmt.Sprint(want), fmt.Sprint(len(a.Requests))) })
}

// result: the outcome of a call of the probe holds a text.
func result(index int, text string) check {
	return spawned(func(a *Observation) error {
		if index >= len(a.Results) {
			return fmt.Errorf("call %d has no result; the main thread was told %.300q", index, a.Answer)
		}
		if !strings.Contains(a.Results[index].Text, text) {
			return fmt.Errorf("result %d does not hold %q: %.300q", index, text, a.Results[index].Text)
		}
		return nil
	})
}

// printed: a line of the outcome of a call of the probe is a text; where a client quotes outcomes as JSON, within that.
func printed(index int, line string) check {
	return every(result(index, line), spawned(func(a *Observation) error {
		text := strings.ReplaceAll(a.Results[index].Text, `\n`, "\n")
		for have := range strings.Lines(text) {
			if strings.TrimSpace(have) == line {
				return nil
			}
		}
		return fmt.Errorf("result %d has no line %q: %.300q", index, line, a.Results[index].Text)
	}))
}

// answered: what the client told the main thread holds a text.
func answered(text string) check {
	return func(_ *Run, a *Observation) error {
		if !strings.Contains(a.Answer, text) {
			return fmt.Errorf("the main thread was not told %q but %.300q", text, a.Answer)
		}
		return nil
	}
}

func refused(text string) check {
	return func(run *Run, a *Observation) error {
		if a.Spawned != nil {
			return fmt.Errorf("spawned, with tools %v", a.Tools())
		}
		return answered(text)(run, a)
	}
}

func absent() check {
	return func(_ *Run, a *Observation) error {
		if a.Listed {
			return fmt.Errorf("listed")
		}
		return nil
	}
}

// complained: the client said something about the sub-agent's file, or about its name.
func complained(text string) check {
	return func(run *Run, a *Observation) error {
		for _, c := range run.Complaints {
			if strings.Contains(c.Text, text) && (strings.Contains(c.File, a.Name) || strings.Contains(c.Text, a.Name)) {
				return nil
			}
		}
		return fmt.Errorf("no complaint with %q among %v", text, run.Complaints)
	}
}

func call(name string, input map[string]any) standin.Call {
	return standin.Call{Name: name, Input: input}
}

// bodyOf is the body of a sub-agent whose body does not matter.
func bodyOf(name string) string { return "Body of " + name + "." }
