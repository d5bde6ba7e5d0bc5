//go:build unix

package schema

import (
	"syscall"
	"testing"
)

// A pipe is not waited for.
func TestIncludePipe(t *testing.T) {
	folder(t, map[string]string{"m.yml": "include: [pipe.yml]\nsubagents:\n" + fromFile("aa", "pipe.yml")})
	if err := syscall.Mkfifo("pipe.yml", 0o644); err != nil {
		t.Skip(err)
	}
	_, diags, err := LoadFiles([]string{"m.yml"}, Options{})
	if err != nil || len(diags) != 2 || CodeOf(diags[0]) != CodeInclude || CodeOf(diags[1]) != CodeInstructionsFile {
		t.Errorf("%v %v", err, diags)
	}
	if _, _, err := LoadFiles([]string{"pipe.yml"}, Options{}); err == nil {
		t.Error("a pipe is no manifest")
	}
}
