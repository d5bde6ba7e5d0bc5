//go:build conformance

package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// check is a question about one sub-agent of a run; nil is yes.
type check func(*Run, *Observation) error

// all joins checks into one.
func all(checks ...check) check {
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
