package all_test

import (
	"cmp"
	"flag"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

var update = flag.Bool("update", false, "rewrite the list of note codes")

// neutralKeys are the keys of an entry that a host is told of: those of the
// schema but for what the tool applies itself.
func neutralKeys() []string {
	keys := []string{"description"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[schema.Neutral]()) {
		if key := jsonKey(f); key != "" && providers.OwnKeys()[key] == "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// blockKeys are the keys of a host's block, with the fields that hold them.
func blockKeys(id schema.ProviderID) map[string]reflect.StructField {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[schema.Blocks]()) {
		if jsonKey(f) != string(id) {
			continue
		}
		keys := map[string]reflect.StructField{}
		for _, f := range reflect.VisibleFields(f.Type.Elem()) {
			if key := jsonKey(f); key != "" {
				keys[key] = f
			}
		}
		return keys
	}
	return nil
}

func jsonKey(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.Trim(key, "-")
}

// eachHost runs a test for the table of every host.
func eachHost(t *testing.T, test func(t *testing.T, f *providers.Facts)) {
	t.Helper()
	if len(all.Providers) != len(schema.ProviderIDs()) {
		t.Errorf("%d hosts are listed, %d have ids", len(all.Providers), len(schema.ProviderIDs()))
	}
	for _, p := range all.Providers {
		t.Run(string(p.Facts().ID), func(t *testing.T) { test(t, p.Facts()) })
	}
}

func TestEverySettingHasARow(t *testing.T) {
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		want := neutralKeys()
		for key := range blockKeys(f.ID) {
			if !slices.Contains([]string{"enabled", "scope", "format"}, key) {
				want = append(want, string(f.ID)+"."+key)
			}
		}
		if len(want) < 20 {
			t.Fatalf("only %d settings found by reflection", len(want))
		}
		for _, setting := range want {
			for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
				if len(f.Rows(setting, "", scope)) == 0 {
					t.Errorf("%s has no row for scope %s", setting, scope)
				}
			}
		}
	})
}

func TestRowsSayWhyAndWhence(t *testing.T) {
	sources := regexp.MustCompile(`^(observed on \d|documentation|source of the client|third-party reading|rule of subagents|(follows from [a-z ]+, )?read in the \d[\d.]* program|[\w.-]+/[\w.-]+( PR )?#\d)`)
	bare := regexp.MustCompile(`issues? #?\d|(^|; |, )#\d`)
	versions := regexp.MustCompile(`observed on ((?:\d[\d.]*(?:, | and |$)?)+)`)
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		for _, c := range f.Capabilities {
			if !slices.Contains(providers.Levels(), c.Level) {
				t.Errorf("%s: %q is no level", c.Setting, c.Level)
			}
			if !strings.HasSuffix(c.Why, ".") || strings.ContainsAny(c.Why, "\n\t") || c.Why != strings.TrimSpace(c.Why) {
				t.Errorf("%s: why is no sentence on one line: %q", c.Setting, c.Why)
			}
			if !sources.MatchString(c.Source) {
				t.Errorf("%s: the source names no client, page or issue: %q", c.Setting, c.Source)
			}
			if bare.MatchString(c.Source) {
				t.Errorf("%s: an issue without its repository, OWNER/NAME#NUMBER: %q", c.Setting, c.Source)
			}
			for _, m := range versions.FindAllStringSubmatch(c.Source, -1) {
				for _, v := range regexp.MustCompile(`\d[\d.]*\d`).FindAllString(m[1], -1) {
					if !slices.Contains(f.Observed, v) {
						t.Errorf("%s: observed on %s, which is not among the observed clients %v", c.Setting, v, f.Observed)
					}
				}
			}
		}
	})
}

func TestRowsAreAboutRealSettings(t *testing.T) {
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		neutral, block := neutralKeys(), blockKeys(f.ID)
		for _, c := range f.Capabilities {
			rest, value, valued := strings.Cut(c.Setting, "=")
			key, fact, finer := strings.Cut(rest, "#")
			blockKey, ofBlock := strings.CutPrefix(key, string(f.ID)+".")
			field, known := block[blockKey]
			aboutText := finer && (key == "instructions" || key == "name") // which the tool composes, and a host may read otherwise
			if ofBlock && !known || !ofBlock && !slices.Contains(neutral, key) && !aboutText {
				t.Errorf("%s: there is no key %s", c.Setting, key)
				continue
			}
			if finer && !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(fact) {
				t.Errorf("%s: %q is no name of a fact", c.Setting, fact)
			}
			if !valued || finer {
				continue
			}
			if !ofBlock {
				field, _ = reflect.TypeFor[schema.Neutral]().FieldByNameFunc(func(name string) bool {
					f, _ := reflect.TypeFor[schema.Neutral]().FieldByName(name)
					return jsonKey(f) == key
				})
			}
			if !admits(field, key, value) {
				t.Errorf("%s: %s takes no value %q", c.Setting, key, value)
			}
		}
	})
}

