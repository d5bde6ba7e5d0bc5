// Package orchestrate answers the questions of a program that starts subagents:
// is the dedicated one ready ([Query.Resolve]), how is it started ([Dispatch]),
// which reviewers does a change need ([Match]), and what follows from a report
// ([Judge]). It starts nothing and writes nothing.
package orchestrate

// Version is the version of the documents that the answers are given as in
// JSON. It grows when a key changes its meaning or goes away.
const Version = 1
