package providers

// Unlisted notes what an entry asks for on a host that has no tool list of a
// subagent's own and cannot preload a skill: each verb that access takes from
// the list, and each skill that is to be there from the start.
func Unlisted(a *Agent, out *Output) {
	for _, verb := range GrantOf(a).Stripped {
		out.Use("tools#stripped", string(verb), ItemAt(a, "tools", string(verb)))
	}
	Unpreloaded(a, out)
}

// Unpreloaded notes each skill that is to be there from the start, on a host
// that cannot put one into the context.
func Unpreloaded(a *Agent, out *Output) {
	for _, s := range a.Skills {
		if s.Preload != nil && *s.Preload {
			out.Use("skills#preload", s.ID, a.At("skills"))
		}
	}
}
