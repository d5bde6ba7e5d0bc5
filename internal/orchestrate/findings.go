package orchestrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
)

// noFindings is the line of a report that has nothing to say.
const noFindings = "no findings"

// decoration is what people put before a word.
const decoration = "[\\s>*_`#+|\"'\\[(•–—-]*(?:[0-9]+[.)]\\s*)?[\\s>*_`|\"'\\[(]*"

var (
	// findingLine is the exact form: severity: file:line: what.
	findingLine = lazyregexp.New(`^(blocker|major|minor|note): (\S|\S.*?\S):([1-9][0-9]{0,8}): (\S.*)$`)
	// nearFinding is a line that begins with a severity and is no finding: with a
	// bullet, bold, in brackets, as a heading or a row of a table.
	nearFinding = lazyregexp.New("(?i)^" + decoration + "(blocker|critical|major|minor)s?($|[\\s:：*_`\"'\\])|–—-])")
	// nearNote is the same for the severity that is an ordinary word too.
	nearNote = lazyregexp.New("(?i)^" + decoration + "note[*_`\"'\\])]*\\s*[:：].*:[0-9]")
	// ownVerdict is a verdict that is not the reviewer's to give.
	ownVerdict = lazyregexp.New("(?i)^[\\s>*_`#-]*(verdict|result|decision)[*_`]*\\s*:")
)

// readFinding reads a line in the exact form.
func readFinding(line string) (Finding, bool) {
	m := findingLine().FindStringSubmatch(line)
	if m == nil {
		return Finding{}, false
	}
	n, _ := strconv.Atoi(m[3]) // the pattern admits nothing else
	return Finding{Severity: Severity(m[1]), File: m[2], Line: n, What: m[4]}, true
}

// review reads the findings of a reviewer. The block begins with the first
// finding or with the line no findings; until reviewed: or not reviewed: every
// line of it is a finding. What only looks like a finding is an error wherever
// it stands, since leaving it out would make a report harmless.
func (v *Verdict) review(lines []string, blockAt Severity) {
	v.BlockAt, v.Counts, v.Findings = blockAt, map[Severity]int{}, []Finding{}
	for _, s := range Severities() {
		v.Counts[s] = 0
	}
	none, in := 0, false
	for i, line := range lines {
		if f, ok := readFinding(line); ok {
			f.At, f.Blocks = i+1, f.Severity.AtLeast(blockAt)
			v.Findings = append(v.Findings, f)
			v.Counts[f.Severity]++
			in = true
			continue
		}
		switch {
		case line == noFindings:
			none, in = i+1, true
		case nearFinding().MatchString(line) || nearNote().MatchString(line):
			v.malformed("line %d is not in the form %q", i+1, "severity: file:line: what")
			return
		case ownVerdict().MatchString(line):
			v.malformed("line %d gives a verdict, which follows from the findings alone", i+1)
			return
		case closes(line):
			in = false
		case in && line != "" && !fence(line):
			v.malformed("line %d stands among the findings and is none", i+1)
			return
		}
	}
	switch {
	case none > 0 && len(v.Findings) > 0:
		v.malformed("line %d says %q, and there are %d", none, noFindings, len(v.Findings))
	case none == 0 && len(v.Findings) == 0:
		v.malformed("it has neither findings nor the line %q", noFindings)
	case !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Blocks }):
		v.Verdict = Pass
	}
}

// closes says whether a line begins what follows the findings.
func closes(line string) bool {
	return strings.HasPrefix(line, "reviewed:") || strings.HasPrefix(line, "not reviewed:")
}

// fence says whether a line opens or closes a block of code.
func fence(line string) bool { return strings.HasPrefix(line, "```") }
