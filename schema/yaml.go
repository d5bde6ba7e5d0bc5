package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"gopkg.in/yaml.v3"
)

// parseYAML reads a YAML document into a tree. Anchors, aliases and merge keys
// work; duplicate keys, custom tags, a second document and documents that
// grow out of bounds through aliases are errors.
func parseYAML(src *Source) (root *Node, diags hcl.Diagnostics) {
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
	c := yamlConverter{src: src, done: map[*yaml.Node]*weighed{}}
	root = c.convert(&doc, 0).node
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
// those that YAML forbids, and the three that YAML 1.1 readers take for line
// breaks and would change without a word.
func yamlCharacters(src *Source) *hcl.Diagnostic {
	b := src.Bytes
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0x7F:
		case r == 0x85 || r == 0x2028 || r == 0x2029:
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

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// yamlSyntax turns an error of the YAML reader, which knows the line only,
// into a diagnostic.
func yamlSyntax(src *Source, err error) *hcl.Diagnostic {
	what, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
		what = err.Error()[len(m[0]):]
	}
	start := src.offset(min(line, len(src.lines)), 1)
	end := src.lineEnd(start)
	text := src.Bytes[start:end]
	start += len(text) - len(bytes.TrimLeft(text, " \t"))
	detail := "Check indentation and quoting on this line and the one before it."
	switch {
	case strings.Contains(what, "cannot start any token") && bytes.ContainsRune(text, '\t'):
		detail = "YAML forbids tabs for indentation. Use spaces."
	case strings.Contains(what, "mapping values are not allowed"):
		detail = `Text that contains ": " must stand in double quotes.`
	case strings.Contains(what, "unknown anchor"):
		detail = "Define the anchor with & before the alias."
	}
	return Problem(CodeSyntax, src.Range(start, end), "not valid YAML: "+what, detail)
}

// maxWeight bounds what a document may grow to through its aliases: the bytes
// of its text plus a constant for each node.
const (
	maxWeight  = 4 * maxBytes
	nodeWeight = 16
)

// weighed is a converted node with the size of all that hangs below it.
type weighed struct {
	node   *Node
	weight int
	busy   bool // being converted: an alias to it is a cycle
}

type yamlConverter struct {
	src   *Source
	done  map[*yaml.Node]*weighed // of the nodes that have an anchor
	diags hcl.Diagnostics
	over  bool // an error that need not be told twice
}

func (c *yamlConverter) problem(code Code, y *yaml.Node, summary, detail string) {
	c.diags = append(c.diags, Problem(code, c.rangeOf(y), summary, detail))
}

func (c *yamlConverter) convert(y *yaml.Node, depth int) *weighed {
	if depth > maxDepth {
		if !c.over {
			c.over = true
			c.problem(CodeTooDeep, y, fmt.Sprintf("nested more than %d levels deep", maxDepth), "Flatten the document.")
		}
		return &weighed{node: &Node{Range: c.rangeOf(y)}}
	}
	switch y.Kind {
	case yaml.DocumentNode:
		return c.convert(y.Content[0], depth)
	case yaml.AliasNode:
		return c.alias(y)
	}
	w := &weighed{node: &Node{Range: c.rangeOf(y)}, weight: nodeWeight, busy: true}
	if y.Anchor != "" {
		c.done[y] = w
	}
	switch y.Kind {
	case yaml.SequenceNode:
		w.node.Kind, w.node.Items = List, make([]*Node, 0, len(y.Content))
		c.checkTag(y, "!!seq")
		for _, item := range y.Content {
			child := c.convert(item, depth+1)
			w.node.Items = append(w.node.Items, child.node)
			c.add(w, child, item)
		}
	case yaml.MappingNode:
		w.node.Kind = Map
		c.checkTag(y, "!!map")
		c.mapping(w, y, depth)
	default:
		c.scalar(w.node, y)
		w.weight += len(y.Value)
	}
	w.busy = false
	return w
}

// add counts a child's size towards its parent's.
func (c *yamlConverter) add(parent, child *weighed, at *yaml.Node) {
	if parent.weight += child.weight; parent.weight > maxWeight && !c.over {
		c.over = true
		c.problem(CodeTooLarge, at, "the document grows out of bounds through its aliases",
			fmt.Sprintf("Aliases may not expand a manifest to more than %d MiB.", maxWeight>>20))
	}
	parent.weight = min(parent.weight, 2*maxWeight)
}

func (c *yamlConverter) alias(y *yaml.Node) *weighed {
	target := c.done[y.Alias]
	if target == nil || target.busy {
		c.problem(CodeSyntax, y, fmt.Sprintf("the alias *%s stands inside its own anchor", y.Value), "An anchor cannot contain itself.")
		return &weighed{node: &Node{Range: c.rangeOf(y)}}
	}
	n := *target.node
	n.Range = c.rangeOf(y)
	return &weighed{node: &n, weight: target.weight}
}

func (c *yamlConverter) mapping(w *weighed, y *yaml.Node, depth int) {
	seen := make(map[string]hcl.Range, len(y.Content)/2)
	var merged []*weighed
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			child := c.convert(value, depth+1)
			c.add(w, child, value)
			merged = append(merged, child)
			continue
		}
		child := c.convert(value, depth+1)
		c.add(w, child, value)
		name, ok := c.key(key)
		if !ok {
			continue
		}
		at := c.rangeOf(key)
		if first, dup := seen[name]; dup {
			c.diags = append(c.diags, duplicateKey(name, at, first))
			continue
		}
		seen[name] = at
		w.node.Fields = append(w.node.Fields, Field{Key: name, Range: at, Value: child.node})
	}
	for _, m := range merged {
		c.merge(w.node, m.node, seen)
	}
}

