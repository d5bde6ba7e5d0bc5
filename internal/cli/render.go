package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/tree"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// renderDocument is what render --format json prints.
type renderDocument struct {
	Version  int            `json:"version"`
	Scope    schema.Scope   `json:"scope"`
	Files    []renderedFile `json:"files"`
	Deleted  []string       `json:"deleted,omitempty"` // with --prune: below the output directory
	Notes    []note         `json:"notes"`
	Problems []problem      `json:"problems"`          // warnings
	Install  *installInput  `json:"install,omitempty"` // with --for-install
}

// renderedFile is one native file. Content stands there without --out, Action
// with it.
type renderedFile struct {
	Path     string            `json:"path"`
	Agent    string            `json:"agent"`
	Provider schema.ProviderID `json:"provider"`
	SHA256   string            `json:"sha256"`
	Content  *fileText         `json:"content,omitempty"`
	Action   string            `json:"action,omitempty"` // created, updated or unchanged
}

// fileText is the content of a file that stands in JSON as a text, without being
// copied before.
type fileText []byte

// MarshalText gives the content.
func (t fileText) MarshalText() ([]byte, error) { return t, nil }

// renderFlags are the flags of render.
type renderFlags struct {
	out, scope             string
	prune, strict, allNote bool
	forInstall             bool
	allowEmpty             bool
}

