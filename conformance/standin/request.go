package standin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Request is one model request of a client, the same for every protocol.
type Request struct {
	Protocol string // "messages", "responses" or "chat/completions"
	Header   http.Header
	Body     json.RawMessage // as received

	Model    string
	Effort   string
	Stream   bool
	System   []string // system and developer texts, in the order sent
	Tools    []Tool
	Messages []Message
}

// Tool is one tool that the client offers. Namespace is used by the Responses protocol alone.
type Tool struct {
	Namespace, Name, Description string
	Schema                       json.RawMessage
}

// Message is one turn of the conversation that is not part of the system prompt.
type Message struct {
	Role    string // "user" or "assistant"
	Text    string
	Results []Result
}

// Result is what the client reports about a tool call of the model.
type Result struct {
	ID, Text string
	Failed   bool // as the client says; protocols without such a flag leave it false
}

// Said reports whether the person's side of the conversation, tool results left out, contains text.
func (r *Request) Said(text string) bool {
	for _, m := range r.Messages {
		if m.Role == "user" && strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// Results returns every tool result of the conversation, in order.
func (r *Request) Results() []Result {
	var all []Result
	for _, m := range r.Messages {
		all = append(all, m.Results...)
	}
	return all
}

// Texts returns everything that the model reads: system texts, the conversation, and the tools, each with the texts in
// its schema.
func (r *Request) Texts() []string {
	texts := slices.Clone(r.System)
	for _, m := range r.Messages {
		texts = append(texts, m.Text)
	}
	for _, t := range r.Tools {
		texts = append(texts, t.Description)
		texts = schemaTexts(texts, t.Schema)
	}
	return texts
}

// schemaTexts adds the texts of a JSON value.
func schemaTexts(texts []string, value json.RawMessage) []string {
	decoder := json.NewDecoder(bytes.NewReader(value))
	for {
		token, err := decoder.Token()
		if err != nil {
			return texts
		}
		if text, ok := token.(string); ok {
			texts = append(texts, text)
		}
	}
}

// Tool returns the offered tool of that name, whatever its namespace.
func (r *Request) Tool(name string) (Tool, bool) {
	for _, t := range r.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// ToolNames returns the names of the offered tools in the order sent.
func (r *Request) ToolNames() []string {
	names := make([]string, len(r.Tools))
	for i, t := range r.Tools {
		names[i] = t.Name
	}
	return names
}

// Field returns the JSON text of a body field, "" when absent. The path is a list of object keys.
func (r *Request) Field(path ...string) string {
	value := r.Body
	for _, key := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil || object[key] == nil {
			return ""
		}
		value = object[key]
	}
	return string(value)
}

// content reads a text that a protocol writes either as a string or as a list of typed parts.
type content []part

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Responses protocol: the message of one sub-agent to another, which with the real service is opaque.
	Encrypted string `json:"encrypted_content"`
	// Messages protocol: tool_result parts.
	ToolUseID string  `json:"tool_use_id"`
	Content   content `json:"content"`
	IsError   bool    `json:"is_error"`
}

func (c *content) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case 'n': // null
		return nil
	case '"':
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*c = content{{Type: "text", Text: text}}
		return nil
	case '[':
		return json.Unmarshal(data, (*[]part)(c))
	default:
		return fmt.Errorf("content is neither a text nor a list: %.40s", data)
	}
}

func (c content) text() string {
	var all strings.Builder
	for _, p := range c {
		all.WriteString(p.Text + p.Encrypted)
	}
	return all.String()
}
