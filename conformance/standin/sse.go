package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// stream writes server-sent events.
type stream struct {
	w   http.ResponseWriter
	err error
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	return &stream{w: w}
}

// event sends one event; name may be empty, for protocols that have only data lines.
func (s *stream) event(name string, data any) {
	if s.err != nil {
		return
	}
	text, err := json.Marshal(data)
	if err != nil {
		s.err = err
		return
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	s.raw(name + "data: " + string(text))
}

func (s *stream) raw(text string) {
	if s.err != nil {
		return
	}
	if _, s.err = fmt.Fprintf(s.w, "%s\n\n", text); s.err == nil {
		s.err = http.NewResponseController(s.w).Flush()
	}
}

// inputText is the JSON text of a call's arguments.
func (c Call) inputText() string {
	if text, ok := c.Input.(string); ok && c.Freeform {
		return text
	}
	text, err := json.Marshal(c.Input)
	if err != nil {
		panic(err) // the scripts of this suite hold plain maps
	}
	return string(text)
}
