package goose

import (
	"testing"

	"github.com/seed-337579fc/subagents/providers"
)

// K41, M57: what goose leaves to the session is said to be inherited.
func TestLevels(t *testing.T) {
	for setting, want := range map[string]providers.Level{
		"access": providers.Inherited, "tools": providers.Inherited, "mcp": providers.Inherited, "effort": providers.Unsupported,
		"goose.extensions": providers.Inherited, "goose.settings": providers.Enforced, "goose.settings#agent": providers.Unsupported,
		"skills#preload": providers.Unsupported, "delegates": providers.Unsupported,
	} {
		if got, ok := facts.Level(setting, "", ""); !ok || got != want {
			t.Errorf("%s: want %s, got %s", setting, want, got)
		}
	}
	if rows := facts.Rows("access", "read-only", ""); len(rows) != 1 || rows[0].Code != "access-not-enforced" {
		t.Errorf("access: %v", rows)
	}
}