func (r *runner) renderCommand() *cobra.Command {
	var flags renderFlags
	cmd := uses(&cobra.Command{
		Use:     "render",
		Aliases: []string{"generate"},
		Short:   "Write the native files of the hosts",
		Long: `Render turns the manifest into the native files of the hosts: below --out DIR, as
a tar on standard output (--out -), as JSON (--format json), or as the bytes of
the one file that -a NAME -p HOST selects.

It reads the manifest and nothing else. With an invalid manifest nothing is
written. A file that is right already is not touched, and files that are not
rendered are left alone unless --prune deletes those of ours.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt := r.options()
			var err error
			if opt.Scope, err = scopeOf(cmd, flags.scope); err != nil {
				return err
			}
			opt.Strict = flags.strict
			if err := r.checkRender(cmd, flags); err != nil {
				return err
			}
			if flags.forInstall {
				return r.renderForInstall(opt)
			}
			return r.renderTo(flags, opt)
		},
	}, selection...)
	f := cmd.Flags()
	f.StringVarP(&flags.out, "out", "o", "", "write the files below `DIR`, or a tar to standard output with -")
	f.BoolVar(&flags.prune, "prune", false, "delete files of ours below DIR that are not rendered")
	f.BoolVar(&flags.strict, "strict", false, "every setting must be enforced")
	f.BoolVar(&flags.allowEmpty, "allow-empty", false, "with --out DIR: no file is no error, and the directories of the hosts are made in any case")
	f.BoolVar(&flags.forInstall, "for-install", false, "with --format json: add what a program needs that installs the files itself")
	notesFlag(cmd, &flags.allNote)
	scopeFlag(cmd, &flags.scope)
	return cmd
}

// checkRender refuses flags that do not go together.
func (r *runner) checkRender(cmd *cobra.Command, flags renderFlags) error {
	toDir := flags.out != "" && flags.out != "-"
	switch {
	case cmd.Flags().Changed("out") && flags.out == "":
		return usage("--out is empty")
	case flags.prune && !toDir:
		return usage("--prune goes with --out DIR")
	case flags.allowEmpty && !toDir:
		return usage("--allow-empty goes with --out DIR")
	case flags.forInstall && (r.format != formatJSON || flags.out != ""):
		return usage("--for-install goes with --format json and without --out")
	case flags.out == "-" && r.format == formatJSON:
		return usage("--out - writes a tar: leave --format json or --out away")
	}
	if _, is := terminal(r.screen); is && flags.out == "-" {
		return usage("a tar is not written to a terminal: redirect it")
	}
	return nil
}

// renderTo renders the selection and hands it on the way that was asked for.
func (r *runner) renderTo(flags renderFlags, opt render.Options) error {
	m, result, err := r.renderedOrEmpty(opt, flags.allowEmpty)
	if err != nil {
		return err
	}
	if flags.out == "" && r.format == formatText && len(result.Files) > 1 {
		return severalFiles(result.Files)
	}
	if r.format == formatText {
		if err := r.report(m.diags, m.files()); err != nil {
			return err
		}
	}
	r.tellNotes(result.Notes, flags.allNote)
	switch {
	case flags.out == "-":
		return tree.Tar(r.Out, result.Files)
	case flags.out != "":
		return r.renderDir(m, result, flags, r.lookFor(m, result.Scope, opt))
	case r.format == formatJSON:
		return r.json(r.Out, renderDocumentOf(m, result, nil))
	}
	_, err = r.Out.Write(result.Files[0].Data)
	return err
}

// severalFiles says why nothing is printed: standard output takes one file.
func severalFiles(files []render.File) error {
	const shown = 10
	names := make([]string, 0, shown+1)
	for i, f := range files {
		if i == shown {
			names = append(names, fmt.Sprintf("and %d more", len(files)-shown))
			break
		}
		names = append(names, f.Path)
	}
	return usage("standard output takes one file, and these are %d:\n  %s\nname a directory with --out DIR, take a tar with --out - or JSON with --format json, or select one file with -a NAME -p HOST",
		len(files), strings.Join(names, "\n  "))
}

// lookFor says which files of a directory a selection is about: only those that
// it could have rendered.
func (r *runner) lookFor(m *loaded, scope schema.Scope, opt render.Options) tree.Look {
	look := tree.Look{Scope: scope}
	for _, p := range all.Providers {
		if facts := p.Facts(); len(opt.Providers) == 0 || slices.Contains(opt.Providers, facts.ID) {
			look.Providers = append(look.Providers, facts)
		}
	}
	if len(opt.Agents) == 0 && len(opt.Tags) == 0 {
		return look
	}
	look.Stems = []string{}
	for _, e := range m.Entries() {
		if opt.Selects(e) {
			look.Stems = append(look.Stems, e.Stem())
		}
	}
	return look
}

// actions says what writing does to a file, by what lies in its place.
var actions = map[tree.Status]string{
	tree.Missing: "created", tree.Changed: "updated", tree.LineEndings: "updated", tree.Equal: "unchanged",
}

// renderDir writes the files below a directory.
func (r *runner) renderDir(m *loaded, result *render.Result, flags renderFlags, look tree.Look) error {
	state, err := tree.Examine(r.path(flags.out), result.Files, look)
	if err != nil {
		return err
	}
	if blocked := state.Blocked(); len(blocked) > 0 {
		for _, f := range blocked {
			fmt.Fprintf(r.Err, "subagents: %s: %s\n", f.Path, f.Why)
		}
		return nope("nothing is written to %s: take out of the way what is in the way, or choose another directory", flags.out)
	}
	ctx, done := untilStopped()
	err = state.Write(ctx, flags.prune)
	done()
	if err != nil {
		return err
	}
	if flags.allowEmpty {
		if err := state.MakePlaces(look); err != nil {
			return err
		}
	}
	if !flags.prune {
		state.Strays = nil
	}
	if r.format == formatJSON {
		return r.json(r.Out, renderDocumentOf(m, result, state))
	}
	for _, f := range state.Files {
		if f.Status != tree.Equal {
			r.done("%-7s  %s", actions[f.Status], f.Path)
		}
	}
	for _, name := range state.Strays {
		r.done("%-7s  %s", "deleted", oneLine(name))
	}
	created, same := state.Count(tree.Missing), state.Count(tree.Equal)
	summary := fmt.Sprintf("%s in %s: %d created, %d updated, %d unchanged",
		plural(len(state.Files), "file"), flags.out, created, len(state.Files)-created-same, same)
	if flags.prune {
		summary += fmt.Sprintf(", %d deleted", len(state.Strays))
	}
	r.done("%s", summary)
	return nil
}

// renderDocumentOf makes the JSON document: with the contents, or with what was
// done to a directory.
func renderDocumentOf(m *loaded, result *render.Result, state *tree.State) renderDocument {
	doc := renderDocument{
		Version: documentVersion, Scope: result.Scope, Files: []renderedFile{},
		Notes: notesOf(result.Notes), Problems: problemsOf(m.diags),
	}
	for i, f := range result.Files {
		sum := sha256.Sum256(f.Data)
		file := renderedFile{Path: f.Path, Agent: f.Agent, Provider: f.Provider, SHA256: hex.EncodeToString(sum[:])}
		if state == nil {
			file.Content = new(fileText(f.Data))
		} else {
			file.Action = actions[state.Files[i].Status]
			doc.Deleted = state.Strays
		}
		doc.Files = append(doc.Files, file)
	}
	return doc
}
