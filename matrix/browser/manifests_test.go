//go:build browser

package browser

import (
	"fmt"
	"strings"
)

// three is a small manifest whose texts are hostile to a page of HTML.
const three = `version: 1
subagents:
  - name: code-reviewer
    title: Code reviewer
    description: "Reviews </script><script>alert(1)</script> <img src=x onerror=alert(2)> & \"quotes\". Use after a change."
    tags: [review, backend]
    access: read-only
    tools: [read, list, search, todo]
    tier: deep
    effort: high
    delegates: []
    instructions: |
      # Method

      Read the change first. <script>alert(3)</script> ` + "`go vet`" + ` and **care**.
      <!-- --> ]]> {{ x }} ${y}
  - name: builder
    description: Builds things. Use for work.
    tags: [backend]
    access: workspace-write
    tools: [read, edit, shell]
    gate: {command: go test ./...}
    isolation: worktree
    skills: [release]
    instructions: Build it.
    providers:
      claude: {permission_mode: dontAsk, max_turns: 12}
      codex: {sandbox_mode: workspace-write, mcp_servers: {docs: {command: docs-server}}}
      opencode: {temperature: 0.2}
  - name: free
    description: Does anything. Use when nothing else fits.
    targets: [claude, opencode]
    instructions: Do it.
`

// many is a manifest of n subagents that differ.
func many(n int) string {
	var b strings.Builder
	b.WriteString("version: 1\nsubagents:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: agent-%04d\n    description: Does job %d. Use when it is due.\n    tags: [team-%d]\n", i, i, i%7)
		if i%2 == 0 {
			fmt.Fprintf(&b, "    access: read-only\n    tools: [read, %s]\n", []string{"list", "search", "todo"}[i%3])
		}
		if i%3 == 0 {
			b.WriteString("    tier: deep\n    delegates: []\n")
		}
		if i%5 == 0 {
			b.WriteString("    effort: high\n    providers: {claude: {max_turns: 5}, codex: {sandbox_mode: read-only}}\n")
		}
		b.WriteString("    instructions: |\n")
		for line := range 60 {
			fmt.Fprintf(&b, "      Line %d of the text of agent %d, which goes on for a while before it ends.\n", line, i)
		}
	}
	return b.String()
}
