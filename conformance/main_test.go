//go:build conformance

package conformance

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-337579fc/subagents/conformance/loopback"
	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/schema"
)

// The environment variables with the directory that the report goes to, with the page of the documentation that a
// successful run of everything is to write, and with a directory that no sandbox of a client lets be written.
const (
	reportVariable  = "SUBAGENTS_CONFORMANCE_REPORT"
	pageVariable    = "SUBAGENTS_CONFORMANCE_PAGE"
	outsideVariable = "SUBAGENTS_CONFORMANCE_OUTSIDE"
)

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
		if err := adoptOrphans(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		code := m.Run()
		if err := endOrphans(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		suite.Sort()
		for i := range suite.Clients {
			suite.Clients[i].NotShown = unobservable[schema.ProviderID(suite.Clients[i].Provider)]
		}
		err := writeReport(os.Getenv(reportVariable))
		if page := os.Getenv(pageVariable); page != "" && code == 0 && err == nil && len(suite.Clients) > 0 {
			err = writeFile(page, suite.WriteMarkdown)
		}
		if err != nil {
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
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(writeFile(filepath.Join(dir, "report.txt"), suite.WriteText), writeFile(filepath.Join(dir, "report.json"), suite.WriteJSON))
}

func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
