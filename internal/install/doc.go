// Package install brings rendered files into the directories of the hosts and
// takes them away again, without ever losing what a person wrote. It is the
// only package that writes there.
//
// What is to be ([Desired]), what lies there ([Actual]) and what was written
// before ([Ledger]) go into one pure function, [Plan]; the list of actions that
// comes out is printed by a dry run, compared by check, explained by status and
// carried out by [Session.Apply]. A file counts as ours only if the ledger holds
// the hash of exactly its bytes.
//
// A run that is killed leaves every file whole, old or new. New contents are
// made durable beside their places first; then the ledger learns the hashes that
// are about to appear ([Record.Pending]); only then are the files renamed into
// place, and the ledger learns that they are. Whichever of these a kill cuts
// off, the next run finds either bytes that the ledger knows, or none.
package install
