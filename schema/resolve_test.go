package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layered writes a manifest in which each level says what is given: keys in
// flow style, "" for nothing.
func layered(defaults, providerDefaults, entry, block string) string {
	return fmt.Sprintf("defaults: {%s providers: {claude: {%s}, goose: {%s}}}\n%s    providers: {claude: {%s}, goose: {%s}}\n%s",
		comma(defaults), providerDefaults, ifGoose(providerDefaults), one, block, ifGoose(block), indented(entry))
}

func comma(s string) string {
	if s != "" {
		s += ","
	}
	return s
}

func indented(entry string) string {
	if entry == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(entry, "; ", "\n    ") + "\n"
}

func ifGoose(s string) string {
	if strings.HasPrefix(s, "model") {
		return s
	}
	return ""
}

func resolved(t *testing.T, text string, id ProviderID) *Agent {
	t.Helper()
	m, diags := Load(NewSource("m.yml", []byte(text)), Options{})
	if diags.HasErrors() {
		t.Fatalf("%v in\n%s", diags, text)
	}
	return m.Resolve(m.Entries()[0], id)
}

// A16, A17, ruling 13: the nearest level wins; an absent key falls through, a
// null takes away what the levels beneath gave, an empty list is a value.
func TestPrecedence(t *testing.T) {
	absent := "(absent)"
	for _, tt := range []struct {
		key                             string
		defaults, providers, own, block string
		want                            string // the value, as JSON has it
		rank                            Rank
	}{
		{"tier", "", "", "", "", absent, HostDefault},
		{"tier", "tier: light", "", "", "", "light", FromDefaults},
		{"tier", "tier: light", "", "tier: deep", "", "deep", FromEntry},
		{"tier", "tier: light", "", "tier: null", "", "<nil>", FromEntry},
		{"tier", "tier: null", "", "", "", "<nil>", FromDefaults},
		{"tier", "tier: null", "", "tier: deep", "", "deep", FromEntry},
		{"effort", "effort: low", "", "", "", "low", FromDefaults},
		{"effort", "effort: low", "", "effort: high", "", "high", FromEntry},
		{"effort", "effort: low", "", "effort: ~", "", "<nil>", FromEntry},
		{"isolation", "isolation: worktree", "", "isolation: none", "", "none", FromEntry},
		{"isolation", "isolation: worktree", "", "isolation:", "", "<nil>", FromEntry},
		{"tools", "", "", "", "", absent, HostDefault},
		{"tools", "tools: [read]", "", "", "", "[read]", FromDefaults},
		{"tools", "tools: [read]", "", "tools: [list, shell]", "", "[list shell]", FromEntry}, // replaced, not merged
		{"tools", "tools: [read]", "", "tools: []", "", "[]", FromEntry},
		{"tools", "tools: [read]", "", "tools: null", "", "<nil>", FromEntry},
		{"tools", "tools: []", "", "", "", "[]", FromDefaults},
		{"template", "template: true", "", "template: false", "", "false", FromEntry},
		{"claude.model", "tier: deep", "", "", "", absent, HostDefault},
		{"claude.model", "", "model: haiku", "tier: deep", "", "haiku", FromProviderDefaults},
		{"claude.model", "", "model: haiku", "", "model: opus", "opus", FromBlock},
		{"claude.model", "", "model: haiku", "", "model: null", "<nil>", FromBlock},
		{"claude.model", "", "model: null", "", "", "<nil>", FromProviderDefaults},
		{"claude.tools", "", "tools: [Read]", "", "", "[Read]", FromProviderDefaults},
		{"claude.tools", "", "tools: [Read]", "", "tools: []", "[]", FromBlock},
		{"claude.tools", "", "tools: [Read]", "", "tools: null", "<nil>", FromBlock},
		{"claude.effort", "", "effort: low", "effort: high", "effort: max", "max", FromBlock},
		{"claude.isolation", "", "isolation: worktree", "", "isolation: remote", "remote", FromBlock},
		{"goose.model", "", "model: x", "", "model: null", "<nil>", FromBlock},
	} {
		name := fmt.Sprintf("%s: {%s} {%s} {%s} {%s}", tt.key, tt.defaults, tt.providers, tt.own, tt.block)
		host, _, ok := strings.Cut(tt.key, ".")
		if !ok {
			host = "claude"
		}
		a := resolved(t, layered(tt.defaults, tt.providers, tt.own, tt.block), ProviderID(host))
		got, counts := absent, tt.rank
		s, ok := a.Setting(tt.key)
		if ok {
			got = fmt.Sprint(s.Value.Interface())
		}
		if tt.want == "<nil>" {
			counts = HostDefault // a null stands above what it unset, and decides nothing else
		}
		if got != tt.want || s.Rank != tt.rank || a.Rank(tt.key) != counts {
			t.Errorf("%s: %s from %v, counting as %v, want %s from %v", name, got, s.Rank, a.Rank(tt.key), tt.want, tt.rank)
		}
		if tt.want == absent && a.At(tt.key) != a.Entry.At {
			t.Errorf("%s: the place of what is not set is %v", name, a.At(tt.key))
		}
	}
}

