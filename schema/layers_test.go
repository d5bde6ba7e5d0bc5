package schema

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// catalogue stands for the built-in one.
var catalogue = NewSource("builtin:subagents.yml", []byte(`
preamble: From the catalogue.
subagents:
  - {name: reviewer, description: Use it when needed., instructions: Review., title: Built-in}
  - {name: planner, description: Use it when needed., instructions: Plan.}
  - {name: scout, description: Use it when needed., instructions: Look., locked: true}
`))

// plain is an entry on one line.
func plain(name string, more ...string) string {
	return fmt.Sprintf("  - {name: %s, description: Use it when needed., instructions: Do it.%s}\n", name, strings.Join(append([]string{""}, more...), ", "))
}

// fromFile is an entry whose body stands in a file.
func fromFile(name, file string) string {
	return fmt.Sprintf("  - {name: %s, description: Use it when needed., instructions_file: %s}\n", name, file)
}

// folder writes files into a directory of its own and goes there.
func folder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// load loads files whose marks « » are where problems are expected: codes has
// one for each mark, in the order of the files' names and of the marks in them.
func load(t *testing.T, opt Options, marked map[string]string, paths []string, codes ...Code) *Manifest {
	t.Helper()
	files := map[string]string{}
	var want []string
	for _, name := range slices.Sorted(maps.Keys(marked)) {
		text, spots := unmark(t, name, marked[name])
		files[name] = text
		for _, at := range spots {
			if len(want) == len(codes) {
				t.Fatal("more marks than codes")
			}
			want = append(want, at.Filename+found{codes[len(want)], at}.String())
		}
	}
	if len(want) < len(codes) {
		t.Fatal("fewer marks than codes")
	}
	folder(t, files)
	opt.Builtin = catalogue
	m, diags, err := LoadFiles(paths, opt)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags {
		got = append(got, d.Subject.Filename+found{CodeOf(d), *d.Subject}.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("want -, got +:\n%s\n%v", diff, diags)
	}
	return m
}

// overview writes each entry with its layer and its title, and what was
// overridden, in the manifest's order.
func overview(m *Manifest) string {
	var b strings.Builder
	for _, e := range m.Entries() {
		fmt.Fprintf(&b, "%s %s:%d", e.Name, e.Layer, e.At.Start.Line)
		if e.Resolved.Title != "" {
			fmt.Fprintf(&b, " %q", e.Resolved.Title)
		}
		b.WriteByte('\n')
	}
	for _, e := range m.Overridden() {
		fmt.Fprintf(&b, "- %s %s:%d by %s:%d\n", e.Name, e.Layer, e.At.Start.Line, e.OverriddenBy.Layer, e.OverriddenBy.At.Start.Line)
	}
	return b.String()
}

func expectOverview(t *testing.T, m *Manifest, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), overview(m)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// K26, K27, K28, T18, T21, T22: what include names lies beneath, globs in the
// order of their names; a later layer replaces a whole entry, which keeps its
// place, and every entry knows its layer.
func TestLayers(t *testing.T) {
	m := load(t, Options{}, map[string]string{
		"subagents.yml": "include: [team/*.yml, \"builtin:reviewer\"]\nsubagents:\n" + plain("bb", "title: Top") + plain("dd"),
		"team/z.yml":    "subagents:\n" + plain("aa", "title: Z") + plain("cc"),
		"team/a.yml":    "subagents:\n" + plain("aa", "title: A, tier: deep") + plain("bb", "tier: deep"),
		"team/more/b":   "not a manifest",
	}, []string{"subagents.yml"})
	expectOverview(t, m, `
aa team/z.yml:2 "Z"
bb subagents.yml:3 "Top"
cc team/z.yml:3
reviewer builtin:subagents.yml:4 "Built-in"
dd subagents.yml:4
- aa team/a.yml:2 by team/z.yml:2
- bb team/a.yml:3 by subagents.yml:3
`)
	for _, name := range []string{"aa", "bb"} {
		if tier := m.Entry(name).Resolved.Tier; tier != "" {
			t.Errorf("%s keeps the tier %s of the entry that it replaced", name, tier)
		}
	}
	if m.Preamble != "From the catalogue." {
		t.Errorf("preamble %q", m.Preamble)
	}
}

// Later files of -f lie above earlier ones; one that is named twice counts
// once, at its first place.
func TestRepeatedFiles(t *testing.T) {
	files := map[string]string{
		"base.yml": "subagents:\n" + plain("aa", "title: Base") + plain("bb"),
		"over.yml": "subagents:\n" + plain("aa", "title: Over") + plain("cc"),
	}
	m := load(t, Options{}, files, []string{"base.yml", "over.yml", "./base.yml"})
	expectOverview(t, m, `
aa over.yml:2 "Over"
bb base.yml:3
cc over.yml:3
- aa base.yml:2 by over.yml:2
`)
	m = load(t, Options{}, files, []string{"over.yml", "base.yml"})
	expectOverview(t, m, `
aa base.yml:2 "Base"
cc over.yml:3
bb base.yml:3
- aa over.yml:2 by base.yml:2
`)
}

func TestBuiltin(t *testing.T) {
	top := "subagents:\n" + plain("planner", "title: Ours")
	all := `
reviewer builtin:subagents.yml:4 "Built-in"
planner subagents.yml:3 "Ours"
scout builtin:subagents.yml:6
- planner builtin:subagents.yml:5 by subagents.yml:3
`
	one := `
planner subagents.yml:3 "Ours"
- planner builtin:subagents.yml:5 by subagents.yml:3
`
	for _, tt := range []struct {
		include string
		paths   []string
		want    string
	}{
		{"builtin:*", []string{"subagents.yml"}, all},
		{"builtin:planner", []string{"subagents.yml"}, one},
		{"builtin:planner", []string{"builtin:", "subagents.yml"}, all},
		{"builtin:planner", []string{"subagents.yml", "builtin:"}, all},
		{"builtin:planner", []string{"builtin:", "subagents.yml", "builtin:"}, all},
	} {
		m := load(t, Options{}, map[string]string{"subagents.yml": "include: [\"" + tt.include + "\"]\n" + top}, tt.paths)
		expectOverview(t, m, tt.want)
	}
	load(t, Options{}, map[string]string{"subagents.yml": "include: [«\"builtin:planer\"»]\n" + top}, []string{"subagents.yml"}, CodeInclude)
	_, diags := Load(NewSource("m.yml", []byte("include: [\"builtin:planner\"]\n")), Options{})
	if len(diags) != 1 || CodeOf(diags[0]) != CodeInclude {
		t.Errorf("without a catalogue: %v", diags)
	}
}

// A file that is reached twice, also by a link, is one layer, at the place where
// it is first reached.
func TestDiamond(t *testing.T) {
	files := map[string]string{
		"top.yml":         "include: [left.yml, right.yml]\nsubagents: []\n",
		"left.yml":        "include: [shared/base.yml]\nsubagents:\n" + plain("aa", "title: Left"),
		"right.yml":       "include: [link/base.yml]\nsubagents:\n" + plain("bb", "title: Right"),
		"shared/base.yml": "subagents:\n" + plain("aa") + plain("bb"),
	}
	folder(t, files)
	if err := os.Symlink("shared", "link"); err != nil {
		t.Skip(err)
	}
	m, diags, err := LoadFiles([]string{"top.yml"}, Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	expectOverview(t, m, `
aa left.yml:3 "Left"
bb right.yml:3 "Right"
- aa shared/base.yml:2 by left.yml:3
- bb shared/base.yml:3 by right.yml:3
`)
}

func TestIncludeProblems(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"missing":            {"m.yml": "include:\n  - «gone.yml»\n"},
		"missing from HCL":   {"m.hcl": "include = [\n  «\"gone.yml\"»,\n]\n"},
		"missing from TOML":  {"m.toml": "include = [\n  «\"gone.yml\"»,\n]\n"},
		"directory":          {"m.yml": "include: [«sub»]\n", "sub/x.yml": ""},
		"outside":            {"m.yml": "include: [«../m.yml»]\n"},
		"outside by a turn":  {"m.yml": "include: [«sub/../../x.yml»]\n"},
		"absolute":           {"m.yml": "include: [«/etc/hosts»]\n"},
		"outside by pattern": {"m.yml": "include: [«../*.yml»]\n"},
		"not a pattern":      {"m.yml": "include: [«\"[.yml\"»]\n"},
		"matches nothing":    {"m.yml": "include: [«\"sub/*.yml\"»]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			load(t, Options{}, files, []string{slices.Sorted(maps.Keys(files))[0]}, CodeInclude)
		})
	}
}

