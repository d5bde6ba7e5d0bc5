package providers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// A Level says what a host does with a setting.
type Level string

// The levels, from the strongest.
const (
	Enforced    Level = "enforced"    // the host applies it
	Advisory    Level = "advisory"    // the host takes the key or reads the prose, and does not enforce it
	Inherited   Level = "inherited"   // the parent session decides
	Unsupported Level = "unsupported" // there is no place for it; it is left out
)

// Levels lists the levels from the strongest.
func Levels() []Level { return []Level{Enforced, Advisory, Inherited, Unsupported} }

// Weaker says whether a level promises less than another.
func (l Level) Weaker(than Level) bool {
	return slices.Index(Levels(), l) > slices.Index(Levels(), than)
}

// A Capability is one row of a host's table: what it does with a setting, from
// which version, under which condition, and how that is known.
type Capability struct {
	// Setting is a neutral key (tools), a key of the block (codex.sandbox_mode),
	// either with a value (tools=todo, claude.permission_mode=bypassPermissions),
	// or a fact about a text (description#backslash-n). A row with a value
	// beats the one without.
	Setting string
	Level   Level
	Code    schema.Code  // of the note; empty: the level's name
	Scope   schema.Scope // empty: both
	From    string       // first client version for which the row holds; empty: all before Until too
	Until   string       // last client version for which the row holds; empty: still
	When    string       // a condition, for people: "the folder is trusted"
	Why     string       // one line
	Source  string       // client version it was observed on, documentation page, or public issue
}

// Current says whether the row holds for the newest observed client.
func (c Capability) Current() bool { return c.Until == "" }

// own lists the neutral keys that this tool applies itself, when it selects,
// composes and checks: no host ever sees them.
var own = map[string]string{
	"name": "the file name and the native name", "slug": "the file name and the native name",
	"state": "decides whether a file is written", "tags": "selects entries",
	"targets": "selects hosts", "template": "expands the body", "for_each": "expands the entry", "locked": "protects the entry from later layers",
	"kind": "for people and orchestrators", "attach_on": "for orchestrators: match", "prefer_host": "for orchestrators: dispatch",
	"origin": "provenance", "require": "checked against these levels", "allow_read_only_shell": "lets a read-only entry list the shell",
	"instructions": "the body", "instructions_file": "the body", "result": "ends the body", "role": "the first line of the body",
	"providers": "the block of the host",
}

// OwnKeys lists the neutral keys that need no row in a host's table, with what
// the tool does with them.
func OwnKeys() map[string]string { return own }

// commonBlockKeys lists the keys of every block that the tool applies itself.
var commonBlockKeys = []string{"enabled", "scope", "format"}

// Rows gives the current rows of a setting in a scope: those of the value if
// there are any, else those of the key.
func (f *Facts) Rows(setting, value string, scope schema.Scope) []Capability {
	pick := func(name string) []Capability {
		var rows []Capability
		for _, c := range f.Capabilities {
			if c.Setting == name && c.Current() && (c.Scope == "" || scope == "" || c.Scope == scope) {
				rows = append(rows, c)
			}
		}
		return rows
	}
	if value != "" {
		if rows := pick(setting + "=" + value); rows != nil {
			return rows
		}
	}
	return pick(setting)
}

// Level gives the level of a setting: the weakest of its rows that has no
// condition, or else the weakest. A key that the tool applies itself is
// enforced. It is not ok where the table has no row.
func (f *Facts) Level(setting, value string, scope schema.Scope) (level Level, ok bool) {
	rows := f.Rows(setting, value, scope)
	if len(rows) == 0 {
		_, mine := own[setting]
		block, isBlock := strings.CutPrefix(setting, string(f.ID)+".")
		if mine || isBlock && slices.Contains(commonBlockKeys, block) {
			return Enforced, true
		}
		return "", false
	}
	weakest := slices.MaxFunc(rows, func(a, b Capability) int {
		return cmp.Compare(slices.Index(Levels(), a.Level), slices.Index(Levels(), b.Level))
	})
	return weakest.Level, true
}

// A Note says that a host does not simply enforce what the manifest says.
type Note struct {
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	Setting  string            `json:"setting"`
	Value    string            `json:"value,omitempty"`
	Level    Level             `json:"level"`
	Code     schema.Code       `json:"code"`
	When     string            `json:"when,omitempty"`
	Why      string            `json:"why"`
	Source   string            `json:"source"`
	At       hcl.Range         `json:"-"`
}

// Notes turns the facts that a subagent touches into notes: one for each
// setting and value that is not simply enforced.
func (f *Facts) Notes(agent string, scope schema.Scope, uses []Use) []Note {
	var notes []Note
	seen := map[[3]string]bool{}
	for _, u := range uses {
		for _, c := range f.Rows(u.Setting, u.Value, scope) {
			key := [3]string{c.Setting, u.Value, c.When}
			if c.Level == Enforced && c.Code == "" || seen[key] {
				continue
			}
			seen[key] = true
			notes = append(notes, Note{
				Agent: agent, Provider: f.ID, Setting: u.Setting, Value: u.Value, Level: c.Level,
				Code: cmp.Or(c.Code, schema.Code(c.Level)), When: c.When, Why: c.Why, Source: c.Source, At: u.At,
			})
		}
	}
	return notes
}
