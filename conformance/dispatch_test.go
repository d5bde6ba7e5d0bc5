//go:build conformance

package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-337579fc/subagents/conformance/clients"
	"github.com/seed-337579fc/subagents/conformance/standin"
	"github.com/seed-337579fc/subagents/internal/orchestrate"
	"github.com/seed-337579fc/subagents/render"
	"github.com/seed-337579fc/subagents/schema"
)

// The command lines that dispatch prints are run with the real clients: the task has to arrive word for word, and what
// runs in the end has to have the body of the file. FEATURES T98.

const (
	dispatchedBody = "Instructions of the dispatched sub-agent."
	dispatchedTask = "--look at \"it\", it's $(here).\n\n@x second line\n"
)

// dispatching plays the model: a main thread that may start sub-agents hands the task over, everybody else answers.
type dispatching struct {
	call    func(*standin.Request) (standin.Call, bool)
	started chan struct{}
	once    sync.Once
	mu      sync.Mutex
	main    []*standin.Request // that have the task, without the body
	agent   []*standin.Request // that have the body
}

func (d *dispatching) script(ctx context.Context, request *standin.Request) standin.Reply {
	d.mu.Lock()
	isAgent := strings.Contains(strings.Join(request.System, "\n"), dispatchedBody)
	switch {
	case isAgent:
		d.agent = append(d.agent, request)
		d.once.Do(func() { close(d.started) })
	case request.Said(dispatchedTask):
		d.main = append(d.main, request)
	}
	d.mu.Unlock()
	if isAgent || len(request.Tools) == 0 {
		return standin.Reply{Text: "done"}
	}
	if len(request.Results()) > 0 {
		select { // a main thread that ends takes its children with it
		case <-d.started:
		case <-ctx.Done():
		}
		return standin.Reply{Text: "done"}
	}
	if call, ok := d.call(request); ok {
		return standin.Reply{Calls: []standin.Call{call}}
	}
	return standin.Reply{Text: "done"}
}

