package contract

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteTAP writes suites as one TAP 14 document (testanything.org).
func WriteTAP(w io.Writer, suites []*Suite) error {
	total := 0
	for _, s := range suites {
		total += len(s.Cases)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", total)
	n := 0
	for _, s := range suites {
		for _, c := range s.Cases {
			n++
			c.tap(&b, n)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c Case) tap(b *strings.Builder, n int) {
	if c.Problem == "" {
		fmt.Fprintf(b, "ok %d - %s\n", n, tapText(c.Name))
		return
	}
	fmt.Fprintf(b, "not ok %d - %s\n  ---\n  message: %s\n  at: %s\n  ...\n", n, tapText(c.Name), strconv.Quote(c.Problem), strconv.Quote(c.place()))
}

// place writes where the contract asks for it.
func (c Case) place() string {
	return fmt.Sprintf("%s:%d:%d", c.At.Filename, c.At.Start.Line, c.At.Start.Column)
}

// tapText keeps a name on its line, and a # in it from starting a directive.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`, "\n", " ", "\r", " ").Replace(s)
}
