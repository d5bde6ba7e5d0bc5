package orchestrate

import (
	"fmt"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// A Command is the command line of a host that starts a subagent on a task.
type Command struct {
	Provider schema.ProviderID `json:"provider"`
	Line     string            `json:"line"`  // for a POSIX shell: Argv with Stdin
	Argv     []string          `json:"argv"`  // without a shell
	Stdin    string            `json:"stdin"` // what the program is to read; may be empty
	// Levels says of each key of the order what the host does with it.
	Levels map[string]providers.Level `json:"levels"`
	// Proof says how it is known that the host takes this command.
	Proof string   `json:"proof"`
	Notes []string `json:"notes"`

	own map[string]providers.Level // what the command itself decides
}

// maxArgument is the size from which Linux refuses one argument, its final NUL
// included (MAX_ARG_STRLEN, execve(2)).
const maxArgument = 128 << 10

// line writes the command for a POSIX shell. Standard input is never left open:
// Codex and OpenCode read it to its end before they start (observed on 0.171.0
// and 1.18.33).
func (c *Command) line() string {
	argv := shellescape.QuoteCommand(c.Argv)
	if c.Stdin == "" {
		return argv + " </dev/null"
	}
	return "printf %s " + shellescape.Quote(c.Stdin) + " | " + argv
}

// A request is what a form fills in.
type request struct {
	order    *Order
	rendered *render.Rendered
}

// name is the subagent's name on the host.
func (q *request) name() string { return q.rendered.Agent.Slug }

// forms has the command of each host.
var forms = map[schema.ProviderID]func(*request) *Command{
	schema.ClaudeID:   claude,
	schema.CodexID:    codex,
	schema.GooseID:    goose,
	schema.KiroID:     kiro,
	schema.OpenCodeID: openCode,
}

// How the commands are known.
const (
	observed   = "observed"   // run with the real client against a model stand-in
	documented = "documented" // from the host's documentation alone
)

// claude runs the subagent as the main thread, where its tools and model hold.
func claude(q *request) *Command {
	c := &Command{
		Argv: []string{"claude", "-p", "--agent", q.name()}, Stdin: q.plainTask(),
		Proof: observed + ": Claude Code 2.1.332 runs the agent as its main thread, with the tools and the model of its file",
	}
	c.trust("--allowedTools=", q.trusted())
	if q.order.Policy.Isolation == "worktree" {
		c.own = map[string]providers.Level{"isolation": providers.Unsupported}
		c.Notes = append(c.Notes, "The main thread gets no worktree of its own: run the command in one.")
	}
	return c
}

// codex asks the main thread to spawn the role: a role cannot be the main
// thread. A child always has the session's sandbox, which makes read-only hold.
func codex(q *request) *Command {
	sandbox := "workspace-write"
	if q.order.Input.Mode == ReadOnly {
		sandbox = "read-only"
	}
	return &Command{
		Argv:  []string{"codex", "exec", "--sandbox", sandbox, "-"},
		Stdin: q.handOver(fmt.Sprintf("Spawn one subagent with agent_type %q, without a fork of this conversation.", q.name())),
		Proof: observed + ": Codex CLI 0.171.0 takes it and runs the role in the sandbox of the session; that its model spawns the role is up to the model",
		own:   map[string]providers.Level{"access": providers.Enforced},
	}
}

// goose asks the main thread to delegate: an agent file is no session of its
// own, and a recipe that is run directly takes no task.
func goose(q *request) *Command {
	c := &Command{
		Argv:  []string{"goose", "run", "--no-session", "-i", "-"},
		Stdin: q.handOver(fmt.Sprintf("Call the delegate tool with source %q.", q.name())),
		Proof: observed + ": goose 1.52.0 takes it and delegates to the agent; that its model does so is up to the model",
		// Observed on 1.52.0: the modes approve and smart_approve wait for a person.
		Notes: []string{"With GOOSE_MODE approve or smart_approve goose delegates nothing without a person."},
	}
	if block, ok := q.rendered.Agent.Block.(*schema.Goose); ok && block.Format == "recipe" {
		c.Notes = append(c.Notes, fmt.Sprintf("A recipe that needs no task runs by itself: goose run --recipe %s.", q.name()))
	}
	return c
}

// kiro runs the subagent as the main thread. Without trusted tools a run without
// a person is refused whatever asks. Whether the client reads a prompt from
// standard input is documented nowhere.
func kiro(q *request) *Command {
	c := &Command{
		Argv:  []string{"kiro-cli", "chat", "--no-interactive", "--agent", q.name()},
		Proof: documented + ": kiro.dev/docs/cli/headless and kiro.dev/docs/cli/reference/cli-commands",
	}
	c.trust("--trust-tools=", q.trusted())
	c.Argv = append(c.Argv, q.plainTask())
	return c
}

// openCode asks the main thread to use the task tool: --agent takes no agent
// whose mode is subagent, and run sends @NAME as mere text. On standard input
// because run puts quotes around an argument with spaces. Observed on 1.18.33.
func openCode(q *request) *Command {
	return &Command{
		Argv:  []string{"opencode", "run"},
		Stdin: q.handOver(fmt.Sprintf("Call the task tool with subagent_type %q (@%s).", q.name(), q.name())),
		Proof: observed + ": OpenCode 1.18.33 takes it and runs the agent in a session of its own; that its model calls the tool is up to the model",
	}
}

// handOver tells a main thread what to do with the task, in front of it.
func (q *request) handOver(how string) string {
	return how + " Give it the task below word for word, wait for it, and answer with its report and nothing else.\n\n" + q.order.Input.Task
}

// plainTask is the task as the main thread gets it. One that the client would
// take for a command or a flag of its own gets a line before it.
func (q *request) plainTask() string {
	task := q.order.Input.Task
	if first := strings.TrimSpace(task)[0]; first == '/' || first == '-' || first == '!' || first == '#' {
		return "Task:\n\n" + task
	}
	return task
}

// trust adds an allow-list, which a run without a person needs: nobody is there
// to be asked.
func (c *Command) trust(flag string, tools []string) {
	if len(tools) > 0 {
		c.Argv = append(c.Argv, flag+strings.Join(tools, ","))
		c.Notes = append(c.Notes, fmt.Sprintf("%s lets these tools run without asking; whatever else would ask is refused.", strings.TrimSuffix(flag, "=")))
	}
}

// trusted lists the native tools that the order lets run without asking. A
// shell that ought only to read is not among them: nothing would hold it to
// that.
func (q *request) trusted() []string {
	verbs := q.order.Policy.Tools
	if verbs == nil && q.rendered.Agent.Access == "workspace-write" {
		verbs = append(slices.Clone(baseline), schema.Edit)
	}
	tools := &all.Get(q.rendered.Provider).Facts().Tools
	var natives []string
	for _, v := range verbs {
		if q.order.Input.Mode == ReadOnly && v.Mutating() {
			continue
		}
		for _, n := range tools.Native(v) {
			if !slices.Contains(natives, n) {
				natives = append(natives, n)
			}
		}
	}
	return natives
}
