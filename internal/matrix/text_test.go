package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

func textOf(t *testing.T, m *Matrix, opt TextOptions) string {
	t.Helper()
	var b strings.Builder
	if err := m.Text(&b, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// handmade is a matrix whose words do not depend on the tables of the hosts.
func handmade() *Matrix {
	because := func(setting, value string, level providers.Level, code schema.Code) Cell {
		return Cell{Setting: setting, Value: value, Level: level, Code: code, Why: "Because of " + setting + ".", Source: "seen on 1"}
	}
	trusted := because("access", "read-only", providers.Enforced, "needs-trust")
	trusted.When = "the folder is trusted"
	since := because("one.mode", "plan", providers.Advisory, "advisory")
	since.From = "2.0"
	item := because("tools", "todo", providers.Unsupported, "tool-dropped")
	item.Finer = true
	return &Matrix{
		Scope: schema.ProjectScope,
		Hosts: []Host{{ID: "one", Title: "One", Client: "One 2.1"}, {ID: "two", Title: "Two", Client: "Two 7"}},
		Subagents: []Subagent{{
			Name: "reviewer", Tags: []string{"web"},
			On: []OnHost{
				{Host: "one", Cells: []Cell{trusted, because("tools", "read, todo", providers.Enforced, ""), item, because("title", "R", providers.Unsupported, "unsupported"), since}},
				{Host: "two", Cells: []Cell{because("access", "read-only", providers.Inherited, "inherited"), because("title", "R", providers.Unsupported, "unsupported")}},
			},
		}, {
			Name: "builder",
			On:   []OnHost{{Host: "two", Cells: []Cell{because("access", "workspace-write", providers.Inherited, "inherited")}}},
		}},
	}
}

func TestTextOfAFew(t *testing.T) {
	const want = `reviewer
  SETTING                                                 ONE          TWO
  access: read-only                                       enforced*    inherited
  tools: read, todo                                       enforced     -
  tools: todo                                             unsupported  -
  SETTING OF ONE HOST                                                      LEVEL
  one.mode: plan                                                        advisory
  unsupported everywhere: title

builder
  SETTING                                                         ONE  TWO
  access: workspace-write                                         -    inherited

One 2.1
  title: unsupported. Because of title.
    seen on 1
  access: enforced* when the folder is trusted. Because of access.
    seen on 1
  tools (todo): unsupported. Because of tools.
    seen on 1
  one.mode: advisory from 2.0. Because of one.mode.
    seen on 1

Two 7
  title: unsupported. Because of title.
    seen on 1
  access: inherited. Because of access.
    seen on 1
`
	if diff := cmp.Diff(want, textOf(t, handmade(), TextOptions{})); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestTextCountsTheMany(t *testing.T) {
	got := textOf(t, rendered(t, many(500)), TextOptions{})
	for _, want := range []string{
		"SETTING                       LEVEL         CLAUDE  CODEX  GOOSE  KIRO  OPENCODE\n",
		"access                        enforced         250      -      -   250       250\n",
		"                              advisory           -    250      -     -         -\n",
		"                              inherited          -      -    250     -         -\n",
		"\n500 subagents; -a NAME shows one with the reasons, --format json all.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	if lines := strings.Count(got, "\n"); lines > 40 {
		t.Errorf("%d lines", lines)
	}
}

func TestTextFitsEveryWidth(t *testing.T) {
	for name, m := range map[string]*Matrix{
		"three":     rendered(t, many(3)),
		"catalogue": catalogue(t),
		"many":      rendered(t, many(200)),
		"settings": rendered(t, "subagents:\n- {name: a1, description: D., instructions: I., title: "+strings.Repeat("long ", 40)+
			", mcp: [日本語日本語日本語日本語日本語日本語日本語日本語日本語], tools: [read, list, search, edit, shell, web_fetch, web_search, todo], providers: {claude: {skills: ["+
			strings.Repeat("s, ", 80)+"s]}}}\n"),
	} {
		for _, room := range []int{80, 100, 120} {
			for i, line := range strings.Split(textOf(t, m, TextOptions{Width: room}), "\n") {
				if columns(line) > room {
					t.Errorf("%s, %d columns: line %d takes %d: %s", name, room, i+1, columns(line), line)
				}
			}
		}
	}
}

// TestTextPutsPlainSettingsTogether: beyond a screenful of rows, what every host
// enforces is one line.
func TestTextPutsPlainSettingsTogether(t *testing.T) {
	m := handmade()
	for i := range maxRows + 5 {
		for h := range m.Subagents[0].On {
			m.Subagents[0].On[h].Cells = append(m.Subagents[0].On[h].Cells, Cell{Setting: fmt.Sprintf("plain%d", i), Level: providers.Enforced})
		}
	}
	got := textOf(t, m, TextOptions{})
	if !strings.Contains(got, "enforced wherever it can be set: tools, plain0, plain1,") || strings.Contains(got, "  plain0 ") {
		t.Errorf("got\n%s", got)
	}
}

func TestTextInColour(t *testing.T) {
	got := textOf(t, handmade(), TextOptions{Color: true})
	if !strings.Contains(got, "\x1b[32menforced*\x1b[0m    \x1b[36minherited\x1b[0m\n") {
		t.Errorf("got %q", got)
	}
	plain := strings.NewReplacer("\x1b[32m", "", "\x1b[33m", "", "\x1b[36m", "", "\x1b[31m", "", "\x1b[0m", "").Replace(got)
	if diff := cmp.Diff(textOf(t, handmade(), TextOptions{}), plain); diff != "" {
		t.Errorf("colour changes the layout: %s", diff)
	}
}

func TestTextIsCleaned(t *testing.T) {
	m := handmade()
	m.Subagents[1].On[0].Cells[0].Value = "a\x1b[31mb"
	got := textOf(t, m, TextOptions{Clean: func(s string) string { return strings.ReplaceAll(s, "\x1b", "^[") }})
	if strings.Contains(got, "\x1b") || !strings.Contains(got, "access: a^[[31mb") {
		t.Errorf("got %q", got)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｗ": 2, "…": 1} {
		if got := columns(s); got != want {
			t.Errorf("columns(%q) = %d, want %d", s, got, want)
		}
	}
	for _, test := range []struct {
		s    string
		room int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abcde…"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"ab", 1, "…"},
		{"ab", 0, ""},
	} {
		if got := fit(test.s, test.room); got != test.want {
			t.Errorf("fit(%q, %d) = %q, want %q", test.s, test.room, got, test.want)
		}
	}
}
