// Package manifestfmt writes manifests: a tree as a text in any of the four
// spellings ([Write]), and the text of a manifest again in canonical layout
// ([Format]).
//
// Write gives every value back as it is, byte for byte: what a spelling cannot
// hold is an error with its place, and the result is read again and compared
// before it is handed out. Format changes nothing that a manifest means, keeps
// comments, anchors and block texts, and formats its own result to itself.
//
// Reading is the business of package schema.
package manifestfmt
