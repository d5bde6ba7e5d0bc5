package schema

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	keys := []string{"max_turns", "model", "mode", "tools", "tier", "title", "top_p", "reasoning_effort"}
	for word, want := range map[string]string{
		"maxTurns": "max_turns", "max-turns": "max_turns", "MAX TURNS": "max_turns", "toolz": "tools", "teir": "tier", "mdoel": "model",
		"reasoning_efort": "reasoning_effort", "colour": "", "": "", "x": "", "Model": "model", "topp": "top_p",
	} {
		if got := Nearest(word, keys); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("without candidates: %q", got)
	}
}

// Of two candidates that are as near, always the same one is named.
func TestNearestIsStable(t *testing.T) {
	for _, words := range [][]string{{"bat", "cat", "rat"}, {"a-b", "a_b"}} {
		reversed := slices.Clone(words)
		slices.Reverse(reversed)
		if a, b := Nearest("aat", words), Nearest("aat", reversed); a != b {
			t.Errorf("%q and %q", a, b)
		}
		if a, b := Nearest("a b", words), Nearest("a b", reversed); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for _, tt := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"tolos", []string{"title", "tools"}, `Did you mean "tools"?`},
		{"zzz", []string{"tools", "title"}, "Possible here: title, tools."},
		{"zzz", nil, "No keys are allowed here."},
	} {
		if got := didYouMean(tt.word, tt.candidates); got != tt.want {
			t.Errorf("didYouMean(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}
