package opencode

import "strings"

// matches says whether a pattern of the client covers a text: * is any run of
// characters, ? is one, everything else is itself; what ends in " *" covers the
// text without arguments too. Read in the 1.18.33 program.
func matches(pattern, text string) bool {
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && glob([]rune(bare), []rune(text)) {
		return true
	}
	return glob([]rune(pattern), []rune(text))
}

// glob goes back to the last * only, so that its cost stays below the product
// of the lengths.
func glob(pattern, text []rune) bool {
	p, t := 0, 0
	star, from := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p, t = p+1, t+1
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
