package schema

// The codes of the problems that reading a manifest and checking it against
// its JSON Schema can find.
const (
	CodeSyntax       Code = "syntax"         // the file is not YAML, JSON, TOML or HCL
	CodeEmpty        Code = "empty-manifest" // there is nothing in the file
	CodeTooDeep      Code = "too-deep"       // nested beyond the limit
	CodeTooLarge     Code = "too-large"      // larger than the limit, or growing through aliases
	CodeDuplicateKey Code = "duplicate-key"  // a key stands twice in one map
	CodeUnknownKey   Code = "unknown-key"    // a key that the manifest does not have
	CodeMissingKey   Code = "missing-key"    // a required key is not there
	CodeWrongType    Code = "wrong-type"     // text where a list is needed, and so on
	CodeNullValue    Code = "null-value"     // null where a value is needed
	CodeBadValue     Code = "bad-value"      // not one of the values that the key takes
	CodeBadName      Code = "bad-name"       // a name or slug out of form
	CodeUnknownTool  Code = "unknown-tool"   // not one of the neutral verbs
	CodeBadAccess    Code = "unknown-access" // not one of the access profiles
)

// The codes of the problems that the rules find.
const (
	CodeDuplicateName    Code = "duplicate-name"         // two entries of one name or slug
	CodeReservedName     Code = "reserved-name"          // a name that a target reserves
	CodeInstructions     Code = "instructions"           // not exactly one of instructions and instructions_file
	CodeInstructionsFile Code = "instructions-file"      // the file cannot be used
	CodeLongDescription  Code = "long-description"       // warning: beyond 1,024 characters
	CodeLongBody         Code = "long-body"              // warning: beyond 500 lines
	CodeDeepReference    Code = "deep-reference"         // warning: a file that the instructions lead to leads on
	CodeManySkills       Code = "many-skills"            // warning: more than 20 skills are announced
	CodeKindInferred     Code = "kind-inferred"          // warning of --strict: kind is not written
	CodeNoWhen           Code = "no-when-clause"         // warning of --strict: a description does not say when to use it
	CodeCompat           Code = "compat-dropped"         // warning: a value of an agent_tools_subagents manifest that its host drops
	CodeToolConflict     Code = "policy-tool-conflict"   // a read-only entry lists what can write
	CodeUnknownResult    Code = "unknown-result"         // result names no report contract
	CodeUnknownDelegate  Code = "unknown-delegate"       // delegates names no subagent
	CodeSelfDelegate     Code = "self-delegate"          // an entry delegates to itself
	CodeDelegateCycle    Code = "delegate-cycle"         // warning: delegates go round in a circle
	CodeNicknameTaken    Code = "nickname-taken"         // warning: two entries have one nickname on Codex
	CodeDelegateWidens   Code = "delegate-widens-access" // warning: a read-only entry may start one that writes
	CodeUnknownRisk      Code = "unknown-risk-class"     // attach_on names no class
	CodeAttachKind       Code = "attach-on-executor"     // warning: attach_on is for reviewers
	CodeGuardInBody      Code = "guard-in-body"          // a body repeats the guard
	CodePlaceholder      Code = "placeholder-left"       // a text still has a placeholder of the skeleton
	CodeOriginSource     Code = "origin-missing-source"  // an origin that needs a source has none
	CodeBadSource        Code = "invalid-source"         // an origin's source is not one safe id
	CodeInclude          Code = "include"                // what include names cannot be had
	CodeIncludeCycle     Code = "include-cycle"          // files include each other
	CodeLocked           Code = "locked-name"            // a later layer replaces a locked entry
	CodeTemplate         Code = "template"               // a template cannot be evaluated
	CodePackMissing      Code = "pack-missing"           // a generated entry's pack is not there
	CodePackNotStable    Code = "pack-not-stable"        // a generated entry's pack is not stable
	CodeIsolationWrites  Code = "isolation-of-writer"    // warning: a writer in a worktree of its own
)
