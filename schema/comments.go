package schema

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/pelletier/go-toml/v2/unstable"
	"gopkg.in/yaml.v3"
)

// Comments counts the comments of a manifest file, one for each line that has
// any. The file must be one that can be read.
func Comments(src *Source) int {
	switch SpellingOf(src.Name) {
	case "json":
		return 0
	case "toml":
		return tomlComments(src.Bytes)
	case "hcl":
		return hclComments(src)
	}
	return yamlComments(src.Bytes)
}

func yamlComments(data []byte) int {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return 0 // it could be read, so there is a tree
	}
	count := 0
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
			for line := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "#") {
					count++
				}
			}
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(&doc)
	return count
}

func tomlComments(data []byte) int {
	p := unstable.Parser{KeepComments: true}
	p.Reset(data)
	count := 0
	var visit func(n *unstable.Node)
	visit = func(n *unstable.Node) {
		for ; n != nil; n = n.Next() {
			if n.Kind == unstable.Comment {
				count++
			}
			visit(n.Child())
		}
	}
	for p.NextExpression() {
		visit(p.Expression())
	}
	return count
}

func hclComments(src *Source) int {
	tokens, _ := hclsyntax.LexConfig(src.Bytes, src.Name, hcl.InitialPos)
	count := 0
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			count += 1 + strings.Count(strings.TrimSpace(string(t.Bytes)), "\n")
		}
	}
	return count
}
