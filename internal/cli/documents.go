package cli

import (
	"github.com/seed-337579fc/subagents/internal/orchestrate"
)

// Documents gives a value of the documents that --format json prints, by the name
// of the schema in docs/schemas that is made from it; those of install and status
// are written by hand. What a command prints on standard error for a manifest
// that cannot be used is problems.
func Documents() map[string]any {
	return map[string]any{
		"problems":            problemsDocument{},
		"validate":            validateDocument{},
		"schema-tools":        toolsDocument{},
		"schema-capabilities": capabilitiesDocument{},
		"list":                listDocument{},
		"show":                showDocument{},
		"render":              renderDocument{},
		"check":               checkDocument{},
		"matrix":              matrixDocument{},
		"import":              importDocument{},
		"reconcile":           reconcileDocument{},
		"audit":               auditDocument{},
		"dispatch":            dispatchDocument{},
		"match":               matchDocument{},
		"resolve":             resolveDocument{},
		"verdict":             orchestrate.Verdict{},
		"test":                testDocument{},
		"version":             versionDocument{},
	}
}

// DocumentsOf lists the schemas of which a command's output meets one.
func DocumentsOf(command string) []string {
	if names, ok := otherDocuments[command]; ok {
		return names
	}
	return []string{command}
}

var otherDocuments = map[string][]string{
	"generate":  {"render"},
	"schema":    {"validate", "schema-tools", "schema-capabilities"},
	"check":     {"check", "status"},
	"uninstall": {"install"},
}
