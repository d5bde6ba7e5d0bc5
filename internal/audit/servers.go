package audit

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

// servers looks at a mapping of MCP servers.
func (a *agent) servers(n *schema.Node) {
	for _, f := range fields(n) {
		a.server(f.Key, f.Value)
	}
}

// server looks at one MCP server: the program that it starts, or its address.
func (a *agent) server(name string, n *schema.Node) {
	command := n.Get("command")
	if command == nil {
		command = n.Get("cmd")
	}
	if line := commandLine(command, n.Get("args")); len(line) > 0 {
		a.find(CodeServer, command.Range, "the server %q runs %s", name, path.Base(line[0]))
		if what, pinned := fetched(line); !pinned {
			a.find(CodeUnpinned, command.Range, "the server %q runs %s, whose version is not fixed", name, what)
		}
	}
	for _, key := range []string{"url", "uri"} {
		address := n.Get(key)
		if u, err := url.Parse(address.Text()); address != nil && err == nil && u.Scheme == "http" && !local(u.Hostname()) {
			a.find(CodePlainHTTP, address.Range, "the server %q is reached by plain http", name)
		}
	}
}

func local(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

// commandLine puts a program and its arguments together; a program written with
// arguments is cut at blanks.
func commandLine(command, args *schema.Node) []string {
	line, _ := providers.Texts(command)
	if command != nil && command.Kind == schema.String {
		line = strings.Fields(command.Str)
	}
	for _, arg := range args.List() {
		line = append(line, arg.Text())
	}
	return line
}

// A runner is a program that fetches another one and runs it.
type runner struct {
	program string
	verbs   []string // words between the program and what it fetches
	options []string // options that name what is fetched
	values  []string // options with a value that is something else
	pinned  func() *regexp.Regexp
}

var (
	nodePin   = lazyregexp.New(`.@v?\d+\.\d+\.\d+([+-][0-9A-Za-z.+-]*)?$|#[0-9a-f]{40}$`)
	pythonPin = lazyregexp.New(`.(===?|@)v?\d+(\.\d+)*([a-z0-9.+-]*)$|@[0-9a-f]{40}$`)
	imagePin  = lazyregexp.New(`@sha256:[0-9a-f]{64}$|:[^:/]*\d[^:/]*$`)
)

var runners = []runner{
	{"npx", nil, []string{"-p", "--package"}, nil, nodePin},
	{"bunx", nil, nil, nil, nodePin},
	{"pnpx", nil, nil, nil, nodePin},
	{"npm", []string{"exec"}, []string{"--package"}, nil, nodePin},
	{"npm", []string{"x"}, []string{"--package"}, nil, nodePin},
	{"pnpm", []string{"dlx"}, []string{"--package"}, nil, nodePin},
	{"yarn", []string{"dlx"}, []string{"-p", "--package"}, nil, nodePin},
	{"bun", []string{"x"}, nil, nil, nodePin},
	{"uvx", nil, []string{"--from"}, []string{"--with", "--python", "-p", "--index-url", "--index", "--directory"}, pythonPin},
	{"uv", []string{"tool", "run"}, []string{"--from"}, []string{"--with", "--python", "-p"}, pythonPin},
	{"pipx", []string{"run"}, []string{"--spec"}, nil, pythonPin},
	{"docker", []string{"run"}, nil, []string{"-e", "--env", "-v", "--volume", "--name", "--network", "-p", "--mount", "-w", "-u", "--user", "--entrypoint", "--env-file"}, imagePin},
	{"podman", []string{"run"}, nil, []string{"-e", "--env", "-v", "--volume", "--name", "--network", "-p", "--mount", "-w", "-u", "--user", "--entrypoint", "--env-file"}, imagePin},
}

// fetched gives what a command line fetches and runs, and whether its version is
// fixed. One that fetches nothing is.
func fetched(line []string) (what string, pinned bool) {
	program := strings.TrimSuffix(path.Base(strings.ReplaceAll(line[0], `\`, "/")), ".cmd")
	for _, r := range runners {
		if r.program != program || len(line) <= len(r.verbs) || !slices.Equal(r.verbs, line[1:1+len(r.verbs)]) {
			continue
		}
		if what = r.target(line[1+len(r.verbs):]); what == "" || strings.HasPrefix(what, ".") || strings.HasPrefix(what, "/") {
			return what, true
		}
		return what, r.pinned().MatchString(what)
	}
	return "", true
}

// target finds the package among arguments.
func (r *runner) target(args []string) string {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(r.options, name) && joined:
			return value
		case slices.Contains(r.options, name) && i+1 < len(args):
			return args[i+1]
		case slices.Contains(r.values, name) && !joined:
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}
