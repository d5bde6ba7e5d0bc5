// Command docgen writes the reference pages: docs/providers from the tables of
// the hosts, docs/rules.md from examples that it runs.
//
// It runs from the root of the repository, through go generate.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/seed-337579fc/subagents/providers/all"
)

// dir holds the pages, and nothing else.
const dir = "docs/providers"

func main() {
	list, err := documents(".")
	if err == nil {
		for name, page := range list {
			err = errors.Join(err, writePage(".", name, page))
		}
	}
	if bin, built := program(); built == nil {
		os.RemoveAll(bin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

// documents gives every generated page by its path.
func documents(root string) (map[string]string, error) {
	list := map[string]string{}
	for name, page := range pages() {
		list[dir+"/"+name] = page
	}
	var err error
	list[rulesPage], err = rules(root)
	return list, err
}

// pages gives the pages by file name: one for each host, and the list of them.
func pages() map[string]string {
	list := map[string]string{"README.md": index()}
	for _, p := range all.Providers {
		list[string(p.Facts().ID)+".md"] = page(p.Facts())
	}
	return list
}
