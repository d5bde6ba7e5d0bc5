package audit

import (
	"regexp"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
)

// phrases are words that set aside what the operator said, or hide something
// from the operator. They are hints, and say so. Each has one of its words in
// it, without which it is not searched for.
var phrases = []struct {
	words []string
	form  func() *regexp.Regexp
}{
	{[]string{"ignore", "disregard", "forget", "override"}, lazyregexp.New(`(?i)\b(?:ignore|disregard|forget|override)\s+(?:all|any|every|the|your|these|those|my)?\s*(?:of\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier|preceding|existing|other)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules?|directions?|guidelines?)`)},
	{[]string{"ignore", "disregard", "override", "bypass"}, lazyregexp.New(`(?i)\b(?:ignore|disregard|override|bypass)\s+(?:the|your|all|any)\s+(?:system\s+prompt|system\s+message|safety\s+\w+|guardrails?|operator(?:'s)?\s+\w+)`)},
	{[]string{"user", "operator", "human", "developer"}, lazyregexp.New(`(?i)\b(?:do\s+not|don't|never)\s+(?:tell|inform|notify|alert|warn|reveal\s+(?:this|it)\s+to|mention\s+(?:this|it)\s+to)\s+(?:the\s+)?(?:user|operator|human|developer)\b`)},
	{[]string{"without"}, lazyregexp.New(`(?i)\bwithout\s+(?:telling|informing|notifying|alerting|the\s+knowledge\s+of)\s+(?:the\s+)?(?:user|operator|human|developer)\b`)},
	{[]string{"hide", "conceal"}, lazyregexp.New(`(?i)\b(?:hide|conceal)\s+(?:this|it|that|these)\s+from\s+(?:the\s+)?(?:user|operator|human|developer)\b`)},
	{[]string{" mode"}, lazyregexp.New(`(?i)\byou\s+are\s+(?:now\s+)?in\s+(?:developer|god|dan|jailbreak|unrestricted)\s+mode\b`)},
	{[]string{"override", "supersede", "precedence"}, lazyregexp.New(`(?i)\b(?:these|my|the\s+following)\s+instructions\s+(?:override|supersede|take\s+precedence\s+over)\s+(?:all|any|every|the\s+(?:user|operator|system))`)},
}

// overrides finds such words.
func overrides(text string) []mark {
	var marks []mark
	low := strings.ToLower(text)
	for _, p := range phrases {
		if !containsAny(low, p.words) {
			continue
		}
		for _, at := range p.form().FindAllStringIndex(text, -1) {
			marks = append(marks, mark{at[0], at[1], text[at[0]:at[1]]})
		}
	}
	return marks
}
