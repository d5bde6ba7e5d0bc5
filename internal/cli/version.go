package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// versionDocument is what version --format json prints. Version is that of the
// document, Release that of the program.
type versionDocument struct {
	Version  int    `json:"version"`
	Release  string `json:"release"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from a tree with changes on top of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// build says what the running program was built from. A release set when the
// program was linked beats the version of the module.
func build(release string) versionDocument {
	doc := versionDocument{Version: documentVersion, Release: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return doc
	}
	if doc.Release == "" {
		doc.Release = strings.Trim(info.Main.Version, "()")
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			doc.Commit = s.Value
		case "vcs.modified":
			doc.Modified = s.Value == "true"
		}
	}
	return doc
}

func (r *runner) versionCommand() *cobra.Command {
	return uses(&cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			doc := build(r.Release)
			if r.format == formatJSON {
				return r.json(r.Out, doc)
			}
			from := doc.Commit
			if doc.Modified {
				from += " with changes"
			}
			if from != "" {
				from = "commit " + from + ", "
			}
			_, err := fmt.Fprintf(r.Out, "subagents %s (%s%s, %s)\n", doc.Release, from, doc.Go, doc.Platform)
			return err
		},
	}, flagFormat)
}
