package audit

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
)

// tokens are forms that are secrets wherever they stand. They are those that the
// issuers document, long enough not to occur by chance. Each has one of its words
// in it, without which it is not searched for.
var tokens = []struct {
	what  string
	words []string
	form  func() *regexp.Regexp
}{
	{"an Anthropic API key", []string{"sk-ant-"}, lazyregexp.New(`\bsk-ant-[A-Za-z0-9_-]{20,}`)},
	{"an OpenAI API key", []string{"sk-"}, lazyregexp.New(`\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}`)},
	{"a GitHub token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, lazyregexp.New(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})`)},
	{"a GitLab token", []string{"glpat-", "glptt-", "gldt-", "glrt-"}, lazyregexp.New(`\bgl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,}`)},
	{"an AWS access key", []string{"AKIA", "ASIA"}, lazyregexp.New(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	{"a Google API key", []string{"AIza"}, lazyregexp.New(`\bAIza[A-Za-z0-9_-]{35}`)},
	{"a Slack token", []string{"xox"}, lazyregexp.New(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{"a Slack webhook", []string{"hooks.slack.com"}, lazyregexp.New(`https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}`)},
	{"a Stripe key", []string{"k_live_"}, lazyregexp.New(`\b[sr]k_live_[A-Za-z0-9]{20,}`)},
	{"an npm token", []string{"npm_"}, lazyregexp.New(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"a PyPI token", []string{"pypi-"}, lazyregexp.New(`\bpypi-AgE[A-Za-z0-9_-]{50,}`)},
	{"a Hugging Face token", []string{"hf_"}, lazyregexp.New(`\bhf_[A-Za-z]{30,}\b`)},
	{"a SendGrid key", []string{"SG."}, lazyregexp.New(`\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}`)},
	{"a JSON web token", []string{"eyJ"}, lazyregexp.New(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`)},
	{"a private key", []string{"PRIVATE KEY"}, lazyregexp.New(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----`)},
	{"a password in an address", []string{"://"}, lazyregexp.New(`\b[a-z][a-z0-9+.-]*://[^\s:/@"'$<{]+:[^\s:/@"'$<{]{6,}@[A-Za-z0-9.-]+`)},
}

// assigned is a value under a name that says what it is.
var assigned = lazyregexp.New(`(?i)\b[a-z0-9_-]*(?:api[_-]?key|secret|token|passw(?:or)?d|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+)?([A-Za-z0-9+/=_.~-]{16,})`)

// secrets finds secrets in a text. What is found is never repeated.
func secrets(text string) []mark {
	var marks []mark
	taken := func(start, end int) bool {
		for _, m := range marks {
			if start < m.end && m.start < end {
				return true
			}
		}
		return false
	}
	for _, t := range tokens {
		if !containsAny(text, t.words) {
			continue
		}
		for _, at := range t.form().FindAllStringIndex(text, -1) {
			if !taken(at[0], at[1]) && !example(text[at[0]:at[1]]) {
				marks = append(marks, mark{at[0], at[1], t.what})
			}
		}
	}
	start := 0
	for line := range strings.Lines(text) {
		if containsAny(strings.ToLower(line), telling) {
			for _, at := range assigned().FindAllStringSubmatchIndex(line, -1) {
				if value := line[at[2]:at[3]]; !taken(start+at[2], start+at[3]) && !example(value) && random(value) {
					marks = append(marks, mark{start + at[2], start + at[3], "a value that looks like a secret"})
				}
			}
		}
		start += len(line)
	}
	return marks
}

// telling are the words of which a name of a secret has one.
var telling = []string{"key", "secret", "token", "passw", "authorization"}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// example says whether a value is one of documentation.
func example(s string) bool {
	low := strings.ToLower(s)
	for _, word := range []string{"example", "xxxx", "your", "redacted", "placeholder", "changeme", "1234567890", "abcdefgh", "test-token", "user:pass"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// random says whether a value looks drawn by lot: letters and digits, with as
// much entropy as keys have and words do not.
func random(s string) bool {
	var counts [256]int
	digits := false
	for i := range len(s) {
		counts[s[i]]++
		digits = digits || s[i] >= '0' && s[i] <= '9'
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return digits && bits >= 3.5
}
