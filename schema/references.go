package schema

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// localLink matches a link of Markdown to a Markdown file beside the text.
var localLink = regexp.MustCompile(`\]\(<?([^)\s:#<>]+\.(?i:md|markdown))(?:#[^)\s]*)?>?\)`)

// links lists the Markdown files that a text leads to, with the places of their
// names: they are named relative to a directory.
func links(text, dir string) (names []string, places [][2]int) {
	if !strings.Contains(text, "](") {
		return nil, nil
	}
	for _, at := range localLink.FindAllStringSubmatchIndex(text, -1) {
		if name := path.Join(dir, text[at[2]:at[3]]); fs.ValidPath(name) && text[at[2]] != '/' {
			names = append(names, name)
			places = append(places, [2]int{at[2], at[3]})
		}
	}
	return names, places
}

// deepReferences follows the links of a body one level deep, as agents do: what a
// linked file leads to is seldom read.
func (c *checker) deepReferences(e *Entry) {
	t, dir := e.files.tree, e.files.dir
	if t == nil {
		return
	}
	if e.Instructions == nil {
		dir = path.Dir(path.Join(dir, e.InstructionsFile))
	}
	names, places := links(e.Body, dir)
	for i, name := range names {
		data, _, err := readLimited(t.fs, name)
		if err != nil || len(data) > maxBytes {
			continue
		}
		further, _ := links(string(data), path.Dir(name))
		for _, next := range further {
			if _, err := fs.Stat(t.fs, next); err == nil && next != name {
				c.warn(CodeDeepReference, e.bodyNode.PosIn(places[i][0], places[i][1]), "Link to all of them from the instructions, or put them together.",
					"%s, which the instructions of %q lead to, leads on to %s", t.display(name), e.Name, t.display(next))
				break
			}
		}
	}
}
