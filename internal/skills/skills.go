// Package skills holds the skills that a manifest names against the folders that
// hold them. A skill is a folder with a file SKILL.md, as every host that has
// skills reads it.
package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// CodeUnknown is the code of a skill that is in none of the folders.
const CodeUnknown schema.Code = "unknown-skill"

// file is what makes a folder a skill.
const file = "SKILL.md"

// A Set is the skills of some folders, by id, each with its folder.
type Set map[string]string

// Find collects the skills of folders: the folders right below them that hold a
// SKILL.md. Links are followed. The error is one of reading a folder.
func Find(dirs []string) (Set, error) {
	found := Set{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("reading the skills: %w", err)
		}
		for _, e := range entries {
			info, err := os.Stat(filepath.Join(dir, e.Name(), file))
			switch {
			case err == nil && info.Mode().IsRegular():
				if _, known := found[e.Name()]; !known {
					found[e.Name()] = dir
				}
			case err != nil && !errors.Is(err, fs.ErrNotExist) && !notFolder(dir, e):
				return nil, fmt.Errorf("reading the skills: %w", err)
			}
		}
	}
	return found, nil
}

// notFolder says whether an entry of a folder is no folder, of which nothing
// below can be asked.
func notFolder(dir string, e fs.DirEntry) bool {
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && !info.IsDir()
}

// Check reports the skills of entries that are not in a set: those under skills,
// and those of a block of Claude Code. PLUGIN:SKILL names one that comes with a
// plugin, which is not looked for.
func Check(m *schema.Manifest, set Set, dirs []string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	told := map[hcl.Range]bool{}
	for _, e := range m.Entries() {
		if !e.Present() {
			continue
		}
		for _, item := range named(m, e) {
			id := item.Text()
			if item.Kind == schema.Map {
				item = item.Get("id")
				id = item.Text()
			}
			if _, known := set[id]; known || id == "" || strings.Contains(id, ":") || told[item.Range] {
				continue
			}
			told[item.Range] = true
			diags = append(diags, schema.Problemf(CodeUnknown, item.Range, detail(id, set),
				"no folder %s with a %s is in %s", id, file, strings.Join(dirs, " or ")))
		}
	}
	return diags
}

// named lists the skills of an entry as the manifest names them.
func named(m *schema.Manifest, e *schema.Entry) []*schema.Node {
	var items []*schema.Node
	if s, ok := e.Setting("skills"); ok {
		items = append(items, s.Value.List()...)
	}
	if slices.Contains(m.Targets(e), schema.ClaudeID) {
		if s, ok := m.Resolve(e, schema.ClaudeID).Setting("claude.skills"); ok {
			items = append(items, s.Value.List()...)
		}
	}
	return items
}

func detail(id string, set Set) string {
	ids := slices.Sorted(maps.Keys(set))
	switch near := schema.Nearest(id, ids); {
	case near != "":
		return fmt.Sprintf("Did you mean %q?", near)
	case len(ids) == 0:
		return "There are no skills there at all."
	case len(ids) > 20:
		return "Name a skill that is there, or PLUGIN:SKILL for one that comes with a plugin."
	}
	return "There are: " + strings.Join(ids, ", ") + "."
}
