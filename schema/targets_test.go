package schema

import (
	"fmt"
	"strings"
	"testing"
)

// The truth table of the hosts that an entry is rendered for.
func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		root, defaults, defaultEnabled, own, enabled string
		want                                         string
	}{
		{"", "", "", "", "", "claude codex goose kiro opencode"},
		{"", "", "", "", "false", "codex goose kiro opencode"},
		{"", "", "", "", "true", "claude codex goose kiro opencode"},
		{"", "", "false", "", "", "codex goose kiro opencode"},
		{"", "", "false", "", "true", "claude codex goose kiro opencode"},
		{"", "", "false", "", "null", "claude codex goose kiro opencode"},
		{"[codex]", "", "", "", "", "codex"},
		{"[kiro, codex]", "", "", "", "", "codex kiro"}, // in the order of the hosts
		{"[codex]", "", "", "", "true", "claude codex"},
		{"[codex]", "", "true", "", "", "claude codex"},
		{"[codex]", "", "true", "", "false", "codex"},
		{"[codex]", "[goose]", "", "", "", "goose"},
		{"[codex]", "[goose]", "", "[kiro]", "", "kiro"},
		{"[codex]", "[goose]", "", "null", "", "codex"},
		{"[codex]", "", "", "[]", "", ""},
		{"[codex]", "", "", "[]", "true", "claude"},
		{"[]", "", "", "", "", ""},
		{"null", "", "", "", "", "claude codex goose kiro opencode"},
		{"", "", "", "[claude]", "false", ""},
		{"", "", "false", "[claude, codex]", "", "claude codex"}, // the entry's own list ranks above the defaults of a host
		{"", "", "true", "[codex]", "", "codex"},
		{"", "", "true", "null", "", "claude codex goose kiro opencode"},
	} {
		part := func(format, value string) string {
			if value == "" {
				return ""
			}
			return fmt.Sprintf(format, value)
		}
		text := part("targets: %s\n", tt.root) +
			fmt.Sprintf("defaults: {%s providers: {claude: {%s}}}\n", part("targets: %s,", tt.defaults), part("enabled: %s", tt.defaultEnabled)) +
			one + part("    targets: %s\n", tt.own) + fmt.Sprintf("    providers: {claude: {%s}}\n", part("enabled: %s", tt.enabled))
		m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		var names []string
		for _, id := range m.Targets(m.Entry("aa")) {
			names = append(names, string(id))
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%+v: rendered for %q", tt, got)
		}
	}
}

// The scope follows the same levels; a null leaves it open again.
func TestBlockScope(t *testing.T) {
	for _, tt := range []struct {
		defaults, block string
		want            Scope
	}{
		{"", "", ""},
		{"scope: user", "", UserScope},
		{"scope: user", "scope: project", ProjectScope},
		{"scope: user", "scope: null", ""},
		{"", "scope: user", UserScope},
	} {
		text := layered("", tt.defaults, "", tt.block)
		m, _ := Load(NewSource("m.yml", []byte(text)), Options{})
		a := m.Resolve(m.Entry("aa"), ClaudeID)
		if got := m.BlockScope(m.Entry("aa"), ClaudeID); got != tt.want || a.Block.Common().Scope != tt.want {
			t.Errorf("{%s} {%s}: %q and %q, want %q", tt.defaults, tt.block, got, a.Block.Common().Scope, tt.want)
		}
	}
}
