package schema

import "regexp"

// PlaceholderStart and PlaceholderEnd enclose what a skeleton leaves to be
// written: <<replace: what belongs here>>. No prose, template language or shell
// spells anything so.
const (
	PlaceholderStart = "<<replace:"
	PlaceholderEnd   = ">>"
)

var placeholder = regexp.MustCompile(`<<replace:[^<>\n]*>>`)

// placeholders finds what a skeleton left to be written, in the texts of an
// entry.
func (c *checker) placeholders(e *Entry) {
	texts := []*Node{e.Node.Get("title"), e.Node.Get("description"), e.Node.Get("role"), e.bodyNode}
	for _, n := range texts {
		if n == nil || n.Kind != String {
			continue
		}
		for _, at := range placeholder.FindAllStringIndex(n.Str, -1) {
			c.error(CodePlaceholder, n.PosIn(at[0], at[1]), "Write what it asks for in its place.",
				"%q still has the placeholder %s", e.Name, n.Str[at[0]:at[1]])
		}
	}
}
