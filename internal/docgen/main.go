// Command docgen writes the reference pages: docs/providers from the tables of
// the hosts, docs/manifest.md from the JSON Schema, docs/commands.md from the
// program's own help, docs/rules.md from examples that it runs.
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
	removeProgram()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

// documents gives every generated page by its path.
func documents(root string) (map[string]string, error) {
	list, err := schemas()
	if err != nil {
		return nil, err
	}
	for name, page := range pages() {
		list[dir+"/"+name] = page
	}
	for name, write := range map[string]func(string) (string, error){rulesPage: rules, manifestPage: manifest, commandsPage: commands} {
		page, err := write(root)
		if err != nil {
			return nil, err
		}
		list[name] = page
	}
	return list, nil
}

// pages gives the pages by file name: one for each host, and the list of them.
func pages() map[string]string {
	list := map[string]string{"README.md": index()}
	for _, p := range all.Providers {
		list[string(p.Facts().ID)+".md"] = page(p.Facts())
	}
	return list
}
