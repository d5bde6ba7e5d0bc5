package schema

// Unmark is for the tests that stand outside of the package, because they need
// what is built on it.
var Unmark = unmark
