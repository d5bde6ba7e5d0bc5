package reconcile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// A proposal is a new text for a key of the entry, from one or more files.
type proposal struct {
	key, text string
	from      []*reading
}

// texts takes in what was changed in descriptions and bodies. It goes into the
// text that all hosts share, if the files agree on it. It gives the readings
// whose texts are done.
func (r *run) texts(name string, list []*reading) ([]*reading, error) {
	var proposals []proposal
	var done []*reading
	for _, read := range list {
		own, reason := changedTexts(read)
		if reason != "" {
			r.keep(read.Edit, "%s", reason)
			continue
		}
		done = append(done, read)
		for _, p := range own {
			i := slices.IndexFunc(proposals, func(old proposal) bool { return old.key == p.key && old.text == p.text })
			if i < 0 {
				proposals = append(proposals, p)
				continue
			}
			proposals[i].from = append(proposals[i].from, read)
		}
	}
	for _, p := range proposals {
		if others := slices.IndexFunc(proposals, func(o proposal) bool { return o.key == p.key && o.text != p.text }); others >= 0 {
			done = r.give(done, p, "%s was changed in another way in %s", p.key, proposals[others].from[0].Path)
			continue
		}
		node := with(r.m.Entry(name).Node, []string{p.key}, providers.TextNode(p.text, hcl.Range{}))
		data, m, reason, err := r.try(node)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			done = r.give(done, p, "%s", reason)
			continue
		}
		r.result.Data, r.m = data, m
		for _, read := range p.from {
			read.keys = append(read.keys, p.key)
		}
	}
	return done, nil
}

// give keeps the edits of a proposal and takes them out of those that are done.
func (r *run) give(done []*reading, p proposal, format string, args ...any) []*reading {
	for _, read := range p.from {
		if slices.Contains(done, read) {
			r.keep(read.Edit, format, args...)
		}
	}
	return slices.DeleteFunc(done, func(read *reading) bool { return slices.Contains(p.from, read) })
}

// changedTexts lists the texts that an edit changed, or says why they cannot be
// told apart.
func changedTexts(read *reading) (list []proposal, reason string) {
	if read.after.Description != read.before.Description {
		list = append(list, proposal{"description", read.after.Description, []*reading{read}})
	}
	if read.after.Body == read.before.Body {
		return list, ""
	}
	key, text, reason := changedPart(read)
	return append(list, proposal{key, text, []*reading{read}}), reason
}

// changedPart finds the part of a body in which all of a change lies: the
// instructions, or the role. The other parts are those of many subagents, or
// written by the renderer.
func changedPart(read *reading) (key, text, reason string) {
	a := read.agent
	before, after := read.before.Body, read.after.Body
	instructions, _ := a.Expand(func(schema.Verb) []string { return nil })
	start := len(a.Guard) + len(a.Preamble)
	role := -1
	if a.Role != "" {
		role = start + max(strings.Index(before[min(start, len(before)):], a.Role), 0)
		start = role + len(a.Role)
	}
	at := strings.Index(before[min(start, len(before)):], instructions)
	templated := a.Template != nil && *a.Template
	if at >= 0 && !templated {
		at += start
		if text, ok := middle(before, after, at, at+len(instructions)); ok {
			if a.Entry.InstructionsFile != "" {
				return "", "", "its instructions stand in " + a.Entry.InstructionsFile + ": make the change there"
			}
			return "instructions", text, ""
		}
	}
	if role >= 0 {
		if text, ok := middle(before, after, role, role+len(a.Role)); ok && strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\r\n") {
			return "role", text, ""
		}
	}
	if templated {
		return "", "", "its instructions are a template: make the change there"
	}
	return "", "", "the body was changed outside of the entry's own instructions: in the guard, the preamble, the report contract or what is said about delegation and skills"
}

// middle gives what stands in a changed text between what stood around a part of
// it, if that is as it was.
func middle(before, after string, start, end int) (string, bool) {
	head, tail := before[:start], before[end:]
	if len(after) < len(head)+len(tail) || !strings.HasPrefix(after, head) || !strings.HasSuffix(after, tail) {
		return "", false
	}
	return after[len(head) : len(after)-len(tail)], true
}

// with gives a mapping with another value at a path; nil takes the key away.
func with(n *schema.Node, path []string, value *schema.Node) *schema.Node {
	out := &schema.Node{Kind: schema.Map}
	if n != nil && n.Kind == schema.Map {
		*out = *n
		out.Fields = slices.Clone(n.Fields)
	}
	i := slices.IndexFunc(out.Fields, func(f schema.Field) bool { return f.Key == path[0] })
	if len(path) > 1 {
		value = with(out.Get(path[0]), path[1:], value)
	}
	switch {
	case value == nil && i >= 0:
		out.Fields = slices.Delete(out.Fields, i, i+1)
	case value == nil:
	case i >= 0:
		out.Fields[i].Value = value
	default:
		out.Fields = append(out.Fields, schema.Field{Key: path[0], Value: value})
	}
	return out
}
