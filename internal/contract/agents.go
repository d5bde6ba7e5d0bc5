package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// neutral gives the keys of an entry that a contract can name, with the value
// that holds for every host; none where nothing set it.
var neutral = map[string]func(*schema.Entry) string{
	"kind":   func(e *schema.Entry) string { kind, _ := e.InferredKind(); return kind },
	"access": func(e *schema.Entry) string { return e.Resolved.Access },
	"tier":   func(e *schema.Entry) string { return e.Resolved.Tier },
	"effort": func(e *schema.Entry) string { return e.Resolved.Effort },
	"result": func(e *schema.Entry) string { return e.Resolved.Result },
}

// agent checks what the contract says of one subagent.
func (k *checker) agent(f schema.Field) {
	e := k.m.Entry(f.Key)
	if e == nil || !e.Present() {
		k.add(f.Range, k.missing(f.Key), "%s is there", f.Key)
		return
	}
	k.add(f.Range, "", "%s is there", f.Key)
	for _, want := range f.Value.Fields {
		switch want.Key {
		case "targets":
			k.set(want, names(want.Value), words(k.m.Targets(e)), "%s: targets", f.Key)
		case "phrases":
			k.phrases(f.Key, want.Value, k.natives(e.Name, ""))
		case "hosts":
			for _, host := range want.Value.Fields {
				k.host(e, host)
			}
		default:
			k.text(want, present(neutral[want.Key](e)), "%s: %s", f.Key, want.Key)
		}
	}
}

// missing says why there is no such subagent.
func (k *checker) missing(name string) string {
	var known []string
	for _, e := range k.present() {
		known = append(known, e.Name)
	}
	if near := schema.Nearest(name, known); near != "" {
		return fmt.Sprintf("the manifest renders no such subagent; did you mean %q?", near)
	}
	return "the manifest renders no such subagent"
}

// present gives a text, or nil for the empty one, which stands for an absent key.
func present(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// text expects exactly a text, or with null that there is none.
func (k *checker) text(want schema.Field, got *string, format string, args ...any) {
	wanted := "not set"
	if !want.Value.IsNull() {
		wanted = want.Value.Text()
	}
	have, problem := "not set", ""
	if got != nil {
		have = *got
	}
	if want.Value.IsNull() != (got == nil) || have != wanted {
		problem = fmt.Sprintf("it is %s", have)
	}
	k.add(want.Range, problem, format+" is %s", append(args, wanted)...)
}

// set expects exactly these names in any order, or with null that there is no
// list. got is nil where there is none.
func (k *checker) set(want schema.Field, wanted, got []string, format string, args ...any) {
	k.add(want.Range, differ(wanted, got), format+" are %s", append(args, list(wanted))...)
}

// differ says how a set differs from the one that is wanted; nil is no set.
func differ(wanted, got []string) string {
	switch {
	case wanted == nil && got == nil:
		return ""
	case wanted == nil || got == nil:
		return "they are " + list(got)
	}
	var parts []string
	for _, w := range wanted {
		if !slices.Contains(got, w) {
			parts = append(parts, w+" is missing")
		}
	}
	for _, g := range got {
		if !slices.Contains(wanted, g) {
			parts = append(parts, g+" is too much")
		}
	}
	return strings.Join(parts, "; ")
}

func list(names []string) string {
	switch {
	case names == nil:
		return "not set"
	case len(names) == 0:
		return "none"
	}
	return strings.Join(names, ", ")
}

// words turns names of any kind into texts; it is never nil.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
