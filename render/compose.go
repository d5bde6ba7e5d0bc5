package render

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// parts are what a body is put together from, in their order.
type parts [7]string

// A composer puts bodies together. Hosts often get the same one: it keeps the
// last.
type composer struct {
	parts parts
	body  string
}

// compose puts the body of a subagent together: guard, preamble, role,
// instructions, delegation, skills, result. What changes most often stands
// last, so that the start of the prompt stays the same.
func (c *composer) compose(a *schema.Agent, facts *providers.Facts) (string, hcl.Diagnostics) {
	instructions, diags := a.Expand(func(v schema.Verb) []string { return facts.Tools.Native(v) })
	if p := (parts{a.Guard, a.Preamble, a.Role, instructions, delegation(a, facts), skills(a, facts), a.Contract}); p != c.parts {
		*c = composer{p, join(p)}
	}
	return c.body, diags
}

// join writes the parts one after the other, each as it is, with an empty line
// between two. What is empty leaves nothing behind.
func join(all parts) string {
	var b strings.Builder
	length := 0
	for _, part := range all {
		length += len(part) + 2
	}
	b.Grow(length)
	ended := false // the part written last ends in a line feed
	for _, part := range all {
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if !ended {
				b.WriteByte('\n')
			}
		}
		b.WriteString(part)
		ended = strings.HasSuffix(part, "\n")
	}
	return b.String()
}

// delegation says in words what the host does not enforce about starting
// subagents.
func delegation(a *schema.Agent, facts *providers.Facts) string {
	if a.Delegates == nil {
		return ""
	}
	value := ""
	if len(a.Delegates) == 0 {
		value = "none"
	}
	if level, _ := facts.Level("delegates", value, ""); level == providers.Enforced {
		return ""
	}
	if value == "none" {
		return "Do not start subagents of your own: what does not fit your assignment goes back to your caller.\n"
	}
	return fmt.Sprintf("You may hand work to these subagents, and to no others: %s.\n", strings.Join(a.Delegates, ", "))
}

// skills announces the skills that are not in the context from the start.
func skills(a *schema.Agent, facts *providers.Facts) string {
	preloads := true
	if level, ok := facts.Level("skills#preload", "", ""); ok && level != providers.Enforced {
		preloads = false
	}
	var b strings.Builder
	for _, s := range a.Skills {
		first := s.Preload != nil && *s.Preload
		if first && preloads {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("Skills that you can load:\n")
		}
		fmt.Fprintf(&b, "\n`%s`:", s.ID)
		for _, text := range []string{s.Description, s.UseWhen} {
			if text = strings.TrimSpace(text); text != "" {
				b.WriteString(" " + text)
			}
		}
		switch {
		case first:
			b.WriteString(" Load it before you start.")
		case s.Description == "" && s.UseWhen == "":
			b.WriteString(" load it when its name fits the task.")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
