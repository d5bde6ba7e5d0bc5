package providers

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/schema"
)

// The codes of what reading a native file back can find.
const (
	CodeNotLoaded     schema.Code = "not-loaded"      // the client does not load the file, or there is no subagent in it
	CodeNoHead        schema.Code = "no-front-matter" // a Markdown file without front matter, which the client takes for something else
	CodeNoBody        schema.Code = "no-body"         // it has no instructions
	CodeBadNativeName schema.Code = "no-usable-name"  // its name cannot be turned into one of a manifest
	CodeNameChanged   schema.Code = "name-changed"    // warning: a manifest cannot have the name
	CodeNoDescription schema.Code = "no-description"  // warning: it has none, and an entry needs one
	CodeDropped       schema.Code = "dropped"         // warning: the client ignores it, or a manifest has no place for it
	CodeHeadCut       schema.Code = "head-cut"        // warning: the client ends the front matter early
	CodeRescued       schema.Code = "quotes-missing"  // warning: read by the client's second try alone
	CodeReadAs        schema.Code = "read-as"         // warning: the client reads it otherwise than it looks
)

// A Native is a file that a host reads, as it was found.
type Native struct {
	Name string // its path, slash-separated: for problems, and for the names that hosts take from it
	Form string // which of the host's inputs it is; empty: what its name and content say
	Data []byte
	// Open reads a file that this one names, by its path relative to the folder
	// of this one and inside it. Nil: none can be read.
	Open func(name string) ([]byte, error)
	// Keys are the settings in the host's own words where another tool's file
	// holds them, with Body as the text that goes with them. They stand in the
	// place of Data.
	Keys *schema.Node
	Body string
}

// WithText gives the keys of a file with one more, unless they have it: for hosts
// that have their text under a key.
func (n Native) WithText(key string) *schema.Node {
	if n.Keys.Get(key) != nil {
		return n.Keys
	}
	keys := *n.Keys
	keys.Fields = append(slices.Clone(keys.Fields), TextField(key, n.Body, keys.Range))
	return &keys
}

// An Input is a kind of file from which a host takes subagents. There are more
// of them than of [Place], which are the ones that are written.
type Input struct {
	// Path is a pattern for the end of the file's path: * stands for any part of
	// a name, ** for any folders.
	Path string
	Form string
	// Beside names a file that has to stand in the folder in which the pattern
	// begins; empty: none has to.
	Beside string
}

// Input gives the first of the host's inputs that a path belongs to; what has to
// stand beside it is not looked for.
func (f *Facts) Input(path string) (Input, bool) {
	for _, in := range f.Inputs {
		if in.Matches(path) {
			return in, true
		}
	}
	return Input{}, false
}

// Matches says whether a path ends as the pattern says.
func (in Input) Matches(file string) bool {
	pattern, parts := strings.Split(in.Path, "/"), strings.Split(file, "/")
	for i := range parts {
		if matchParts(pattern, parts[i:]) {
			return true
		}
	}
	return false
}

// Is says whether a path is as the pattern says from its start.
func (in Input) Is(file string) bool {
	return matchParts(strings.Split(in.Path, "/"), strings.Split(file, "/"))
}

// Folder gives the part of the pattern before its first wildcard, and an input
// for what lies below it: the folder that has to be looked through. For a single
// file the pattern is "" below it.
func (in Input) Folder() (dir string, below Input) {
	parts := strings.Split(in.Path, "/")
	n := slices.IndexFunc(parts, func(part string) bool { return strings.Contains(part, "*") })
	if n < 0 {
		n = len(parts)
	}
	below = in
	below.Path = strings.Join(parts[n:], "/")
	return strings.Join(parts[:n], "/"), below
}

func matchParts(pattern, parts []string) bool {
	switch {
	case len(pattern) == 0:
		return len(parts) == 0
	case pattern[0] == "**":
		for i := range parts {
			if matchParts(pattern[1:], parts[i:]) {
				return true
			}
		}
		return false
	case len(parts) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], parts[0])
	return ok && err == nil && matchParts(pattern[1:], parts[1:])
}

// A Decoded is a subagent that a native file defines, as its host reads it.
type Decoded struct {
	At          hcl.Range
	Name        string // its identity on the host
	Description string
	Body        string
	Readings    []Reading
	// Keys are the settings as the file has them, before anything was left out.
	Keys *schema.Node
}

// A Reading is one thing that a native file says: in keys of the host's block,
// and where a neutral key means exactly that, in the neutral key, too.
type Reading struct {
	Neutral []schema.Field
	Block   []schema.Field
}

// Block puts the readings together in keys of the host's block, sorted.
func (d *Decoded) Block() *schema.Node {
	n := &schema.Node{Kind: schema.Map, Range: d.At}
	for _, r := range d.Readings {
		n.Fields = append(n.Fields, r.Block...)
	}
	slices.SortStableFunc(n.Fields, func(a, b schema.Field) int { return cmp.Compare(a.Key, b.Key) })
	return n
}