func TestIncludeCycles(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"itself":      {"m.yml": "include: [«m.yml»]\n"},
		"two":         {"m.yml": "include: [sub/b.yml]\n", "sub/b.yml": "subagents: []\ninclude:\n- «b2.yml»\n", "sub/b2.yml": "include: [b.yml]\n"},
		"three, HCL":  {"m.hcl": "include = [\"b.toml\"]\n", "b.toml": "include = [\"c.json\"]\n", "c.json": "{\"include\": [«\"m.hcl\"»]}\n"},
		"by spelling": {"m.yml": "include: [«sub/../m.yml»]\n", "sub/x": ""},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "two" { // the circle closes where the file is named that is open already
				files["sub/b.yml"], files["sub/b2.yml"] = "subagents: []\ninclude:\n- b2.yml\n", "include: [«b.yml»]\n"
			}
			first := "m.yml"
			if _, ok := files[first]; !ok {
				first = "m.hcl"
			}
			load(t, Options{}, files, []string{first}, CodeIncludeCycle)
		})
	}
	t.Run("by a link", func(t *testing.T) {
		folder(t, map[string]string{"m.yml": "include: [sub/m.yml]\n"})
		if err := os.Symlink(".", "sub"); err != nil {
			t.Skip(err)
		}
		_, diags, err := LoadFiles([]string{"m.yml"}, Options{})
		if err != nil || len(diags) != 1 || CodeOf(diags[0]) != CodeIncludeCycle || !strings.Contains(diags[0].Summary, "m.yml → m.yml") {
			t.Errorf("%v %v", err, diags)
		}
	})
	t.Run("a pattern leaves its own file out", func(t *testing.T) {
		load(t, Options{}, map[string]string{"m.yml": "include: [\"*.yml\"]\n", "n.yml": "subagents: []\n"}, []string{"m.yml"})
	})
}

