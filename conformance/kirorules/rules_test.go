package kirorules

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const good = `{"name": "a1", "description": "D.", "prompt": "P\n", "tools": ["read"]}`

func check(t *testing.T, files map[string]string) ([]Agent, []string) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	agents, problems, err := Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, p := range problems {
		if p.File == "" || p.Text == "" || strings.Contains(p.Text, "%!") {
			t.Errorf("malformed problem: %#v", p)
		}
		rules = append(rules, string(p.Level)+" "+p.Rule)
	}
	return agents, rules
}

func TestUniversalFilesAreClean(t *testing.T) {
	body := "Review.\n\n---\n\n  indented\n"
	agents, rules := check(t, map[string]string{
		"a1.json": good,
		"a2.md":   "---\n# managed\nname: \"a2\"\ndescription: \"D: x # y\"\ntools: [\"read\", \"@srv/tool\"]\nmodel: \"claude-sonnet-4.5\"\n---\n" + body,
	})
	if len(rules) > 0 {
		t.Errorf("problems: %v", rules)
	}
	type text struct{ Name, Description, Prompt string }
	var got []text
	for _, a := range agents {
		got = append(got, text{a.Name, a.Description, a.Prompt})
	}
	if diff := cmp.Diff([]text{{"a1", "D.", "P\n"}, {"a2", "D: x # y", body}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONRules(t *testing.T) {
	// with adds members to the good file.
	with := func(members string) string { return strings.TrimSuffix(good, "}") + ", " + members + "}" }
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"comment":                  {`{"name": "a1" /* no */}`, []string{"broken json-syntax"}},
		"trailing comma":           {`{"name": "a1",}`, []string{"broken json-syntax"}},
		"duplicate key":            {with(`"name": "a1"`), []string{"broken json-syntax"}},
		"deep duplicate key":       {with(`"mcpServers": {"s": {"command": "c", "command": "d"}}`), []string{"broken json-syntax"}},
		"two documents":            {good + good, []string{"broken json-syntax"}},
		"byte order mark":          {"\ufeff" + good, []string{"broken json-bom"}},
		"Latin-1":                  {"{\"name\": \"\xe4\"}", []string{"broken json-utf8"}},
		"list":                     {`[]`, []string{"broken json-object"}},
		"no tools":                 {`{"name": "a1", "description": "D"}`, []string{"broken tools-missing"}},
		"empty tools":              {`{"name": "a1", "description": "D", "tools": []}`, []string{"broken tools-missing"}},
		"tools as text":            {`{"name": "a1", "description": "D", "tools": "read"}`, []string{"broken type"}},
		"no description":           {`{"name": "a1", "tools": ["read"]}`, []string{"broken description-missing"}},
		"null":                     {with(`"model": null`), []string{"broken null"}},
		"unknown key":              {with(`"colour": "red"`), []string{"broken unknown-key"}},
		"alias as model":           {with(`"model": "sonnet"`), []string{"broken model-alias"}},
		"prompt from file":         {`{"name": "a1", "description": "D", "tools": ["read"], "prompt": "file://p.md"}`, []string{"broken file-prompt"}},
		"Claude tools":             {`{"name": "a1", "description": "D", "tools": ["Read"]}`, []string{"broken tool-unknown"}},
		"tool of V3":               {`{"name": "a1", "description": "D", "tools": ["web"]}`, []string{"uneven tool-v3"}},
		"tool of V2":               {`{"name": "a1", "description": "D", "tools": ["todo"]}`, []string{"uneven tool-v2"}},
		"name is not the stem":     {`{"name": "a2", "description": "D", "tools": ["read"]}`, []string{"broken name-stem"}},
		"name form":                {`{"name": "A 1", "description": "D", "tools": ["read"]}`, []string{"broken name-form"}},
		"no name":                  {`{"description": "D", "tools": ["read"]}`, []string{"broken name-missing"}},
		"allowed, no permissions":  {with(`"allowedTools": ["read"]`), []string{"broken skipped-by-v3", "uneven version-dependent"}},
		"allowed with permissions": {with(`"allowedTools": ["read"], "permissions": {"rules": []}`), []string{"uneven version-dependent", "uneven version-dependent"}},
		"allowed, not offered":     {with(`"allowedTools": ["shell"], "permissions": {"rules": []}`), []string{"broken allowed-not-offered", "uneven version-dependent", "uneven version-dependent"}},
		"allowed all":              {with(`"allowedTools": ["*"], "permissions": {"rules": []}`), []string{"broken allowed-all", "uneven version-dependent", "uneven version-dependent"}},
		"permissions as list":      {with(`"permissions": [{"capability": "shell", "effect": "deny"}]`), []string{"broken type", "uneven version-dependent"}},
		"permission rule":          {with(`"permissions": {"rules": [{"capability": "shell", "effect": "never"}]}`), []string{"broken type", "uneven version-dependent"}},
		"server of neither kind":   {with(`"mcpServers": {"s": {}}`), []string{"broken mcp-transport"}},
		"server with both":         {with(`"mcpServers": {"s": {"command": "c", "url": "u"}}`), []string{"broken mcp-transport"}},
		"resource scheme":          {with(`"resources": ["docs/x.md"]`), []string{"broken resource-scheme"}},
		"knowledge base":           {with(`"resources": [{"type": "knowledgeBase", "source": "file://d", "name": "n", "indexType": "best"}]`), nil},
		"hook trigger":             {with(`"hooks": {"SessionStart": [{"command": "c"}]}`), []string{"broken hook-trigger", "uneven version-dependent"}},
		"hook as text":             {with(`"hooks": {"stop": "date"}`), []string{"broken type", "uneven version-dependent"}},
		"hooks of V3":              {with(`"hooks": []`), []string{"broken hooks-shape", "uneven version-dependent"}},
		"setting":                  {with(`"toolsSettings": {"shell": {"allowed": []}}, "permissions": {"rules": []}`), []string{"broken setting-unknown", "uneven version-dependent", "uneven version-dependent"}},
		"effort":                   {with(`"effortLevel": "high"`), []string{"uneven version-dependent"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, rules := check(t, map[string]string{"a1.json": test.text})
			if diff := cmp.Diff(test.want, rules); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMarkdownRules(t *testing.T) {
	const head = "---\nname: a1\ndescription: D\ntools: read, shell\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"good":                  {head + "---\nBody", nil},
		"no body":               {head + "---", nil},
		"no front matter":       {"# Notes\n", []string{"broken front-matter"}},
		"blank first line":      {"\n" + head + "---\n", []string{"broken front-matter"}},
		"not closed":            {head, []string{"broken front-matter"}},
		"YAML error":            {"---\nname: a: b\n---\n", []string{"broken yaml"}},
		"key twice":             {head + "name: a1\n---\n", []string{"broken yaml"}},
		"stripped key":          {head + "allowedTools: [read]\n---\n", []string{"broken wrong-format"}},
		"date as a description": {"---\nname: a1\ndescription: 2026-01-01\ntools: read\n---\n", nil},
		"number as a name":      {"---\nname: 1\ndescription: D\ntools: read\n---\n", []string{"broken name-missing", "broken type"}},
		"effort":                {head + "effortLevel: high\n---\n", []string{"uneven version-dependent"}},
		"hooks of V2":           {head + "hooks: {stop: [{command: c}]}\n---\n", []string{"broken hooks-shape", "uneven version-dependent"}},
		"twenty-one aliases":    {head + "mcpServers:\n  s:\n    command: &c x\n    args: [" + strings.Repeat("*c, ", 21) + "]\n---\n", []string{"broken yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, rules := check(t, map[string]string{"a1.md": test.text})
			if diff := cmp.Diff(test.want, rules); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDirectoryRules(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"both formats":  {map[string]string{"a1.json": good, "a1.md": "---\nname: a1\ndescription: D\ntools: read\n---\nP\n"}, []string{"uneven both-formats"}},
		"name twice":    {map[string]string{"a1.json": good, "sub/a1.json": good}, []string{"broken name-twice", "broken nested"}},
		"stray file":    {map[string]string{"a1.json": good, "README.txt": "x"}, []string{"broken stray-file"}},
		"reserved name": {map[string]string{"planner.json": strings.Replace(good, "a1", "planner", 1)}, []string{"broken name-reserved"}},
		"workflow name": {map[string]string{"x-workflow.json": strings.Replace(good, "a1", "x-workflow", 1)}, []string{"broken name-reserved"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, rules := check(t, test.files)
			if diff := cmp.Diff(test.want, rules); diff != "" {
				t.Error(diff)
			}
		})
	}
}
