package standin

import (
	"encoding/json"
	"net/http"
)

// Anthropic Messages: https://docs.claude.com/en/api/messages and /messages-streaming.

type messagesBody struct {
	Model        string  `json:"model"`
	Stream       bool    `json:"stream"`
	System       content `json:"system"`
	OutputConfig struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
}

func decodeMessages(data []byte, r *Request) error {
	var body messagesBody
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	r.Model, r.Stream, r.Effort = body.Model, body.Stream, body.OutputConfig.Effort
	for _, block := range body.System {
		r.System = append(r.System, block.Text)
	}
	for _, t := range body.Tools {
		r.Tools = append(r.Tools, Tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
	}
	for _, m := range body.Messages {
		message := Message{Role: m.Role, Text: m.Content.text()}
		for _, p := range m.Content {
			if p.Type == "tool_result" {
				message.Results = append(message.Results, Result{ID: p.ToolUseID, Text: p.Content.text(), Failed: p.IsError})
			}
		}
		r.Messages = append(r.Messages, message)
	}
	return nil
}

func writeMessages(w http.ResponseWriter, r *Request, reply Reply) error {
	blocks := make([]map[string]any, 0, 1+len(reply.Calls))
	if reply.Text != "" || len(reply.Calls) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": reply.Text})
	}
	for _, call := range reply.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": call.Input})
	}
	message := map[string]any{
		"id": "msg_standin", "type": "message", "role": "assistant", "model": r.Model,
		"stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 10},
	}
	stop := "end_turn"
	if len(reply.Calls) > 0 {
		stop = "tool_use"
	}
	if !r.Stream {
		message["content"], message["stop_reason"] = blocks, stop
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(message)
	}

	message["content"], message["stop_reason"] = []any{}, nil
	s := newStream(w)
	s.event("message_start", map[string]any{"type": "message_start", "message": message})
	for i, block := range blocks {
		streamBlock(s, i, block)
	}
	s.event("message_delta", map[string]any{
		"type": "message_delta", "usage": map[string]any{"output_tokens": 10},
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
	})
	s.event("message_stop", map[string]any{"type": "message_stop"})
	return s.err
}

func streamBlock(s *stream, index int, block map[string]any) {
	start := map[string]any{"type": "text", "text": ""}
	delta := map[string]any{"type": "text_delta", "text": block["text"]}
	if block["type"] == "tool_use" {
		start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
		delta = map[string]any{"type": "input_json_delta", "partial_json": Call{Input: block["input"]}.inputText()}
	}
	s.event("content_block_start", map[string]any{"type": "content_block_start", "index": index, "content_block": start})
	s.event("content_block_delta", map[string]any{"type": "content_block_delta", "index": index, "delta": delta})
	s.event("content_block_stop", map[string]any{"type": "content_block_stop", "index": index})
}
