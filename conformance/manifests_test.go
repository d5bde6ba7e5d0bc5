package conformance

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// renderedManifest renders a manifest in project scope; a problem in it is a problem of the test.
func renderedManifest(t *testing.T, name string, data []byte) *render.Result {
	t.Helper()
	m, diags := schema.Load(schema.NewSource(name, data), schema.Options{HostTool: all.HostTool})
	refuse(t, diags)
	result, diags := render.Render(m, render.Options{Scope: schema.ProjectScope})
	refuse(t, diags)
	return result
}

func refuse(t *testing.T, diags hcl.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			t.Error(d)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
