package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// sized is a manifest of n subagents of about 4 KB each, as people write them.
func sized(n int) string {
	line := "Read the whole change before you judge it, and say plainly what you did not read.\n"
	body := strings.Repeat("      "+line, 46)
	var b strings.Builder
	b.WriteString("version: 1\ntargets: [claude, codex, goose, kiro, opencode]\nresults:\n  findings: |\n    List findings.\ndefaults:\n  tier: standard\nsubagents:\n")
	for i := range n {
		fmt.Fprintf(&b, `  - name: agent-%d
    title: Agent %d
    description: Reviews part %d of a change for defects. Use after editing and before a commit.
    role: A careful reviewer.
    kind: reviewer
    access: read-only
    tools: [read, list, search]
    tier: deep
    result: findings
    instructions: |
%s    providers:
      claude: {color: blue}
      codex:
        reasoning_effort: medium
        nickname_candidates: [one-%d, two-%d, three-%d]
`, i, i, i, body, i, i, i)
	}
	return b.String()
}

func benchmarkLoad(b *testing.B, name, text string) {
	src := NewSource(name, []byte(text))
	if _, diags := Load(src, Options{}); len(diags) > 0 {
		b.Fatal(diags)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if m, _ := Load(NewSource(name, []byte(text)), Options{}); m == nil {
			b.Fatal("nothing was loaded")
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("yaml/%d", n), func(b *testing.B) { benchmarkLoad(b, "m.yml", sized(n)) })
	}
	root, diags := parse(NewSource("m.yml", []byte(sized(1000))))
	if len(diags) > 0 {
		b.Fatal(diags)
	}
	data, err := json.Marshal(root.Interface())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("json/1000", func(b *testing.B) { benchmarkLoad(b, "m.json", string(data)) })
	b.Run("yaml-one-line/1000", func(b *testing.B) { benchmarkLoad(b, "m.yml", string(data)) })
}

// What a single mistake costs: the JSON Schema is compiled and asked.
func BenchmarkLoadWithProblem(b *testing.B) {
	text := strings.Replace(sized(100), "tier: deep", "tier: depe", 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := Load(NewSource("m.yml", []byte(text)), Options{}); len(diags) != 1 {
			b.Fatal(diags)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	m, _ := Load(NewSource("m.yml", []byte(sized(100))), Options{})
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range m.Entries() {
			for _, id := range m.Targets(e) {
				m.Resolve(e, id)
			}
		}
	}
}
