package providers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// K9, K33, K38, M51: what a subagent may use, on every host.
func TestGrant(t *testing.T) {
	for _, tt := range []struct {
		defaults, entry string
		restricted      bool
		verbs, stripped string
		denied          bool
		natives         string
	}{
		{"", "", false, "", "", false, ""},
		{"", "access: workspace-write", false, "", "", false, ""},
		{"", "access: read-only", true, "", "", false, "Look Find"},
		{"", "tools: null, access: read-only", true, "", "", false, "Look Find"},
		{"", "tools: []", true, "", "", false, "Look Find"},
		{"", "tools: [todo]", true, "todo", "", false, "Look Find"}, // maps to nothing here
		{"", "tools: [search, read]", true, "search read", "", false, "Look Find"},
		{"", "tools: [shell, edit, read]", true, "shell edit read", "", false, "Run Change Create Look"},
		{"tools: [edit, read]", "access: read-only", true, "read", "edit", false, "Look"},
		{"tools: [edit]", "access: read-only", true, "", "edit", false, "Look Find"},
		{"tools: [edit, shell]", "access: read-only, allow_read_only_shell: true", true, "shell", "edit", false, "Run"},
		{"tools: [edit, shell]", "access: read-only, allow_read_only_shell: false", true, "", "edit shell", false, "Look Find"},
		{"tools: [edit]", "tools: null", false, "", "", false, ""},
		{"access: read-only", "access: null", false, "", "", false, ""},
		{"access: read-only", "access: workspace-write, tools: [edit]", true, "edit", "", false, "Change Create"},
		// delegates and skills extend a list; they never make one.
		{"", "delegates: [other]", false, "", "", false, ""},
		{"", "delegates: [other], tools: [read]", true, "read", "", false, "Look Call"},
		{"", "delegates: [other], tools: [delegate]", true, "delegate", "", false, "Call"},
		{"", "delegates: [], tools: [read, delegate]", true, "read", "", true, "Look"},
		{"", "delegates: [], tools: [delegate]", true, "", "", true, "Look Find"},
		{"", "delegates: []", false, "", "", true, ""},
		{"delegates: [other]", "delegates: null, tools: [read]", true, "read", "", false, "Look"},
		{"", "skills: [a]", false, "", "", false, ""},
		{"", "skills: [a], tools: []", true, "", "", false, "Look Find Learn"},
		{"", "skills: [a], delegates: [other], access: read-only", true, "", "", false, "Look Find Call Learn"}, // A65
		{"", "skills: [], tools: [read]", true, "read", "", false, "Look"},
	} {
		a, _ := resolve(t, tt.defaults, tt.entry)
		g := providers.GrantOf(a)
		natives := ""
		if g.Restricted {
			natives = strings.Join(host.Tools.Natives(a, g), " ")
		}
		got := fmt.Sprintf("%v %s, %s %v: %s", g.Restricted, verbs(g.Verbs), verbs(g.Stripped), g.Denied, natives)
		if want := fmt.Sprintf("%v %s, %s %v: %s", tt.restricted, "["+tt.verbs+"]", "["+tt.stripped+"]", tt.denied, tt.natives); got != want {
			t.Errorf("{%s} {%s}:\n got %s\nwant %s", tt.defaults, tt.entry, got, want)
		}
	}
}

func verbs(list []schema.Verb) string { return fmt.Sprint(list) }

// What a native tool is, and whether it is known to change nothing.
func TestToolNames(t *testing.T) {
	for name, want := range map[string]string{
		"Look": "read reads", "Find": "search reads", "Change": "edit", "Patch": "edit", "Run": "shell", "Call": "delegate reads",
		"View": " reads", "srv__list": " reads", "srv__": " reads", "srv__drop": "", "srv_": "", "Unknown": "", "look": "", "": "",
	} {
		verb, _ := host.Tools.Verb(name)
		got := string(verb)
		if host.Tools.Reads(name) {
			got += " reads"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for _, v := range schema.Verbs() {
		for _, native := range host.Tools.Native(v) {
			if back, ok := host.Tools.Verb(native); !ok || back != v && v != schema.Search {
				t.Errorf("%s → %s → %s", v, native, back)
			}
		}
	}
	if got := host.Tools.Native(schema.Todo); got != nil {
		t.Errorf("todo is %q", got)
	}
}
