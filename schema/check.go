package schema

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:generate go run ../internal/schemagen

// JSONSchema is the JSON Schema (draft 2020-12) of the manifest.
//
//go:embed subagents.schema.json
var JSONSchema []byte

// compiled is the schema ready to validate with, beside the same document as
// plain values, which the messages look up keys in.
type compiled struct {
	schema *jsonschema.Schema
	doc    any
}

var compileSchema = sync.OnceValue(func() compiled { return compile("subagents.schema.json", JSONSchema) })

// compile makes an embedded schema ready, which a test compiles too.
func compile(url string, text []byte) compiled {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		panic(err)
	}
	return compiled{c.MustCompile(url), doc}
}

// A HostTool tells which neutral verb stands for a tool that a host calls by
// its own name, so that a message can say what to write.
type HostTool func(native string) (Verb, bool)

// checkSchema validates a tree against the JSON Schema and reports every
// violation at its place.
func checkSchema(root *Node, hostTool HostTool) hcl.Diagnostics {
	if conforms(root) {
		return nil
	}
	return compileSchema().check(root, hostTool)
}

// check reports every violation of a schema at its place.
func (c compiled) check(root *Node, hostTool HostTool) hcl.Diagnostics {
	err := c.schema.Validate(root.Interface())
	var invalid *jsonschema.ValidationError
	if err == nil || !errors.As(err, &invalid) {
		return nil
	}
	r := reporter{root: root, doc: c.doc, hostTool: hostTool}
	r.walk(invalid)
	slices.SortStableFunc(r.diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return once(r.diags)
}

type reporter struct {
	root     *Node
	doc      any
	hostTool HostTool
	diags    hcl.Diagnostics
}

// walk descends to the leaves of a validation error. Of a union it follows the
// branch that the value was meant for.
func (r *reporter) walk(e *jsonschema.ValidationError) {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		r.union(e)
	default:
		if len(e.Causes) == 0 {
			r.leaf(e)
		}
		for _, cause := range e.Causes {
			r.walk(cause)
		}
	}
}

func (r *reporter) union(e *jsonschema.ValidationError) {
	var want []string
	for _, branch := range e.Causes {
		t := typeMismatch(branch, len(e.InstanceLocation))
		if t == nil {
			r.walk(branch)
			return
		}
		want = append(want, t.Want...)
	}
	want = slices.DeleteFunc(want, func(w string) bool { return w == "null" })
	r.wrongType(e.InstanceLocation, want)
}

// typeMismatch gives the error of a branch that says that the value itself,
// not something inside it, is of the wrong type.
func typeMismatch(e *jsonschema.ValidationError, depth int) *kind.Type {
	if len(e.InstanceLocation) != depth {
		return nil
	}
	if t, ok := e.ErrorKind.(*kind.Type); ok {
		return t
	}
	union := &kind.Type{}
	for _, cause := range e.Causes {
		t := typeMismatch(cause, depth)
		if t == nil {
			if _, ok := e.ErrorKind.(*kind.OneOf); ok {
				return nil
			}
			continue
		}
		union.Want = append(union.Want, t.Want...)
	}
	if len(union.Want) == 0 {
		return nil
	}
	return union
}

// find gives the node at a location and the key it stands under.
func (r *reporter) find(location []string) (n *Node, key string) {
	n = r.root
	for _, step := range location {
		if n.Kind == List {
			i, _ := strconv.Atoi(step)
			n = n.Items[i]
			continue
		}
		key, n = step, n.Get(step)
	}
	return n, key
}

func (r *reporter) add(code Code, at hcl.Range, summary, detail string) {
	r.diags = append(r.diags, Problem(code, at, summary, detail))
}

func (r *reporter) leaf(e *jsonschema.ValidationError) {
	n, key := r.find(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		for _, name := range slices.Sorted(slices.Values(k.Properties)) {
			r.add(CodeUnknownKey, n.Field(name).Range, fmt.Sprintf("unknown key %q%s", clip(name), under(key)),
				didYouMean(name, r.keysAt(e.SchemaURL)))
		}
	case *kind.Required:
		for _, name := range k.Missing {
			r.add(CodeMissingKey, n.Range, fmt.Sprintf("%q is missing%s", name, under(key)), r.describe(e.SchemaURL, name))
		}
	case *kind.Type:
		r.wrongType(e.InstanceLocation, k.Want)
	case *kind.Enum:
		r.badEnum(n, key, k.Want)
	case *kind.Pattern, *kind.MinLength, *kind.MaxLength:
		r.badText(n, key, e.ErrorKind)
	case *kind.Minimum:
		r.add(CodeBadValue, n.Range, fmt.Sprintf("%s is too small for %q", n.Text(), key), "Write "+k.Want.RatString()+" or more.")
	case *kind.UniqueItems:
		item := n.Items[k.Duplicates[1]]
		r.add(CodeBadValue, item.Range, fmt.Sprintf("%q stands twice in %q", clip(item.Text()), key), "Remove one of the two.")
	case *kind.MinItems, *kind.MinProperties:
		r.add(CodeBadValue, n.Range, fmt.Sprintf("%q is empty", key), "Leave the key out, or give it at least one item.")
	case *kind.MaxProperties:
		r.add(CodeBadValue, n.Range, fmt.Sprintf("more than one key in an item of %q", key), "Write one NAME: configuration in each item.")
	default:
		r.add(CodeBadValue, n.Range, fmt.Sprintf("%q is not valid", key),
			fmt.Sprintf("It breaks the rule %q of the JSON Schema.", strings.Join(e.ErrorKind.KeywordPath(), "/")))
	}
}

