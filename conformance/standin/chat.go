package standin

import (
	"encoding/json"
	"net/http"
)

// OpenAI chat completions, as goose (its ollama provider) and OpenCode (its openai-compatible provider) use it:
// https://platform.openai.com/docs/api-reference/chat.

type chatBody struct {
	Model           string `json:"model"`
	Stream          bool   `json:"stream"`
	ReasoningEffort string `json:"reasoning_effort"`
	Tools           []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Messages []struct {
		Role       string  `json:"role"`
		Content    content `json:"content"`
		ToolCallID string  `json:"tool_call_id"`
	} `json:"messages"`
}

func decodeChat(data []byte, r *Request) error {
	var body chatBody
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	r.Model, r.Stream, r.Effort = body.Model, body.Stream, body.ReasoningEffort
	for _, t := range body.Tools {
		r.Tools = append(r.Tools, Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	for _, m := range body.Messages {
		switch m.Role {
		case "system", "developer":
			r.System = append(r.System, m.Content.text())
		case "tool":
			r.Messages = append(r.Messages, Message{Role: "user", Results: []Result{{ID: m.ToolCallID, Text: m.Content.text()}}})
		default:
			r.Messages = append(r.Messages, Message{Role: m.Role, Text: m.Content.text()})
		}
	}
	return nil
}

func writeChat(w http.ResponseWriter, r *Request, reply Reply) error {
	message := map[string]any{"role": "assistant", "content": reply.Text}
	finish := "stop"
	if len(reply.Calls) > 0 {
		message["tool_calls"], finish = chatCalls(reply.Calls), "tool_calls"
	}
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
	answer := map[string]any{"id": "chatcmpl-standin", "created": 0, "model": r.Model}
	if !r.Stream {
		answer["object"], answer["usage"] = "chat.completion", usage
		answer["choices"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(answer)
	}

	s := newStream(w)
	answer["object"] = "chat.completion.chunk"
	answer["choices"] = []any{map[string]any{"index": 0, "delta": message, "finish_reason": nil}}
	s.event("", answer)
	answer["choices"] = []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}
	answer["usage"] = usage
	s.event("", answer)
	s.raw("data: [DONE]")
	return s.err
}

func chatCalls(calls []Call) []any {
	var all []any
	for i, call := range calls {
		all = append(all, map[string]any{
			"index": i, "id": call.ID, "type": "function",
			"function": map[string]any{"name": call.Name, "arguments": call.inputText()},
		})
	}
	return all
}
