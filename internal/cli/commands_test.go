package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/testscript"
	"gopkg.in/yaml.v3"
)

// exits CODE COMMAND ARGS… runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		failed, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = failed.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// lean MEBIBYTES COMMAND ARGS… runs a program, whatever its exit code, and checks
// the memory that it took. Time is for the benchmarks.
func lean(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: lean MEBIBYTES COMMAND ARGS…")
	}
	limit, err := strconv.Atoi(args[0])
	ts.Check(err)
	file := filepath.Join(ts.Getenv("WORK"), ".peak")
	ts.Check(ts.Exec("peak", append([]string{file}, args[1:]...)...))
	peak, err := strconv.Atoi(ts.ReadFile(file))
	ts.Check(err)
	ts.Check(os.Remove(file))
	if peak > limit && !raceDetector {
		ts.Fatalf("took %d MiB, want at most %d", peak, limit)
	}
}

// peak FILE COMMAND ARGS… runs a program, whatever its exit code, and writes the
// most MiB that it had into a file. It is a process of its own, since a child is
// charged with what its parent had when it was started.
func peak(args []string) error {
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return err
	}
	return os.WriteFile(args[0], []byte(strconv.Itoa(peakMiB(cmd.ProcessState))), 0o600)
}

// json FILE PATH VALUE checks a value of a JSON document. FILE may be stdout or
// stderr; PATH is keys and indexes with dots between; len is the length of a list.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	d.UseNumber()
	var doc any
	ts.Check(d.Decode(&doc))
	if d.More() {
		ts.Fatalf("more than one JSON document")
	}
	got, err := at(doc, args[1])
	if (err == nil && got == args[2]) == neg {
		ts.Fatalf("%s is %q (%v), want %q", args[1], got, err, args[2])
	}
}

// sameas JSONFILE PATH FILE checks that a value of a document is the contents of
// a file.
func sameAs(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: sameas JSONFILE PATH FILE")
	}
	jsonHas(ts, neg, []string{args[0], args[1], ts.ReadFile(args[2])})
}

// native FILE KEY GOSTRING parses a native file with a real parser of its format
// and checks the value of a key; the key body is what follows front matter.
func nativeHas(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: native FILE KEY GOSTRING")
	}
	want, err := strconv.Unquote(args[2])
	if err != nil {
		want = args[2]
	}
	doc, err := parseNative(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	got, err := at(doc, args[1])
	if (err == nil && got == want) == neg {
		ts.Fatalf("%s is %q (%v), want %q", args[1], got, err, want)
	}
}

// pick FILE KEY INTO writes the value of a key of a native file to a file.
func pick(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 || neg {
		ts.Fatalf("usage: pick FILE KEY INTO")
	}
	doc, err := parseNative(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	value, err := at(doc, args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(value), 0o600))
}

// lacks FILE KEY checks that a native file does not have a key.
func lacks(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: lacks FILE KEY")
	}
	doc, err := parseNative(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	if got, err := at(doc, args[1]); err == nil {
		ts.Fatalf("%s is there: %q", args[1], got)
	}
}

func parseNative(name string, data []byte) (doc any, err error) {
	switch filepath.Ext(name) {
	case ".toml":
		err = toml.Unmarshal(data, &doc)
	case ".json":
		err = json.Unmarshal(data, &doc)
	case ".yaml":
		err = yaml.Unmarshal(data, &doc)
	default:
		rest, ok := bytes.CutPrefix(data, []byte("---\n"))
		front, body, closed := bytes.Cut(rest, []byte("\n---\n"))
		if !ok || !closed {
			return nil, fmt.Errorf("%s has no front matter", name)
		}
		keys := map[string]any{}
		err = yaml.Unmarshal(front, &keys)
		keys["body"] = string(body)
		doc = keys
	}
	return doc, err
}

// at follows a path into a document and writes what stands there as text.
func at(doc any, path string) (string, error) {
	for _, step := range strings.Split(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			value, ok := v[step]
			if !ok {
				return "", fmt.Errorf("no key %q", step)
			}
			doc = value
		case []any:
			if step == "len" {
				return strconv.Itoa(len(v)), nil
			}
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				return "", fmt.Errorf("no item %q of %d", step, len(v))
			}
			doc = v[i]
		default:
			return "", fmt.Errorf("%q is no key of %v", step, doc)
		}
	}
	switch v := doc.(type) {
	case string:
		return v, nil
	case map[string]any, []any:
		data, err := json.Marshal(v)
		return string(data), err
	}
	return fmt.Sprint(doc), nil
}

// bytes FILE GOSTRING… writes a file from Go string literals, without their
// quotes, one after the other.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: bytes FILE GOSTRING…")
	}
	var b strings.Builder
	for _, arg := range args[1:] {
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		ts.Check(err)
		b.WriteString(s)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// repeat FILE BEFORE N UNIT AFTER writes a file with a unit repeated N times;
// texts are Go string literals without their quotes, %d is the number of the
// repetition and %e the one after it.
func writeRepeated(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 5 || neg {
		ts.Fatalf("usage: repeat FILE BEFORE N UNIT AFTER")
	}
	text := func(arg string) string {
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		ts.Check(err)
		return s
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	unit := text(args[3])
	var b bytes.Buffer
	b.WriteString(text(args[1]))
	for i := range n {
		b.WriteString(strings.NewReplacer("%d", strconv.Itoa(i), "%e", strconv.Itoa(i+1)).Replace(unit))
	}
	b.WriteString(text(args[4]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o644))
}

// mode PERM FILE… checks permissions.
func hasMode(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: mode PERM FILE…")
	}
	for _, name := range args[1:] {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
			ts.Fatalf("%s has mode %s, want %s", name, got, args[0])
		}
	}
}

// longAgo is the time that age sets.
var longAgo = time.Unix(1_000_000_000, 0)

// age FILE… sets the modification time of files to long ago.
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: age FILE…")
	}
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), longAgo, longAgo))
	}
}

// aged FILE… checks that files have not been written since age.
func aged(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if info.ModTime().Equal(longAgo) == neg {
			ts.Fatalf("%s was written at %v", name, info.ModTime())
		}
	}
}
