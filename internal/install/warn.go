package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Warning is something to know about a run that is no action on a file.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Refused says that the run left something undone because of it.
	Refused bool `json:"refused,omitempty"`
}

// The codes of warnings.
const (
	CodeLedgerUnread = "ledger-unreadable" // the ledger cannot be read: nothing existing is changed or deleted
	CodeLedgerPath   = "ledger-path"       // a record that this ledger cannot have; it is never acted on
	CodeOtherRoot    = "other-root"        // the ledger knows other directories of a host
	CodeHeld         = "empty-manifest"    // nothing is pruned, because the manifest has no subagents
	CodeCatalogues   = "other-catalogue"   // what is installed belongs to other catalogues
	CodeUnknown      = "unknown-manifest"  // the manifest cannot be loaded: only the ledger counts
	CodeCodexConfig  = "codex-config"      // a Codex configuration that may hide subagents cannot be read
	CodeMainCheckout = "main-checkout"     // a linked worktree: the main checkout has files of ours
)

// warnings says what is to be known about the ledger.
func (s *Session) warnings() []Warning {
	var list []Warning
	l := s.ledger
	if l.ledger == nil {
		return []Warning{{CodeLedgerUnread, fmt.Sprintf("the ledger %s cannot be read: %v. Until it is repaired or removed, nothing that exists is changed or deleted.", l.path, l.why), true}}
	}
	for _, r := range l.ledger.strays(s.Scope, s.Known) {
		list = append(list, Warning{CodeLedgerPath, fmt.Sprintf("the ledger %s records %s, and %s: the record is left alone", l.path, filepath.ToSlash(filepath.Join(r.key, r.name)), r.why), true})
	}
	for _, line := range l.ledger.elsewhere(s.Dests) {
		list = append(list, Warning{CodeOtherRoot, line, false})
	}
	return list
}

// planWarnings says what a plan leaves alone.
func planWarnings(p *Plan, want Desired) []Warning {
	switch {
	case p.Held == 0:
		return nil
	case want.Unknown:
		return []Warning{{CodeUnknown, fmt.Sprintf("the manifest is not known whole: %s of ours stay", count(p.Held, "file")), false}}
	}
	return []Warning{{CodeHeld, fmt.Sprintf("the manifest has no subagents: %s of ours stay; pass --allow-empty to delete them", count(p.Held, "file")), false}}
}

// removalWarnings says what an uninstall does not see.
func (s *Session) removalWarnings(p *Plan, want Desired, opt Options) []Warning {
	var list []Warning
	if want.Unknown {
		list = append(list, Warning{CodeUnknown, "the manifest cannot be loaded: only files that the ledger knows are removed", false})
	}
	if main := s.mainCheckout(want); main != "" {
		list = append(list, Warning{CodeMainCheckout, fmt.Sprintf("this is a linked worktree, and the main checkout has files of ours too: run again with --project-dir %s", main), false})
	}
	if len(p.Actions) > 0 || len(p.forget) > 0 {
		return list
	}
	var others []string
	for _, d := range s.Dests {
		for _, id := range s.ledger.ledger.catalogues(d.Key) {
			if id != opt.Catalogue && !slices.Contains(others, id) {
				others = append(others, id)
			}
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		list = append(list, Warning{CodeCatalogues, fmt.Sprintf("nothing is installed from the catalogue %q; the ledger knows files of %q: pass --catalogue with that name",
			opt.Catalogue, strings.Join(others, `", "`)), false})
	}
	return list
}
