package schema

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// These readers give the tree of a document that is no manifest, with places,
// for packages that read other files of the same formats. An empty document is
// an empty mapping. With errors in the diagnostics the tree may be nil.

// ParseYAML reads a YAML document. Of two equal keys the last counts if lastWins
// says so, with a warning; else they are an error.
func ParseYAML(src *Source, lastWins bool) (*Node, hcl.Diagnostics) {
	return parseOther(src, func(src *Source) (*Node, hcl.Diagnostics) { return readYAML(src, lastWins) })
}

// ParseJSON reads a JSON document: strict, without comments, trailing commas and
// duplicate keys.
func ParseJSON(src *Source) (*Node, hcl.Diagnostics) { return parseOther(src, parseJSON) }

// ParseTOML reads a TOML 1.0 document.
func ParseTOML(src *Source) (*Node, hcl.Diagnostics) { return parseOther(src, parseTOML) }

func parseOther(src *Source, parse func(*Source) (*Node, hcl.Diagnostics)) (*Node, hcl.Diagnostics) {
	if len(src.Bytes) > maxBytes {
		return nil, hcl.Diagnostics{Problem(CodeTooLarge, src.Range(0, 0), fmt.Sprintf("larger than %d MiB", maxBytes>>20), "Split the file.")}
	}
	if at := invalidUTF8(src.Bytes); at >= 0 {
		return nil, hcl.Diagnostics{Problem(CodeSyntax, src.Range(at, at+1), "not valid UTF-8",
			fmt.Sprintf("Byte 0x%02X stands here. Save the file as UTF-8.", src.Bytes[at]))}
	}
	n, diags := parse(src)
	if len(diags) == 1 && CodeOf(diags[0]) == CodeEmpty {
		return &Node{Kind: Map, Range: src.Range(0, 0)}, nil
	}
	return n, diags
}
