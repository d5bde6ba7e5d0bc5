package codex

import (
	"testing"

	"github.com/seed-337579fc/subagents/providers"
)

// K36, K79: what the client is known to do stands in the table, in the words
// that a requirement is held against.
func TestLevels(t *testing.T) {
	for setting, want := range map[string]providers.Level{
		"access": providers.Advisory, "tools": providers.Inherited, "mcp": providers.Inherited, "codex.model": providers.Enforced,
		"codex.sandbox_mode": providers.Advisory, "codex.mcp_servers": providers.Advisory, "codex.web_search": providers.Advisory,
		"codex.service_tier": providers.Advisory, "skills#preload": providers.Unsupported,
	} {
		if got, ok := facts.Level(setting, "", ""); !ok || got != want {
			t.Errorf("%s: want %s, got %s", setting, want, got)
		}
	}
}

// Ruling 8: what older clients applied stands beside what the newest does.
func TestBothSidesOfAChange(t *testing.T) {
	for setting, want := range map[string][2]string{
		"codex.mcp_servers": {"0.148.0", "0.149.0"}, "codex.web_search": {"0.148.0", "0.149.0"}, "codex.service_tier": {"0.149.0", "0.160.1"},
	} {
		var got [2]string
		for _, c := range capabilities {
			switch {
			case c.Setting != setting:
			case c.Level == providers.Enforced:
				got[0] = c.Until
			default:
				got[1] = c.From
			}
		}
		if got != want {
			t.Errorf("%s: want %v, got %v", setting, want, got)
		}
	}
}
