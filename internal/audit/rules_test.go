package audit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-337579fc/subagents/internal/audit"
)

// Every code has a rule that says enough, and a test that expects it.
func TestRules(t *testing.T) {
	var tests strings.Builder
	for _, pattern := range []string{"*_test.go", "../../testdata/audit/*", "../cli/testdata/script/audit-*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(data)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "rules.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		lit, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		codes++
		i := slices.IndexFunc(audit.Rules(), func(r audit.Rule) bool { return string(r.Code) == code })
		if i < 0 {
			t.Errorf("%s has no rule", code)
		} else if r := audit.Rules()[i]; r.Title == "" || r.Why == "" || r.Fix == "" || r.Severity == "" {
			t.Errorf("the rule of %s says too little: %+v", code, r)
		}
		if !strings.Contains(tests.String(), code) {
			t.Errorf("no test expects %s", code)
		}
		return true
	})
	if codes != len(audit.Rules()) || codes < 30 {
		t.Errorf("%d codes and %d rules", codes, len(audit.Rules()))
	}
}