// merge adds the keys of a merge key's value that the map does not set itself.
func (c *yamlConverter) merge(into, from *Node, seen map[string]hcl.Range) {
	switch from.Kind {
	case List:
		for _, item := range from.Items {
			if item.Kind == List {
				break
			}
			c.merge(into, item, seen)
		}
		return
	case Map:
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
	return y.Value, true
}

func (c *yamlConverter) checkTag(y *yaml.Node, want string) {
	if y.Style&yaml.TaggedStyle != 0 && y.ShortTag() != want {
		c.problem(CodeSyntax, y, fmt.Sprintf("the tag %s has no meaning in a manifest", y.Tag), "Remove the tag.")
	}
}

func (c *yamlConverter) scalar(n *Node, y *yaml.Node) {
	n.Str = y.Value
	switch tag := y.ShortTag(); tag {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Kind, n.Bool = Bool, strings.EqualFold(y.Value, "true")
	case "!!int", "!!float":
		if err := n.setNumber(y.Value); err != nil {
			c.problem(CodeSyntax, y, err.Error(), "Put it in quotes if it is meant as text.")
		}
	case "!!str", "!!timestamp":
		n.Kind = String
		if y.Style&yaml.LiteralStyle != 0 {
			n.block = c.block(y)
		}
	default:
		c.problem(CodeSyntax, y, fmt.Sprintf("the tag %s has no meaning in a manifest", tag), "Remove the tag.")
	}
}

// block finds out where the lines of a literal block scalar stand.
func (c *yamlConverter) block(y *yaml.Node) *blockText {
	b := &blockText{src: c.src, offset: c.src.offset(y.Line+1, 1)}
	for i, line := range strings.Split(y.Value, "\n") {
		if strings.TrimLeft(line, " ") == "" {
			continue
		}
		at := c.src.offset(y.Line+1+i, 1)
		inFile := c.src.Bytes[at:c.src.lineEnd(at)]
		b.indent = (len(inFile) - len(bytes.TrimLeft(inFile, " "))) - (len(line) - len(strings.TrimLeft(line, " ")))
		break
	}
	return b
}

// rangeOf gives the range of a node, which never spans lines: a text up to its
// closing quote, anything longer up to the end of its first line.
func (c *yamlConverter) rangeOf(y *yaml.Node) hcl.Range {
	start := c.src.offset(y.Line, y.Column)
	end := c.src.lineEnd(start)
	line := c.src.Bytes[start:end]
	switch {
	case y.Kind == yaml.AliasNode:
		end = start + min(len(y.Value)+1, len(line))
	case y.Kind != yaml.ScalarNode:
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		end = start + quotedLength(line)
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && bytes.HasPrefix(line, []byte(y.Value)):
		end = start + len(y.Value)
	}
	return c.src.Range(start, end)
}

// quotedLength gives the length of the quoted scalar at the start of a line,
// or of the line where it goes on below.
func quotedLength(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch {
		case line[0] == '"' && line[i] == '\\':
			i++
		case line[i] == line[0] && line[0] == '\'' && i+1 < len(line) && line[i+1] == '\'':
			i++
		case line[i] == line[0]:
			return i + 1
		}
	}
	return len(line)
}
