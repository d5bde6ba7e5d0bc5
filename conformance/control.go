package conformance

import (
	"errors"
	"strings"
)

// Every run carries one sub-agent of the suite's own beside the probes, the control. Its body is known, so what the
// client wraps around a body can be read off its request; and if even the control is not listed, the client did not
// read the folder at all, which says nothing about the files in it.
const (
	controlName = "conformance-control"
	controlBody = "Control of the conformance suite."
)

// frame is the place of a sub-agent's body in what a client writes around it: the number of the system text that holds
// it, the line that stands right before it, and the words right after it. Further away the surroundings may differ from one sub-agent
// to the next.
type frame struct {
	index         int
	before, after string
}

// frameOf reads the frame off the control's system texts.
func frameOf(system []string) (frame, bool) {
	for i, text := range system {
		if before, after, found := strings.Cut(text, controlBody); found {
			return frame{i, lastLine(before), firstWords(after)}, true
		}
	}
	return frame{}, false
}

// cut returns the body in the frame. It may hold anything, the words of the frame too, and so reaches from the first
// of the one to the last of the other. ends are the starts of texts that the client adds to some sub-agents only.
func (f frame) cut(system []string, ends ...string) (string, bool) {
	if f.index >= len(system) {
		return "", false
	}
	body := system[f.index]
	if f.before != "" {
		at := strings.Index(body, f.before)
		if at < 0 {
			return "", false
		}
		body = body[at+len(f.before):]
	}
	if f.after != "" {
		at := strings.LastIndex(body, f.after)
		if at < 0 {
			return "", false
		}
		body = body[:at]
	}
	for _, end := range ends {
		if at := strings.LastIndex(body, end); at >= 0 {
			body = body[:at]
		}
	}
	return body, true
}

// lastLine is the last line with words in it, from the line feed before it to the end of the text.
func lastLine(text string) string {
	words := strings.TrimRight(text, "\n")
	return text[max(0, strings.LastIndexByte(words, '\n')):]
}

// firstWords is the beginning of the text's first line with words in it, with the line feeds before it: that line
// may go on to name the model or the tools.
func firstWords(text string) string {
	blank := len(text) - len(strings.TrimLeft(text, "\n"))
	line, _, _ := strings.Cut(text[blank:], "\n")
	return text[:blank] + line[:min(len(line), 25)]
}

// takeControl takes the control, the last probe, out of the run.
func (r *Run) takeControl() {
	last := len(r.Agents) - 1
	r.Control = r.Agents[last]
	r.Agents = r.Agents[:last]
}

// settleControl takes the control out of the run and cuts the other bodies out of their requests.
func (r *Run) settleControl(ends ...string) error {
	r.takeControl()
	control := r.Control
	if !control.Listed {
		return errors.New("the client did not list the control: it reads another folder than the suite thinks")
	}
	if control.Spawned == nil {
		return errors.New("the client did not spawn the control: " + control.Answer)
	}
	around, found := frameOf(control.Spawned.System)
	if !found {
		return errors.New("the control's body is not in its request's system texts")
	}
	for i := range r.Agents {
		if agent := &r.Agents[i]; agent.Spawned != nil {
			agent.Body, agent.BodyFound = around.cut(agent.Spawned.System, ends...)
		}
	}
	return nil
}
