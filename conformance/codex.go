package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
)

// Codex drives Codex: one codex exec spawns every role. Observed with 0.148.0 and 0.171.0.
type Codex struct {
	At clients.Client
	// Untrusted leaves the project untrusted, so that its roles must not load.
	Untrusted bool
	// Model of the main thread, "" for CodexParentModel. It decides which shape of spawn_agent the client uses: a
	// model that the client does not know gets the first (namespace multi_agent_v1), gpt-6.2-sol the second
	// (namespace collaboration).
	Model string
	// Settings are further -c settings of the session, "key=value" with a TOML value.
	Settings []string
}

// The model and effort of Codex's main thread. No catalogue knows the model, so the client checks no effort for it.
const (
	CodexParentModel  = "standin-root"
	CodexParentEffort = "xhigh"
)

var codexBuiltins = []string{"default", "explorer", "worker"}

// Client is the client that is run.
func (c Codex) Client() clients.Client { return c.At }

// Run is [Driver]\'s.
func (c Codex) Run(ctx context.Context, bench Bench, probes []Probe) (*Run, error) {
	probes = append(slices.Clone(probes), Probe{Name: controlName, File: ".codex/agents/" + controlName + ".toml"})
	control := fmt.Sprintf("name = %q\ndescription = \"Control.\"\ndeveloper_instructions = %q\n", controlName, controlBody)
	if err := bench.put("project/.codex/agents/"+controlName+".toml", control); err != nil {
		return nil, err
	}
	if err := bench.prepareHome("codex"); err != nil {
		return nil, err
	}
	talk := newDialogue(probes, 10, codexSpawn(probes))
	talk.started = func(result string) bool {
		return strings.HasPrefix(result, `{"agent_id":`) || strings.HasPrefix(result, `{"task_name":`)
	}
	server, err := standin.Start(talk.script)
	if err != nil {
		return nil, err
	}
	defer server.Close()

	out, err := c.start(ctx, bench, server.URL())
	if err != nil {
		return nil, err
	}
	run := &Run{Client: c.At, Agents: talk.observations(), Parent: talk.parent, Complaints: codexComplaints(out, probes)}
	if run.Parent == nil {
		run.Failure = fmt.Sprintf("exit %d: %s", out.Exit, out.Stderr)
		return run, nil
	}
	run.readCodexRoles()
	if c.Untrusted {
		run.takeControl()
		return run, nil
	}
	for _, agent := range run.Agents {
		if agent.Spawned != nil {
			agent.Spawned.System = slices.DeleteFunc(agent.Spawned.System, isModelSwitch)
		}
	}
	return run, run.settleControl()
}

// start runs the client, and takes away the folder that 0.171.0 makes outside of TMPDIR when it first runs a command in
// its sandbox, unless it was there before or is in use.
func (c Codex) start(ctx context.Context, bench Bench, url string) (output, error) {
	made := filepath.Join("/tmp", fmt.Sprintf("codex-daemon-%d", os.Getuid()))
	if _, err := os.Lstat(made); errors.Is(err, fs.ErrNotExist) {
		defer os.Remove(made) // which takes an empty folder alone
	}
	return c.command(bench, url).run(ctx)
}

// isModelSwitch recognises the developer message that 0.171.0 puts before all others when a second-generation main
// thread starts a sub-agent with another model.
func isModelSwitch(text string) bool { return strings.HasPrefix(text, "<model_switch>") }

