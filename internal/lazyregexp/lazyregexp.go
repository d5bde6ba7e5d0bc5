// Package lazyregexp compiles regular expressions when they are first used: a
// run of the program needs few of those that it has, and starts without waiting
// for the others.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New gives an expression that is compiled at its first use, and panics then if
// it is none.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
