package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// globals are the flags that every command knows. A command names those that
// it uses (see uses); giving it another one is a mistake, not a silence.
type globals struct {
	manifests    []string
	allowOutside bool
	policies     []string
	providers    []string
	agents       []string
	tags         []string
	format       string
	quiet        bool
	color        string
}

// The names of the global flags that not every command uses.
const (
	flagManifest = "manifest"
	flagOutside  = "allow-outside"
	flagPolicy   = "policy"
	flagProvider = "provider"
	flagAgent    = "agent"
	flagTag      = "tag"
	flagFormat   = "format"
)

var optional = []string{flagManifest, flagOutside, flagPolicy, flagProvider, flagAgent, flagTag, flagFormat}

// selection are the flags of a command that reads a manifest and works on some
// of it.
var selection = []string{flagManifest, flagOutside, flagPolicy, flagProvider, flagAgent, flagTag, flagFormat}

func (r *runner) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.SortFlags = false
	f.StringArrayVarP(&r.manifests, flagManifest, "f", nil, "manifest `FILE`, or builtin: for the built-in catalogue; a later one lies above an earlier one (default: subagents.yml, .yaml, .json, .toml or .hcl here)")
	f.BoolVar(&r.allowOutside, flagOutside, false, "let a manifest include files outside its own directory")
	f.StringArrayVar(&r.policies, flagPolicy, nil, "hold the manifest against the policies of this `FILE`, or against builtin:NAME, beside its own; may be repeated")
	f.StringSliceVarP(&r.providers, flagProvider, "p", nil, "only these hosts: "+join(schema.ProviderIDs()))
	f.StringSliceVarP(&r.agents, flagAgent, "a", nil, "only the subagents of these names")
	f.StringSliceVar(&r.tags, flagTag, nil, "only subagents with one of these tags, and those without any")
	f.StringVar(&r.format, flagFormat, formats[0], "output: "+strings.Join(formats, " or "))
	f.BoolVarP(&r.quiet, "quiet", "q", false, "print results and problems only")
	f.StringVar(&r.color, "color", colors[0], "colour: "+strings.Join(colors, ", "))
	for name, values := range map[string][]string{flagProvider: words(schema.ProviderIDs()), "color": colors} {
		register(root, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	register(root, flagFormat, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return formatsOf(cmd), cobra.ShellCompDirectiveNoFileComp
	})
	register(root, flagAgent, r.completeNames)
}

// register sets how a flag is completed. It fails only for a flag that is not
// there, which is a mistake of ours.
func register(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err)
	}
}

const annotation = "flags"

// uses notes which of the optional global flags a command takes.
func uses(cmd *cobra.Command, flags ...string) *cobra.Command {
	cmd.Annotations = map[string]string{annotation: strings.Join(flags, " ")}
	return cmd
}

func takes(cmd *cobra.Command, flag string) bool {
	return !slices.Contains(optional, flag) || slices.Contains(strings.Fields(cmd.Annotations[annotation]), flag)
}

// hideUnused keeps the global flags that a command does not take out of its
// help.
func (r *runner) hideUnused(cmd *cobra.Command) {
	if !cmd.HasParent() {
		return
	}
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = !takes(cmd, f.Name) })
}

// checkGlobals refuses global flags that the command does not take, and values
// that no flag takes, before the command starts.
func (r *runner) checkGlobals(cmd *cobra.Command) error {
	var problem error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch list, isList := f.Value.(pflag.SliceValue); {
		case problem != nil:
		case !takes(cmd, f.Name):
			problem = usage("%s takes no --%s", cmd.CommandPath(), f.Name)
		case isList && (len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")):
			problem = usage("--%s is empty", f.Name)
		}
	})
	if problem != nil {
		return problem
	}
	for _, p := range r.providers {
		if err := oneOf(flagProvider, p, words(schema.ProviderIDs())); err != nil {
			return err
		}
	}
	if err := oneOf("color", r.color, colors); err != nil {
		return err
	}
	return oneOf(flagFormat, r.format, formatsOf(cmd))
}

// oneOf refuses a value that a flag does not take.
func oneOf(flag, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	hint := "possible: " + strings.Join(values, ", ")
	if near := schema.Nearest(value, values); near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return usage("%q is no value for --%s; %s", value, flag, hint)
}

// options gives the selection to the renderer.
func (r *runner) options() render.Options {
	opt := render.Options{Agents: r.agents, Tags: r.tags}
	for _, p := range r.providers {
		opt.Providers = append(opt.Providers, schema.ProviderID(p))
	}
	return opt
}

// scopeFlag adds --scope to a command.
func scopeFlag(cmd *cobra.Command, scope *string) {
	values := []string{string(schema.ProjectScope), string(schema.UserScope)}
	cmd.Flags().StringVar(scope, "scope", "", "layout: "+strings.Join(values, " or ")+" (default: the one scope that the manifest names, else project)")
	register(cmd, "scope", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// scopeOf reads --scope.
func scopeOf(cmd *cobra.Command, scope string) (schema.Scope, error) {
	if !cmd.Flags().Changed("scope") {
		return "", nil
	}
	err := oneOf("scope", scope, []string{string(schema.ProjectScope), string(schema.UserScope)})
	return schema.Scope(scope), err
}

// words turns names of any kind into plain strings.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// join lists names for people.
func join[T ~string](list []T) string { return strings.Join(words(list), ", ") }
