//go:build conformance

package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/conformance/loopback"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// reportVariable names the environment variable with the directory that the report goes to.
const reportVariable = "SUBAGENTS_CONFORMANCE_REPORT"

// suite is what this run of the tests has shown. Tests of one client run after each other, and so do the clients.
var suite = &Report{Date: time.Now().UTC().Format(time.DateOnly), Network: loopback.Description()}

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == standin.MCPArgument {
		if err := standin.ServeMCP(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(loopback.Main(func() int {
		code := m.Run()
		if err := writeReport(os.Getenv(reportVariable)); err != nil {
			fmt.Fprintln(os.Stderr, "report:", err)
			return 1
		}
		return code
	}))
}

func writeReport(dir string) error {
	if dir == "" || len(suite.Clients) == 0 {
		return nil
	}
	suite.Sort()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(dir, "report.txt"))
	if err != nil {
		return err
	}
	data, err := os.Create(filepath.Join(dir, "report.json"))
	if err != nil {
		return err
	}
	return errors.Join(suite.WriteText(text), text.Close(), suite.WriteJSON(data), data.Close())
}
