package kirorules

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxAliases is the number of YAML aliases that V3 takes in one file.
const maxAliases = 20

// decodeMarkdown reads front matter and body. It returns nil keys for a file that V3 would drop.
func (c *checker) decodeMarkdown(data []byte) (map[string]any, *string) {
	text, found := strings.CutPrefix(string(data), "---\n")
	if !found {
		c.broken("front-matter", "the first line is not ---")
		return nil, nil
	}
	// The line feeds around it let the fence be the first or the last line of what is left.
	front, body, found := strings.Cut("\n"+text+"\n", "\n---\n")
	if !found {
		c.broken("front-matter", "no line --- ends the front matter")
		return nil, nil
	}
	keys, err := decodeYAML(front)
	if err != nil {
		c.broken("yaml", "%v", err)
		return nil, nil
	}
	if len(keys) == 0 {
		c.broken("front-matter", "the front matter is empty")
		return nil, nil
	}
	body = strings.TrimSuffix(body, "\n")
	return keys, &body
}

// decodeYAML reads one mapping as the YAML 1.2 core schema has it, in which dates, yes and no are strings. The parser
// is deliberately not the product's own: a file must be right for a reader that has never seen how it was written.
func decodeYAML(text string) (map[string]any, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("the front matter is no mapping")
	}
	aliases := 0
	value, err := nodeValue(root, &aliases)
	if err != nil {
		return nil, err
	}
	return value.(map[string]any), nil
}

func nodeValue(node *yaml.Node, aliases *int) (any, error) {
	switch node.Kind {
	case yaml.AliasNode:
		if *aliases++; *aliases > maxAliases {
			return nil, fmt.Errorf("more than %d aliases", maxAliases)
		}
		return nodeValue(node.Alias, aliases)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range node.Content {
			value, err := nodeValue(item, aliases)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i < len(node.Content); i += 2 {
			key := node.Content[i].Value
			if _, twice := object[key]; twice {
				return nil, fmt.Errorf("line %d: key %q stands twice", node.Content[i].Line, key)
			}
			value, err := nodeValue(node.Content[i+1], aliases)
			if err != nil {
				return nil, err
			}
			object[key] = value
		}
		return object, nil
	default:
		return scalarValue(node)
	}
}

func scalarValue(node *yaml.Node) (any, error) {
	switch node.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true"), nil
	case "!!int", "!!float":
		return json.Number(node.Value), nil
	case "!!str", "!!timestamp", "!!merge":
		return node.Value, nil
	default:
		return nil, fmt.Errorf("line %d: the core schema has no tag %s", node.Line, node.Tag)
	}
}
