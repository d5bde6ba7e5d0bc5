package orchestrate

import (
	"fmt"
	"os"
	"strings"

	"github.com/seed-337579fc/subagents/internal/install"
	"github.com/seed-337579fc/subagents/schema"
)

// A hinter writes the one line that says what to do about a reason.
type hinter struct {
	q     Query
	scope schema.Scope
	dest  *install.Dest
}

// command is the command that brings the file there.
func (h hinter) command(flags string) string {
	text := fmt.Sprintf("subagents install -a %s -p %s%s", h.q.Entry.Name, h.q.Facts.ID, flags)
	if h.scope == schema.ProjectScope {
		text += " --scope project"
	}
	return "`" + text + "`"
}

// elsewhere warns of the variable that moves the directory.
func (h hinter) elsewhere() string {
	var names []string
	for _, p := range h.dest.Places {
		for _, v := range p.Env {
			if name := "$" + v.Name; !strings.Contains(strings.Join(names, " "), name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" A host that runs with another %s looks elsewhere.", strings.Join(names, " or "))
}

func (h hinter) missing(f install.FileStatus) string {
	if info, err := os.Lstat(f.Path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fmt.Sprintf("%s is a link, which %s does not read: remove it and run %s.", f.Path, h.q.Facts.Title, h.command(""))
	}
	return fmt.Sprintf("%s writes it into %s.%s", h.command(""), h.dest.Dir, h.elsewhere())
}

func (h hinter) differs(f install.FileStatus) string {
	switch f.State {
	case install.OutOfDate:
		return fmt.Sprintf("The manifest changed since %s was written: %s updates it.%s", f.Path, h.command(""), h.elsewhere())
	case install.ChangedFile:
		return fmt.Sprintf("%s was changed by hand: take the change into the manifest, or %s saves it beside and replaces it.", f.Path, h.command(" --force"))
	}
	return fmt.Sprintf("%s is not what the manifest renders. %s", f.Path, f.Do)
}

func (h hinter) shadowed(by install.Shadow) string {
	return fmt.Sprintf("%s, or give one of the two another name: %s.%s", by.Away(), by.Why, h.elsewhere())
}

func (q Query) hintTarget() string {
	at := q.Entry.At
	if !q.Entry.Present() {
		return fmt.Sprintf("Its state in %s:%d is absent.", at.Filename, at.Start.Line)
	}
	return fmt.Sprintf("Add %s to the targets of %q, or set providers.%s.enabled: true (%s:%d), then install it.",
		q.Facts.ID, q.Entry.Name, q.Facts.ID, at.Filename, at.Start.Line)
}

func (q Query) hintScope(own schema.Scope) string {
	return fmt.Sprintf("Its block says providers.%s.scope: %s; ask with --scope %s.", q.Facts.ID, own, own)
}
