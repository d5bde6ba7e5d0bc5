package schema

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A Code is the stable name of a kind of problem. Codes do not change between
// releases; the messages may.
type Code string

// Problem makes one diagnostic of severity error. The summary says what is
// wrong in one line; the detail says what to write instead.
func Problem(code Code, at hcl.Range, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   detail,
		Subject:  &at,
		Extra:    code,
	}
}

// Problemf is [Problem] with a formatted summary.
func Problemf(code Code, at hcl.Range, detail, format string, args ...any) *hcl.Diagnostic {
	return Problem(code, at, fmt.Sprintf(format, args...), detail)
}

// Warning is [Problem] with severity warning.
func Warning(code Code, at hcl.Range, summary, detail string) *hcl.Diagnostic {
	d := Problem(code, at, summary, detail)
	d.Severity = hcl.DiagWarning
	return d
}

// CodeOf gives the code of a diagnostic, or "" for one that this program did
// not make.
func CodeOf(d *hcl.Diagnostic) Code {
	code, _ := d.Extra.(Code)
	return code
}

// once leaves out what has been said of the same place already: a value of
// defaults, or one with an alias, is checked for every entry that it holds for.
func once(diags hcl.Diagnostics) hcl.Diagnostics {
	type said struct {
		at      hcl.Range
		summary string
	}
	seen := make(map[said]bool, len(diags))
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		key := said{*d.Subject, d.Summary}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// Limits of a manifest.
const (
	maxBytes = 16 << 20 // of one file
	maxDepth = 64       // levels of nesting

	maxValues = 1 << 20 // of a TOML or HCL file: their readers need some hundred bytes for each
)
