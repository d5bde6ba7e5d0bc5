package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Kind is the kind of a [Node], as JSON knows it.
type Kind int

// The kinds of a node.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

var kindNames = [...]string{"null", "a boolean", "an integer", "a number", "text", "a list", "a mapping"}

func (k Kind) String() string { return kindNames[k] }

// A Node is one value of a manifest in any spelling, with its position. Maps
// keep the order of the file.
type Node struct {
	Kind   Kind
	Bool   bool
	Int    int64
	Float  float64
	Str    string // the text of a String; for other scalars what stands in the file
	Items  []*Node
	Fields []Field
	Range  hcl.Range

	// block is set where a text stands in the file line by line (a YAML block
	// scalar, an HCL heredoc), so that a place inside it can be found again.
	block *blockText

	// Of a text in an HCL manifest: its spelling as a template, and the place of
	// its first interpolation.
	hclTemplate   string
	interpolation *hcl.Range
}

// blockText locates the lines of a text that the file spells out as they are.
type blockText struct {
	src    *Source
	offset int // of the first byte of the first line
	indent int // characters that every line has before its text
}

// A Field is one key of a map with its value.
type Field struct {
	Key   string
	Range hcl.Range // of the key
	Value *Node
}

// Get gives the value of a key, or nil where the map has none. It is nil for a
// node that is nil or no map.
func (n *Node) Get(key string) *Node {
	if f := n.Field(key); f != nil {
		return f.Value
	}
	return nil
}

// Field is like [Node.Get] and gives the key as well.
func (n *Node) Field(key string) *Field {
	if n == nil {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return &n.Fields[i]
		}
	}
	return nil
}

// At follows keys down from a node; nil where the path ends early.
func (n *Node) At(path ...string) *Node {
	for _, key := range path {
		n = n.Get(key)
	}
	return n
}

// IsNull says whether the node is there and is null.
func (n *Node) IsNull() bool { return n != nil && n.Kind == Null }

// Text gives the text of a scalar: that of a string, or the literal of a number
// or boolean as the file spells it. A null has none.
func (n *Node) Text() string {
	if n == nil || n.Kind == Null {
		return ""
	}
	return n.Str
}

// PosIn gives the range in the file of the bytes from start to end of a
// string's text, on one line: exact where the file spells the text out line by
// line, else the range of the whole value.
func (n *Node) PosIn(start, end int) hcl.Range {
	if n.block == nil || start < 0 || start > len(n.Str) {
		return n.Range
	}
	s, before := n.block.src, n.Str[:start]
	line := s.Pos(n.block.offset).Line + strings.Count(before, "\n")
	at := s.offset(line, n.block.indent+1) + start - (strings.LastIndexByte(before, '\n') + 1)
	text, _, _ := strings.Cut(n.Str[start:], "\n")
	text = strings.TrimSuffix(text[:max(0, min(end-start, len(text)))], "\r")
	if !bytes.HasPrefix(s.Bytes[min(at, len(s.Bytes)):], []byte(text)) {
		return n.Range // the file spells it otherwise after all
	}
	return s.Range(at, min(at+max(len(text), 1), s.lineEnd(at)))
}

// Interface gives the node as the values that encoding/json decodes into:
// map[string]any, []any, string, bool, nil; whole numbers as int64.
func (n *Node) Interface() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Bool
	case Int:
		return n.Int
	case Float:
		return n.Float
	case String:
		return n.Str
	case List:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Interface()
		}
		return items
	case Map:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = f.Value.Interface()
		}
		return m
	}
	return nil
}

// setNumber fills a node from the literal of a number. The error is that of a
// number that JSON cannot carry, or a whole number that would lose digits.
func (n *Node) setNumber(literal string) error {
	n.Str = literal
	i, err := strconv.ParseInt(literal, 0, 64)
	switch {
	case err == nil:
		n.Kind, n.Int, n.Float = Int, i, float64(i)
		return nil
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s does not fit into 64 bits", clip(literal))
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return fmt.Errorf("%s is not a number that fits", clip(literal))
	}
	n.Kind, n.Float = Float, f
	return nil
}

// whole gives the value of a whole number. JSON Schema takes 2.0 for one, too.
func (n *Node) whole() (int64, bool) {
	const limit = 1 << 53 // beyond it a float no longer holds every whole number
	switch {
	case n.Kind == Int:
		return n.Int, true
	case n.Kind == Float && n.Float == math.Trunc(n.Float):
		return int64(max(-limit, min(n.Float, limit))), true
	}
	return 0, false
}

// List gives the items of a list; none for a node that is nil or no list.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Brief writes a value for people, on one line: a list with commas, a mapping
// as JSON.
func (n *Node) Brief() string {
	switch {
	case n == nil:
		return ""
	case n.Kind == List:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Brief()
		}
		return strings.Join(items, ", ")
	case n.Kind == Map:
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(n.Interface()); err != nil {
			return err.Error()
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	return clip(n.Str)
}

// private are keys under which hosts keep variables and headers of a server: what
// stands there is often a token.
var private = map[string]bool{"env": true, "envs": true, "environment": true, "headers": true, "http_headers": true}

// Telling is [Node.Brief] without the values of variables and headers, for logs
// that more people read than the manifest.
func (n *Node) Telling() string {
	if n == nil {
		return ""
	}
	return n.masked(false).Brief()
}

// masked gives a node with "…" for every scalar below a private key.
func (n *Node) masked(hide bool) *Node {
	switch {
	case n.Kind == Map && len(n.Fields) > 0:
		out := &Node{Kind: Map, Range: n.Range}
		for _, f := range n.Fields {
			f.Value = f.Value.masked(hide || private[f.Key])
			out.Fields = append(out.Fields, f)
		}
		return out
	case n.Kind == List && len(n.Items) > 0:
		out := &Node{Kind: List, Range: n.Range}
		for _, item := range n.Items {
			out.Items = append(out.Items, item.masked(hide))
		}
		return out
	case hide:
		return &Node{Kind: String, Str: "…", Range: n.Range}
	}
	return n
}

// template gives a text as a template: what HCL spells as one stands there as
// it was written, with its escapes.
func (n *Node) template() string {
	if n.hclTemplate != "" {
		return n.hclTemplate
	}
	return n.Str
}