// admits says whether a key takes a value: one of its enumeration, or one of the
// words that stand for what the manifest says otherwise.
func admits(f reflect.StructField, key, value string) bool {
	if key == "access" && value == "read-only+shell" || key == "delegates" && value == "none" || value == "[]" && f.Type.Kind() == reflect.Slice {
		return true
	}
	tag := f.Tag.Get("jsonschema")
	return !strings.Contains(tag, "enum=") || slices.Contains(strings.Split(tag, ","), "enum="+value)
}

func TestVerbsWithoutAToolHaveARow(t *testing.T) {
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		if level, _ := f.Level("tools", "", ""); level != providers.Enforced {
			if level != providers.Inherited {
				t.Errorf("tools are %s: a host without a list of tools lets the session govern them", level)
			}
			return
		}
		for _, verb := range schema.Verbs() {
			rows := f.Rows("tools", string(verb), "")
			own := len(rows) > 0 && rows[0].Setting == "tools="+string(verb)
			if f.Tools.Native(verb) == nil && !own {
				t.Errorf("there is no tool for %s, and no row tools=%s", verb, verb)
			}
		}
	})
}

func TestVersionRangesAreWellFormed(t *testing.T) {
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		type thing struct {
			setting, when string
			scope         schema.Scope
		}
		rows := map[thing][]providers.Capability{}
		for _, c := range f.Capabilities {
			for _, v := range []string{c.From, c.Until} {
				if v != "" && !slices.Contains(f.Observed, v) {
					t.Errorf("%s: version %q was not observed; those are %v", c.Setting, v, f.Observed)
				}
			}
			if c.From != "" && c.Until != "" && older(c.Until, c.From) {
				t.Errorf("%s: from %s until %s", c.Setting, c.From, c.Until)
			}
			key := thing{c.Setting, c.When, c.Scope}
			rows[key] = append(rows[key], c)
		}
		for key, list := range rows {
			slices.SortFunc(list, func(a, b providers.Capability) int { return compareVersions(a.From, b.From) })
			for i, c := range list {
				last := i == len(list)-1
				switch {
				case last && !c.Current():
					t.Errorf("%v: no row holds for the newest client", key)
				case !last && c.Until == "":
					t.Errorf("%v: a row without an end beside another", key)
				case !last && !older(c.Until, list[i+1].From):
					t.Errorf("%v: rows until %s and from %s overlap", key, c.Until, list[i+1].From)
				}
			}
		}
	})
}

// TestOneNoteForASetting: a setting has one note, which tells the rows of other
// conditions; two rows of one condition would hide one of them.
func TestOneNoteForASetting(t *testing.T) {
	eachHost(t, func(t *testing.T, f *providers.Facts) {
		for _, scope := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
			noted := map[[2]string]string{}
			for _, c := range f.Capabilities {
				if !c.Current() || c.Scope != "" && c.Scope != scope || c.Level == providers.Enforced && c.Code == "" {
					continue
				}
				key := [2]string{c.Setting, c.When}
				if before, twice := noted[key]; twice {
					t.Errorf("%v, scope %s: two rows are worth a note: %q and %q", key, scope, before, c.Why)
				}
				noted[key] = c.Why
			}
		}
	})
}

// TestCodesAreStable pins the codes of notes, which people suppress and count
// by.
func TestCodesAreStable(t *testing.T) {
	const file = "testdata/note-codes.txt"
	codes := map[string][]string{}
	for _, p := range all.Providers {
		for _, c := range p.Facts().Capabilities {
			code, id := string(c.NoteCode()), string(p.Facts().ID)
			if (c.Level != providers.Enforced || c.Code != "") && !slices.Contains(codes[code], id) {
				codes[code] = append(codes[code], id)
			}
		}
	}
	var b strings.Builder
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(code) {
			t.Errorf("%q is out of form", code)
		}
		b.WriteString(code + ": " + strings.Join(codes[code], " ") + "\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the codes have changed; a release note and -update are due.\ngot:\n%swant:\n%s", b.String(), want)
	}
}

// older says whether a version comes before another; an empty one before all.
func older(a, b string) bool { return compareVersions(a, b) < 0 }

func compareVersions(a, b string) int {
	parse := func(v string) []int {
		var n []int
		for part := range strings.SplitSeq(v, ".") {
			i, _ := strconv.Atoi(part)
			n = append(n, i)
		}
		return n
	}
	return cmp.Or(slices.Compare(parse(a), parse(b)), cmp.Compare(len(a), len(b)))
}
