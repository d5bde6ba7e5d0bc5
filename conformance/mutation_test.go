//go:build conformance

package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/schema"
)

// A mutation breaks one rendered file in a way that a renderer could. The comparison has to see it.
type mutation struct {
	name  string
	entry string // keys of the manifest's entry, at the margin
	// from is replaced by to in the rendered file, where it must stand.
	from, to string
	want     []string // kinds of difference of which one must be seen
	alone    bool     // it keeps the client from starting
}

func (m mutation) showing() showing { return showing{row: m.name, tag: "mutant", entry: m.entry} }

// sound is rendered beside the mutants and must not differ.
var sound = mutation{name: "sound", entry: "description: 'Looks: after it --- all of it.'\ninstructions: 'a {{ x }} \\d'\ntools: [read, search]"}

// mutants puts the broken files before a client, those that keep it from starting one by one, and asserts that the
// comparison turns red for each of them and for nothing else.
func mutants(t *testing.T, driver Driver, mutations []mutation) {
	t.Helper()
	together := slices.DeleteFunc(slices.Clone(mutations), func(m mutation) bool { return m.alone })
	groups := [][]mutation{together}
	for _, m := range mutations {
		if m.alone {
			groups = append(groups, []mutation{m})
		}
	}
	for _, group := range groups {
		seen := mutate(t, driver, append([]mutation{sound}, group...))
		alone := len(group) == 1 && group[0].alone
		if differences := seen[sound.name]; len(differences) > 0 && !alone {
			t.Errorf("the sound file differs: %v", differences)
		}
		for _, m := range group {
			t.Run(m.name, func(t *testing.T) {
				differences := seen[m.name]
				if m.alone {
					differences = seen[""]
				}
				at := slices.IndexFunc(differences, func(d Difference) bool { return slices.Contains(m.want, d.What) })
				if at < 0 {
					t.Fatalf("want a difference in one of %v, got %v", m.want, differences)
				}
				t.Log(differences[at])
				suite.CountMutation(driver.Client().Provider, driver.Client().Version, true)
			})
		}
	}
}

// mutate runs the client on the mutants and sorts the differences by mutation; "" has those of no mutant.
func mutate(t *testing.T, driver Driver, mutations []mutation) map[string][]Difference {
	t.Helper()
	bench := newBench(t)
	id := schema.ProviderID(driver.Client().Provider)
	var promises []Promise
	for _, m := range mutations {
		result, err := m.showing().result(id, true)
		if err != nil {
			t.Fatal(err)
		}
		more, err := Promises(result, id)
		if err != nil {
			t.Fatal(err)
		}
		promises = append(promises, more...)
		file := result.Files[0]
		if !strings.Contains(string(file.Data), m.from) {
			t.Fatalf("%s: the rendered file does not hold %q:\n%s", m.name, m.from, file.Data)
		}
		put(t, bench, "project/"+file.Path, strings.ReplaceAll(string(file.Data), m.from, m.to))
	}
	run := perform(t, driver, bench, ProbesOf(promises))
	seen := map[string][]Difference{}
	for _, d := range run.Compare(Expected(promises, run)) {
		at := slices.IndexFunc(promises, func(p Promise) bool { return p.Name == d.Agent || p.File == d.Agent })
		name := ""
		if at >= 0 {
			name = mutations[at].name
		}
		seen[name] = append(seen[name], d)
	}
	return seen
}

// A4: a text that is not quoted is another text, or the end of the front matter.
func TestClaudeMutations(t *testing.T) {
	mutants(t, Claude{At: find(t, "claude")}, []mutation{
		{name: "unknown-key", entry: "tools: [read]", from: "tools: ", to: "tols: ", want: []string{"complaint"}},
		{name: "fence-in-description", entry: "description: 'a --- b'", from: `\u002d\u002d\u002d`, to: "---", want: []string{"listed"}},
		{
			name: "fence-in-plain-description", entry: "description: 'a --- b'\ntools: [read]", from: `"a \u002d\u002d\u002d b"`, to: "a --- b",
			want: []string{"tools"},
		},
		{name: "comment-in-description", entry: "description: 'a # b'", from: `"a # b"`, to: "a # b", want: []string{"description"}},
		{name: "no-description", from: "description: \"d\"\n", want: []string{"listed"}},
		{name: "effort-unknown", entry: "effort: low", from: `"low"`, to: `"lowest"`, want: []string{"effort"}},
		{name: "model-unknown", entry: "tier: light", from: `"haiku"`, to: `"gpt-5.5"`, want: []string{"model"}},
		{name: "tools-null", entry: "tools: [read]", from: `tools: "Read"`, to: "tools:", want: []string{"tools"}},
		{name: "tool-misspelt", entry: "tools: [read, search]", from: "Read, Grep", to: "Read, grep", want: []string{"tools"}},
		{name: "hook-malformed", entry: "hooks: " + refuseNeutral, from: `"hooks":[`, to: `"hook":[`, want: []string{"listed"}},
		{name: "name-other", from: `name: "row-name-other-mutant"`, to: `name: "somebody-else"`, want: []string{"listed"}},
		{name: "body-changed", from: "Body of", to: "body of", want: []string{"body"}},
		{name: "body-crlf", entry: `instructions: "one\ntwo"`, from: "one\n", to: "one\r\n", want: []string{"body"}},
		{name: "no-fence", from: "\n---\nBody", to: "\nBody", want: []string{"listed"}},
	})
}

