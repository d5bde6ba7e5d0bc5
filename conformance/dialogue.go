package conformance

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-337579fc/subagents/conformance/standin"
)

// parentPrompt is what the person says to the main thread. Like the probes' prompts it is a marker by which the
// stand-in knows who is talking.
const parentPrompt = "[subagents-parent] Start the sub-agents."

var probeMarker = regexp.MustCompile(`\[subagents-probe-(\d+)\]`)

// probePrompt is the task that the parent gives to a sub-agent.
func probePrompt(index int) string {
	return fmt.Sprintf("[subagents-probe-%d] Do your work and report.", index)
}

func spawnID(index int) string { return fmt.Sprintf("call_spawn_%d", index) }

// report is what every spawned sub-agent answers when its calls are made.
const report = "Nothing to report."

// unasked is the answer to whoever else talks, a sub-agent's own sub-agent for one.
const unasked = "Answer to one who is no probe."

// dialogue plays the model in one run. To the main thread it answers with spawn calls, a batch at a time; to a
// sub-agent with its probe's tool calls, one a turn, then with a report.
type dialogue struct {
	probes []Probe
	batch  int // spawn calls in one turn of the main thread
	// spawn makes the client's own spawn call for a probe.
	spawn func(index int, parent *standin.Request) standin.Call
	// aside recognises requests that belong to no thread, such as the invention of a session title.
	aside func(*standin.Request) bool
	// started, for clients whose spawn call returns before the sub-agent has worked, tells from the call's result
	// that there is a sub-agent to wait for: the client would end, and the sub-agent with it, once the main thread
	// has nothing more to say.
	started func(result string) bool

	mu       sync.Mutex
	next     int
	parent   *standin.Request
	seen     []Observation
	reported []chan struct{} // closed when the sub-agent has reported
}

// newDialogue returns a dialogue over the probes; the caller fills in what its client needs.
func newDialogue(probes []Probe, batch int, spawn func(int, *standin.Request) standin.Call) *dialogue {
	d := &dialogue{probes: probes, batch: batch, spawn: spawn}
	for _, p := range probes {
		d.seen = append(d.seen, Observation{Name: p.Name})
		d.reported = append(d.reported, make(chan struct{}))
	}
	return d
}

func (d *dialogue) script(ctx context.Context, request *standin.Request) standin.Reply {
	if d.aside != nil && d.aside(request) {
		return standin.Reply{Text: "Conformance"}
	}
	if index, ok := d.probeOf(request); ok {
		return d.asSubagent(index, request)
	}
	if request.Said("[subagents-parent]") {
		d.await(ctx, request)
		return d.asParent(request)
	}
	return standin.Reply{Text: unasked}
}

// probeOf finds the last probe marker in what the person's side said: after a full-history fork the parent's own
// words stand before it.
func (d *dialogue) probeOf(request *standin.Request) (int, bool) {
	index, found := 0, false
	for _, m := range request.Messages {
		if m.Role != "user" {
			continue
		}
		if match := probeMarker.FindStringSubmatch(m.Text); match != nil {
			index, _ = strconv.Atoi(match[1])
			found = index < len(d.probes)
		}
	}
	return index, found
}

func (d *dialogue) asParent(request *standin.Request) standin.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.parent == nil {
		d.parent = request
	}
	d.readAnswers(request)
	var calls []standin.Call
	for ; d.next < len(d.probes) && len(calls) < d.batch; d.next++ {
		call := d.spawn(d.next, request)
		call.ID = spawnID(d.next)
		calls = append(calls, call)
	}
	if len(calls) == 0 {
		return standin.Reply{Text: "All done."}
	}
	return standin.Reply{Calls: calls}
}

// await blocks until every sub-agent that the client says it has started has reported. One that stays silent for
// this long is broken, and its observation will say so.
func (d *dialogue) await(ctx context.Context, request *standin.Request) {
	if d.started == nil {
		return
	}
	silence := time.After(4 * time.Minute) // less than clients wait for a model's next word
	for index, result := range spawnResults(request) {
		if !d.started(result) {
			continue
		}
		select {
		case <-d.reported[index]:
		case <-silence:
			return
		case <-ctx.Done():
			return
		}
	}
}

// readAnswers keeps what the client answered to each spawn call.
func (d *dialogue) readAnswers(request *standin.Request) {
	for index, result := range spawnResults(request) {
		d.seen[index].Answer = result
	}
}

// spawnResults yields probe index and result text of the spawn calls that are answered in the request.
func spawnResults(request *standin.Request) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for _, result := range request.Results() {
			number, ok := strings.CutPrefix(result.ID, "call_spawn_")
			index, err := strconv.Atoi(number)
			if ok && err == nil && !yield(index, result.Text) {
				return
			}
		}
	}
}

func (d *dialogue) asSubagent(index int, request *standin.Request) standin.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	reply := d.seen[index].answer(index, d.probes[index], request)
	select {
	case <-d.reported[index]: // a client may ask again
	default:
		if len(reply.Calls) == 0 {
			close(d.reported[index])
		}
	}
	return reply
}

// answer records a sub-agent's request and says what its model answers: the next of the probe's calls, or the report.
func (o *Observation) answer(index int, probe Probe, request *standin.Request) standin.Reply {
	if o.Spawned == nil {
		o.Spawned = request
	}
	o.Requests = append(o.Requests, request)
	o.Results = nil
	for _, result := range request.Results() {
		if strings.HasPrefix(result.ID, fmt.Sprintf("call_%d_", index)) {
			o.Results = append(o.Results, result)
		}
	}
	turn := len(o.Results)
	if turn >= len(probe.Calls) {
		return standin.Reply{Text: report}
	}
	call := probe.Calls[turn]
	call.ID = fmt.Sprintf("call_%d_%d", index, turn)
	return standin.Reply{Calls: []standin.Call{call}}
}

// observations returns what was seen, once the client has ended.
func (d *dialogue) observations() []Observation {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen
}
