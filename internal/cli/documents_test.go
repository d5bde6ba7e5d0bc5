package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-337579fc/subagents/internal/cli"
)

// exitBadDocument is the exit code of a run in a script whose JSON does not meet
// its schema. The program itself has no such code.
const exitBadDocument = 99

// runChecked runs a command line of a script. Whatever it prints with --format
// json is held against the schemas of the command, so that every script checks
// them without saying so.
func runChecked(app cli.App, args []string) int {
	if !wantsJSON(args) {
		return app.Run(args)
	}
	var out, errs bytes.Buffer
	stdout, stderr := app.Out, app.Err
	app.Out, app.Err = &out, &errs
	code := app.Run(args)
	stdout.Write(out.Bytes())
	stderr.Write(errs.Bytes())
	problem := meets(out.Bytes(), cli.DocumentsOf(args[0]))
	if problem == nil && bytes.HasPrefix(errs.Bytes(), []byte("{")) {
		problem = meets(errs.Bytes(), []string{"problems"})
	}
	if problem != nil {
		fmt.Fprintln(stderr, problem)
		return exitBadDocument
	}
	return code
}

func wantsJSON(args []string) bool {
	i := slices.Index(args, "--format")
	return len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], "__") &&
		(slices.Contains(args, "--format=json") || i >= 0 && i+1 < len(args) && args[i+1] == "json")
}

// meets says why a document meets none of the schemas. No output meets them all.
func meets(data []byte, names []string) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, name := range names {
		var schema *jsonschema.Schema
		if schema, err = jsonschema.NewCompiler().Compile(schemaPath(name)); err != nil {
			return err
		}
		if err = schema.Validate(doc); err == nil {
			return nil
		}
	}
	return fmt.Errorf("the document meets none of the schemas %v: %w", names, err)
}

// schemaPath finds a schema: beside the other documents where it is written by
// hand, else among those that are generated.
func schemaPath(name string) string {
	_, here, _, _ := runtime.Caller(0)
	docs := filepath.Join(filepath.Dir(here), "..", "..", "docs")
	if byHand := filepath.Join(docs, name+".schema.json"); exists(byHand) {
		return byHand
	}
	return filepath.Join(docs, "schemas", name+".schema.json")
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Every command that takes --format json has a schema, and a script that runs it
// so and with success.
func TestEveryDocumentIsChecked(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	for _, name := range scripts {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			words := strings.Fields(line)
			if i := slices.Index(words, "subagents"); i > 0 && len(words) > i+1 && wantsJSON(words[i+1:]) {
				checked[words[i+1]] = true
			}
		}
	}
	for _, command := range jsonCommands(t) {
		for _, name := range cli.DocumentsOf(command) {
			if !exists(schemaPath(name)) {
				t.Errorf("%s prints JSON that no schema describes: %s", command, name)
			}
		}
		if !checked[command] {
			t.Errorf("no script runs %s with --format json", command)
		}
	}
}

// jsonCommands asks the program which commands take --format json.
func jsonCommands(t *testing.T) []string {
	complete := func(args ...string) []string {
		var out bytes.Buffer
		app := cli.App{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }, Dir: t.TempDir()}
		if code := app.Run(append([]string{"__complete"}, args...)); code != 0 {
			t.Fatalf("__complete %v: exit code %d", args, code)
		}
		return strings.Split(out.String(), "\n")
	}
	var list []string
	for _, line := range complete("") {
		command, _, ok := strings.Cut(line, "\t")
		if ok && slices.Contains(complete(command, "--format", ""), "json") && takesFormat(t, command) {
			list = append(list, command)
		}
	}
	if len(list) < 10 {
		t.Fatalf("only %v take --format json", list)
	}
	return list
}

// takesFormat says whether the help of a command has --format.
func takesFormat(t *testing.T, command string) bool {
	var out bytes.Buffer
	app := cli.App{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }, Dir: t.TempDir()}
	app.Run([]string{"help", command})
	return strings.Contains(out.String(), "--format")
}

// A document that does not meet its schema is noticed.
func TestMeetsNotices(t *testing.T) {
	if err := meets([]byte(`{"version": 1, "problems": []}`), []string{"problems"}); err != nil {
		t.Error(err)
	}
	if err := meets([]byte(`{"version": 1, "problems": [], "more": 1}`), []string{"problems"}); err == nil {
		t.Error("a key that the schema does not have goes unnoticed")
	}
}
