package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/audit"
	"github.com/seed-337579fc/subagents/internal/report"
	"github.com/seed-337579fc/subagents/schema"
)

// auditDocument is what audit --format json prints.
type auditDocument struct {
	Version    int            `json:"version"`
	Clean      bool           `json:"clean"` // no finding at --fail-on or worse
	FailOn     audit.Severity `json:"fail_on"`
	Summary    auditSummary   `json:"summary"`
	Files      []audit.File   `json:"files"`
	Findings   []auditFinding `json:"findings"`
	Suppressed []auditFinding `json:"suppressed"`
}

// auditSummary counts.
type auditSummary struct {
	Files      int `json:"files"`
	Read       int `json:"read"` // that their host takes subagents from
	Subagents  int `json:"subagents"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Suppressed int `json:"suppressed"`
}

// auditFinding is a finding in a JSON document.
type auditFinding struct {
	Severity audit.Severity    `json:"severity"`
	Code     schema.Code       `json:"code"`
	Provider schema.ProviderID `json:"provider,omitempty"`
	Subagent string            `json:"subagent,omitempty"`
	File     string            `json:"file"`
	Range    span              `json:"range"`
	Message  string            `json:"message"`
	Why      string            `json:"why"`
	Fix      string            `json:"fix"`
	Reason   string            `json:"reason,omitempty"` // why it is accepted
}

// auditFlags are the flags of audit.
type auditFlags struct {
	scope, project, home, failOn string
	roots                        []string
	notes                        bool
}

// bothScopes is the value of --scope for the two.
const bothScopes = "both"

func (r *runner) auditCommand() *cobra.Command {
	var flags auditFlags
	cmd := withFormats(uses(&cobra.Command{
		Use:   "audit [DIR…]",
		Short: "Find risky, ignored and broken agent files, whoever wrote them",
		Long: `Audit reads the agent files in the hosts' directories, of the person and of the
project, or those in the folders that are named, as each host reads them. It
finds what is risky (tools without a limit, checks switched off, commands of
hooks and servers, secrets, hidden characters), what the host drops, and what it
does not load. It writes nothing.

A finding is accepted with a reason: in the file, as a comment in its head,
  # subagents-audit: ignore CODE REASON
or in ` + audit.IgnoreFile + ` in the project or in a folder that is named:
  ignore: [{code: CODE, path: "team/**/*.md", reason: REASON}]

Exit codes: 0 nothing at --fail-on or worse; 1 findings.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return r.audit(cmd, args, flags) },
	}, flagProvider, flagFormat), formatSARIF, formatGitHub, formatGitLab)
	f := cmd.Flags()
	scopes := []string{string(schema.UserScope), string(schema.ProjectScope), bothScopes}
	f.StringVar(&flags.scope, "scope", "", "whose directories: "+strings.Join(scopes, ", ")+" (default: both, or none where folders are named)")
	f.StringVar(&flags.project, flagProject, "", "the project's `DIR` (default: the working directory)")
	f.StringVar(&flags.home, flagHome, "", "the person's home `DIR`; then no variable that names another place counts (default: $HOME)")
	f.StringArrayVar(&flags.roots, flagRoot, nil, "configuration directory of a host, as `HOST=DIR`; it beats the host's variables; may be repeated")
	f.StringVar(&flags.failOn, "fail-on", string(audit.Warning), "exit 1 from this severity on: "+strings.Join(words(audit.Severities()), ", "))
	f.BoolVar(&flags.notes, "notes", false, "print notes, too")
	register(cmd, "scope", cobra.FixedCompletions(scopes, cobra.ShellCompDirectiveNoFileComp))
	register(cmd, "fail-on", cobra.FixedCompletions(words(audit.Severities()), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (r *runner) audit(cmd *cobra.Command, dirs []string, flags auditFlags) error {
	failOn := audit.Severity(flags.failOn)
	if err := oneOf("fail-on", flags.failOn, words(audit.Severities())); err != nil {
		return err
	}
	o, err := r.auditOptions(cmd.Flags().Changed("scope"), dirs, flags)
	if err != nil {
		return err
	}
	found, err := audit.Run(o)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return usage("%w", err)
		}
		return sortError(err)
	}
	if err := r.tellAudit(found, failOn, flags.notes); err != nil {
		return err
	}
	if found.Worst(failOn) {
		return no()
	}
	return nil
}