// dispatch renders a reviewer into the project, asks for the command line and runs it.
func dispatch(t *testing.T, key string, id schema.ProviderID, call func(*standin.Request) (standin.Call, bool), surroundings func(Bench, string) ([]string, error)) *dispatching {
	t.Helper()
	at, bench := find(t, key), newBench(t)
	manifest := filepath.Join(t.TempDir(), "subagents.yml")
	text := fmt.Sprintf("guard: none\nsubagents: [{name: dispatched, description: Reviews. Use when asked., kind: reviewer, access: read-only, tools: [read, search], instructions: %q}]\n", dispatchedBody)
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, diags, err := schema.LoadFiles([]string{manifest}, schema.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	result, diags := render.Render(m, render.Options{Providers: []schema.ProviderID{id}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	order := orchestrate.NewOrder(m, m.Entry("dispatched"), dispatchedTask)
	if err := order.For(&result.Agents[0], result.Scope); err != nil {
		t.Fatal(err)
	}
	if err := bench.putRendered(result, id); err != nil {
		t.Fatal(err)
	}
	d := &dispatching{call: call, started: make(chan struct{})}
	server, err := standin.Start(d.script)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	env, err := surroundings(bench, server.URL())
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, at, bench, order, env)
	return d
}

func (d *dispatching) run(t *testing.T, at clients.Client, bench Bench, order *orchestrate.Order, env []string) {
	t.Helper()
	if err := gitInit(bench.Project()); err != nil {
		t.Fatal(err)
	}
	c := order.Command
	if want := map[schema.ProviderID]string{schema.ClaudeID: "claude", schema.CodexID: "codex", schema.GooseID: "goose", schema.OpenCodeID: "opencode"}[c.Provider]; c.Argv[0] != want {
		t.Fatalf("the command starts %q", c.Argv[0])
	}
	out, err := command{
		Path: at.Path, Args: c.Argv[1:], Dir: bench.Project(), Env: append(bench.baseEnv(), env...), Input: strings.NewReader(c.Stdin),
	}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out.Exit != 0 {
		t.Fatalf("%s: exit %d: %s%s", c.Line, out.Exit, out.Stdout, out.Stderr)
	}
	if len(d.agent) == 0 {
		t.Fatalf("%s: the sub-agent did not run: %s%s", c.Line, out.Stdout, out.Stderr)
	}
}

func TestClaudeDispatch(t *testing.T) {
	d := dispatch(t, "claude", schema.ClaudeID, func(*standin.Request) (standin.Call, bool) { return standin.Call{}, false },
		func(bench Bench, url string) ([]string, error) {
			return []string{
				"CLAUDE_CONFIG_DIR=" + filepath.Join(bench.Home(), "claude"), "ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=not-a-key",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "ENABLE_TOOL_SEARCH=false",
			}, bench.prepareHome("claude")
		})
	main := d.agent[0] // it is the main thread itself
	if !main.Said(strings.TrimRight(dispatchedTask, "\n")) {
		t.Errorf("the task arrived as %+v", main.Messages)
	}
	for _, tool := range main.Tools {
		if tool.Name != "Read" && tool.Name != "Grep" {
			t.Errorf("the main thread has %s", tool.Name)
		}
	}
}

func TestCodexDispatch(t *testing.T) {
	d := dispatch(t, "codex", schema.CodexID,
		func(r *standin.Request) (standin.Call, bool) {
			tool, ok := r.Tool("spawn_agent")
			return standin.Call{Namespace: tool.Namespace, Name: tool.Name, Input: map[string]any{"agent_type": "dispatched", "message": dispatchedTask}}, ok
		},
		func(bench Bench, url string) ([]string, error) {
			home := filepath.Join(bench.Home(), "codex")
			config := "model_provider = 'standin'\nmodel = " + quote(CodexParentModel) + "\ncheck_for_update_on_startup = false\n" +
				"[model_providers.standin]\nname = 'standin'\nbase_url = '" + url + "/v1'\nwire_api = 'responses'\nrequest_max_retries = 0\nstream_max_retries = 0\n" +
				"[analytics]\nenabled = false\n[projects." + quote(bench.Project()) + "]\ntrust_level = 'trusted'\n"
			if err := bench.put("home/codex/config.toml", config); err != nil {
				return nil, err
			}
			return []string{"CODEX_HOME=" + home}, bench.prepareHome("codex")
		})
	d.handedOver(t, "dispatched")
	if mode := CodexTurn(d.agent[0], "sandbox_mode"); mode != "read-only" {
		t.Errorf("the role runs in the sandbox %q", mode)
	}
}

func TestGooseDispatch(t *testing.T) {
	dispatch(t, "goose", schema.GooseID,
		func(r *standin.Request) (standin.Call, bool) {
			_, ok := r.Tool("delegate")
			return standin.Call{Name: "delegate", Input: map[string]any{"source": "dispatched", "instructions": dispatchedTask}}, ok
		},
		func(bench Bench, url string) ([]string, error) {
			return []string{
				"GOOSE_PATH_ROOT=" + filepath.Join(bench.Home(), "goose"), "GOOSE_DISABLE_KEYRING=1", "GOOSE_TELEMETRY_ENABLED=false",
				"GOOSE_PROVIDER=ollama", "GOOSE_MODEL=" + GooseParentModel, "OLLAMA_HOST=" + url,
			}, bench.prepareHome()
		}).handedOver(t, "dispatched")
}

func TestOpenCodeDispatch(t *testing.T) {
	dispatch(t, "opencode", schema.OpenCodeID,
		func(r *standin.Request) (standin.Call, bool) {
			_, ok := r.Tool("task")
			return standin.Call{Name: "task", Input: map[string]any{"description": "x", "subagent_type": "dispatched", "prompt": dispatchedTask}}, ok
		},
		func(bench Bench, url string) ([]string, error) {
			config := `{"model": "fake/m1", "small_model": "fake/m1", "provider": {"fake": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": ` + quote(url+"/v1") +
				`, "apiKey": "none"}, "models": {"m1": {"name": "m1", "tool_call": true, "limit": {"context": 100000, "output": 1000}}}}}}`
			if err := bench.put("project/opencode.json", config); err != nil {
				return nil, err
			}
			home := func(name string) string { return filepath.Join(bench.Home(), name) }
			return []string{
				"XDG_CONFIG_HOME=" + home("config"), "XDG_DATA_HOME=" + home("data"), "XDG_CACHE_HOME=" + home("cache"), "XDG_STATE_HOME=" + home("state"),
				"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_PURE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
				"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_SHARE=1", "npm_config_offline=true",
			}, bench.prepareHome()
		}).handedOver(t, "dispatched")
}

// handedOver checks that the main thread was told which sub-agent to start, with the task word for word.
func (d *dispatching) handedOver(t *testing.T, name string) {
	t.Helper()
	if len(d.main) == 0 {
		t.Fatal("the main thread did not get the task word for word")
	}
	if !d.main[0].Said(`"` + name + `"`) {
		t.Errorf("the main thread was not told what to start: %+v", d.main[0].Messages)
	}
}
