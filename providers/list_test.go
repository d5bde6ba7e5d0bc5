package providers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// The list of the block is taken as it is; access: read-only holds for it as
// well. What the entry's block lists is an error, what defaults gave is stripped.
func TestListTools(t *testing.T) {
	for _, tt := range []struct {
		defaults, entry string
		want            string // nothing, verbs: natives, or verbatim: natives
		uses            string
		problems        int
	}{
		{"", "", "nothing", "", 0},
		{"", "access: read-only", "verbs: Look Find", "", 0},
		{"tools: [edit, read]", "access: read-only", "verbs: Look", "tools#stripped=edit", 0},
		{"", "providers: {claude: {tools: [X, Run]}}", "verbatim: X Run", "", 0},
		{"", "providers: {claude: {tools: []}}", "verbatim: ", "", 0},
		{"", "providers: {claude: {tools: null}}", "nothing", "", 0},
		{"", "tools: [read], providers: {claude: {tools: [X]}}", "verbatim: X", "", 0},
		{"", "tools: [read], providers: {claude: {tools: null}}", "verbs: Look", "", 0},
		{"providers: {claude: {tools: [X]}}", "", "verbatim: X", "", 0},
		{"providers: {claude: {tools: [X]}}", "tools: [read]", "verbs: Look", "", 0},
		{"providers: {claude: {tools: [X]}}", "tools: []", "verbs: Look Find", "", 0},
		{"providers: {claude: {tools: [X]}}", "providers: {claude: {tools: null}}", "nothing", "", 0},
		{"tools: [read], providers: {claude: {tools: [X]}}", "", "verbatim: X", "", 0},
		{"tools: [read], providers: {claude: {tools: [X]}}", "providers: {claude: {tools: null}}", "verbs: Look", "", 0},
		{"tools: [read], providers: {claude: {tools: [X]}}", "tools: null", "verbatim: X", "", 0},
		{"tools: [read], providers: {claude: {tools: [X]}}", "tools: null, providers: {claude: {tools: null}}", "nothing", "", 0},
		{"", "access: read-only, providers: {claude: {tools: [Look, View, srv__list]}}", "verbatim: Look View srv__list", "", 0},
		{"", "access: read-only, providers: {claude: {tools: [Look, Change]}}", "verbatim: Look", "tools#stripped=Change", 1},
		{"", "access: read-only, providers: {claude: {tools: [Patch, Unknown, srv__drop]}}", "verbatim: ", "tools#stripped=Patch tools#stripped=Unknown tools#stripped=srv__drop", 3},
		{"", "access: read-only, providers: {claude: {tools: ['*']}}", "verbatim: ", "tools#stripped=*", 1},
		{"", "access: read-only, providers: {claude: {tools: ['Run(ls:*)']}}", "verbatim: ", "tools#stripped=Run(ls:*)", 1},
		{"", "access: read-only, providers: {claude: {tools: ['Look(x)']}}", "verbatim: Look(x)", "", 0},
		{"", "access: read-only, allow_read_only_shell: true, providers: {claude: {tools: ['Run(ls:*)']}}", "verbatim: Run(ls:*)", "", 0},
		{"providers: {claude: {tools: [Look, Change]}}", "access: read-only", "verbatim: Look", "tools#stripped=Change", 0},
	} {
		a, block := resolve(t, tt.defaults, tt.entry)
		var out providers.Output
		l := providers.ListTools(a, host, block.Tools, &out)
		got := "nothing"
		switch {
		case l.Verbatim:
			got = "verbatim: " + strings.Join(l.Natives, " ")
		case l.Restricted:
			got = "verbs: " + strings.Join(l.Natives, " ")
		}
		var uses []string
		for _, u := range out.Uses {
			setting := strings.TrimPrefix(u.Setting, "claude.")
			uses = append(uses, fmt.Sprintf("%s=%s", setting, u.Value))
		}
		if got != tt.want || strings.Join(uses, " ") != tt.uses || len(l.Problems) != tt.problems {
			t.Errorf("{%s} {%s}: %s, uses %q, problems %v", tt.defaults, tt.entry, got, uses, l.Problems)
		}
		for _, d := range l.Problems {
			if schema.CodeOf(d) != schema.CodeToolConflict || d.Subject.Start.Line != 3 || d.Subject.End.Column <= d.Subject.Start.Column {
				t.Errorf("{%s}: %v", tt.entry, d)
			}
		}
	}
}

// A problem with an item of a list stands at the item.
func TestItemAt(t *testing.T) {
	a, _ := resolve(t, "", "tags: [one, two], title: x")
	place := func(key, item string) int { return providers.ItemAt(a, key, item).Start.Column }
	one, two, title, none := place("tags", "one"), place("tags", "two"), place("title", "x"), place("tools", "read")
	if columns := []int{none, one, two, title}; !slices.IsSorted(columns) || one == two || a.Entry.At.Start.Column != none {
		t.Errorf("columns %v", columns)
	}
	if list, _ := a.Setting("tags"); providers.ItemAt(a, "tags", "three") != list.At() {
		t.Error("an item that is not there stands at the list")
	}
}
