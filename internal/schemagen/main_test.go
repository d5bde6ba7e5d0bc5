package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The committed schema is what the types and their comments say now. If this
// fails: go generate ./schema.
func TestSchemaIsFresh(t *testing.T) {
	t.Chdir("../../schema")
	want, err := Generate(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("subagents.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("subagents.schema.json is stale, run go generate ./schema (-types +file):\n%s", diff)
	}
}

// The same types give the same bytes every time.
func TestGenerateIsDeterministic(t *testing.T) {
	t.Chdir("../../schema")
	first, err := Generate(".")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := Generate(".")
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(first) {
			t.Fatal("two runs differ")
		}
	}
}
