package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// Goose drives goose as a parent that delegates, which is how agent files are used and one of two ways to use a
// recipe. Its ACP mode lists what can be delegated to, one headless run delegates to all of it. Observed with 1.52.0.
type Goose struct {
	At clients.Client
}

// GooseParentModel is the model that goose's main thread uses.
const GooseParentModel = "standin-root"

// Client is the client that is run.
func (g Goose) Client() clients.Client { return g.At }

// Run is [Driver]\'s.
func (g Goose) Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error) {
	probes = append(slices.Clone(probes), Probe{Name: controlName, File: ".goose/agents/" + controlName + ".md"})
	control := fmt.Sprintf("---\nname: %s\ndescription: Control.\n---\n%s\n", controlName, controlBody)
	if err := bench.put("project/.goose/agents/"+controlName+".md", control); err != nil {
		return nil, err
	}
	if err := bench.prepareHome(); err != nil {
		return nil, err
	}
	talk := newDialogue(probes, 10, func(index int, _ *standin.Request) standin.Call {
		return standin.Call{Name: "delegate", Input: map[string]any{"source": probes[index].Name, "instructions": probePrompt(index)}}
	})
	talk.aside = isGooseTitle
	server, err := standin.Start(talk.script)
	if err != nil {
		return nil, err
	}
	defer server.Close()

	out, err := gooseCommand(g.At, bench, server.URL(), "run", "--no-session", "-t", parentPrompt).run(ctx)
	if err != nil {
		return nil, err
	}
	run := &Run{Client: g.At, Agents: talk.observations(), Parent: talk.parent}
	if out.Exit != 0 || run.Parent == nil {
		run.Failure = fmt.Sprintf("exit %d: %s%s", out.Exit, out.Stdout, out.Stderr)
		return run, nil
	}
	if err := run.listGoose(ctx, bench, server.URL()); err != nil {
		return nil, err
	}
	if run.Complaints, err = gooseComplaints(bench, probes); err != nil {
		return nil, err
	}
	err = run.settleControl()
	run.takeGooseAnswerForm()
	return run, err
}

// gooseAnswerForm starts the text that the client puts before the body of a recipe with a response, and
// gooseAnswerFormEnd ends it.
const (
	gooseAnswerForm    = "# Final Output Instructions\n"
	gooseAnswerFormEnd = "\n----\n\n\n"
)

// takeGooseAnswerForm takes that text from the bodies.
func (r *Run) takeGooseAnswerForm() {
	for i := range r.Agents {
		if agent := &r.Agents[i]; strings.HasPrefix(agent.Body, gooseAnswerForm) {
			_, agent.Body, agent.BodyFound = strings.Cut(agent.Body, gooseAnswerFormEnd)
		}
	}
}

// gooseCommand uses goose's ollama provider, the one that needs no key.
func gooseCommand(at clients.Client, bench Bench, url string, args ...string) command {
	return command{
		Path: at.Path, Args: args, Dir: bench.Project(),
		Env: append(bench.baseEnv(),
			"GOOSE_PATH_ROOT="+filepath.Join(bench.Home(), "goose"), "GOOSE_DISABLE_KEYRING=1", "GOOSE_TELEMETRY_ENABLED=false",
			"GOOSE_PROVIDER=ollama", "GOOSE_MODEL="+GooseParentModel, "OLLAMA_HOST="+url,
			// A recipe that names another provider finds the stand-in there as well.
			"OPENAI_HOST="+url, "OPENAI_API_KEY=not-a-key",
			// A recipe with a response schema asks for its result until it gets one, which the stand-in never gives.
			"GOOSE_MAX_TURNS=50"),
	}
}

// isGooseTitle recognises the request that names the session.
func isGooseTitle(request *standin.Request) bool {
	return len(request.System) > 0 && strings.HasPrefix(request.System[0], "Generate a short title")
}

// listGoose asks what goose would delegate to, and what it read from the agent files.
func (r *Run) listGoose(ctx context.Context, bench Bench, url string) error {
	project := quote(bench.Project())
	acp := gooseCommand(r.Client, bench, url, "acp")
	acp.Input = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"_goose/unstable/agent-mentions/list","params":{"cwd":` + project + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"_goose/unstable/sources/list","params":{"type":"agent","projectDir":` + project + `}}` + "\n")
	out, err := acp.run(ctx)
	if err != nil {
		return err
	}
	var mentions struct {
		Agents []struct{ Name, Description string }
	}
	if err := rpcResult(out.Stdout, 2, &mentions); err != nil {
		return err
	}
	for _, agent := range mentions.Agents {
		r.list(agent.Name, agent.Description, nil, nil)
	}
	var definitions struct{ Sources []json.RawMessage }
	if err := rpcResult(out.Stdout, 3, &definitions); err != nil {
		return err
	}
	for _, source := range definitions.Sources {
		var named struct{ Name string }
		if err := json.Unmarshal(source, &named); err != nil {
			return err
		}
		if agent := r.Agent(named.Name); agent != nil {
			agent.Definition = string(source)
		}
	}
	return nil
}

// rpcResult decodes the result of one JSON-RPC call from a stream of one message a line.
func rpcResult(stdout string, id int, result any) error {
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 256<<20)
	for lines.Scan() {
		var reply struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if json.Unmarshal(lines.Bytes(), &reply) != nil || reply.ID != id {
			continue
		}
		if reply.Result == nil {
			return fmt.Errorf("call %d was answered with an error: %s", id, reply.Error)
		}
		return json.Unmarshal(reply.Result, result)
	}
	return fmt.Errorf("call %d was not answered:\n%.2000s", id, stdout)
}

// gooseComplaints reads the client's log files, which alone say why an agent file was skipped.
func gooseComplaints(bench Bench, probes []Probe) ([]Complaint, error) {
	var lines []string
	logs := filepath.Join(bench.Home(), "goose", "state", "logs")
	err := filepath.WalkDir(logs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".log" {
			return err
		}
		data, err := os.ReadFile(path)
		lines = append(lines, strings.Split(string(data), "\n")...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("logs of the client: %w", err)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return !strings.Contains(line, "WARN") && !strings.Contains(line, "ERROR") })
	return attribute(lines, probes), nil
}
