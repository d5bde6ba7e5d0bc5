package orchestrate

import (
	"strings"
	"testing"
)

func TestFindingsNearTheForm(t *testing.T) {
	const pass = "no findings\n"
	for _, line := range []string{
		"blocker: a.go: no line", "Blocker: a.go:1: x", "* major: a.go:1: x", "1. major: a.go:1: x", "`major: a.go:1: x`",
		"**major**: a.go:1: x", "[blocker] a.go:1 x", "| minor | a.go:1 | x |", "> major: a.go:1: x", "major：a.go:1: x", "## Blockers",
		"critical: a.go:1: x", "major: a.go:0: x", "major: a.go:1:x", "major:a.go:1: x", "- note: a.go:1: x", "Major",
		"verdict: pass", "**Result**: done", "result: done",
	} {
		for name, report := range map[string]string{
			"before": line + "\n" + pass, "after": pass + line + "\n", "after reviewed": pass + "reviewed: a.go\n" + line + "\n",
		} {
			if v := Judge([]byte(report), Reviewer, Blocker); v.Verdict != Fail || v.Malformed == "" {
				t.Errorf("%s %q: %+v, want a malformed report", name, line, v)
			}
		}
	}
}

func TestProseAroundTheFindings(t *testing.T) {
	for _, report := range []string{
		"I read it all.\nNote: the tests take long.\n\nno findings\n",
		"## Report\n\nnote: a.go:1: x\n\nreviewed: a.go\n- minor/version.go\n- majority.go\n\nnot reviewed: nothing\nnote that it is late",
		"```\nnote: C:\\a.go:1: x\n```\n",
		"no findings\r\nreviewed: a\r\n\r\n",
	} {
		if v := Judge([]byte(report), "", Major); v.Verdict != Pass || v.Kind != Reviewer {
			t.Errorf("%q: %+v, want a pass", report, v)
		}
	}
}

func TestFileOfAFindingMayHaveColons(t *testing.T) {
	f, ok := readFinding(`minor: C:\dir\a.go:12: says 7: eight`)
	if !ok || f.File != `C:\dir\a.go` || f.Line != 12 || f.What != "says 7: eight" {
		t.Errorf("%+v, %v", f, ok)
	}
}

func TestReportTooLarge(t *testing.T) {
	report := "no findings\n" + strings.Repeat("\n", maxReport)
	if v := Judge([]byte(report), "", Major); v.Malformed == "" {
		t.Errorf("%+v, want a malformed report", v)
	}
}

// Whatever else a report says, a finding in the exact form that blocks fails a
// reviewer, and nothing passes that has neither of the two results.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		"no findings\n", "result: done", "result: failed\n", "major: a.go:1: x\nreviewed: a.go\n", "- **Blocker**: a", "note: a:1: b\r\nno findings",
		"## Report\n\nminor: a b:22: c: d\n\n\nnot reviewed: x\n```", "\xff",
	} {
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, kind := range []string{"", Reviewer, Executor} {
			v := Judge([]byte(before+after), kind, Major)
			if v.Verdict != Pass && v.Verdict != Fail || v.Verdict == Pass && v.Malformed != "" {
				t.Fatalf("%q as %q: %+v", before+after, kind, v)
			}
			text := before + after
			if v.Verdict == Pass && v.Kind == Executor && !strings.HasSuffix(strings.TrimRight(text, " \t\r\n"), "result: done") {
				t.Fatalf("%q: passes as an executor's", text)
			}
			if v.Verdict == Pass && v.Kind == Reviewer && len(v.Findings) == 0 && !strings.Contains(text, noFindings) {
				t.Fatalf("%q: passes as a reviewer's", text)
			}
		}
		spiked := before + "\nmajor: a.go:1: loses data\n" + after
		for _, kind := range []string{"", Reviewer} {
			if v := Judge([]byte(spiked), kind, Major); v.Verdict != Fail {
				t.Fatalf("%q as %q: %+v", spiked, kind, v)
			}
		}
	})
}
