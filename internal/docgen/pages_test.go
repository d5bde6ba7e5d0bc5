package main

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// written lists the Markdown files of the repository that people wrote or that
// are generated: those that git knows or would add.
func written(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("not in a git work tree")
	}
	var list []string
	for _, name := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil && !strings.Contains("/"+name, "/testdata/") {
			list = append(list, name)
		}
	}
	if len(list) < 10 {
		t.Fatalf("only %d pages", len(list))
	}
	return list
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	link    = regexp.MustCompile(`\[[^\]\n]*\]\(([^)\s]+)\)`)
	anchors = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	span    = regexp.MustCompile("`+[^`\n]*`+")
)

// Every link within the repository leads to something that is there, to its
// heading included.
func TestLinksLeadSomewhere(t *testing.T) {
	checked := 0
	for _, name := range written(t) {
		for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(withoutBlocks(read(t, name)), ""), -1) {
			target, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if target.Scheme != "" {
				continue
			}
			checked++
			file := name
			if target.Path != "" {
				file = path.Join(path.Dir(name), target.Path)
			}
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(file)))
			switch {
			case err != nil:
				t.Errorf("%s: nothing is at %s", name, m[1])
			case target.Fragment != "" && (info.IsDir() || !addresses(read(t, file))[target.Fragment]):
				t.Errorf("%s: %s has no heading %q", name, file, target.Fragment)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links", checked)
	}
}

// addresses gives the addresses of the headings of a page, as GitHub makes them,
// and those that it sets itself.
func addresses(page string) map[string]bool {
	list := map[string]bool{}
	for _, m := range anchors.FindAllStringSubmatch(page, -1) {
		list[m[1]] = true
	}
	for line := range strings.Lines(withoutBlocks(page)) {
		text := strings.TrimLeft(line, "#")
		if text == line {
			continue
		}
		var b strings.Builder
		for _, c := range strings.ToLower(strings.TrimSpace(text)) {
			switch {
			case c == ' ':
				b.WriteByte('-')
			case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
				b.WriteRune(c)
			}
		}
		address := b.String()
		for n := 1; list[address]; n++ {
			address = fmt.Sprintf("%s-%d", b.String(), n)
		}
		list[address] = true
	}
	return list
}

// A block is a fenced block of a page.
type block struct {
	info, text string
	line       int
}

// blocks gives the fenced blocks of a page, and the rest.
func blocks(page string) (list []block, rest string) {
	var b strings.Builder
	fence, n := "", 0
	for line := range strings.Lines(page) {
		n++
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			info := strings.TrimLeft(trimmed, "`")
			fence = trimmed[:len(trimmed)-len(info)]
			list = append(list, block{info: info, line: n})
		case fence != "" && trimmed == fence:
			fence = ""
		case fence != "":
			list[len(list)-1].text += line
		default:
			b.WriteString(line)
		}
	}
	return list, b.String()
}

func withoutBlocks(page string) string {
	_, rest := blocks(page)
	return rest
}

// The commands of every block that is marked "console run" work as they stand.
// The blocks of a page share a directory; a block that is marked "file=NAME"
// is written there first. What stands between two commands is what the first of
// them prints; "# exits N" behind a command says that it does.
func TestCommandsWork(t *testing.T) {
	ran := 0
	for _, name := range written(t) {
		list, _ := blocks(read(t, name))
		if !strings.Contains(fmt.Sprint(list), "console run") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c, remove, err := openConsole()
			if err != nil {
				t.Fatal(err)
			}
			defer remove()
			for _, b := range list {
				if _, file, ok := strings.Cut(b.info, "file="); ok {
					if err := c.write(file, []byte(b.text)); err != nil {
						t.Fatal(err)
					}
				}
				if b.info == "console run" {
					ran += c.try(t, name, b)
				}
			}
		})
	}
	if ran < 10 {
		t.Errorf("only %d commands", ran)
	}
}

// try runs the commands of a block and compares what they print, where the block
// says it.
func (c console) try(t *testing.T, name string, b block) int {
	t.Helper()
	steps := strings.Split("\n"+strings.TrimSpace(b.text), "\n$ ")[1:]
	for _, step := range steps {
		command, want, shown := strings.Cut(step, "\n")
		code := 0
		if _, err := fmt.Sscanf(command[strings.LastIndex(command, "#")+1:], " exits %d", &code); err == nil {
			command = command[:strings.LastIndex(command, "#")]
		}
		got, gotCode, err := c.run(command)
		if err != nil {
			t.Fatal(err)
		}
		if gotCode != code {
			t.Errorf("%s:%d: %s: exit code %d, want %d\n%s", name, b.line, command, gotCode, code, got)
		}
		if shown && strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s:%d: %s prints\n%s\nnot\n%s", name, b.line, command, got, want)
		}
	}
	return len(steps)
}