// No link leads out of the manifest's directory, neither of a file nor of a
// folder; --allow-outside lifts that.
func TestIncludeEscapes(t *testing.T) {
	files := map[string]string{
		"outer/base.yml":   "include: [more.yml]\nsubagents:\n" + plain("aa"),
		"outer/more.yml":   "subagents:\n" + fromFile("bb", "body.md"),
		"outer/body.md":    "From outside.\n",
		"inner/file.yml":   "include: [link.yml]\n",
		"inner/folder.yml": "include: [folder/base.yml]\n",
		"inner/dots.yml":   "include: [../outer/base.yml]\n",
	}
	for _, name := range []string{"file", "folder", "dots"} {
		folder(t, files)
		for link, to := range map[string]string{"inner/link.yml": "../outer/base.yml", "inner/folder": "../outer"} {
			if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
		}
		_, diags, err := LoadFiles([]string{"inner/" + name + ".yml"}, Options{})
		if err != nil || len(diags) != 1 || CodeOf(diags[0]) != CodeInclude || !strings.Contains(diags[0].Detail, "--allow-outside") {
			t.Errorf("%s: %v %v", name, err, diags)
		}
		m, diags, err := LoadFiles([]string{"inner/" + name + ".yml"}, Options{AllowOutside: true})
		if name == "file" { // more.yml is looked for beside the link
			if err != nil || len(diags) != 1 || CodeOf(diags[0]) != CodeInclude {
				t.Errorf("%s: %v %v", name, err, diags)
			}
			continue
		}
		if err != nil || len(diags) > 0 || len(m.Entries()) != 2 || m.Entry("bb").Body != "From outside.\n" {
			t.Errorf("%s: %v %v", name, err, diags)
		}
	}
	folder(t, files)
	abs, err := filepath.Abs("outer/base.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("m.yml", []byte("include: ["+abs+"]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m, diags, err := LoadFiles([]string{"m.yml"}, Options{AllowOutside: true})
	if err != nil || len(diags) > 0 || len(m.Entries()) != 2 || m.Entries()[1].Layer != "outer/base.yml" {
		t.Errorf("absolute: %v %v", err, diags)
	}
}

// A layer that cannot be read at all does not hide what is wrong in the others,
// and the entries of the others are there.
func TestBrokenLayer(t *testing.T) {
	m := load(t, Options{}, map[string]string{
		"m.yml":      "include: [broken.yml, \"*.toml\", c.hcl, \"d.json\"]\nsubagents:\n" + plain("aa", "«teir»: deep"),
		"broken.yml": "subagents:\n  «- name: \"zz»\n    description: x\n",
		"b.toml":     "[[subagents]]\nname = 1\n«=» 2\n",
		"b2.toml":    "[[subagents]]\nname = \"ab\"\n«colour» = 2\ndescription = \"Use it when needed.\"\ninstructions = \"x\"\n",
		"c.hcl":      "subagent \"ac\" {\n  description = \"Use it when needed.\"\n  «tir» = \"deep\"\n  instructions = \"x\"\n}\n",
		"d.json":     "{\"subagents\": [{\"name\": \"ad\", \"description\": \"Use it when needed.\", \"instructions\": \"x\", \"tier\": «1»}]}\n",
	}, []string{"m.yml"}, CodeSyntax, CodeUnknownKey, CodeSyntax, CodeUnknownKey, CodeWrongType, CodeUnknownKey)
	expectOverview(t, m, `
ab b2.toml:2
ac c.hcl:1
ad d.json:1
aa m.yml:3
`)
	if len(m.Sources) != 6 {
		t.Errorf("%d sources", len(m.Sources))
	}
}

// K27, T19, T23: a locked entry stays what it is: no later layer replaces it,
// gives it other defaults, or other packs.
func TestLocked(t *testing.T) {
	for name, tt := range map[string]struct{ base, over string }{
		"by itself":             {"subagents:\n" + plain("aa", "locked: true"), "subagents:\n" + plain("«aa»")},
		"by defaults":           {"defaults: {locked: true}\nsubagents:\n" + plain("aa"), "subagents:\n" + plain("«aa»")},
		"set free":              {"defaults: {locked: true}\nsubagents:\n" + plain("aa", "locked: false"), "subagents:\n" + plain("aa")},
		"defaults of the upper": {"subagents:\n" + plain("aa"), "defaults: {locked: true}\nsubagents:\n" + plain("aa")},
	} {
		t.Run(name, func(t *testing.T) {
			var codes []Code
			if strings.Contains(tt.over, "«") {
				codes = []Code{CodeLocked}
			}
			m := load(t, Options{}, map[string]string{"base.yml": tt.base, "over.yml": tt.over}, []string{"base.yml", "over.yml"}, codes...)
			if layer := m.Entry("aa").Layer; (layer == "base.yml") != (codes != nil) {
				t.Errorf("the entry of %s holds", layer)
			}
		})
	}
	t.Run("from HCL over TOML", func(t *testing.T) {
		m := load(t, Options{}, map[string]string{
			"base.toml": "[[subagents]]\nname = \"aa\"\ndescription = \"Use it when needed.\"\ninstructions = \"x\"\nlocked = true\n",
			"over.hcl":  "include = [\"base.toml\"]\nsubagent «\"aa\"» {\n  description = \"Use it when needed.\"\n  instructions = \"y\"\n}\n",
		}, []string{"over.hcl"}, CodeLocked)
		if body := m.Entry("aa").Body; body != "x" {
			t.Errorf("body %q", body)
		}
	})
	base := `
targets: [claude]
preamble: Base.
guard: none
vars: {org: Base}
results: {report: Base.}
skills: {one: {description: Base.}}
packs: [{id: go, stability: stable, vars: {x: base}}]
defaults: {tier: light, providers: {claude: {model: haiku, models: {deep: opus}}}}
subagents:
` + plain("locked-one", "locked: true, result: report, skills: [one]") + plain("free-one", "result: report, skills: [one]") +
		plain(`"${pack.id}-pack"`, `for_each: packs, locked: true, title: "${pack.vars.x}"`)
	over := `
targets: [codex]
preamble: Over.
guard: default
vars: {org: Over}
results: {report: Over.}
skills: {one: {description: Over.}}
packs: [{id: go, stability: stable, vars: {x: over}}, {id: rust, stability: stable}]
defaults: {tier: deep, locked: true, providers: {claude: {model: opus, models: {deep: fable}}}}
`
	m := load(t, Options{}, map[string]string{"base.yml": base, "over.yml": over}, []string{"base.yml", "over.yml"})
	describe := func(name string) string {
		e := m.Entry(name)
		a := m.Resolve(e, ClaudeID)
		return fmt.Sprintf("%v %s %s %s %s %s guard=%t %s", m.Targets(e), a.Tier, a.Block.(*Claude).Model, a.Models["deep"].Model, a.Preamble, a.Contract, a.Guard != "", a.Skills[0].Description)
	}
	if got, want := describe("locked-one"), "[claude] light haiku opus Base. Base. guard=false Base."; got != want {
		t.Errorf("locked: %s, want %s", got, want)
	}
	if got, want := describe("free-one"), "[codex] deep opus fable Over. Over. guard=true Over."; got != want {
		t.Errorf("free: %s, want %s", got, want)
	}
	if m.Entry("rust-pack") != nil || m.Entry("go-pack") == nil || m.Entry("go-pack").Resolved.Title != "base" {
		t.Error("a later layer changed the packs of a locked entry")
	}
}

// Root values of layers: named things and defaults are merged by name, models by
// tier, anything else is replaced; null takes away, {} clears models.
func TestRootValues(t *testing.T) {
	m := load(t, Options{}, map[string]string{
		"base.yml": `
catalogue: base
targets: [claude, codex]
preamble: Base.
vars: {a: 1, b: {c: 1, d: 1}}
results: {one: Base., two: Base.}
skills: {s1: {description: Base., use_when: b}, s2: {description: Base.}}
packs: [{id: go, stability: stable, vars: {x: base}}, {id: rust, stability: experimental}]
risk_classes: {auth: ["a/**"], data: ["d/**"]}
policies: [{name: p1, condition: "true"}, {name: p2, condition: "true"}]
defaults:
  tier: light
  tags: [x, y]
  providers:
    claude: {model: haiku, color: red, models: {light: haiku, deep: opus}}
    codex: {models: {deep: {model: m, effort: low}}}
    goose: {model: g, models: {deep: m}}
`,
		"over.yml": `
include: [base.yml]
preamble: null
vars: {b: {c: 2}, e: 2}
results: {two: Over., three: Over.}
skills: {s1: {description: Over.}}
packs: [{id: web, stability: stable}, {id: go, stability: experimental}]
risk_classes: {data: ["x/**"]}
policies: [{name: p2, condition: "1 == 1"}, {name: p3, condition: "true"}]
defaults:
  tags: [z]
  effort: high
  providers:
    claude: {color: null, models: {deep: fable}}
    codex: {models: {}}
    goose: null
subagents: []
`,
	}, []string{"over.yml"})
	want := map[string]any{
		"catalogue": "base", "targets": []any{"claude", "codex"}, "preamble": nil,
		"vars":    map[string]any{"a": int64(1), "b": map[string]any{"c": int64(2)}, "e": int64(2)},
		"results": map[string]any{"one": "Base.", "two": "Over.", "three": "Over."},
		"skills":  map[string]any{"s1": map[string]any{"description": "Over."}, "s2": map[string]any{"description": "Base."}},
		"packs": []any{
			map[string]any{"id": "go", "stability": "experimental"},
			map[string]any{"id": "rust", "stability": "experimental"},
			map[string]any{"id": "web", "stability": "stable"},
		},
		"risk_classes": map[string]any{"auth": []any{"a/**"}, "data": []any{"x/**"}},
		"policies": []any{
			map[string]any{"name": "p1", "condition": "true"},
			map[string]any{"name": "p2", "condition": "1 == 1"},
			map[string]any{"name": "p3", "condition": "true"},
		},
		"defaults": map[string]any{
			"tier": "light", "tags": []any{"z"}, "effort": "high",
			"providers": map[string]any{
				"claude": map[string]any{"model": "haiku", "color": nil, "models": map[string]any{"light": "haiku", "deep": "fable"}},
				"codex":  map[string]any{"models": map[string]any{}}, "goose": nil,
			},
		},
	}
	if diff := cmp.Diff(want, m.Root.Interface()); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if at := m.Root.At("defaults", "tier").Range; at.Filename != "base.yml" || at.Start.Line != 12 {
		t.Errorf("the tier is told to stand at %v", at)
	}
	if at := m.Root.At("defaults", "effort").Range; at.Filename != "over.yml" || at.Start.Line != 12 {
		t.Errorf("the effort is told to stand at %v", at)
	}
}

// Two entries of one name in one layer are a mistake, not an override.
func TestDuplicateInALayer(t *testing.T) {
	load(t, Options{}, map[string]string{
		"m.yml": "include: [b.yml]\nsubagents:\n" + plain("aa") + plain("«aa»"),
		"b.yml": "subagents:\n" + plain("aa"),
	}, []string{"m.yml"}, CodeDuplicateName)
}
