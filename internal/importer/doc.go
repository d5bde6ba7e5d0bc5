// Package importer reads what people already have back into a manifest: native
// files of the hosts, Markdown catalogues, and the source folders of tools that
// generate native files.
//
// The chain is find → read → merge → prove → write. Reading gives definitions:
// what one file says of one subagent, as each host reads it. Merging puts those
// of one name into one entry. Proving decides between neutral keys and keys of a
// provider block: an entry is rendered again, read again, and compared, and a
// neutral key stays only where every host gets the same as before. What is still
// different then is told, and so is everything that was left out.
package importer

import (
	"github.com/seed-337579fc/subagents/schema"
)

// The codes of what importing can find, beyond those of the decoders.
const (
	CodeUnreadable schema.Code = "unreadable"    // a file that cannot be read
	CodeNoSubagent schema.Code = "no-subagent"   // a file that was named and defines none
	CodeConflict   schema.Code = "conflict"      // two definitions of one name that do not agree
	CodeNotExact   schema.Code = "not-exact"     // warning: rendered again, the file says something else
	CodeCannotBe   schema.Code = "cannot-render" // a host refuses the subagent
	CodeOtherHost  schema.Code = "other-host"    // it is for hosts that this tool does not know
	CodeKept       schema.Code = "kept-as-text"  // warning: the entry says it in words alone
)
