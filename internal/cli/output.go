package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// The values of --format, the default first, and of --color.
var (
	formats = []string{formatText, formatJSON}
	colors  = []string{"auto", "always", "never"}
)

// The formats.
const (
	formatText = "text"
	formatJSON = "json"
)

// documentVersion is the version of every JSON document that the commands
// print. It grows when a key changes its meaning or goes away.
const documentVersion = 1

// json writes a document for programs.
func (r *runner) json(w io.Writer, document any) error {
	if err := writeJSON(w, document); err != nil {
		return machine("writing JSON: %w", err)
	}
	return nil
}

// note tells people on standard error how it went; -q keeps it quiet.
func (r *runner) note(format string, args ...any) {
	if !r.quiet && r.format == formatText {
		fmt.Fprintf(r.Err, format+"\n", args...)
	}
}

// done tells people on standard output how it went; -q keeps it quiet.
func (r *runner) done(format string, args ...any) {
	if !r.quiet {
		fmt.Fprintf(r.Out, format+"\n", args...)
	}
}

// terminal says whether a stream of the App is a terminal, and how wide; 0
// where it is none or does not say.
func terminal(w any) (width int, is bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return width, true
}

// colored says whether a stream gets colour: --color decides, else NO_COLOR,
// else whether the stream is a terminal that can.
func (r *runner) colored(w any) bool {
	switch r.color {
	case "always":
		return true
	case "never":
		return false
	}
	if r.Env("NO_COLOR") != "" || r.Env("TERM") == "dumb" {
		return false
	}
	_, is := terminal(w)
	return is
}

// forPeople makes data safe if it is going to a terminal, and leaves it as it
// is on its way into a file or a pipe.
func (r *runner) forPeople(s string) string {
	if _, is := terminal(r.screen); is {
		return printable(s)
	}
	return s
}

// printable spells out what a terminal would obey instead of show: control
// characters, characters that turn the direction of the text, and bytes that
// are no text. Line feeds and tabs stay.
func printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
		i += n
	}
	return b.String()
}

func hidden(c rune) bool {
	if c == '\n' || c == '\t' {
		return false
	}
	return unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == 0x2028 || c == 0x2029 || c == 0xFEFF
}

// oneLine is [printable] for what must stay on its line.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(printable(s))
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
