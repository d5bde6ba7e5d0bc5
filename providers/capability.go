package providers

import (
	"cmp"
	"slices"
	"strings"

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

// NoteCode is the code of a note about the row: its own, or the level's name.
func (c Capability) NoteCode() schema.Code { return cmp.Or(c.Code, schema.Code(c.Level)) }

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

// Rows gives the current rows of a setting in a scope, "" for either: those of
// the value if there are any, else those of the key. They are not to be changed.
func (f *Facts) Rows(setting, value string, scope schema.Scope) []Capability {
	return f.look(setting, value, scope).current
}

// Level gives the level of a setting: the weakest of its current rows, whatever
// their condition. A key that the tool applies itself is enforced. It is not ok
// where the table has no row.
func (f *Facts) Level(setting, value string, scope schema.Scope) (level Level, ok bool) {
	if rows := f.look(setting, value, scope); rows.current != nil {
		return rows.decides.Level, true
	}
	if f.Own(setting) {
		return Enforced, true
	}
	return "", false
}

// Own says whether a setting is one that the tool applies itself, and that
// needs no row: a neutral key of [OwnKeys], or a key that every block has.
func (f *Facts) Own(setting string) bool {
	_, mine := own[setting]
	block, isBlock := strings.CutPrefix(setting, string(f.ID)+".")
	return mine || isBlock && slices.Contains(commonBlockKeys, block)
}
