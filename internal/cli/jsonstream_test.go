package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-337579fc/subagents/internal/install"
)

// Documents are written byte for byte as encoding/json writes them.
func TestJSONStream(t *testing.T) {
	type inner struct {
		A int            `json:"a"`
		L []string       `json:"l"`
		M map[string]any `json:"m,omitempty"`
	}
	type outer struct {
		inner
		*install.Report
		Text     fileText        `json:"text"`
		None     *fileText       `json:"none,omitempty"`
		Bytes    []byte          `json:"bytes"`
		Raw      json.RawMessage `json:"raw"`
		Items    []inner         `json:"items"`
		Pointers []*inner        `json:"pointers,omitempty"`
		Nil      []inner         `json:"nil"`
		Empty    []inner         `json:"empty,omitempty"`
		Lists    [][]int         `json:"lists"`
		Time     time.Time       `json:"time"`
		Zero     int             `json:"zero,omitempty"`
		Kept     struct{}        `json:"kept,omitempty"`
		Gone     struct{ A int } `json:"gone,omitzero"`
		Dash     int             `json:"-"`
		Plain    string
		hidden   int
	}
	full := inner{1, []string{"<a>&\u2028\x00", "", "\xff"}, map[string]any{"k": []any{1, nil, map[string]any{}}}}
	for _, document := range []any{
		outer{
			inner: full, Text: fileText("x\n\"<"), Bytes: []byte("x"), Raw: json.RawMessage(`{"a":[1]}`), Items: []inner{full, {}},
			Pointers: []*inner{&full, nil}, Lists: [][]int{{1, 2}, {}, nil}, Plain: "p", hidden: 1,
		},
		&outer{Report: &install.Report{Actions: []install.Line{{Path: "p"}}, Summary: map[install.Act]int{install.Create: 1}}, Raw: json.RawMessage("1")},
		struct{}{},
		inner{},
		[]inner{full},
		map[string]int{"b": 1, "a": 2},
		"text", 1, nil, (*inner)(nil),
		time.Time{},
		struct {
			A int `json:"a,omitempty"`
		}{},
	} {
		var want, got bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(document); err != nil {
			t.Fatal(err)
		}
		if err := writeJSON(&got, document); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%T (-encoding/json +ours):\n%s", document, diff)
		}
	}
}

type full struct{ room int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A write that fails ends the document with its error, wherever it happens.
func TestJSONStreamFails(t *testing.T) {
	document := problemsDocument{1, []problem{{Code: "a"}, {Code: "b"}}}
	var whole bytes.Buffer
	if err := writeJSON(&whole, document); err != nil {
		t.Fatal(err)
	}
	for room := range whole.Len() {
		if err := writeJSON(&full{room}, document); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}
