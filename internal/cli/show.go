package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/matrix"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// showDocument is what show --format json prints.
type showDocument struct {
	Version      int          `json:"version"`
	Subagent     listed       `json:"subagent"`
	Role         string       `json:"role,omitempty"`
	Instructions string       `json:"instructions"`
	Settings     []setSetting `json:"settings"` // keys that are set, neutral ones first, with what set them
	Scope        schema.Scope `json:"scope"`
	Hosts        []shownHost  `json:"hosts"`
	Problems     []problem    `json:"problems"` // warnings
}

// setSetting is a key with the value that won and the place that set it.
type setSetting struct {
	Key    string `json:"key"` // tier, or claude.model for a key of a block
	Value  any    `json:"value"`
	From   string `json:"from"` // defaults, defaults.providers, entry or provider block
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`

	brief string
}

// shownHost is the subagent on one host.
type shownHost struct {
	Provider schema.ProviderID `json:"provider"`
	Title    string            `json:"title"`
	Client   string            `json:"client"`
	Files    []shownFile       `json:"files"`
	Settings []matrix.Cell     `json:"settings"` // what the host does with each
}

// shownFile is a native file.
type shownFile struct {
	Path    string `json:"path"`
	SHA256  string `json:"sha256"`
	Content string `json:"content"`
}

// showFlags are the flags of show.
type showFlags struct {
	explain, body bool
	scope         string
}

func (r *runner) showCommand() *cobra.Command {
	var flags showFlags
	cmd := uses(&cobra.Command{
		Use:   "show NAME",
		Short: "Show one subagent resolved; with -p HOST its native file and what is enforced of it",
		Long: `Show prints one entry with every setting that holds for it. With -p HOST it prints
the native file and, below it, what the host does with each setting and why. With
--explain it says which layer and line set each value.`,
		Args:              upToArgs(1, 1, "one NAME"),
		ValidArgsFunction: r.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt := r.options()
			var err error
			if opt.Scope, err = scopeOf(cmd, flags.scope); err != nil {
				return err
			}
			opt.Agents = args
			return r.show(flags, opt)
		},
	}, flagManifest, flagOutside, flagProvider, flagFormat)
	f := cmd.Flags()
	f.BoolVar(&flags.explain, "explain", false, "say which layer and line set each value")
	f.BoolVar(&flags.body, "body", false, "print the instructions alone, as they are")
	cmd.MarkFlagsMutuallyExclusive("explain", "body")
	scopeFlag(cmd, &flags.scope)
	return cmd
}

func (r *runner) show(flags showFlags, opt render.Options) error {
	m, err := r.needManifest()
	if err != nil {
		return err
	}
	e := m.Entry(opt.Agents[0])
	if e == nil {
		if err := r.report(render.Unknown(m.Manifest, opt.Agents), m.files()); err != nil {
			return err
		}
		return no()
	}
	if flags.body {
		_, err := r.Out.Write([]byte(e.Body))
		return err
	}
	result := m.render(opt)
	if m.diags.HasErrors() {
		return r.unusable(m)
	}
	if len(opt.Providers) > 0 && len(result.Files) == 0 {
		if err := r.report(hcl.Diagnostics{nothing(result)}, nil); err != nil {
			return err
		}
		return no()
	}
	m.diags = settle(m.diags)
	doc := showDocumentOf(m, e, result)
	if r.format == formatJSON {
		return r.json(r.Out, doc)
	}
	if err := r.report(m.diags, m.files()); err != nil {
		return err
	}
	switch {
	case flags.explain:
		return r.showExplained(doc)
	case len(opt.Providers) > 0:
		return r.showHosts(doc)
	}
	return r.showEntry(doc, result)
}

func showDocumentOf(m *loaded, e *schema.Entry, result *render.Result) showDocument {
	doc := showDocument{
		Version: documentVersion, Subagent: listedOf(m, e), Role: e.Resolved.Role, Instructions: e.Body, Settings: []setSetting{},
		Scope: result.Scope, Hosts: []shownHost{}, Problems: problemsOf(m.diags),
	}
	known := map[string]bool{}
	add := func(s schema.Setting) {
		if !known[s.Key] {
			known[s.Key] = true
			at := s.At()
			doc.Settings = append(doc.Settings, setSetting{
				s.Key, s.Value.Interface(), s.Rank.String(), at.Filename, at.Start.Line, at.Start.Column, briefly(s.Value),
			})
		}
	}
	// A host that the entry is not rendered for tells the neutral keys.
	for _, s := range m.Resolve(e, schema.ProviderIDs()[0]).Settings() {
		if !strings.Contains(s.Key, ".") {
			add(s)
		}
	}
	for i := range result.Agents {
		rendered := &result.Agents[i]
		for _, s := range rendered.Agent.Settings() {
			add(s)
		}
		facts := all.Get(rendered.Provider).Facts()
		host := shownHost{facts.ID, facts.Title, facts.Client, []shownFile{}, matrix.Cells(rendered, result.Scope)}
		for _, f := range rendered.Files {
			sum := sha256.Sum256(f.Data)
			host.Files = append(host.Files, shownFile{f.Path, hex.EncodeToString(sum[:]), string(f.Data)})
		}
		doc.Hosts = append(doc.Hosts, host)
	}
	return doc
}

// briefly writes a value on one line, the empty ones told apart.
func briefly(n *schema.Node) string {
	switch {
	case n.Kind == schema.Null:
		return "null (unset)"
	case n.Kind == schema.List && len(n.Items) == 0:
		return "[] (empty)"
	}
	return oneLine(n.Brief())
}

// showEntry prints the entry, where its files go, and what is not enforced.
func (r *runner) showEntry(doc showDocument, result *render.Result) error {
	e := doc.Subagent
	w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	row := func(key, value string) { fmt.Fprintf(w, "%s\t%s\n", key, value) }
	row("name", e.Name)
	row("source", e.Source.String())
	for _, o := range e.Overrides {
		row("in place of", o.String())
	}
	row("state", e.State)
	row("description", oneLine(e.Description))
	kind := e.Kind
	if e.KindInferred {
		kind += " (inferred)"
	}
	row("kind", kind)
	for _, s := range doc.Settings {
		if key := s.Key; key != "kind" && !strings.Contains(key, ".") {
			row(key, s.brief)
		}
	}
	for _, host := range doc.Hosts {
		for _, f := range host.Files {
			row("on "+string(host.Provider), f.Path)
		}
	}
	for _, line := range summarise(result.Notes) {
		row("not enforced", line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.Out, "\n%s", r.forPeople(withFinalLine(doc.Instructions)))
	return err
}

// withFinalLine ends a text that is shown with a line feed.
func withFinalLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// showExplained prints where each value was set.
func (r *runner) showExplained(doc showDocument) error {
	w := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tVALUE\tSET BY\tWHERE")
	for _, s := range doc.Settings {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s:%d:%d\n", s.Key, s.brief, s.From, oneLine(s.File), s.Line, s.Column)
	}
	return w.Flush()
}

// showHosts prints the native files and, below them, what the host does with
// each setting.
func (r *runner) showHosts(doc showDocument) error {
	for i, host := range doc.Hosts {
		if i > 0 {
			fmt.Fprintln(r.Out)
		}
		for _, f := range host.Files {
			fmt.Fprintf(r.Out, "==> %s\n%s\n", f.Path, r.forPeople(withFinalLine(f.Content)))
		}
		fmt.Fprintf(r.Out, "==> what %s does with each setting (%s)\n", host.Title, host.Client)
		for _, c := range host.Settings {
			r.showSetting(c)
		}
	}
	return nil
}

// showSetting prints a row of the table in two lines, so that it fits a
// terminal: the setting with its level and what stands in the file, and why.
func (r *runner) showSetting(c matrix.Cell) {
	setting := c.Setting
	if c.Value != "" && c.Value != c.Native {
		setting += " = " + c.Value
	}
	native := ""
	if c.Native != "" {
		native = "  written: " + c.Native
	}
	fmt.Fprintf(r.Out, "%-11s  %s%s\n", c.Level, oneLine(setting), oneLine(native))
	why := c.Why
	if c.When != "" {
		why = fmt.Sprintf("If %s: %s", c.When, why)
	}
	fmt.Fprintf(r.Out, "%-11s  %s (%s)\n", "", oneLine(why), oneLine(c.Source))
}
