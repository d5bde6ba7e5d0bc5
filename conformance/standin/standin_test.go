package standin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seen is what a decoder is to make of the same conversation in every protocol.
type seen struct {
	Model, Effort string
	System, Tools []string
	User          bool
	Results       []Result
}

const schema = `{"type":"object"}`

var requests = map[string]struct {
	path, body string
	system     []string
	failed     bool
}{
	"Messages": {
		"/v1/messages", `{"model":"m","output_config":{"effort":"high"},"stream":STREAM,
		"system":[{"type":"text","text":"S1"},{"type":"text","text":"S2"}],
		"tools":[{"name":"t","description":"d","input_schema":` + schema + `}],
		"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"t","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"out"}],"is_error":true}]}]}`,
		[]string{"S1", "S2"},
		true,
	},
	"Responses": {
		"/v1/responses", `{"model":"m","reasoning":{"effort":"high"},"stream":STREAM,"instructions":"S1",
		"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"t","description":"d","parameters":` + schema + `}]}],
		"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"S2"}]},
			{"type":"agent_message","content":[{"type":"encrypted_content","encrypted_content":"hello"}]},
			{"type":"function_call","call_id":"c1","name":"t","arguments":"{}"},
			{"type":"function_call_output","call_id":"c1","output":"out"}]}`,
		[]string{"S1", "S2"},
		false,
	},
	"chat completions": {
		"/v1/chat/completions", `{"model":"m","reasoning_effort":"high","stream":STREAM,
		"tools":[{"type":"function","function":{"name":"t","description":"d","parameters":` + schema + `}}],
		"messages":[{"role":"system","content":"S1"},{"role":"user","content":[{"type":"text","text":"hello"}]},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"t","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"c1","content":"out"}]}`,
		[]string{"S1"},
		false,
	},
}

func TestRequestsOfEveryProtocolReadAlike(t *testing.T) {
	for name, test := range requests {
		t.Run(name, func(t *testing.T) {
			server := start(t, func(context.Context, *Request) Reply { return Reply{Text: "ok"} })
			post(t, server.URL()+test.path, strings.Replace(test.body, "STREAM", "true", 1))
			all := server.Requests()
			if len(all) != 1 {
				t.Fatalf("%d requests recorded", len(all))
			}
			r := all[0]
			got := seen{r.Model, r.Effort, r.System, r.ToolNames(), r.Said("hello") && !r.Said("out"), r.Results()}
			want := seen{"m", "high", test.system, []string{"t"}, true, []Result{{ID: "c1", Text: "out", Failed: test.failed}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if tool, ok := r.Tool("t"); !ok || string(tool.Schema) != schema || tool.Description != "d" {
				t.Errorf("tool %+v", tool)
			}
			if got := r.Field("model"); got != `"m"` {
				t.Errorf("field model: %s", got)
			}
		})
	}
}

func TestRepliesHoldTextAndCalls(t *testing.T) {
	reply := Reply{Text: "some words", Calls: []Call{{ID: "c2", Namespace: "n", Name: "t", Input: map[string]any{"path": "a b"}}}}
	for name, test := range requests {
		for _, streamed := range []string{"true", "false"} {
			t.Run(name+"/stream "+streamed, func(t *testing.T) {
				server := start(t, func(context.Context, *Request) Reply { return reply })
				answer := post(t, server.URL()+test.path, strings.Replace(test.body, "STREAM", streamed, 1))
				for line := range strings.Lines(answer) {
					data, isData := strings.CutPrefix(strings.TrimSpace(line), "data: ")
					if isData && data != "[DONE]" && !json.Valid([]byte(data)) {
						t.Errorf("no JSON: %s", data)
					}
				}
				for _, part := range []string{"some words", `"c2"`, `"t"`, `a b`} {
					if !strings.Contains(answer, part) {
						t.Errorf("answer lacks %q:\n%s", part, answer)
					}
				}
			})
		}
	}
}

func TestOtherRequestsAreRefusedAndRemembered(t *testing.T) {
	server := start(t, func(context.Context, *Request) Reply { return Reply{} })
	response, err := http.Get(server.URL() + "/v1/files")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", response.StatusCode)
	}
	if diff := cmp.Diff([]string{"GET /v1/files"}, server.Strays()); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyLoopback(t *testing.T) {
	server := start(t, func(context.Context, *Request) Reply { return Reply{} })
	if !strings.HasPrefix(server.URL(), "http://127.0.0.1:") {
		t.Errorf("listens on %s", server.URL())
	}
}

func TestMCPServer(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"two","method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"pong"}}
{"jsonrpc":"2.0","id":4,"method":"resources/list"}
`
	var out bytes.Buffer
	if err := ServeMCP(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		got = append(got, lines.Text())
	}
	want := []string{`"protocolVersion":"2025-06-18"`, `"name":"ping"`, `"text":"answer of pong"`, `"code":-32601`}
	if len(got) != len(want) {
		t.Fatalf("%d replies: %q", len(got), got)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("reply %d lacks %s: %s", i, want[i], got[i])
		}
	}
}

func start(t *testing.T, script Script) *Server {
	t.Helper()
	server, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s, %v", response.StatusCode, answer, err)
	}
	return string(answer)
}
