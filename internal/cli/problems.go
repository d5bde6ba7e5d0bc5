package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	subagents "github.com/seed-337579fc/subagents"
	"github.com/seed-337579fc/subagents/schema"
)

// problem is a diagnostic in a JSON document.
type problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail,omitempty"`
	File     string `json:"file,omitempty"`
	Range    *span  `json:"range,omitempty"`
}

// span is a range of a file, without its end.
type span struct {
	Start place `json:"start"`
	End   place `json:"end"`
}

// place is a position: line and column from 1, the column in characters, and
// the byte offset from 0.
type place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

func placeOf(p hcl.Pos) place { return place{p.Line, p.Column, p.Byte} }

var severities = map[hcl.DiagnosticSeverity]string{hcl.DiagError: "error", hcl.DiagWarning: "warning"}

// problemsDocument is what a command prints on standard error when the manifest
// cannot be used.
type problemsDocument struct {
	Version  int       `json:"version"`
	Problems []problem `json:"problems"`
}

func problemsOf(diags hcl.Diagnostics) []problem {
	list := []problem{}
	for _, d := range diags {
		p := problem{Severity: severities[d.Severity], Code: string(schema.CodeOf(d)), Summary: d.Summary, Detail: d.Detail}
		if d.Subject != nil {
			p.File = d.Subject.Filename
			p.Range = &span{placeOf(d.Subject.Start), placeOf(d.Subject.End)}
		}
		list = append(list, p)
	}
	return list
}

// settle sorts problems by file and place, and drops what is said twice, and what
// else is said of a value that cannot be read or is of the wrong type.
func settle(diags hcl.Diagnostics) hcl.Diagnostics {
	at := func(d *hcl.Diagnostic) hcl.Range {
		if d.Subject == nil {
			return hcl.Range{}
		}
		return *d.Subject
	}
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int {
		x, y := at(a), at(b)
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Start.Byte, y.Start.Byte))
	})
	type said struct {
		at              hcl.Range
		summary, detail string
	}
	seen, odd := map[said]bool{}, map[hcl.Range]schema.Code{}
	for _, d := range diags {
		switch code := schema.CodeOf(d); {
		case code == schema.CodeSyntax && d.Subject != nil:
			odd[at(d)] = code // a value that cannot be read has no type either
		case code == schema.CodeWrongType || code == schema.CodeNullValue:
			if odd[at(d)] != schema.CodeSyntax {
				odd[at(d)] = code
			}
		}
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		if code, is := odd[at(d)]; is && code != schema.CodeOf(d) {
			return true
		}
		key := said{at(d), d.Summary, d.Detail}
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

// count says how many problems of each severity there are.
func count(diags hcl.Diagnostics) (errors, warnings int) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

// report prints the problems of a manifest, in the format asked for.
func (r *runner) report(diags hcl.Diagnostics, files map[string]*hcl.File) error {
	if r.annotated() {
		return r.annotate(diagnosed(diags))
	}
	if r.format == formatJSON {
		return r.json(r.Err, problemsDocument{documentVersion, problemsOf(diags)})
	}
	return r.reportText(diags, files)
}

// reportText prints problems for people: where, what, the source line, and what
// to write instead.
func (r *runner) reportText(diags hcl.Diagnostics, files map[string]*hcl.File) error {
	width, _ := terminal(r.stderr)
	s := sources{files: files, path: r.path}
	told := map[hcl.DiagnosticSeverity]int{}
	for _, d := range diags {
		if told[d.Severity]++; told[d.Severity] > maxTold {
			continue
		}
		var text bytes.Buffer
		shown, line := s.excerpt(d)
		known := map[string]*hcl.File{}
		if shown.Subject != nil {
			known[shown.Subject.Filename] = &hcl.File{Bytes: line}
		}
		w := hcl.NewDiagnosticTextWriter(&text, known, uint(width), r.colored(r.stderr))
		if err := w.WriteDiagnostic(shown); err != nil {
			return machine("writing a problem: %w", err)
		}
		out := text.String()
		if shown.Subject != nil {
			// The excerpt is one line, which the writer takes for the first of the file.
			out = strings.Replace(out, "\n   1: ", fmt.Sprintf("\n%4d: ", shown.Subject.Start.Line), 1)
		}
		if _, err := io.WriteString(r.Err, out); err != nil {
			return machine("writing a problem: %w", err)
		}
	}
	for _, severity := range []hcl.DiagnosticSeverity{hcl.DiagError, hcl.DiagWarning} {
		if more := told[severity] - maxTold; more > 0 {
			fmt.Fprintf(r.Err, "… and %s; --format json lists them all\n", plural(more, "more "+severities[severity]))
		}
	}
	return nil
}

// maxTold is how many errors, and how many warnings, people are told of one by
// one. Programs get them all.
const maxTold = 100

// sources finds the source lines of problems.
type sources struct {
	files map[string]*hcl.File
	path  func(string) string
}

// Limits of what is shown of a source line, in characters.
const (
	shownBefore = 60  // before the place
	shownPlace  = 100 // of the place itself
	shownAfter  = 60  // after it
)

// excerpt gives a diagnostic to show and the one line of source that goes with
// it: nothing in them that a terminal would obey, the line no longer than people
// read. The range of the diagnostic is about that line alone.
func (s *sources) excerpt(d *hcl.Diagnostic) (*hcl.Diagnostic, []byte) {
	shown := &hcl.Diagnostic{Severity: d.Severity, Summary: headline(d), Detail: printable(d.Detail)}
	if d.Subject == nil {
		return shown, nil
	}
	src := s.bytes(d.Subject.Filename)
	start := min(d.Subject.Start.Byte, len(src))
	first := bytes.LastIndexByte(src[:start], '\n') + 1
	last := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		last = start + i
	}
	line := bytes.TrimSuffix(src[first:last], []byte("\r"))
	if len(bytes.TrimSpace(line)) == 0 {
		return shown, nil
	}
	start = min(start-first, len(line))
	end := min(max(d.Subject.End.Byte-first, start), len(line))
	before := clipStart(string(line[:start]))
	mark := clipEnd(string(line[start:end]), shownPlace)
	text := []byte(before + mark + clipEnd(string(line[end:]), shownAfter))
	shown.Subject = &hcl.Range{
		Filename: printable(d.Subject.Filename),
		Start:    hcl.Pos{Line: d.Subject.Start.Line, Column: 1, Byte: len(before)},
		End:      hcl.Pos{Line: d.Subject.Start.Line, Column: 1, Byte: len(before) + len(mark)},
	}
	return shown, text
}