// Absent, empty and null stay three things wherever a host tells them apart; a
// null is typed as absent, for it only unsets.
func TestAbsentEmptyNull(t *testing.T) {
	type state struct{ set, null, empty bool }
	of := func(list any, s Setting, ok bool) state {
		v := reflect.ValueOf(list)
		return state{ok, ok && s.Value.IsNull(), !v.IsNil() && v.Len() == 0}
	}
	for value, want := range map[string]state{"": {}, "null": {true, true, false}, "[]": {true, false, true}} {
		line := func(key string) string {
			if value == "" {
				return ""
			}
			return key + ": " + value
		}
		text := layered("", line("tools"), strings.Join([]string{line("tools"), line("delegates"), line("skills")}, "; "), "")
		if value == "" {
			text = layered("", "", "", "")
		}
		a := resolved(t, text, ClaudeID)
		g := resolved(t, one+"    providers: {goose: {format: recipe, "+line("extensions")+"}}\n", GooseID)
		for key, list := range map[string]any{
			"tools": a.Tools, "delegates": a.Delegates, "skills": a.Skills, "claude.tools": a.Block.(*Claude).Tools,
		} {
			s, ok := a.Setting(key)
			if got := of(list, s, ok); got != want {
				t.Errorf("%s: %q is %+v, want %+v", key, value, got, want)
			}
		}
		s, ok := g.Setting("goose.extensions") // M56
		if got := of(g.Block.(*Goose).Extensions, s, ok); got != want {
			t.Errorf("goose.extensions: %q is %+v, want %+v", value, got, want)
		}
	}
}

// Ruling 20: of all values only models merges, by tier; {} clears it.
func TestModelsMerge(t *testing.T) {
	lower := "defaults: {providers: {claude: {models: {light: haiku, deep: {model: opus, effort: high}}}}}\n" + one
	for upper, want := range map[string]Models{
		"":                                 {"light": {Model: "haiku"}, "deep": {Model: "opus", Effort: "high"}},
		"{}":                               {},
		"null":                             nil,
		"{deep: sonnet, standard: sonnet}": {"light": {Model: "haiku"}, "deep": {Model: "sonnet"}, "standard": {Model: "sonnet"}},
	} {
		dir := t.TempDir()
		text := "include: [lower.yml]\n"
		if upper != "" {
			text += "defaults: {providers: {claude: {models: " + upper + "}}}\n"
		}
		for name, content := range map[string]string{"lower.yml": lower, "upper.yml": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		m, diags, err := LoadFile(filepath.Join(dir, "upper.yml"), Options{})
		if err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		a := m.Resolve(m.Entry("aa"), ClaudeID)
		if diff := cmp.Diff(want, a.Models); diff != "" {
			t.Errorf("%s: %s", upper, diff)
		}
		if b := m.Resolve(m.Entry("aa"), CodexID); b.Models != nil {
			t.Errorf("Codex has models %v", b.Models)
		}
	}
}

// What an entry says of a skill stands above the catalogue.
func TestSkillsAreCompleted(t *testing.T) {
	text := "skills: {a: {description: A., use_when: often, preload: true}, b: {use_when: seldom}}\n" + one +
		"    skills: [a, {id: a, use_when: never, preload: false}, b, c]\n"
	got := resolved(t, text, ClaudeID).Skills
	want := []SkillRef{
		{ID: "a", Description: "A.", UseWhen: "often", Preload: new(true)},
		{ID: "a", Description: "A.", UseWhen: "never", Preload: new(false)},
		{ID: "b", UseWhen: "seldom"},
		{ID: "c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every setting says where it stands, so that a message can point there.
func TestSettingsHavePlaces(t *testing.T) {
	text := "defaults:\n  tier: deep\n  providers:\n    codex: {model: m}\n" + one + "    tags: [x]\n    providers:\n      codex: {verbosity: low}\n"
	a := resolved(t, text, CodexID)
	var got []string
	for _, s := range a.Settings() {
		got = append(got, fmt.Sprintf("%s:%d (%v)", s.Key, s.At().Start.Line, s.Rank))
	}
	want := []string{
		"tags:9 (entry)", "tier:2 (defaults)", "codex.verbosity:11 (provider block)", "codex.model:4 (defaults.providers)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if a.BlockKey("model") != "codex.model" || a.At("title").Start.Line != 6 {
		t.Errorf("%s, %v", a.BlockKey("model"), a.At("title"))
	}
}

// T7: who may edit is taken for an executor, anyone else for a reviewer.
func TestInferredKind(t *testing.T) {
	for keys, want := range map[string]string{
		"":                                       "executor?",
		"tools: [read]":                          "reviewer?",
		"tools: []":                              "reviewer?",
		"tools: [read, edit]":                    "executor?",
		"access: read-only":                      "reviewer?",
		"access: workspace-write; tools: [read]": "executor?",
		"kind: reviewer; tools: [edit]":          "reviewer",
		"kind: executor; access: read-only":      "executor",
	} {
		m, diags := Load(NewSource("m.yml", []byte(one+indented(keys))), Options{})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		kind, inferred := m.Entry("aa").InferredKind()
		if inferred {
			kind += "?"
		}
		if kind != want {
			t.Errorf("%q: %s, want %s", keys, kind, want)
		}
	}
}

// K5: the version may be 1 or left out.
func TestVersion(t *testing.T) {
	for text, want := range map[string]Code{
		"": "", "version: 1\n": "", "version: null\n": "",
		"version: 0\n": CodeBadValue, "version: 2\n": CodeBadValue, "version: 1.5\n": CodeWrongType, "version: true\n": CodeWrongType,
		"version: \"1\"\n": CodeWrongType, "version: \"1.0\"\n": CodeWrongType,
	} {
		_, diags := Load(NewSource("m.yml", []byte(text+one)), Options{})
		var got Code
		if len(diags) > 0 {
			got = CodeOf(diags[0])
		}
		if got != want || len(diags) > 1 {
			t.Errorf("%q: %v", text, diags)
		}
	}
}
