package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// problems renders a manifest and gives its errors as LINE CODE SUMMARY.
func problems(t *testing.T, manifest string, opt render.Options) []string {
	t.Helper()
	m, diags := schema.Load(schema.NewSource("m.yml", []byte(manifest)), schema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, diags = render.Render(m, opt)
	var list []string
	for _, d := range diags {
		list = append(list, fmt.Sprintf("%d %s %s", d.Subject.Start.Line, schema.CodeOf(d), d.Summary))
	}
	return list
}

// reviewer is a read-only reviewer; further keys go between.
func reviewer(keys ...string) string {
	lines := append([]string{"subagents:", "- name: reviewer", "  description: Reviews a change. Use after editing."}, keys...)
	return strings.Join(append(lines, "  instructions: Look."), "\n") + "\n"
}

func TestRequire(t *testing.T) {
	const below = "below-required-fidelity"
	for name, test := range map[string]struct {
		manifest string
		want     []string
	}{
		"a read-only reviewer on five hosts": {
			reviewer("  access: read-only", "  require: {access: enforced}"),
			[]string{
				"5 " + below + " access read-only is advisory on Codex, not enforced",
				"5 " + below + " access read-only is inherited on goose, not enforced",
			},
		},
		"on the three that enforce it": {
			reviewer("  access: read-only", "  require: {access: enforced}", "  targets: [claude, opencode, kiro]"), nil,
		},
		"advisory is enough": {
			reviewer("  access: read-only", "  require:", "    access: advisory"),
			[]string{"6 " + below + " access read-only is inherited on goose, not advisory"},
		},
		"asked for in defaults": {
			"defaults:\n  require: {tools: enforced}\n" + reviewer("  tools: [read]", "  targets: [claude, codex]"),
			[]string{"2 " + below + " tools read is inherited on Codex, not enforced"},
		},
		"what is not set needs nothing": {
			reviewer("  require: {tools: enforced, isolation: enforced}"), nil,
		},
		"a null takes it back": {
			"defaults:\n  require: {tools: enforced}\n" + reviewer("  tools: [read]", "  targets: [codex]", "  require: null"), nil,
		},
		"one tool of the list has no place": {
			reviewer("  tools: [read, todo]", "  targets: [claude]", "  require: {tools: enforced}"),
			[]string{"6 " + below + " tools todo is unsupported on Claude Code, not enforced"},
		},
		"a shell makes access weaker": {
			reviewer("  access: read-only", "  tools: [read, shell]", "  allow_read_only_shell: true", "  targets: [claude]", "  require: {access: enforced}"),
			[]string{"8 " + below + " access read-only+shell is advisory on Claude Code, not enforced"},
		},
		"a finer fact counts for its key": {
			reviewer("  mcp: [docs]", "  targets: [claude]", "  require: {mcp: enforced}"),
			[]string{"6 " + below + " mcp#without-tools docs is inherited on Claude Code, not enforced"},
		},
		"a key of a block, on its host alone": {
			reviewer("  require: {codex.sandbox_mode: enforced}", "  providers: {codex: {sandbox_mode: read-only}}"),
			[]string{"4 " + below + " codex.sandbox_mode read-only is advisory on Codex, not enforced"},
		},
		"no such setting": {
			reviewer("  targets: [claude]", "  require: {acess: enforced}"),
			[]string{`5 unknown-required-setting require names "acess", which is no setting`},
		},
		"no such key of the block": {
			reviewer("  targets: [claude, goose]", "  require: {claude.colour: enforced}"),
			[]string{`5 unknown-required-setting require names "claude.colour", which is no setting`},
		},
		"no such level": {
			reviewer("  targets: [claude]", "  access: read-only", "  require: {access: forced}"),
			[]string{`6 bad-value "forced" is no level`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, problems(t, test.manifest, render.Options{})); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStrict: everything has to be enforced, each setting told at its line, and
// what require has told is not told again.
func TestStrict(t *testing.T) {
	manifest := reviewer("  access: read-only", "  title: R", "  tier: light", "  targets: [claude, codex]", "  require: {access: enforced}")
	got := problems(t, manifest, render.Options{Strict: true})
	slices.Sort(got)
	want := []string{
		"5 below-required-fidelity title R is unsupported on Claude Code, not enforced",
		"5 below-required-fidelity title R is unsupported on Codex, not enforced",
		"6 below-required-fidelity tier#no-model light is inherited on Codex, not enforced",
		"8 below-required-fidelity access read-only is advisory on Codex, not enforced",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
