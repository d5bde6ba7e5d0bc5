package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/schema"
)

// entry reads an entry from YAML.
func entry(t testing.TB, text string) *schema.Node {
	t.Helper()
	n, diags := schema.ParseYAML(schema.NewSource("entry.yml", []byte(text)), false)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return n
}

const added = "name: new\ndescription: \"Looks: twice.\"\ntools: [read, list]\ninstructions: |\n  Look.\n\n    Deep.\n"

const addedLines = `  - name: new
    description: "Looks: twice."
    tools: [read, list]
    instructions: |
      Look.

        Deep.
`

const addedFlow = `{name: new, description: "Looks: twice.", tools: [read, list], instructions: "Look.\n\n  Deep.\n"}`

const addedJSON = `{"name": "new", "description": "Looks: twice.", "tools": ["read", "list"], "instructions": "Look.\n\n  Deep.\n"}`

// lines is a manifest whose every byte has a reason to be kept.
const lines = `# top
version: 1 # one
defaults: &d {tier: deep}


subagents: # the list
  # A comment that belongs to aa.
  # It has two lines.
  - &a
    name: 'aa' # here
    description:   "A"
    instructions: |
      # not a comment
      - name: no

      end

  # Nobody's comment.

  - {name: bb, description: B, instructions: "folded,
      with ] and 'quotes'"}

  # Of cc.
  -   slug: cc-slug
      name: cc
      description: C
      instructions: "one
        two"
      # inside cc
  # behind the list

vars: {x: y}  # end`

