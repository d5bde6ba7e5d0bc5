// Package browser holds the tests of the matrix page in a real browser. They
// need Chromium and the build tag browser; matrix/test runs them. The package is
// a module of its own, so that the program's module does not carry the library
// that drives the browser.
package browser
