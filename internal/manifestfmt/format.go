package manifestfmt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/seed-337579fc/subagents/schema"
)

// A RefusedError says why a text is not formatted.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

// Format gives the text of a manifest in canonical layout. In YAML and JSON keys
// stand in the order of the types of package schema; in TOML and HCL they stay
// where they are. The diagnostics are those of a syntax that cannot be read; the
// error is a [RefusedError] for a text that is written in a way that cannot be
// rearranged without a risk.
func Format(name string, data []byte) ([]byte, hcl.Diagnostics, error) {
	src := schema.NewSource(name, data)
	root, diags := schema.Tree(src)
	if diags.HasErrors() {
		return nil, diags, nil
	}
	var out []byte
	switch schema.SpellingOf(name) {
	case "json":
		out = writeJSON(sorted(root, documentShape()))
	case "toml":
		out = formatTOML(src)
	case "hcl":
		out = formatHCL(src.Bytes)
	default:
		out = formatYAML(src.Bytes)
	}
	after := schema.NewSource(name, out)
	again, diags := schema.Tree(after)
	if diags.HasErrors() || !same(root, again, documentShape()) || schema.Comments(src) != schema.Comments(after) {
		return nil, nil, &RefusedError{"it is written in a way that cannot be rearranged without a risk, and stays as it is"}
	}
	return out, nil, nil
}

// formatHCL leaves the layout to the library, and takes out what stands at the
// end of the file.
func formatHCL(data []byte) []byte {
	out := bytes.TrimLeft(layOut(data), "\r\n")
	return fmt.Append(nil, string(bytes.TrimRight(out, " \t\r\n")), lineEnd(data))
}

// layOut has the library lay a text out, but for its templates: the library
// would change the spaces in them, which are part of a value.
func layOut(data []byte) []byte {
	stand := `"@`
	for bytes.Contains(data, []byte(stand)) {
		stand += "@"
	}
	var masked []byte
	var back []string
	at := 0
	for i, r := range schema.HCLTemplates(schema.NewSource("manifest.hcl", data)) {
		name := fmt.Sprintf("%s%d\"", stand, i)
		masked = append(append(masked, data[at:r[0]]...), name...)
		back = append(back, name, string(data[r[0]:r[1]]))
		at = r[1]
	}
	masked = append(masked, data[at:]...)
	return []byte(strings.NewReplacer(back...).Replace(string(hclwrite.Format(masked))))
}

// lineEnd gives what ends the first line of a text.
func lineEnd(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
