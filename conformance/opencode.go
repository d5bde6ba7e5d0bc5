package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// OpenCode drives OpenCode: one opencode serve lists the agents and holds a session whose main thread starts each of
// them through the task tool, which takes primary agents too. Observed with 1.18.33.
type OpenCode struct {
	At clients.Client
	// Config is merged over the session's opencode.json, for instance {"permission": …} or {"mcp": …}.
	Config map[string]any
}

// OpenCodeParentModel is the model of OpenCode's main thread; OpenCodeOtherModel is a second one that the session
// knows, with a variant "high" that sets the reasoning effort. The providers anthropic and openai lead to the
// stand-in as well.
const (
	OpenCodeParentModel = "standin/root"
	OpenCodeOtherModel  = "standin/other"
)

// Client is the client that is run.
func (o OpenCode) Client() clients.Client { return o.At }

// Run is [Driver]\'s.
func (o OpenCode) Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error) {
	probes = append(slices.Clone(probes), Probe{Name: controlName, File: ".opencode/agents/" + controlName + ".md"})
	talk := newDialogue(probes, 10, func(index int, _ *standin.Request) standin.Call {
		return standin.Call{Name: "task", Input: map[string]any{
			"description": "probe", "prompt": probePrompt(index), "subagent_type": probes[index].Name,
		}}
	})
	talk.aside = isOpenCodeTitle
	model, err := standin.Start(talk.script)
	if err != nil {
		return nil, err
	}
	defer model.Close()
	if err := o.prepare(bench, model.URL()); err != nil {
		return nil, err
	}
	server, err := startOpenCode(ctx, o.At, bench)
	if err != nil {
		return nil, err
	}
	defer server.stop()

	run := &Run{Client: o.At, Agents: talk.observations()}
	if run.Failure, err = run.listOpenCode(ctx, server); err != nil || run.Failure != "" {
		return run, err
	}
	if err := server.prompt(ctx, parentPrompt); err != nil {
		return nil, err
	}
	run.Parent = talk.parent
	if run.Complaints, err = openCodeComplaints(bench, server, probes); err != nil {
		return nil, err
	}
	return run, run.settleControl()
}

// isOpenCodeTitle recognises the request that names the session.
func isOpenCodeTitle(request *standin.Request) bool {
	return len(request.System) > 0 && strings.HasPrefix(request.System[0], "You are a title generator")
}

// prepare writes the control, the session's configuration, and what keeps the client from installing its plugin
// package in every configuration folder, which no switch of it does.
func (o OpenCode) prepare(bench Bench, url string) error {
	if err := bench.prepareHome("config/opencode", "data", "cache", "state", "managed"); err != nil {
		return err
	}
	config, err := json.Marshal(o.config(url))
	if err != nil {
		return err
	}
	files := map[string]string{
		"project/opencode.json":                                string(config),
		"project/.opencode/agents/" + controlName + ".md":      fmt.Sprintf("---\ndescription: Control.\nmode: subagent\n---\n\n%s\n", controlBody),
		"project/.opencode/package-lock.json":                  openCodePluginLock,
		"home/config/opencode/package-lock.json":               openCodePluginLock,
		"project/.opencode/node_modules/.package-lock.json":    openCodePluginLock,
		"home/config/opencode/node_modules/.package-lock.json": openCodePluginLock,
	}
	for name, text := range files {
		if err := bench.put(name, text); err != nil {
			return err
		}
	}
	return gitInit(bench.Project()) // the git root ends the client's search for .opencode folders
}

const openCodePluginLock = `{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}`

func (o OpenCode) config(url string) map[string]any {
	model := func(name string) map[string]any {
		return map[string]any{
			"name": name, "tool_call": true, "temperature": true, "reasoning": true,
			"limit":    map[string]any{"context": 1_000_000, "output": 1000},
			"variants": map[string]any{"high": map[string]any{"reasoningEffort": "high"}},
		}
	}
	options := map[string]any{"baseURL": url + "/v1", "apiKey": "not-a-key"}
	config := map[string]any{
		"model": OpenCodeParentModel, "small_model": OpenCodeParentModel,
		"snapshot": false, // a commit for every turn, half of the run's time
		"provider": map[string]any{
			"standin": map[string]any{
				"npm": "@ai-sdk/openai-compatible", "options": options,
				"models": map[string]any{"root": model("root"), "other": model("other")},
			},
			"anthropic": map[string]any{"options": options},
			"openai":    map[string]any{"options": options},
		},
	}
	for key, value := range o.Config {
		config[key] = value
	}
	return config
}

var openCodeBuiltins = []string{"build", "compaction", "explore", "general", "plan", "summary", "title"}

// listOpenCode reads the agents that the client loaded; a value that it refuses in any file is its failure to start.
func (r *Run) listOpenCode(ctx context.Context, server *openCodeServer) (failure string, err error) {
	status, body, err := server.call(ctx, "GET", "/agent", nil)
	if err != nil {
		return "", err
	}
	if status != 200 {
		return string(body), nil
	}
	var agents []json.RawMessage
	if err := json.Unmarshal(body, &agents); err != nil {
		return "", fmt.Errorf("list of the client: %w", err)
	}
	for _, raw := range agents {
		var agent struct{ Name, Description string }
		if err := json.Unmarshal(raw, &agent); err != nil {
			return "", fmt.Errorf("list of the client: %w", err)
		}
		r.list(agent.Name, agent.Description, raw, openCodeBuiltins)
	}
	return "", nil
}

// openCodeComplaints reads the client's log and its terminal output. Of a file that it cannot read the client says
// nothing there: description, permissions and options show those. Observed with 1.18.33.
func openCodeComplaints(bench Bench, server *openCodeServer, probes []Probe) ([]Complaint, error) {
	logs, err := filepath.Glob(filepath.Join(bench.Home(), "data", "opencode", "log", "*.log"))
	if err != nil {
		return nil, err
	}
	if len(logs) == 0 {
		return nil, errors.New("the client keeps its log elsewhere than the suite thinks")
	}
	var lines []string
	for _, log := range logs {
		data, err := os.ReadFile(log)
		if err != nil {
			return nil, fmt.Errorf("log of the client: %w", err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, "WARN") || strings.Contains(line, "ERROR") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return attribute(append(lines, server.printed()...), probes), nil
}

func (s *openCodeServer) inProject(path string) string {
	return s.url + path + "?" + url.Values{"directory": {s.project}}.Encode()
}
