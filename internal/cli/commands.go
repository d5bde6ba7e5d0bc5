package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// commands lists the constructors of the commands. A new command is a file of
// its own and one line here.
var commands = []func(*runner) *cobra.Command{
	(*runner).initCommand,
	(*runner).validateCommand,
	(*runner).schemaCommand,
	(*runner).listCommand,
	(*runner).showCommand,
	(*runner).renderCommand,
	(*runner).checkCommand,
	(*runner).installCommand,
	(*runner).uninstallCommand,
	(*runner).statusCommand,
	(*runner).matrixCommand,
	(*runner).auditCommand,
	(*runner).resolveCommand,
	(*runner).dispatchCommand,
	(*runner).matchCommand,
	(*runner).verdictCommand,
	(*runner).testCommand,
	(*runner).importCommand,
	(*runner).reconcileCommand,
	(*runner).newCommand,
	(*runner).addCommand,
	(*runner).copyCommand,
	(*runner).rmCommand,
	(*runner).ejectCommand,
	(*runner).fmtCommand,
	(*runner).convertCommand,
	(*runner).manCommand,
	(*runner).versionCommand,
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// upToArgs refuses more than n arguments, and fewer than least.
func upToArgs(least, n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s needs %s", cmd.CommandPath(), what)
		case len(args) > n:
			return usage("%s takes no argument %q after %s", cmd.CommandPath(), args[n], what)
		}
		return nil
	}
}

// standardCommands puts cobra's own commands right, which answer a wrong
// argument with a help text and exit code 0.
func (r *runner) standardCommands(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Short = "Print the completion script for a shell"
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				return usage("%s needs a shell: bash, zsh, fish or powershell", cmd.CommandPath())
			}
		}
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage("there is no command %q", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	})
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		r.hideUnused(cmd)
		help(cmd, args)
	})
}