func (c Codex) command(bench Bench, url string) command {
	model := c.Model
	if model == "" {
		model = CodexParentModel
	}
	settings := append([]string{
		`model_provider="standin"`,
		`model_providers.standin={name="standin",base_url="` + url + `/v1",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
		"model=" + quote(model), "model_reasoning_effort=" + quote(CodexParentEffort),
		"agents.max_threads=1000", // closing each sub-agent would cost a turn of the main thread
		"analytics.enabled=false", "check_for_update_on_startup=false",
	}, c.Settings...)
	if !c.Untrusted {
		// The dotted form of this key does not work with a path in it.
		settings = append(settings, "projects={"+quote(bench.Project())+`={trust_level="trusted"}}`)
	}
	args := []string{"exec", "--json", "--skip-git-repo-check"}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return command{
		Path: c.At.Path, Args: append(args, parentPrompt), Dir: bench.Project(),
		Env: append(bench.baseEnv(), "CODEX_HOME="+filepath.Join(bench.Home(), "codex"), "RUST_LOG=warn"), // its default is error
	}
}

// quote writes a TOML basic string; a JSON string is one, for the plain texts used here.
func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

func codexSpawn(probes []Probe) func(int, *standin.Request) standin.Call {
	return func(index int, parent *standin.Request) standin.Call {
		tool, _ := parent.Tool("spawn_agent")
		input := map[string]any{"agent_type": probes[index].Name, "message": probePrompt(index)}
		if tool.Namespace == "collaboration" {
			input["task_name"], input["fork_turns"] = fmt.Sprintf("probe_%d", index), "none"
		}
		return standin.Call{Namespace: tool.Namespace, Name: "spawn_agent", Input: input}
	}
}

// CodexTurn returns a field of the turn metadata that Codex sends along with a request, for instance sandbox_mode.
func CodexTurn(request *standin.Request, field string) string {
	var metadata map[string]any
	if json.Unmarshal([]byte(request.Header.Get("X-Codex-Turn-Metadata")), &metadata) != nil {
		return ""
	}
	text, _ := metadata[field].(string)
	return text
}

// codexComplaints reads the error items of the event stream, which say each warning twice, and the log on stderr.
// A role without description and invalid UTF-8 are complained about without the file's path.
func codexComplaints(out output, probes []Probe) []Complaint {
	var lines []string
	for line := range strings.Lines(out.Stdout) {
		var event struct {
			Item struct{ Type, Message string }
		}
		if json.Unmarshal([]byte(line), &event) == nil && event.Item.Type == "error" && !slices.Contains(lines, event.Item.Message) {
			lines = append(lines, event.Item.Message)
		}
	}
	complaints := attribute(append(lines, strings.Split(out.Stderr, "\n")...), probes)
	for _, line := range lines {
		named := slices.ContainsFunc(complaints, func(c Complaint) bool { return c.Text == line })
		if strings.Contains(line, "agent role") && !named {
			complaints = append(complaints, Complaint{Text: line})
		}
	}
	return complaints
}

// The roles stand in the description of spawn_agent's parameter agent_type, one block each:
//
//	NAME: {
//	DESCRIPTION
//	- This role's model is set to `M` and its reasoning effort is set to `E`. These settings cannot be changed.
//	}
//
// The last line, or two of them, are there only if the role locks something.
var codexLock = regexp.MustCompile("(\n- This role's [^\n]*)+$")

// readCodexRoles lists the roles by the names that the run looks for: descriptions are free text and may hold braces
// and headers of their own, so an unexpected role cannot be told from a line of a description.
func (r *Run) readCodexRoles() {
	tool, _ := r.Parent.Tool("spawn_agent")
	var schema struct {
		Properties struct {
			AgentType struct{ Description string } `json:"agent_type"`
		}
	}
	if len(tool.Schema) == 0 || json.Unmarshal(tool.Schema, &schema) != nil {
		return
	}
	_, text, _ := strings.Cut(schema.Properties.AgentType.Description, "Available roles:\n")
	for _, block := range splitCodexRoles(text, append(r.names(), codexBuiltins...)) {
		if agent := r.Agent(block.name); agent != nil {
			agent.Listed, agent.Definition = true, block.text
			agent.Description = codexLock.ReplaceAllString(block.text, "")
		}
	}
}

type codexRole struct{ name, text string }

func splitCodexRoles(text string, names []string) []codexRole {
	text = "\n}\n" + text + "\n"
	type header struct{ name, start, end int }
	var headers []header
	for i, name := range names {
		open := "\n}\n" + name + ": {\n"
		if at := strings.Index(text, open); at >= 0 {
			headers = append(headers, header{i, at, at + len(open)})
		}
	}
	slices.SortFunc(headers, func(a, b header) int { return a.start - b.start })
	var roles []codexRole
	for i, h := range headers {
		end := strings.LastIndex(text, "\n}\n")
		if i+1 < len(headers) {
			end = headers[i+1].start
		}
		roles = append(roles, codexRole{names[h.name], text[h.end:max(h.end, end)]})
	}
	return roles
}
