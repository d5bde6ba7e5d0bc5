package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest gives the candidate that a mistyped word most likely meant, or "". The
// order of the candidates does not matter.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", 3
	if len(word) <= 3 {
		bestDistance = 2
	}
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if strings.EqualFold(squash(c), squash(word)) {
			return c
		}
		if d := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// squash takes out what people spell differently: maxTurns, max-turns, max_turns.
func squash(s string) string { return squasher.Replace(s) }

var squasher = strings.NewReplacer("-", "", "_", "", " ", "")

// didYouMean says what to write instead of a word.
func didYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf("Did you mean %q?", near)
	}
	if len(candidates) == 0 {
		return "No keys are allowed here."
	}
	sorted := slices.Sorted(slices.Values(candidates))
	return "Possible here: " + strings.Join(sorted, ", ") + "."
}
