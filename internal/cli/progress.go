package cli

import (
	"fmt"
	"io"
	"time"
)

// progress gives a function that keeps a line on a terminal up to date, and one
// that takes the line away.
func (r *runner) progress() (tell func(done, of int), clear func()) {
	if _, is := terminal(r.stderr); !is || r.quiet || r.format != formatText {
		return nil, func() {}
	}
	return progressLine(r.Err, time.Now)
}

// progressLine writes how much is done once that has taken more than a second,
// and ten times a second from then on.
func progressLine(w io.Writer, now func() time.Time) (tell func(done, of int), clear func()) {
	next, shown := now().Add(time.Second), false
	tell = func(done, of int) {
		if t := now(); t.After(next) {
			next, shown = t.Add(100*time.Millisecond), true
			fmt.Fprintf(w, "\r%d %% done", 100*done/of)
		}
	}
	return tell, func() {
		if shown {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}
