package goose

import (
	"bytes"
	"encoding/json"

	"github.com/seed-337579fc/subagents/schema"
)

// The forms on the wire: as in the schema's types, with the keys in their
// order. Documentation: recipes/recipe-reference; observed on 1.52.0.

type wireSettings struct {
	GooseProvider string   `json:"goose_provider,omitempty"`
	GooseModel    string   `json:"goose_model,omitempty"`
	Temperature   *float64 `json:"temperature,omitempty"`
	MaxTurns      *int     `json:"max_turns,omitempty"`
}

type wireResponse struct {
	JSONSchema ordered `json:"json_schema"`
}

type wireRetry struct {
	MaxRetries              int         `json:"max_retries"`
	Checks                  []wireCheck `json:"checks"`
	OnFailure               string      `json:"on_failure,omitempty"`
	TimeoutSeconds          *int        `json:"timeout_seconds,omitempty"`
	OnFailureTimeoutSeconds *int        `json:"on_failure_timeout_seconds,omitempty"`
}

type wireCheck struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

func wireRetryOf(r *schema.GooseRetry) wireRetry {
	w := wireRetry{r.MaxRetries, make([]wireCheck, len(r.Checks)), r.OnFailure, r.TimeoutSeconds, r.OnFailureTimeoutSeconds}
	for i, c := range r.Checks {
		w.Checks[i] = wireCheck(c)
	}
	return w
}

type wireSubRecipe struct {
	Name                   string            `json:"name"`
	Path                   string            `json:"path"`
	Values                 map[string]string `json:"values,omitzero"`
	SequentialWhenRepeated *bool             `json:"sequential_when_repeated,omitempty"`
	Description            string            `json:"description,omitempty"`
}

// ordered writes a value with its keys in the manifest's order: the model is
// shown the properties of an answer as they stand in the file.
type ordered struct{ node *schema.Node }

// MarshalJSON writes the value.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := o.write(&b, o.node)
	return b.Bytes(), err
}

func (o ordered) write(b *bytes.Buffer, n *schema.Node) error {
	switch n.Kind {
	case schema.Map:
		b.WriteByte('{')
		for i, f := range n.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := o.scalar(b, f.Key); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := o.write(b, f.Value); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case schema.List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := o.write(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	default:
		return o.scalar(b, n.Interface())
	}
	return nil
}

func (ordered) scalar(b *bytes.Buffer, v any) error {
	data, err := json.Marshal(v)
	b.Write(data)
	return err
}
