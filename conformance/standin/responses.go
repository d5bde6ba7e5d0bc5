package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// OpenAI Responses, as Codex uses it: https://platform.openai.com/docs/api-reference/responses-streaming.

type responsesBody struct {
	Model        string `json:"model"`
	Stream       bool   `json:"stream"`
	Instructions string `json:"instructions"`
	Reasoning    struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
	Tools []responsesTool `json:"tools"`
	Input []responsesItem `json:"input"`
}

// responsesTool is a tool, or a namespace that holds tools.
type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Tools       []responsesTool `json:"tools"`
}

// responsesItem is any item of the input: a message, a call, or a call's output. Codex sends part of its tools as an
// additional_tools item (since 0.16x, models of the second multi-agent generation).
type responsesItem struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content content         `json:"content"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
	Tools   []responsesTool `json:"tools"`
}

func decodeResponses(data []byte, r *Request) error {
	var body responsesBody
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	r.Model, r.Stream, r.Effort = body.Model, body.Stream, body.Reasoning.Effort
	if body.Instructions != "" {
		r.System = append(r.System, body.Instructions)
	}
	r.addTools("", body.Tools)
	for _, item := range body.Input {
		r.addItem(item)
	}
	return nil
}

func (r *Request) addTools(namespace string, tools []responsesTool) {
	for _, t := range tools {
		switch {
		case t.Type == "namespace":
			r.addTools(t.Name, t.Tools)
		case t.Name == "": // a tool that the service itself runs, such as web_search
			r.Tools = append(r.Tools, Tool{Name: t.Type})
		default:
			r.Tools = append(r.Tools, Tool{Namespace: namespace, Name: t.Name, Description: t.Description, Schema: t.Parameters})
		}
	}
}

func (r *Request) addItem(item responsesItem) {
	switch {
	case item.Type == "additional_tools":
		r.addTools("", item.Tools)
	case strings.HasSuffix(item.Type, "_call_output"):
		r.Messages = append(r.Messages, Message{Role: "user", Results: []Result{{ID: item.CallID, Text: outputText(item.Output)}}})
	case item.Role == "developer" || item.Role == "system":
		for _, p := range item.Content {
			r.System = append(r.System, p.Text)
		}
	case item.Role == "user", item.Type == "agent_message":
		r.Messages = append(r.Messages, Message{Role: "user", Text: item.Content.text()})
	case item.Role != "":
		r.Messages = append(r.Messages, Message{Role: item.Role, Text: item.Content.text()})
	}
}

// outputText reads a call's output: a text, parts, or an object {content, success}.
func outputText(output json.RawMessage) string {
	var text content
	if len(output) == 0 || text.UnmarshalJSON(output) != nil {
		return string(output)
	}
	return text.text()
}

func writeResponses(w http.ResponseWriter, r *Request, reply Reply) error {
	var items []map[string]any
	if reply.Text != "" || len(reply.Calls) == 0 {
		items = append(items, map[string]any{
			"type": "message", "role": "assistant", "id": "msg_standin", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": reply.Text, "annotations": []any{}}},
		})
	}
	for _, call := range reply.Calls {
		items = append(items, callItem(call))
	}
	response := map[string]any{
		"id": fmt.Sprintf("resp_%p", r), "object": "response", "model": r.Model, "status": "completed", "output": items,
		"usage": map[string]any{
			"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
		},
	}
	if !r.Stream {
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(response)
	}
	s := newStream(w)
	s.event("response.created", map[string]any{"type": "response.created", "response": map[string]any{"id": response["id"]}})
	for i, item := range items {
		s.event("response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	s.event("response.completed", map[string]any{"type": "response.completed", "response": response})
	return s.err
}

func callItem(call Call) map[string]any {
	item := map[string]any{"type": "function_call", "id": "fc_" + call.ID, "call_id": call.ID, "name": call.Name, "status": "completed"}
	if call.Freeform {
		item["type"], item["id"], item["input"] = "custom_tool_call", "ctc_"+call.ID, call.inputText()
	} else {
		item["arguments"] = call.inputText()
	}
	if call.Namespace != "" {
		item["namespace"] = call.Namespace
	}
	return item
}
