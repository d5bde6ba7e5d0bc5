package orchestrate

import (
	"os/exec"
	"strings"
	"testing"

	"al.essio.dev/pkg/shellescape"

	"github.com/seed-337579fc/subagents/schema"
)

// runLine runs a line with a function in place of its program, which prints its
// arguments and what it reads, and gives both back.
func runLine(t *testing.T, c *Command) (argv []string, stdin string) {
	t.Helper()
	script := c.Argv[0] + "() { printf '%s\\0' \"$@\"; printf '\\1'; cat; }\n" + c.line()
	out, err := exec.Command("sh", "-c", script).Output()
	if err != nil {
		t.Fatalf("sh: %v\n%s", err, script)
	}
	args, stdin, _ := strings.Cut(string(out), "\x01")
	return strings.Split(strings.TrimSuffix(args, "\x00"), "\x00"), stdin
}

func needShell(tb testing.TB) {
	if _, err := exec.LookPath("sh"); err != nil {
		tb.Skip("there is no sh")
	}
}

var hardTexts = []string{
	"plain", "it's", `"$(touch x)"`, "`id`", "a\nb\n", "  lead and trail  ", `\`, `\n`, "$HOME", "!x", "-n", "%s%d", "ü ✓", "\t", "*", "~", "#", "; rm", "", "''", "\r\n",
}

func TestLineKeepsEveryText(t *testing.T) {
	needShell(t)
	for _, text := range hardTexts {
		for _, c := range []*Command{{Argv: []string{"host", "-x", "a" + text}}, {Argv: []string{"host", text}, Stdin: "Do: " + text}} {
			argv, stdin := runLine(t, c)
			if strings.Join(argv, "|") != strings.Join(c.Argv[1:], "|") || stdin != c.Stdin {
				t.Errorf("%q arrives as %q and %q", text, argv, stdin)
			}
		}
	}
}

func TestLongTaskOnStandardInput(t *testing.T) {
	needShell(t)
	c := &Command{Argv: []string{"host", "x"}, Stdin: strings.Repeat("it's long\n", 100_000)}
	dir := t.TempDir()
	cmd := exec.Command("sh")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader("host() { cat; }\n" + c.line())
	out, err := cmd.Output()
	if err != nil || string(out) != c.Stdin {
		t.Errorf("%d bytes arrive, %v", len(out), err)
	}
}

func TestEveryHostHasACommand(t *testing.T) {
	for _, id := range schema.ProviderIDs() {
		if forms[id] == nil {
			t.Errorf("%s has none", id)
		}
	}
}

func FuzzQuote(f *testing.F) {
	needShell(f)
	for _, text := range hardTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			t.Skip("no command line holds NUL: CheckTask refuses it")
		}
		out, err := exec.Command("sh", "-c", "printf %s "+shellescape.Quote(text)).Output()
		if err != nil || string(out) != text {
			t.Fatalf("%q arrives as %q, %v", text, out, err)
		}
	})
}