// auditOptions says where to look, from the flags and the surroundings.
func (r *runner) auditOptions(scoped bool, dirs []string, flags auditFlags) (o audit.Options, err error) {
	scope := cmp.Or(flags.scope, bothScopes)
	if err := oneOf("scope", scope, []string{string(schema.UserScope), string(schema.ProjectScope), bothScopes}); err != nil {
		return o, err
	}
	o.Hosts = r.hosts(r.options().Providers)
	o.Show = r.relative
	if o.Where.Project, err = r.absolute(cmp.Or(flags.project, ".")); err != nil {
		return o, err
	}
	if scoped || len(dirs) == 0 {
		for _, s := range []schema.Scope{schema.UserScope, schema.ProjectScope} {
			if scope == bothScopes || scope == string(s) {
				o.Scopes = append(o.Scopes, s)
			}
		}
		if o.Where.Home, err = r.homeDir(flags.home); err != nil {
			return o, err
		}
		if flags.home == "" {
			o.Where.Env = r.Env
		}
		if o.Where.Roots, err = r.rootsOf(flags.roots); err != nil {
			return o, err
		}
	}
	folders := []string{o.Where.Project}
	for _, dir := range dirs {
		path, err := r.absolute(dir)
		if err != nil {
			return o, err
		}
		o.Dirs, folders = append(o.Dirs, path), append(folders, path)
	}
	for i, folder := range folders {
		if i > 0 && folder == folders[0] {
			continue
		}
		list, err := r.ignores(folder)
		if err != nil {
			return o, err
		}
		o.Ignore = append(o.Ignore, list...)
	}
	return o, nil
}