func under(key string) string {
	if key == "" {
		return ""
	}
	return fmt.Sprintf(" in %q", key)
}

var typeNames = map[string]string{
	"string": "text", "array": "a list", "object": "a mapping", "boolean": "true or false",
	"integer": "a whole number", "number": "a number",
}

func (r *reporter) wrongType(location, want []string) {
	n, key := r.find(location)
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = typeNames[w]
	}
	wanted := strings.Join(slices.Compact(names), " or ")
	if n.Kind == Null {
		if above, _ := r.find(location[:max(len(location)-1, 0)]); above.Kind == List {
			r.add(CodeNullValue, n.Range, fmt.Sprintf("an item of %q is null", key), "Take it out, or write "+wanted+".")
			return
		}
		r.add(CodeNullValue, n.Range, fmt.Sprintf("%q is null", key), "It is required: write "+wanted+".")
		return
	}
	detail := "Write " + wanted + "."
	scalar := n.Kind != Map && n.Kind != List
	switch {
	case slices.Contains(want, "string") && scalar:
		detail = fmt.Sprintf("Put it in quotes: %q.", clip(n.Text()))
	case slices.Contains(want, "array") && scalar:
		detail = fmt.Sprintf("Write a list: [%s].", clip(n.Text()))
	case slices.Contains(want, "boolean") && n.Kind == String:
		detail = "Write true or false, without quotes."
	}
	what := "the manifest"
	if key != "" {
		what = strconv.Quote(key)
	}
	r.add(CodeWrongType, n.Range, fmt.Sprintf("%s must be %s, not %s", what, wanted, n.Kind), detail)
}

// badEnum reports a value that is not one of those possible.
func (r *reporter) badEnum(n *Node, key string, want []any) {
	words := make([]string, len(want))
	for i, w := range want {
		words[i] = fmt.Sprint(w)
	}
	code, detail := CodeBadValue, didYouMean(n.Text(), words)
	switch key {
	case "tools":
		code = CodeUnknownTool
		if verb, ok := r.hostToolOf(n.Text()); ok {
			detail = fmt.Sprintf("%s is a host's own name. Write the neutral verb %q.", n.Text(), verb)
		}
	case "access":
		code = CodeBadAccess
	}
	if !strings.HasPrefix(detail, "Possible") {
		detail += " Possible here: " + strings.Join(words, ", ") + "."
	}
	r.add(code, n.Range, fmt.Sprintf("%q is not a value of %q", clip(n.Text()), key), detail)
}

func (r *reporter) hostToolOf(native string) (Verb, bool) {
	if r.hostTool == nil {
		return "", false
	}
	return r.hostTool(native)
}

// textRules says in words what the pattern of a key asks for.
var textRules = map[string]string{
	"name":                "Use lower-case letters, digits and single hyphens, starting with a letter: 2 to 64 characters.",
	"slug":                "Use lower-case letters, digits and single hyphens, starting with a letter: 2 to 64 characters.",
	"description":         "Say what the subagent does and when to use it.",
	"role":                "Write one line that is not blank.",
	"version":             "Write a semantic version such as 1.0.0.",
	"mcp":                 "Write SERVER or SERVER/TOOL.",
	"nickname_candidates": "Codex takes letters, digits, spaces, _ and - only.",
	"resources":           "Write a file:// or skill:// address.",
	"keyboard_shortcut":   "Write ctrl+X or shift+X.",
}

func (r *reporter) badText(n *Node, key string, k jsonschema.ErrorKind) {
	code, detail := CodeBadValue, textRules[key]
	if key == "name" || key == "slug" {
		code = CodeBadName
	}
	switch k := k.(type) {
	case *kind.Pattern:
		switch {
		case key == "model":
			detail = "Write PROVIDER/MODEL, or leave the key out to inherit the caller's model."
		case key == "color":
			detail = `Write "#RRGGBB" in quotes, or one of primary, secondary, accent, success, warning, error, info.`
		case detail == "":
			detail = "It must match " + k.Want + "."
		}
	case *kind.MinLength:
		if detail == "" {
			detail = "It must not be empty."
		}
	}
	r.add(code, n.Range, fmt.Sprintf("%q is not valid for %q", clip(n.Text()), key), detail)
}

// clip shortens a text for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}

// lookup follows the fragment of a schema location.
func (r *reporter) lookup(url string) map[string]any {
	_, pointer, _ := strings.Cut(url, "#")
	at := r.doc
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		switch v := at.(type) {
		case map[string]any:
			if step != "" {
				at = v[step]
			}
		case []any:
			i, _ := strconv.Atoi(step)
			at = v[i]
		}
	}
	m, _ := at.(map[string]any)
	return m
}

// keysAt lists the keys that the object schema at a location has.
func (r *reporter) keysAt(url string) []string {
	properties, _ := r.lookup(url)["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// describe gives the description of a key.
func (r *reporter) describe(url, key string) string {
	properties, _ := r.lookup(url)["properties"].(map[string]any)
	property, _ := properties[key].(map[string]any)
	text, _ := property["description"].(string)
	if text == "" {
		return fmt.Sprintf("Add the key %q.", key)
	}
	return fmt.Sprintf("Add it: %s", text)
}
