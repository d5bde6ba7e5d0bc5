package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// Claude drives Claude Code. One start of the client answers everything: its initialize reply lists the sub-agents
// with their descriptions, a prompt then makes the main thread spawn them, and its debug file holds the warnings.
// Command line and reply observed with 2.1.332.
type Claude struct {
	At clients.Client
	// Untrusted leaves the project without the trust that inline mcpServers and hooks of project files want.
	Untrusted bool
	// PermissionMode of the main thread; "" is the client's default.
	PermissionMode string
	// Servers are the session's MCP servers by name, as in .mcp.json.
	Servers map[string]any
}

// The model and effort of Claude's main thread, which a sub-agent inherits when its file names none. No tier and no
// neutral effort leads to them.
const (
	ClaudeParentModel  = "claude-fable-5-1"
	ClaudeParentEffort = "max"
)

// claudeMemory starts the text that the client adds to the body of a sub-agent with memory.
const claudeMemory = "\n\n# Persistent Agent Memory\n"

// claudeBuiltins are listed without any file. Source: the initialize reply of 2.1.332 in an empty project.
var claudeBuiltins = []string{"claude", "Explore", "general-purpose", "Plan", "statusline-setup"}

// Client is the client that is run.
func (c Claude) Client() clients.Client { return c.At }

// Run is [Driver]\'s.
func (c Claude) Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error) {
	probes = append(slices.Clone(probes), Probe{Name: controlName, File: ".claude/agents/" + controlName + ".md"})
	if err := c.prepare(bench); err != nil {
		return nil, err
	}
	talk := newDialogue(probes, 10, claudeSpawn(probes))
	talk.started = func(result string) bool { return strings.HasPrefix(result, "Async agent launched") } // background: true
	server, err := standin.Start(talk.script)
	if err != nil {
		return nil, err
	}
	defer server.Close()

	out, err := c.command(bench, server.URL()).run(ctx)
	if err != nil {
		return nil, err
	}
	run := &Run{Client: c.At, Agents: talk.observations(), Parent: talk.parent}
	if out.Exit != 0 {
		run.Failure = fmt.Sprintf("exit %d: %s", out.Exit, out.Stderr)
		return run, nil
	}
	if err := run.readClaudeList(out.Stdout); err != nil {
		return nil, err
	}
	log, err := os.ReadFile(filepath.Join(bench.Home(), "debug.log"))
	if err != nil {
		return nil, fmt.Errorf("debug file of the client: %w", err)
	}
	run.Log = string(log)
	run.Complaints = claudeComplaints(run.Log, probes)
	return run, run.settleControl(claudeMemory)
}

func (c Claude) prepare(bench Bench) error {
	if err := bench.prepareHome("claude"); err != nil {
		return err
	}
	control := fmt.Sprintf("---\nname: %s\ndescription: Control.\n---\n%s\n", controlName, controlBody)
	if err := bench.put("project/.claude/agents/"+controlName+".md", control); err != nil {
		return err
	}
	if err := gitInit(bench.Project()); err != nil {
		return err
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": c.Servers})
	if err != nil {
		return err
	}
	if err := bench.put("home/mcp.json", string(servers)); err != nil {
		return err
	}
	if c.Untrusted {
		return nil
	}
	trusted, err := json.Marshal(map[string]any{"projects": map[string]any{
		bench.Project(): map[string]any{"hasTrustDialogAccepted": true},
	}})
	if err != nil {
		return err
	}
	return bench.put("home/claude/.claude.json", string(trusted))
}

func (c Claude) command(bench Bench, url string) command {
	args := []string{
		"-p", "--setting-sources", "project", "--model", ClaudeParentModel, "--effort", ClaudeParentEffort,
		"--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--debug-file", filepath.Join(bench.Home(), "debug.log"),
	}
	if c.Servers != nil {
		args = append(args, "--mcp-config", filepath.Join(bench.Home(), "mcp.json"))
	}
	if c.PermissionMode != "" {
		args = append(args, "--permission-mode", c.PermissionMode)
	}
	prompt, _ := json.Marshal(parentPrompt)
	return command{
		Path: c.At.Path, Args: args, Dir: bench.Project(),
		Input: strings.NewReader(`{"type":"control_request","request_id":"list","request":{"subtype":"initialize"}}` + "\n" +
			`{"type":"user","message":{"role":"user","content":` + string(prompt) + `}}` + "\n"),
		Env: append(bench.baseEnv(),
			"CLAUDE_CONFIG_DIR="+filepath.Join(bench.Home(), "claude"), "ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=not-a-key",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
			"MCP_TIMEOUT=300000", "CLAUDE_CODE_MCP_STARTUP_WAIT_MS=300000",
			// Otherwise some tools are not in the request but behind a search tool.
			"ENABLE_TOOL_SEARCH=false"),
	}
}

func claudeSpawn(probes []Probe) func(int, *standin.Request) standin.Call {
	return func(index int, _ *standin.Request) standin.Call {
		return standin.Call{Name: "Agent", Input: map[string]any{
			"description": "probe", "subagent_type": probes[index].Name, "prompt": probePrompt(index), "run_in_background": false,
		}}
	}
}

// readClaudeList reads the initialize reply, the first line of the output that carries the request's id.
func (r *Run) readClaudeList(stdout string) error {
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 256<<20)
	for lines.Scan() {
		var reply struct {
			Response struct {
				RequestID string `json:"request_id"`
				Response  struct {
					Agents []json.RawMessage `json:"agents"`
				} `json:"response"`
			} `json:"response"`
		}
		if json.Unmarshal(lines.Bytes(), &reply) != nil || reply.Response.RequestID != "list" {
			continue
		}
		for _, raw := range reply.Response.Response.Agents {
			var agent struct{ Name, Description string }
			if err := json.Unmarshal(raw, &agent); err != nil {
				return fmt.Errorf("list of the client: %w", err)
			}
			r.list(agent.Name, agent.Description, raw, claudeBuiltins)
		}
		return nil
	}
	return fmt.Errorf("the client sent no initialize reply:\n%.2000s", stdout)
}

// Lines of the debug file that speak of agent files: an error or a warning, or one of the client's [agents] notes; and
// those among them that only say that hooks are in place.
var (
	claudeComplaint = regexp.MustCompile(`\[(ERROR|WARN)\]|\[agents\]|[Aa]gent (file|'|")`)
	claudeRoutine   = regexp.MustCompile(`\[DEBUG\] (Registered \d+ frontmatter hook|Converting Stop hook to SubagentStop)`)
)

func claudeComplaints(log string, probes []Probe) []Complaint {
	var lines []string
	for line := range strings.Lines(log) {
		if claudeComplaint.MatchString(line) && !claudeRoutine.MatchString(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return attribute(lines, probes)
}