// headline is the first line of a problem: FILE:LINE:COLUMN: summary [code].
func headline(d *hcl.Diagnostic) string {
	summary := oneLine(d.Summary)
	if d.Subject != nil {
		summary = fmt.Sprintf("%s:%d:%d: %s", oneLine(d.Subject.Filename), d.Subject.Start.Line, d.Subject.Start.Column, summary)
	}
	if code := schema.CodeOf(d); code != "" {
		summary += fmt.Sprintf(" [%s]", code)
	}
	return summary
}

func clipStart(s string) string {
	if utf8.RuneCountInString(s) > shownBefore+10 {
		runes := []rune(s)
		s = "…" + string(runes[len(runes)-shownBefore:])
	}
	return printable(s)
}

func clipEnd(s string, n int) string {
	if utf8.RuneCountInString(s) > n+10 {
		s = string([]rune(s)[:n]) + "…"
	}
	return printable(s)
}

// bytes gives the text of a manifest. One that could not be loaded at all is
// read again.
func (s *sources) bytes(name string) []byte {
	if f := s.files[name]; f != nil {
		return f.Bytes
	}
	if s.files == nil {
		s.files = map[string]*hcl.File{}
	}
	var data []byte
	if strings.HasPrefix(name, builtin) {
		data = subagents.Catalogue
	} else if f, err := os.Open(s.path(name)); err == nil {
		defer f.Close()
		data, _ = io.ReadAll(io.LimitReader(f, maxExcerpt)) // without the line the problem is still told
	}
	s.files[name] = schema.NewSource(name, data).File()
	return s.files[name].Bytes
}

// maxExcerpt is how much of a file is read for its source lines.
const maxExcerpt = 16 << 20
