package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// held renders a manifest and gives its problems as "line provider: summary".
func held(t *testing.T, manifest string) []string {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", []byte(manifest)), schema.Options{})
	if !diags.HasErrors() {
		_, more := render.Render(m, render.Options{})
		diags = append(diags, more...)
	}
	var out []string
	for _, d := range diags {
		severity := map[hcl.DiagnosticSeverity]string{hcl.DiagError: "error", hcl.DiagWarning: "warning"}[d.Severity]
		out = append(out, fmt.Sprintf("%s %d,%d ", severity, d.Subject.Start.Line, d.Subject.Start.Column)+string(schema.CodeOf(d))+": "+d.Summary+" | "+d.Detail)
	}
	return out
}

const oneReviewer = `
subagents:
  - name: rev
    description: Reviews. Use when asked.
    kind: reviewer
    access: read-only
    instructions: Look.
`

// A policy of three lines: no reviewer may write by anything weaker than
// enforcement. It fails on Codex and goose, says why, and points at the line
// that asks for what the host does not give.
func TestPolicyFailsWhereTheHostDoesNotEnforce(t *testing.T) {
	problems := held(t, `policies:
  - name: reviewers-cannot-write
    when: agent.kind == "reviewer"
    condition: level.access == "enforced"`+oneReviewer)
	if len(problems) != 2 {
		t.Fatalf("problems: %q", problems)
	}
	for i, host := range []string{"codex", "goose"} {
		if !strings.HasPrefix(problems[i], `error 9,13 policy: "rev" on `+host+` breaks the policy "reviewers-cannot-write"`) {
			t.Errorf("%s: %s", host, problems[i])
		}
	}
	if !strings.Contains(problems[0], "sandbox") || !strings.Contains(problems[0], "openai/codex#") {
		t.Errorf("the reason is not told: %s", problems[0])
	}
}

func TestPolicyExpressions(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{"condition: agent.tier == null", ""},
		{"condition: agent.tier != null", "error"},
		{"condition: agent.tier != null\n    severity: warning", "warning"},
		{"condition: agent.tier != null\n    when: provider == \"none\"", ""},
		{"condition: contains(agent.tools, \"read\")", "error"}, // tools is null: the expression itself is at fault
		{"condition: lookup(block, \"model\", \"\") == \"\"", ""},
		{"condition: agent.name", "error"},
		{"condition: agent.nope == 1", "error"},
		{"condition: \"file(\\\"/etc/passwd\\\") == 1\"", "error"},
		{"condition: \"agent.\"", "error"},
		{"condition: \"length([for a in [1]: [for b in [1]: [for c in [1]: c]]]) > 0\"", "error"},
	} {
		problems := held(t, "targets: [claude]\npolicies:\n  - name: p\n    "+c.policy+oneReviewer)
		got := ""
		if len(problems) > 0 {
			got, _, _ = strings.Cut(problems[0], " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.policy, problems, c.want)
		}
	}
}

// A problem of an expression stands where the expression does.
func TestPolicyProblemsPointIntoTheExpression(t *testing.T) {
	problems := held(t, "targets: [claude]\npolicies:\n  - name: p\n    condition: |\n      agent.access == \"read-only\" &&\n      agent.nope == 1\n"+oneReviewer)
	if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, "error 6,12 template") }) {
		t.Errorf("problems: %q", problems)
	}
}
