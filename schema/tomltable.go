package schema

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlTable says how a table came about, which decides what may add to it. A
// list is in the map if headers in double brackets made it.
type tomlTable struct {
	how     tomlOrigin
	section int // of a dotted table
}

type tomlOrigin int

const (
	tomlImplied tomlOrigin = iota // by a header that goes through it: a header of its own may follow
	tomlHeader                    // by its own header
	tomlDotted                    // by dotted keys: more of them in the same section may add to it
	tomlInline                    // in braces: nothing may
)

// newSection numbers a header or an inline table.
func (t *tomlReader) newSection() int {
	t.values++
	t.sections++
	return t.sections
}

// child gives the value of a key, and makes a table of it where there is none.
func (t *tomlReader) child(n *Node, name string, where hcl.Range, made tomlTable) *Field {
	f := t.keys.find(n, name)
	if f == nil {
		t.values++
		n.Fields = append(n.Fields, Field{Key: name, Range: where, Value: &Node{Kind: Map, Range: where}})
		f = &n.Fields[len(n.Fields)-1]
		t.tables[f.Value] = made
	}
	return f
}

// taken reports a key that has a value already, and gives a table that belongs
// to nothing for what follows.
func (t *tomlReader) taken(name string, where hcl.Range, first *Field) *Node {
	t.diags = append(t.diags, duplicateKey(name, where, first.Range))
	return &Node{Kind: Map}
}

// table finds or makes the table that a header names.
func (t *tomlReader) table(root *Node, e *unstable.Node, array bool) *Node {
	at := root
	for keys := e.Key(); keys.Next() && !t.over(); {
		name, where := t.key(keys.Node())
		if keys.IsLast() && array {
			return t.element(at, name, where)
		}
		f := t.child(at, name, where, tomlTable{how: tomlImplied})
		made, known := t.tables[f.Value]
		if !known || made.how == tomlInline {
			return t.taken(name, where, f)
		}
		at = f.Value
		if !keys.IsLast() {
			if at.Kind == List {
				at = at.Items[len(at.Items)-1]
			}
			continue
		}
		if at.Kind == List || made.how != tomlImplied {
			return t.taken(name, where, f)
		}
		at.Range = where
		t.tables[at] = tomlTable{how: tomlHeader}
	}
	return at
}

// element adds a table to the list that a header in double brackets names.
func (t *tomlReader) element(n *Node, name string, where hcl.Range) *Node {
	f := t.keys.find(n, name)
	if f == nil {
		n.Fields = append(n.Fields, Field{Key: name, Range: where, Value: &Node{Kind: List, Range: where}})
		f = &n.Fields[len(n.Fields)-1]
		t.tables[f.Value] = tomlTable{}
	}
	if _, known := t.tables[f.Value]; !known || f.Value.Kind != List {
		return t.taken(name, where, f)
	}
	item := &Node{Kind: Map, Range: where}
	f.Value.Items = append(f.Value.Items, item)
	t.tables[item] = tomlTable{how: tomlHeader}
	return item
}

// keyValue adds a key, which may have dots, to a table.
func (t *tomlReader) keyValue(at *Node, e *unstable.Node, section int) {
	for keys := e.Key(); keys.Next() && !t.over(); {
		name, where := t.key(keys.Node())
		if keys.IsLast() {
			value := t.value(e.Value())
			if f := t.keys.find(at, name); f != nil {
				t.taken(name, where, f)
				return
			}
			at.Fields = append(at.Fields, Field{Key: name, Range: where, Value: value})
			return
		}
		dotted := tomlTable{how: tomlDotted, section: section}
		f := t.child(at, name, where, dotted)
		if made, known := t.tables[f.Value]; !known || made != dotted {
			at = t.taken(name, where, f)
			continue
		}
		at = f.Value
	}
}
