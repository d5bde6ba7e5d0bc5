package providers

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// TextNode makes a text.
func TextNode(s string, at hcl.Range) *schema.Node {
	return &schema.Node{Kind: schema.String, Str: s, Range: at}
}

// BoolNode makes a truth value.
func BoolNode(b bool, at hcl.Range) *schema.Node {
	n := &schema.Node{Kind: schema.Bool, Bool: b, Str: "false", Range: at}
	if b {
		n.Str = "true"
	}
	return n
}

// ListNode makes a list of texts.
func ListNode[T ~string](items []T, at hcl.Range) *schema.Node {
	n := &schema.Node{Kind: schema.List, Items: make([]*schema.Node, len(items)), Range: at}
	for i, item := range items {
		n.Items[i] = TextNode(string(item), at)
	}
	return n
}

// Texts gives the items of a list that are texts, and the others.
func Texts(n *schema.Node) (texts []string, others []*schema.Node) {
	for _, item := range n.List() {
		if item.Kind == schema.String {
			texts = append(texts, item.Str)
		} else {
			others = append(others, item)
		}
	}
	return texts, others
}

// TextField makes a key with a text.
func TextField(key, s string, at hcl.Range) schema.Field {
	return schema.Field{Key: key, Range: at, Value: TextNode(s, at)}
}

// ListField makes a key with a list of texts.
func ListField[T ~string](key string, items []T, at hcl.Range) schema.Field {
	return schema.Field{Key: key, Range: at, Value: ListNode(items, at)}
}
