package cli

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed-337579fc/subagents/internal/edit"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// skeleton is the body of a new entry, with placeholders that validate refuses.
//
//go:embed skeleton.md
var skeleton string

// newFlags are the flags of new.
type newFlags struct {
	kind, description, access, tier, from string
	tools, targets                        []string
}

// The values of the flags of new.
var (
	kindValues = []string{"executor", "reviewer"}
	accesses   = []string{"read-only", "workspace-write"}
	tiers      = []string{"light", "standard", "deep"}
)

func (r *runner) newCommand() *cobra.Command {
	var flags newFlags
	cmd := uses(&cobra.Command{
		Use:   "new [NAME]",
		Short: "Add a subagent to the manifest: a skeleton to fill in, or a copy with changes",
		Long: `New adds an entry with a body of five sections, in which placeholders say what to
write; validate refuses the manifest until they are gone. With --from, keys and
body are those of another entry, and the flags change them. On a terminal it asks
for a name and a description that are missing; elsewhere it writes nothing then.
The rest of the manifest stays as it is, byte for byte.

Exit codes: 0 done; 1 refused: the name is taken, or a value is not possible;
2 something is missing.`,
		Args: upToArgs(0, 1, "NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			return r.new(strings.Join(args, ""), flags)
		},
	}, editing...)
	f := cmd.Flags()
	f.StringVar(&flags.description, "description", "", "what it does and when to use it")
	f.StringVar(&flags.kind, "kind", "", "what it is: "+strings.Join(kindValues, " or "))
	f.StringVar(&flags.access, "access", "", "what it may change: "+strings.Join(accesses, " or "))
	f.StringSliceVar(&flags.tools, "tools", nil, "tools that it may use: "+join(schema.Verbs()))
	f.StringVar(&flags.tier, "tier", "", "tier of its model: "+strings.Join(tiers, ", "))
	f.StringSliceVar(&flags.targets, "targets", nil, "hosts that it is for: "+join(schema.ProviderIDs()))
	f.StringVar(&flags.from, "from", "", "`NAME` of the entry to start from")
	for name, values := range flags.values() {
		register(cmd, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	register(cmd, "from", r.completeNames)
	return cmd
}

// values lists what the flags with fixed values take.
func (*newFlags) values() map[string][]string {
	return map[string][]string{"kind": kindValues, "access": accesses, "tier": tiers, "tools": words(schema.Verbs()), "targets": words(schema.ProviderIDs())}
}

// check refuses values that no flag takes.
func (n *newFlags) check() error {
	given := map[string][]string{"tools": n.tools, "targets": n.targets}
	for name, value := range map[string]string{"kind": n.kind, "access": n.access, "tier": n.tier} {
		if value != "" {
			given[name] = []string{value}
		}
	}
	for _, name := range []string{"kind", "access", "tier", "tools", "targets"} {
		for _, value := range given[name] {
			if err := oneOf(name, value, n.values()[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) new(name string, flags newFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	e, err := r.editor()
	if err != nil {
		return err
	}
	entry := &schema.Node{Kind: schema.Map}
	if flags.from != "" {
		from, err := e.find(flags.from)
		if err != nil {
			return err
		}
		entry = edit.Renamed(from.Node, name)
	}
	if err := r.ask(&name, &flags); err != nil {
		return err
	}
	if e.Entry(name) != nil {
		return nope("there is a subagent %q already", name)
	}
	flags.fill(entry, name)
	data, err := e.file.Insert(entry)
	if err := e.save(data, err, schema.CodePlaceholder); err != nil {
		return err
	}
	if r.done("%s: added %s", e.name, name); flags.from == "" {
		r.note("Write what its placeholders ask for; `subagents validate` names those that are left.")
	}
	r.remind()
	return nil
}

// ask asks for what is missing, on a terminal.
func (r *runner) ask(name *string, flags *newFlags) error {
	needs := []struct {
		flag, question string
		value          *string
	}{
		{"NAME", "Name (lower-case letters, digits, hyphens): ", name},
		{"--description", "Description (what it does, and when to use it): ", &flags.description},
	}
	if flags.from != "" {
		needs = needs[:1]
	}
	var missing []string
	for _, need := range needs {
		if *need.value == "" {
			missing = append(missing, need.flag)
		}
	}
	in, is := r.In.(*os.File)
	switch {
	case len(missing) == 0:
		return nil
	case !is || !term.IsTerminal(int(in.Fd())):
		return usage("new needs %s; it asks for them on a terminal alone, and nothing is written", strings.Join(missing, " and "))
	}
	lines := bufio.NewReader(in)
	for _, need := range needs {
		if *need.value != "" {
			continue
		}
		fmt.Fprint(r.Err, need.question)
		line, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return machine("reading an answer: %w", err)
		}
		if *need.value = strings.TrimSpace(line); *need.value == "" {
			return usage("new needs %s; nothing is written", need.flag)
		}
	}
	return nil
}

// fill puts the values of the flags into an entry, and a body if it has none.
func (n *newFlags) fill(entry *schema.Node, name string) {
	text := func(s string) *schema.Node {
		if s == "" {
			return nil
		}
		return providers.TextNode(s, hcl.Range{})
	}
	list := func(items []string) *schema.Node {
		if items == nil {
			return nil
		}
		return providers.ListNode(items, hcl.Range{})
	}
	set(entry, "name", text(name))
	set(entry, "description", text(n.description))
	set(entry, "kind", text(n.kind))
	set(entry, "access", text(n.access))
	set(entry, "tools", list(n.tools))
	set(entry, "tier", text(n.tier))
	set(entry, "targets", list(n.targets))
	if entry.Get("instructions") == nil && entry.Get("instructions_file") == nil {
		set(entry, "instructions", text(skeleton))
	}
}

// set gives an entry a key, in its place or at the end. A nil value changes
// nothing.
func set(entry *schema.Node, key string, value *schema.Node) {
	if value == nil {
		return
	}
	if f := entry.Field(key); f != nil {
		f.Value = value
		return
	}
	entry.Fields = append(entry.Fields, schema.Field{Key: key, Value: value})
}