// A Decoder collects what a native file says of one subagent.
type Decoder struct {
	Facts *Facts
	Out   Decoded
	Diags hcl.Diagnostics
	extra schema.Node
}

// Decoder starts on a subagent of the host.
func (f *Facts) Decoder(at hcl.Range) *Decoder {
	return &Decoder{Facts: f, Out: Decoded{At: at}, extra: schema.Node{Kind: schema.Map, Range: at}}
}

// Fail reports what keeps the subagent from being one.
func (d *Decoder) Fail(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	d.Diags = append(d.Diags, schema.Problemf(code, at, detail, format, args...))
}

// Warn reports what is not kept, or not as it looks.
func (d *Decoder) Warn(code schema.Code, at hcl.Range, detail, format string, args ...any) {
	d.Diags = append(d.Diags, schema.Warning(code, at, fmt.Sprintf(format, args...), detail))
}

// Drop reports a key or value that is left out.
func (d *Decoder) Drop(at hcl.Range, why, format string, args ...any) {
	d.Warn(CodeDropped, at, why, format+" is left out", args...)
}

// Set adds a key of the block.
func (d *Decoder) Set(key string, v *schema.Node) {
	d.Either(nil, schema.Field{Key: key, Range: v.Range, Value: v})
}

// Either adds a setting in keys of the block, and the neutral keys that mean
// the same, if there are any.
func (d *Decoder) Either(neutral []schema.Field, block ...schema.Field) {
	d.Out.Readings = append(d.Out.Readings, Reading{Neutral: neutral, Block: block})
}

// Key adds a native key that the block has, with what of its value fits. It
// gives what was added, nil for nothing.
func (d *Decoder) Key(key string, f schema.Field) *schema.Node {
	v := d.Fit(key, f)
	if v != nil {
		d.Set(key, v)
	}
	return v
}

// Fit gives what of a native value fits a key of the block, and reports the
// rest. A null is like an absent key.
func (d *Decoder) Fit(key string, f schema.Field) *schema.Node {
	if f.Value.Kind == schema.Null {
		return nil
	}
	v, misfits := schema.BlockValue(d.Facts.ID, key, f.Value)
	for _, m := range misfits {
		what := "part of %s"
		if v == nil {
			what = "the value of %s"
		}
		d.Drop(m.At, "For "+d.Facts.Title+": "+m.Why+".", what, f.Key)
	}
	return v
}

// Extra adds a key that the tool does not model.
func (d *Decoder) Extra(f schema.Field) {
	if null := NoNulls(f.Value); null != nil {
		d.Drop(*null.Subject, "A null is never written to a native file.", "%s, with a null in it,", f.Key)
		return
	}
	d.extra.Fields = append(d.extra.Fields, f)
}

// Body sets the instructions. Without any there is no subagent.
func (d *Decoder) Body(text string) {
	d.Out.Body = text
	if strings.TrimSpace(text) == "" {
		d.Fail(CodeNoBody, d.Out.At, "An entry of a manifest needs instructions.", "%q has no instructions", d.Out.Name)
	}
}

// Description sets the description. Where the file has none, what the host
// shows instead takes its place.
func (d *Decoder) Description(text, instead string) {
	if strings.TrimSpace(text) != "" {
		d.Out.Description = text
		return
	}
	d.Out.Description = instead
	d.Warn(CodeNoDescription, d.Out.At, fmt.Sprintf("The entry says %q. Write what it does and when to use it.", instead),
		"%q has no description, which an entry needs", d.Out.Name)
}

// Done gives the subagent with warnings, or errors if it cannot be one.
func (d *Decoder) Done() ([]Decoded, hcl.Diagnostics) {
	if d.Diags.HasErrors() {
		return nil, slices.DeleteFunc(d.Diags, func(p *hcl.Diagnostic) bool { return p.Severity != hcl.DiagError })
	}
	if len(d.extra.Fields) > 0 {
		d.Set("extra", &d.extra)
	}
	return []Decoded{d.Out}, d.Diags
}

// ManifestName turns a native name into the form of a manifest's: lower-case
// letters, digits and single hyphens. It is empty if nothing is left of it.
func ManifestName(native string) string {
	name := strings.Trim(notInNames().ReplaceAllString(strings.ToLower(native), "-"), "-")
	if name == "" {
		return ""
	}
	if name[0] < 'a' || len(name) < 2 || devices().MatchString(name) {
		name = "agent-" + name
	}
	return strings.TrimRight(name[:min(len(name), maxName)], "-")
}

const maxName = 64

var (
	notInNames = lazyregexp.New(`[^a-z0-9]+`)
	devices    = lazyregexp.New(`^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`)
)