// A72: one key that the client does not know costs the whole file.
func TestCodexMutations(t *testing.T) {
	for _, key := range []string{"codex", "codex-old"} {
		mutants(t, Codex{At: find(t, key)}, []mutation{
			{name: "unknown-key", from: "description", to: "color = \"red\"\ndescription", want: []string{"listed"}},
			{name: "tools-list", from: "description", to: "tools = [\"read\"]\ndescription", want: []string{"listed"}},
			{name: "sandbox-misspelt", entry: "access: read-only", from: `"read-only"`, to: `"readonly"`, want: []string{"listed"}},
			{name: "scalar-behind-table", from: "developer_instructions", to: "[features]\ndeveloper_instructions", want: []string{"listed"}},
			{name: "body-in-basic-quotes", entry: `instructions: 'grep \d'`, from: "'''", to: `"""`, want: []string{"listed"}},
			{name: "effort-left-out", entry: codexBlock("model: gpt-5.5"), from: "model_reasoning_effort = \"medium\"\n", want: []string{"effort"}},
			{name: "server-without-transport", from: "description", to: "mcp_servers = {s = {enabled_tools = [\"a\"]}}\ndescription", want: []string{"listed"}},
			{name: "name-twice", from: "description", to: "name = \"other\"\ndescription", want: []string{"listed"}},
			{name: "body-crlf", entry: `instructions: "one\ntwo"`, from: "one\n", to: "one\r\n", want: []string{"body"}},
			{name: "body-empty", from: "Body of row-body-empty-mutant.", want: []string{"listed"}},
		})
	}
}

func TestGooseMutations(t *testing.T) {
	mutants(t, Goose{At: find(t, "goose")}, []mutation{
		{name: "unquoted-colon", entry: "description: 'Use when: asked'", from: `"Use when: asked"`, to: "Use when: asked", want: []string{"listed"}},
		{name: "fence-in-description", entry: "description: 'a --- b'", from: `\u002d\u002d\u002d`, to: "---", want: []string{"listed"}},
		{name: "template-unescaped", entry: "instructions: 'a {{ x }} b'", from: "{{ '{{' }}", to: "{{", want: []string{"body"}},
		{name: "template-invalid", entry: "instructions: '${{ secrets.T }}'", from: "{{ '{{' }}", to: "{{", want: []string{"body"}},
		{name: "model-inherit", entry: gooseBlock("model: other"), from: `"other"`, to: `"inherit"`, want: []string{"model"}},
		{name: "no-name", from: "name: \"row-no-name-mutant\"\n", want: []string{"listed"}},
		{name: "recipe-extensions-map", entry: recipe(""), from: "title:", to: "extensions: {}\ntitle:", want: []string{"listed"}},
		{name: "recipe-escaped-once", entry: "instructions: 'a {{ x }} b'\n" + recipe(""), from: `\u007b{ '\u007b{' }}`, to: `\u007b{`, want: []string{"body"}},
		{name: "recipe-unescaped", entry: "instructions: 'a {{ x }} b'\n" + recipe(""), from: `\u007b`, to: "{", want: []string{"body", "spawned"}},
		{name: "recipe-no-title", entry: recipe(""), from: "title: \"row-recipe-no-title-mutant\"\n", want: []string{"listed"}},
	})
}

func TestOpenCodeMutations(t *testing.T) {
	mutants(t, OpenCode{At: find(t, "opencode")}, []mutation{
		{name: "unquoted-star", entry: "tools: [read]", from: `"*_*":`, to: "*_*:", want: []string{"tools"}},
		{name: "denial-missing", entry: "tools: [read]", from: "  \"bash\": \"deny\"\n", want: []string{"tools"}},
		{name: "permissions-of-v2", entry: "tools: [read]", from: "permission:", to: "permissions:", want: []string{"tools"}},
		{name: "star-behind", entry: "tools: [read]", from: "---\nBody", to: "  \"*\": \"deny\"\n---\nBody", want: []string{"tools"}},
		{name: "renamed", from: "description", to: "name: somebody-else\ndescription", want: []string{"listed"}},
		{name: "unknown-key", from: "description", to: "foo: bar\ndescription", want: []string{"options"}},
		{name: "no-mode", from: "mode: \"subagent\"\n", want: []string{"mode"}},
		{name: "body-changed", from: "Body of", to: "body of", want: []string{"body"}},
		{name: "tools-list", from: "description", to: "tools: [Read]\ndescription", want: []string{"start"}, alone: true},
		{name: "color-name", from: "description", to: "color: blue\ndescription", want: []string{"start"}, alone: true},
	})
}
