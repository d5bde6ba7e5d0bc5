package cli

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/seed-337579fc/subagents/internal/contract"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// Further formats of test.
const (
	formatTAP   = "tap"
	formatJUnit = "junit"
)

// testDocument is what test --format json prints.
type testDocument struct {
	Version int          `json:"version"`
	Passed  int          `json:"passed"`
	Failed  int          `json:"failed"`
	Files   []testedFile `json:"files"`
}

// testedFile is a contract.
type testedFile struct {
	File  string       `json:"file"`
	Cases []testedCase `json:"cases"`
}

// testedCase is an expectation of a contract.
type testedCase struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Range   span   `json:"range"` // in the contract
}

func (r *runner) testCommand() *cobra.Command {
	cmd := uses(&cobra.Command{
		Use:   "test FILE...",
		Short: "Hold a catalogue against contracts: exact models, tools and phrases on each host",
		Long: `Test renders the manifest that a contract names and checks, host by host, that the
native files say exactly what the contract expects: models, efforts, tools,
sandbox, MCP servers, phrases and their order, nicknames, who may start whom. A
contract is YAML; docs/contract.schema.json is its JSON Schema. -f tests another
manifest than the contract names.

The output is TAP; --format junit and json give the same for other readers.

Exit codes: 0 every expectation holds; 1 some do not.`,
		Args: upToArgs(1, 1<<20, "a contract FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			var suites []*contract.Suite
			for _, name := range args {
				suite, err := r.test(name)
				if err != nil {
					return err
				}
				suites = append(suites, suite)
			}
			return r.tellTests(suites)
		},
	}, flagManifest, flagOutside, flagPolicy, flagFormat)
	return withFormats(cmd, formatTAP, formatJUnit)
}

// test holds one contract against its manifest.
func (r *runner) test(name string) (*contract.Suite, error) {
	data, err := r.input(name)
	if err != nil {
		return nil, reading(err)
	}
	src := schema.NewSource(name, data)
	c, diags := contract.Load(src)
	if len(diags) > 0 {
		if err := r.report(settle(diags), map[string]*hcl.File{name: src.File()}); err != nil {
			return nil, err
		}
	}
	if diags.HasErrors() {
		return nil, unusable()
	}
	m, err := r.manifestOf(name, c)
	if err != nil {
		return nil, err
	}
	result := m.render(render.Options{Scope: c.Scope})
	if m.diags.HasErrors() {
		return nil, r.unusable(m)
	}
	return c.Check(m.Manifest, result), nil
}

// manifestOf loads the manifest that a contract is about.
func (r *runner) manifestOf(name string, c *contract.Contract) (*loaded, error) {
	if len(r.manifests) > 0 || c.Manifest == "" {
		return r.needManifest()
	}
	of := *r
	of.manifests = []string{c.Manifest}
	if c.Manifest != builtin && !filepath.IsAbs(c.Manifest) {
		of.manifests = []string{filepath.Join(filepath.Dir(name), filepath.FromSlash(c.Manifest))}
	}
	return of.needManifest()
}

func (r *runner) tellTests(suites []*contract.Suite) error {
	doc := testDocument{Version: documentVersion, Files: []testedFile{}}
	for _, s := range suites {
		file := testedFile{s.File, []testedCase{}}
		for _, c := range s.Cases {
			file.Cases = append(file.Cases, testedCase{c.Name, c.Problem == "", c.Problem, span{placeOf(c.At.Start), placeOf(c.At.End)}})
		}
		doc.Failed += s.Failed()
		doc.Passed += len(s.Cases) - s.Failed()
		doc.Files = append(doc.Files, file)
	}
	var err error
	switch r.format {
	case formatJSON:
		err = r.json(r.Out, doc)
	case formatJUnit:
		err = contract.WriteJUnit(r.Out, suites)
	default:
		err = contract.WriteTAP(r.Out, suites)
		r.note("%d passed, %d failed", doc.Passed, doc.Failed)
	}
	if err == nil {
		err = answer(doc.Failed > 0)
	}
	return err
}
