package install

import "sync"

// A meter tells how much of a run is done: each content that is written, and
// each change that is made, is one step.
type meter struct {
	lock     sync.Mutex
	done, of int
	tell     func(done, of int) // nil: nobody asks
}

func newMeter(todo []*Action, tell func(done, of int)) *meter {
	m := &meter{of: len(todo), tell: tell}
	for _, a := range todo {
		if a.file != nil {
			m.of++
		}
	}
	return m
}

func (m *meter) step() {
	if m.tell == nil {
		return
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	m.done++
	m.tell(m.done, m.of)
}