// relative gives a path as it looks from the working directory, if it lies in
// it.
func (r *runner) relative(path string) string {
	here, err := r.absolute(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// ignores reads the file with suppressions of a folder, if there is one.
func (r *runner) ignores(folder string) ([]audit.Ignore, error) {
	file := filepath.Join(folder, audit.IgnoreFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	prefix := filepath.ToSlash(r.relative(folder))
	list, diags := audit.ParseIgnore(r.relative(file), data, prefix)
	if len(diags) > 0 {
		if err := r.reportText(diags, nil); err != nil {
			return nil, err
		}
		return nil, unusable()
	}
	return list, nil
}

// tellAudit prints a report in the format that is asked for.
func (r *runner) tellAudit(found *audit.Report, failOn audit.Severity, notes bool) error {
	switch r.format {
	case formatJSON:
		return r.json(r.Out, auditDocumentOf(found, failOn))
	case formatSARIF:
		problems, suppressed := auditProblems(found)
		for i := range problems {
			problems[i].File = r.inProject(problems[i].File)
		}
		tool := report.Tool{Name: "subagents", Version: build(r.Release).Release, URI: "https://" + module, Rules: auditRules()}
		return report.SARIF(r.Out, tool, problems, suppressed)
	case formatGitHub, formatGitLab:
		problems, _ := auditProblems(&audit.Report{Findings: found.Findings})
		return r.annotate(problems)
	}
	s := sources{files: found.Sources, path: r.path}
	hidden := 0
	for _, f := range found.Findings {
		if f.Severity == audit.Note && failOn != audit.Note && !notes {
			hidden++
			continue
		}
		r.tellFinding(&s, f)
	}
	if hidden > 0 {
		r.note("%s more; --notes prints them", plural(hidden, "note"))
	}
	sum := auditDocumentOf(found, failOn).Summary
	text := fmt.Sprintf("audit: %s, %s in %d of them; %s, %s, %s", plural(sum.Files, "file"), plural(sum.Subagents, "subagent"), sum.Read,
		plural(sum.Errors, "error"), plural(sum.Warnings, "warning"), plural(sum.Notes, "note"))
	if sum.Suppressed > 0 {
		text += fmt.Sprintf("; %d accepted with a reason", sum.Suppressed)
	}
	r.done("%s", text)
	return nil
}

// tellFinding prints a finding for people: what and where, the source line
// unless it is a secret, why it matters, and what to do.
func (r *runner) tellFinding(s *sources, f audit.Finding) {
	fmt.Fprintf(r.Out, "%s: %s:%d:%d: %s [%s]\n", f.Severity, oneLine(f.At.Filename), f.At.Start.Line, f.At.Start.Column, oneLine(f.Message), f.Code)
	if f.Code != audit.CodeSecret {
		if shown, line := s.excerpt(&hcl.Diagnostic{Subject: &f.At}); shown.Subject != nil {
			fmt.Fprintf(r.Out, "%6d | %s\n", f.At.Start.Line, oneLine(string(line)))
		}
	}
	fmt.Fprintf(r.Out, "         %s %s\n", oneLine(f.Why), oneLine(f.Fix))
}

func auditDocumentOf(found *audit.Report, failOn audit.Severity) auditDocument {
	doc := auditDocument{
		Version: documentVersion, Clean: !found.Worst(failOn), FailOn: failOn, Files: found.Files, Findings: []auditFinding{}, Suppressed: []auditFinding{},
		Summary: auditSummary{Files: len(found.Files), Errors: found.Count(audit.Error), Warnings: found.Count(audit.Warning), Notes: found.Count(audit.Note), Suppressed: len(found.Suppressed)},
	}
	for _, f := range found.Files {
		doc.Summary.Subagents += len(f.Agents)
		if f.State == audit.Read {
			doc.Summary.Read++
		}
	}
	for _, f := range found.Findings {
		doc.Findings = append(doc.Findings, auditFindingOf(f, ""))
	}
	for _, f := range found.Suppressed {
		doc.Suppressed = append(doc.Suppressed, auditFindingOf(f.Finding, f.Reason))
	}
	return doc
}

func auditFindingOf(f audit.Finding, reason string) auditFinding {
	return auditFinding{
		f.Severity, f.Code, f.Host, f.Agent, f.At.Filename, span{placeOf(f.At.Start), placeOf(f.At.End)}, f.Message, f.Why, f.Fix, reason,
	}
}

// auditProblems gives the findings in the form of reports, the suppressed ones
// behind the others with their reasons.
func auditProblems(found *audit.Report) (list []report.Problem, suppressed map[int]string) {
	add := func(f audit.Finding) {
		list = append(list, report.Problem{
			Code: string(f.Code), Level: report.Level(f.Severity), Message: f.Message, Help: f.Why + " " + f.Fix, File: filepath.ToSlash(f.At.Filename), At: f.At,
		})
	}
	for _, f := range found.Findings {
		add(f)
	}
	suppressed = map[int]string{}
	for _, f := range found.Suppressed {
		suppressed[len(list)] = f.Reason
		add(f.Finding)
	}
	return list, suppressed
}

func auditRules() []report.Rule {
	var list []report.Rule
	for _, rule := range audit.Rules() {
		list = append(list, report.Rule{Code: string(rule.Code), Level: report.Level(rule.Severity), Title: rule.Title, Why: rule.Why, Help: rule.Fix})
	}
	return list
}

// auditInStatus says in one line what audit finds in the directories of a scope,
// if anything.
func (r *runner) auditInStatus(where whereFlags) error {
	o, err := r.auditOptions(true, nil, auditFlags{scope: where.scope, project: where.project, home: where.home, roots: where.roots})
	if err != nil {
		return err
	}
	found, err := audit.Run(o)
	if err != nil {
		return sortError(err)
	}
	if errors, warnings := found.Count(audit.Error), found.Count(audit.Warning); errors+warnings > 0 {
		fmt.Fprintf(r.Out, "audit: %s, %s; `subagents audit --scope %s` names them\n", plural(errors, "error"), plural(warnings, "warning"), where.scope)
	}
	return nil
}
