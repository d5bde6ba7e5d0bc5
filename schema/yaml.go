package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"gopkg.in/yaml.v3"
)

// parseYAML reads a YAML document into a tree. Anchors, aliases and merge keys
// work; duplicate keys, custom tags, a second document and documents that
// grow out of bounds through aliases are errors.
func parseYAML(src *Source) (*Node, hcl.Diagnostics) { return readYAML(src, false) }

// readYAML is [parseYAML]; with lastWins the last of two equal keys counts.
func readYAML(src *Source, lastWins bool) (root *Node, diags hcl.Diagnostics) {
	if d := yamlCharacters(src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	defer func() {
		// The reader is known to panic on some malformed comments.
		if r := recover(); r != nil {
			root, diags = nil, hcl.Diagnostics{Problem(CodeSyntax, src.Range(0, 0),
				fmt.Sprintf("the YAML reader gave up: %v", r), "Check the file with a YAML linter.")}
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(src.Bytes))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, hcl.Diagnostics{emptyManifest(src)}
		}
		return nil, hcl.Diagnostics{yamlSyntax(src, err)}
	}
	c := yamlConverter{src: src, lastWins: lastWins, done: map[*yaml.Node]*weighed{}}
	root = c.convert(&doc, 0).node
	if c.over {
		return nil, c.diags // the tree must not be walked: it can be far larger than the file
	}
	if root.Kind == Null && len(c.diags) == 0 {
		return nil, hcl.Diagnostics{emptyManifest(src)}
	}
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		c.diags = append(c.diags, yamlSyntax(src, err))
	default:
		at := src.offset(second.Line, second.Column)
		c.diags = append(c.diags, Problem(CodeSyntax, src.Range(at, src.lineEnd(at)),
			"a second YAML document in one file", "A manifest is one document. Move the second one into a file of its own and name it in include."))
	}
	return root, c.diags
}

func emptyManifest(src *Source) *hcl.Diagnostic {
	return Problem(CodeEmpty, src.Range(0, 0), "the manifest is empty",
		"Write at least a subagents list; `subagents init` writes a starter manifest.")
}

// yamlCharacters finds the first character that may not stand in a YAML file:
// those that YAML forbids, and those that YAML readers take for line breaks and
// would change without a word.
func yamlCharacters(src *Source) *hcl.Diagnostic {
	b := src.Bytes
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		switch {
		case r == '\t' || r == '\n' || r >= ' ' && r < 0x7F:
		case r == '\r' && i+1 < len(b) && b[i+1] == '\n':
		case r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return Problem(CodeSyntax, src.Range(i, i+n), fmt.Sprintf("a raw U+%04X, which YAML readers take for a line break", r),
				fmt.Sprintf(`Write the text in double quotes and the character as "\u%04x".`, r))
		case r < 0xA0 || r == 0xFFFE || r == 0xFFFF || r == 0xFEFF:
			return Problem(CodeSyntax, src.Range(i, i+n), fmt.Sprintf("the character U+%04X may not stand in a YAML file", r),
				fmt.Sprintf(`Write the text in double quotes and the character as "\u%04x".`, r))
		}
		i += n
	}
	return nil
}

// Bounds of what a document may grow to through its aliases, beyond what stands
// in the file: the bytes of its text plus a constant for each node.
const (
	maxGrowth  = 4 * maxBytes
	nodeWeight = 64
)

// weighed is a converted node with the size of all that hangs below it.
type weighed struct {
	node   *Node
	weight int
	levels int  // of maps and lists, its own included
	busy   bool // being converted: an alias to it is a cycle
}

type yamlConverter struct {
	src      *Source
	lastWins bool                    // of two equal keys the last counts
	done     map[*yaml.Node]*weighed // of the nodes that have an anchor
	weight   int                     // of what stands in the file so far
	diags    hcl.Diagnostics
	over     bool // a bound was crossed; nothing more is converted
}

func (c *yamlConverter) problem(code Code, y *yaml.Node, summary, detail string) {
	c.diags = append(c.diags, Problem(code, c.rangeOf(y), summary, detail))
}

// convert turns a node that has depth maps and lists above it.
func (c *yamlConverter) convert(y *yaml.Node, depth int) *weighed {
	switch {
	case c.over:
		return &weighed{node: &Node{}}
	case y.Kind == yaml.DocumentNode:
		return c.convert(y.Content[0], depth)
	case y.Kind == yaml.AliasNode:
		return c.alias(y, depth)
	}
	w := &weighed{node: &Node{Range: c.rangeOf(y)}, weight: nodeWeight, busy: true}
	c.weight += nodeWeight + len(y.Value)
	if y.Anchor != "" {
		c.done[y] = w
	}
	switch y.Kind {
	case yaml.SequenceNode:
		w.levels = 1
		c.bound(y, depth+1)
		c.checkTag(y, "!!seq")
		w.node.Kind, w.node.Items = List, make([]*Node, 0, len(y.Content))
		for _, item := range y.Content {
			child := c.convert(item, depth+1)
			w.node.Items = append(w.node.Items, child.node)
			c.add(w, child, item)
		}
	case yaml.MappingNode:
		w.levels = 1
		c.bound(y, depth+1)
		c.checkTag(y, "!!map")
		w.node.Kind = Map
		c.mapping(w, y, depth)
	default:
		c.scalar(w.node, y)
		w.weight += len(y.Value)
	}
	w.busy = false
	return w
}

