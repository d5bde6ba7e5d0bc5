// Command docgen writes the reference pages of the hosts, docs/providers, from
// their tables.
//
// It runs from the root of the repository, through go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-337579fc/subagents/providers/all"
)

// dir holds the pages, and nothing else.
const dir = "docs/providers"

func main() {
	for name, page := range pages() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "docgen:", err)
			os.Exit(1)
		}
	}
}

// pages gives the pages by file name: one for each host, and the list of them.
func pages() map[string]string {
	list := map[string]string{"README.md": index()}
	for _, p := range all.Providers {
		list[string(p.Facts().ID)+".md"] = page(p.Facts())
	}
	return list
}
