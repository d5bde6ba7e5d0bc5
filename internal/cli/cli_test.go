package cli_test

import (
	"flag"
	"log"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-337579fc/subagents/internal/cli"
)

var update = flag.Bool("update", false, "rewrite what the scripts and golden trees expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"subagents": func() {
			app := cli.App{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Release: "1.2.3"}
			os.Exit(runChecked(app, os.Args[1:]))
		},
		"peak": func() {
			if err := peak(os.Args[1:]); err != nil {
				log.Fatal(err)
			}
		},
	})
}

// TestScripts runs the specification of the commands: each script in
// testdata/script is named after a command, a rule, or a mistake that it pins.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"json":   jsonHas,
			"sameas": sameAs,
			"native": nativeHas,
			"lacks":  lacks,
			"pick":   pick,
			"bytes":  writeBytes,
			"repeat": writeRepeated,
			"mode":   hasMode,
			"age":    age,
			"aged":   aged,
			"lean":   lean,
		},
	})
}