// bound reports a nesting that is too deep.
func (c *yamlConverter) bound(y *yaml.Node, levels int) {
	if levels > maxDepth && !c.over {
		c.over = true
		c.problem(CodeTooDeep, y, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
	}
}

// add counts a child's size towards its parent's.
func (c *yamlConverter) add(parent, child *weighed, at *yaml.Node) {
	parent.levels = max(parent.levels, child.levels+1)
	if parent.weight += child.weight; parent.weight-c.weight > maxGrowth && !c.over {
		c.over = true
		c.problem(CodeTooLarge, at, "the document grows out of bounds through its aliases",
			fmt.Sprintf("Aliases may not add more than %d MiB to a manifest.", maxGrowth>>20))
	}
}

func (c *yamlConverter) alias(y *yaml.Node, depth int) *weighed {
	target := c.done[y.Alias]
	switch {
	case target == nil: // the anchor is that of a key
		target = c.convert(y.Alias, depth)
	case target.busy:
		c.over = true
		c.problem(CodeSyntax, y, fmt.Sprintf("the alias *%s stands inside its own anchor", y.Value), "An anchor cannot contain itself.")
	}
	c.bound(y, depth+target.levels)
	n := *target.node
	n.Range = c.rangeOf(y)
	return &weighed{node: &n, weight: target.weight, levels: target.levels}
}

func (c *yamlConverter) mapping(w *weighed, y *yaml.Node, depth int) {
	seen := make(map[string]hcl.Range, len(y.Content)/2)
	var merged []*weighed
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		child := c.convert(value, depth+1)
		c.add(w, child, value)
		name, ok := c.key(key)
		if !ok {
			continue
		}
		at := c.rangeOf(key)
		if first, dup := seen[name]; dup {
			problem := duplicateKey(name, at, first)
			c.diags = append(c.diags, problem)
			if f := w.node.Field(name); c.lastWins && f != nil {
				problem.Severity = hcl.DiagWarning
				f.Range, f.Value = at, child.node
			}
			continue
		}
		seen[name] = at
		if key.ShortTag() == "!!merge" {
			merged = append(merged, child)
			continue
		}
		w.node.Fields = append(w.node.Fields, Field{Key: name, Range: at, Value: child.node})
	}
	for _, m := range merged {
		if m.node.Kind != List {
			c.merge(w.node, m.node, seen)
			continue
		}
		for _, item := range m.node.Items {
			c.merge(w.node, item, seen)
		}
	}
}

// merge adds the keys of a merge key's value that the map does not set itself.
func (c *yamlConverter) merge(into, from *Node, seen map[string]hcl.Range) {
	if from.Kind == Map {
		for _, f := range from.Fields {
			if _, ok := seen[f.Key]; !ok {
				seen[f.Key] = f.Range
				into.Fields = append(into.Fields, f)
			}
		}
		return
	}
	c.diags = append(c.diags, Problem(CodeSyntax, from.Range, "a merge key (<<) needs a mapping", "Write <<: *name, where &name marks a mapping."))
}

func (c *yamlConverter) key(y *yaml.Node) (string, bool) {
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if y.Kind != yaml.ScalarNode || y.ShortTag() == "!!null" {
		c.problem(CodeSyntax, y, "a key must be text", "Write a name before the colon.")
		return "", false
	}
	c.checkTag(y, "!!str")
	return y.Value, true
}

func (c *yamlConverter) checkTag(y *yaml.Node, want string) {
	if y.Style&yaml.TaggedStyle != 0 && y.ShortTag() != want {
		c.problem(CodeSyntax, y, fmt.Sprintf("the tag %s has no meaning in a manifest", y.Tag), "Remove the tag.")
	}
}

func (c *yamlConverter) scalar(n *Node, y *yaml.Node) {
	n.Str = y.Value
	tag := y.ShortTag()
	if y.Style&yaml.TaggedStyle != 0 && tag != "!!str" && tag != plainTag(y.Value, tag) {
		c.problem(CodeSyntax, y, fmt.Sprintf("the tag %s has no meaning here", tag), "Remove the tag.")
		return
	}
	switch tag {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Kind, n.Bool = Bool, strings.EqualFold(y.Value, "true")
	case "!!int", "!!float":
		if err := n.setNumber(y.Value); err != nil {
			c.problem(CodeSyntax, y, err.Error(), "Put it in quotes if it is meant as text.")
		}
	default: // !!str, and what YAML 1.1 gives a meaning that JSON does not have: dates, <<
		n.Kind = String
		if y.Style&yaml.LiteralStyle != 0 {
			n.block = c.block(y)
		}
	}
}

// plainTag gives the tag that a text has without one; a whole number passes for
// a float if that is wanted.
func plainTag(text, want string) string {
	tag := (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
	if tag == "!!int" && want == "!!float" {
		return want
	}
	return tag
}
