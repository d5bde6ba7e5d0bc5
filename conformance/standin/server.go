// Package standin is a model that is not one: a small HTTP server on 127.0.0.1 that speaks enough of the Anthropic
// Messages, OpenAI Responses and OpenAI chat-completions protocols for a real agent client to hold a conversation with
// it, without an account and without a network.
//
// Every request is decoded into one neutral [Request], kept, and handed to a [Script], which answers with text or with
// tool calls. What a client puts into a request — system prompt, tool list, model, effort — is what its configuration
// really did, and that is what the conformance suite compares with the promises of the capability tables.
package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Script decides what the model says to a request. It is called from several goroutines at once and may block, for
// instance until another request has arrived, as long as it returns when ctx ends.
type Script func(ctx context.Context, request *Request) Reply

// Reply is one turn of the model: a text, or tool calls, or both.
type Reply struct {
	Text  string
	Calls []Call
}

// Call is one tool call of the model. Namespace is used by the Responses protocol alone.
type Call struct {
	ID, Namespace, Name string
	Input               any // marshalled to JSON; a string is sent as it is to a tool that takes free-form input
	Freeform            bool
}

// Server is a running stand-in.
type Server struct {
	script   Script
	http     *http.Server
	address  string
	mu       sync.Mutex
	requests []*Request
	strays   []string
}

// Start listens on a free port of 127.0.0.1. The caller must Close the server.
func Start(script Script) (*Server, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("model stand-in: %w", err)
	}
	s := &Server{script: script, address: listener.Addr().String()}
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(listener) }() // ends with http.ErrServerClosed after Close
	return s, nil
}

// URL is the address without a trailing slash, for instance http://127.0.0.1:41234.
func (s *Server) URL() string { return "http://" + s.address }

// Close stops the server and every open stream.
func (s *Server) Close() error { return s.http.Close() }

// Requests returns the model requests seen so far, in order of arrival.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Strays returns the requests ("METHOD path") that belong to none of the spoken protocols.
func (s *Server) Strays() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.strays)
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /v1/messages", s.converse(decodeMessages, writeMessages))
	mux.Handle("POST /v1/responses", s.converse(decodeResponses, writeResponses))
	mux.Handle("POST /v1/chat/completions", s.converse(decodeChat, writeChat))
	mux.HandleFunc("POST /v1/messages/count_tokens", constant(map[string]any{"input_tokens": 100}))
	mux.HandleFunc("GET /api/tags", constant(map[string]any{"models": []any{map[string]any{"name": "mock", "model": "mock"}}}))
	mux.HandleFunc("GET /v1/models", constant(map[string]any{"object": "list", "data": []any{map[string]any{"id": "mock", "object": "model"}}}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.strays = append(s.strays, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		http.Error(w, `{"error":{"type":"not_found_error","message":"the stand-in does not speak this"}}`, http.StatusNotFound)
	})
	return mux
}

type (
	decoder func(body []byte, request *Request) error
	encoder func(w http.ResponseWriter, request *Request, reply Reply) error
)

func (s *Server) converse(decode decoder, encode encoder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request, err := read(r, decode)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.requests = append(s.requests, request)
		s.mu.Unlock()
		// A client that hangs up in the middle is its own business: nothing reads this error.
		_ = encode(w, request, s.script(r.Context(), request))
	}
}

func read(r *http.Request, decode decoder) (*Request, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" {
		return nil, errors.New("the stand-in reads no Content-Encoding: " + encoding)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	request := &Request{Header: r.Header.Clone(), Body: body, Protocol: strings.TrimPrefix(r.URL.Path, "/v1/")}
	if err := decode(body, request); err != nil {
		return nil, fmt.Errorf("%s request: %w", request.Protocol, err)
	}
	return request, nil
}

func constant(answer any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}
}
