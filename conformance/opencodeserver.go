package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/seed-337579fc/subagents/conformance/clients"
)

// openCodeServer is a running "opencode serve" and a client of its HTTP interface.
type openCodeServer struct {
	url, project string
	cmd          *exec.Cmd
	log          *lockedBuffer
}

var openCodeListening = regexp.MustCompile(`listening on (http://127\.0\.0\.1:\d+)`)

func startOpenCode(ctx context.Context, at clients.Client, bench Bench) (*openCodeServer, error) {
	home := func(name string) string { return filepath.Join(bench.Home(), name) }
	cmd := command{
		Path: at.Path, Args: []string{"serve", "--hostname", "127.0.0.1", "--port", "0"}, Dir: bench.Project(),
		Env: append(bench.baseEnv(),
			"XDG_CONFIG_HOME="+home("config"), "XDG_DATA_HOME="+home("data"), "XDG_CACHE_HOME="+home("cache"), "XDG_STATE_HOME="+home("state"),
			"OPENCODE_TEST_MANAGED_CONFIG_DIR="+home("managed"),
			"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_PURE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_CLAUDE_CODE=1", "OPENCODE_DISABLE_EXTERNAL_SKILLS=1", "OPENCODE_DISABLE_SHARE=1",
			"npm_config_offline=true"),
	}.prepare(ctx)
	s := &openCodeServer{project: bench.Project(), cmd: cmd, log: &lockedBuffer{}}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start opencode: %w", err)
	}
	deadline := time.Now().Add(3 * time.Minute)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		if match := openCodeListening.FindStringSubmatch(s.log.String()); match != nil {
			s.url = match[1]
			return s, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.stop()
	return nil, fmt.Errorf("opencode serve did not come up:\n%s", s.log.String())
}

func (s *openCodeServer) stop() {
	killGroup(s.cmd)
	_ = s.cmd.Wait() // it was killed
}

func (s *openCodeServer) printed() []string { return strings.Split(s.log.String(), "\n") }

// call sends a request for the project. A request that arrives just as the port opens can hang for ever, so a GET is
// given up and sent again.
func (s *openCodeServer) call(ctx context.Context, method, path string, input any) (status int, body []byte, err error) {
	if method != http.MethodGet {
		return s.send(ctx, method, path, input)
	}
	for range 6 {
		attempt, cancel := context.WithTimeout(ctx, 30*time.Second)
		status, body, err = s.send(attempt, method, path, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	return status, body, err
}

func (s *openCodeServer) send(ctx context.Context, method, path string, input any) (int, []byte, error) {
	data, err := json.Marshal(input)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, s.inProject(path), bytes.NewReader(data))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("opencode %s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// prompt says text in a new session and returns when the main thread has finished. Nobody is there to be asked, so
// every permission that the client asks for is refused, as opencode run does.
func (s *openCodeServer) prompt(ctx context.Context, text string) error {
	status, body, err := s.call(ctx, http.MethodPost, "/session", map[string]any{})
	if err != nil {
		return err
	}
	var session struct{ ID string }
	if err := json.Unmarshal(body, &session); err != nil || session.ID == "" {
		return fmt.Errorf("opencode gave no session: status %d: %s", status, body)
	}
	asking, done := context.WithCancel(ctx)
	defer done()
	go s.refusePermissions(asking)
	message := map[string]any{"parts": []any{map[string]any{"type": "text", "text": text}}}
	status, body, err = s.call(ctx, http.MethodPost, "/session/"+session.ID+"/message", message)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("opencode refused the prompt: status %d: %s", status, body)
	}
	return err
}

func (s *openCodeServer) refusePermissions(ctx context.Context) {
	for ctx.Err() == nil {
		_, body, err := s.call(ctx, http.MethodGet, "/permission", nil)
		var asked []struct{ ID string }
		if err == nil && json.Unmarshal(body, &asked) == nil {
			for _, a := range asked {
				_, _, _ = s.call(ctx, http.MethodPost, "/permission/"+a.ID+"/reply", map[string]any{"reply": "reject"})
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// lockedBuffer collects the output of a process that is still running.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