// T28, T29, T31, T32: what each change makes of each spelling, byte for byte.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name, file, before string
		change             func(*edit.File) ([]byte, error)
		after              string
	}{
		{"insert into lines", "m.yml", lines, insert(t), strings.Replace(lines, "      # inside cc\n", "      # inside cc\n\n"+addedLines, 1)},
		{"remove the first", "m.yml", lines, remove("aa"), before(lines, "  # A comment") + from(lines, "  # Nobody's")},
		{"remove a flow entry", "m.yml", lines, remove("bb"), before(lines, "  - {name") + from(lines, "  # Of cc")},
		{"remove the last", "m.yml", lines, remove("cc"), before(lines, "\n  # Of cc") + from(lines, "  # behind")},
		{"absent in lines", "m.yml", lines, absent("aa"), strings.Replace(lines, "'aa' # here\n", "'aa' # here\n    state: absent\n", 1)},
		{"absent in a flow entry", "m.yml", lines, absent("bb"), strings.Replace(lines, "{name: bb,", "{name: bb, state: absent,", 1)},
		{"absent with other indentation", "m.yml", lines, absent("cc"), strings.Replace(lines, "name: cc\n", "name: cc\n      state: absent\n", 1)},
		{"absent again", "m.yml", "subagents:\n- name: aa\n  state: present # yet\n", absent("aa"), "subagents:\n- name: aa\n  state: absent # yet\n"},
		{"copy", "m.yml", lines, copyOf("cc", "dd"), strings.Replace(lines, "      # inside cc\n", "      # inside cc\n\n  -   "+strings.TrimLeft("      name: dd\n", " ")+
			"      description: C\n      instructions: \"one\n        two\"\n      # inside cc\n", 1)},
		{"copy keeps comments", "m.yml", "subagents:\n- name: aa # x\n  # y\n  title: z\n", copyOf("aa", "true"), "subagents:\n- name: aa # x\n  # y\n  title: z\n\n- name: \"true\" # x\n  # y\n  title: z\n"},
		{"replace keeps the comments above", "m.yml", lines, replace(t, "name: aa\ntitle: T\n"), before(lines, "  - &a") + "  - name: aa\n    title: T\n" + from(lines, "\n  # Nobody's")},
		{"insert at the margin, without a last line feed", "m.yml", "subagents:\n- name: aa\n- name: bb", insert(t), "subagents:\n- name: aa\n- name: bb\n" + strings.ReplaceAll(addedLines[2:], "\n  ", "\n")},
		{"insert behind kept blank lines", "m.yml", "subagents:\n  - name: aa\n  - name: bb\n    title: |+\n      x\n\n", insert(t), "subagents:\n  - name: aa\n  - name: bb\n    title: |+\n      x\n\n" + addedLines},
		{"remove behind kept blank lines", "m.yml", "subagents:\n  - name: aa\n    title: |+\n      x\n\n  - name: bb\n", remove("bb"), "subagents:\n  - name: aa\n    title: |+\n      x\n\n"},
		{"remove the only one", "m.yml", "subagents: # l\n  - name: aa\nversion: 1\n", remove("aa"), "subagents: [] # l\nversion: 1\n"},
		{"empty list", "m.yml", "subagents: [] # none\nversion: 1\n", insert(t), "subagents: # none\n" + addedLines + "version: 1\n"},
		{"empty list, no line feed", "m.yml", "subagents:  []", insert(t), "subagents:\n" + addedLines},
		{"null", "m.yml", "subagents:\nversion: 1\n", insert(t), "subagents:\n" + addedLines + "version: 1\n"},
		{"null, spelled out", "m.yml", "subagents: ~\nversion: 1\n", insert(t), "subagents: \n" + addedLines + "version: 1\n"},
		{"no key", "m.yml", "# c\nversion: 1\n# d\n", insert(t), "# c\nversion: 1\n# d\nsubagents:\n" + addedLines},
		{"no key, no line feed", "m.yml", "version: 1", insert(t), "version: 1\nsubagents:\n" + addedLines},
		{"carriage returns", "m.yml", "version: 1\r\nsubagents:\r\n  - name: aa\r\n", insert(t), "version: 1\r\nsubagents:\r\n  - name: aa\r\n\r\n" + strings.ReplaceAll(addedLines, "\n", "\r\n")},
		{"byte order mark", "m.yml", "\ufeffsubagents:\n  - name: aa\n  - name: bb\n", remove("aa"), "\ufeffsubagents:\n  - name: bb\n"},
		{"brackets on one line", "m.yml", "subagents: [{name: aa}, {name: bb}] # x\n", insert(t), "subagents: [{name: aa}, {name: bb}, " + addedFlow + "] # x\n"},
		{"brackets, remove the first", "m.yml", "subagents: [{name: aa}, {name: bb}] # x\n", remove("aa"), "subagents: [{name: bb}] # x\n"},
		{"brackets, remove the last", "m.yml", "subagents: [ {name: aa, tags: [a, b]}, {name: 'b,b'} ]\n", remove("b,b"), "subagents: [ {name: aa, tags: [a, b]} ]\n"},
		{"brackets, remove the only one", "m.yml", "subagents: [{name: aa}]\n", remove("aa"), "subagents: []\n"},
		{"brackets on lines, with a trailing comma", "m.yml", "subagents: [\n  {name: aa}, # a\n  {name: bb},\n]\n", insert(t), "subagents: [\n  {name: aa}, # a\n  {name: bb},\n  " + addedFlow + ",\n]\n"},
		{"brackets, copy", "m.yml", "subagents: [{name: aa, title: \"x]\"}]\n", copyOf("aa", "bb"), "subagents: [{name: aa, title: \"x]\"}, {name: bb, title: \"x]\"}]\n"},
		{"braces without the key", "m.yml", "{version: 1}\n", insert(t), "{version: 1, subagents: [" + addedFlow + "]}\n"},
		{"JSON", "m.json", "{\"subagents\": [{\"name\": \"aa\"}], \"version\": 1}\n", insert(t), "{\"subagents\": [{\"name\": \"aa\"}, " + addedJSON + "], \"version\": 1}\n"},
		{
			"JSON on lines", "m.json", "{\n  \"subagents\": [\n    {\n      \"name\": \"aa\"\n    }\n  ]\n}\n", insert2(t, "name: bb\ntags: [x]\n"),
			"{\n  \"subagents\": [\n    {\n      \"name\": \"aa\"\n    },\n    {\n      \"name\": \"bb\",\n      \"tags\": [\n        \"x\"\n      ]\n    }\n  ]\n}\n",
		},
		{"JSON without the key", "m.json", "{\"version\": 1}", insert(t), "{\"version\": 1, \"subagents\": [" + addedJSON + "]}"},
		{"JSON, empty", "m.json", "{}", insert(t), "{ \"subagents\": [" + addedJSON + "]}"},
		{"JSON, absent", "m.json", "{\"subagents\": [{\"name\": \"aa\", \"title\": \"x\"}]}", absent("aa"), "{\"subagents\": [{\"name\": \"aa\", \"state\": \"absent\", \"title\": \"x\"}]}"},
		{"JSON, copy", "m.json", "{\"subagents\": [{\"name\": \"aa\"}]}", copyOf("aa", "bb"), "{\"subagents\": [{\"name\": \"aa\"}, {\"name\": \"bb\"}]}"},
		{"JSON, remove", "m.json", "{\"subagents\": [{\"name\": \"aa\"} , {\"name\": \"bb\"}]}", remove("bb"), "{\"subagents\": [{\"name\": \"aa\"}]}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, diags, err := edit.Parse(c.file, []byte(c.before))
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			got, err := c.change(f)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// before gives the part of a text in front of a mark in it.
func before(text, mark string) string {
	head, _, _ := strings.Cut(text, mark)
	return head
}

// from gives the part of a text that begins with a mark in it.
func from(text, mark string) string { return strings.TrimPrefix(text, before(text, mark)) }

func insert(t testing.TB) func(*edit.File) ([]byte, error) { return insert2(t, added) }

func insert2(t testing.TB, text string) func(*edit.File) ([]byte, error) {
	return func(f *edit.File) ([]byte, error) { return f.Insert(entry(t, text)) }
}

func replace(t testing.TB, text string) func(*edit.File) ([]byte, error) {
	return func(f *edit.File) ([]byte, error) { return f.Replace(entry(t, text)) }
}

func remove(name string) func(*edit.File) ([]byte, error) {
	return func(f *edit.File) ([]byte, error) { return f.Remove(name) }
}

func absent(name string) func(*edit.File) ([]byte, error) {
	return func(f *edit.File) ([]byte, error) { return f.SetAbsent(name) }
}

func copyOf(from, to string) func(*edit.File) ([]byte, error) {
	return func(f *edit.File) ([]byte, error) { return f.Copy(from, to) }
}

// What cannot be changed without touching the rest is refused.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, file, before string
		change             func(*edit.File) ([]byte, error)
	}{
		{"an anchor that others use", "m.yml", "subagents:\n  - &a {name: aa}\n  - {<<: *a, name: bb}\n", remove("aa")},
		{"a list that is an alias", "m.yml", "vars: {x: &l [{name: aa}]}\nsubagents: *l\n", insert(t)},
		{"a name that is an alias", "m.yml", "vars: {x: &n aa}\nsubagents:\n  - title: x\n    name: *n\n", remove("bb")},
		{"no such entry", "m.yml", "subagents: []\n", absent("aa")},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, diags, err := edit.Parse(c.file, []byte(c.before))
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			data, err := c.change(f)
			if _, ok := errors.AsType[*edit.RefusedError](err); !ok {
				t.Errorf("got %q, %v", data, err)
			}
		})
	}
	for name, text := range map[string]string{"m.toml": "version = 1", "m.hcl": "version = 1", "m.yml": "agent_tools_subagents: []", "n.yml": "subagents: {}", "o.yml": "- a"} {
		if _, _, err := edit.Parse(name, []byte(text)); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

// Any text survives being written, in every spelling.
func FuzzInsert(f *testing.F) {
	for _, s := range []string{"plain", "a: b", " #", "x\n\n  y\n", "\n", "x\n\n", "tab\there\n", "\u0085", "\x7f", "true", "- a\n- b\n", "a\r\nb\n", "trailing \nspace \n", "---\n", "\u2028\n", "~", "1e3", "'", "😀\n", "\ufeff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		n := entry(t, "name: new\n")
		for _, key := range []string{"title", "instructions"} {
			n.Fields = append(n.Fields, schema.Field{Key: key, Value: &schema.Node{Kind: schema.String, Str: s}})
		}
		for name, before := range map[string]string{"m.yml": lines, "crlf.yml": "subagents:\r\n- name: aa\r\n", "flow.yml": "subagents: [{name: aa}]\n", "m.json": "{\"subagents\": [{\"name\": \"aa\"}]}"} {
			file, _, err := edit.Parse(name, []byte(before))
			if err != nil {
				t.Fatal(err)
			}
			data, err := file.Insert(n)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, diags, err := edit.Parse(name, data)
			if err != nil || diags.HasErrors() {
				t.Fatalf("%s: %v %v\n%s", name, err, diags, data)
			}
			if _, err := again.Remove("new"); err != nil {
				t.Errorf("%s: %v\n%s", name, err, data)
			}
		}
	})
}
