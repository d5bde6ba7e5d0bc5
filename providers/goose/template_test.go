package goose

import (
	"strings"
	"testing"
)

// evaluate renders a template as MiniJinja does, as far as our files go: quoted
// literals and names. Anything else that opens a tag is a mistake of ours.
func evaluate(t testing.TB, s string, values map[string]string) string {
	t.Helper()
	var b strings.Builder
	for s != "" {
		at := strings.IndexByte(s, '{')
		if at < 0 || at == len(s)-1 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:at])
		s = s[at:]
		switch {
		case s[1] != '{' && s[1] != '%' && s[1] != '#':
			b.WriteByte('{')
			s = s[1:]
			continue
		case s[1] != '{':
			t.Fatalf("a live tag: %.60q", s)
		}
		inner, rest, ok := expression(s[2:])
		if !ok {
			t.Fatalf("an expression that does not end: %.60q", s)
		}
		literal, quoted := strings.CutPrefix(inner, "'")
		value, known := values[inner]
		switch {
		case quoted:
			b.WriteString(strings.TrimSuffix(literal, "'"))
		case known:
			b.WriteString(value)
		default:
			t.Fatalf("a live expression: %.60q", s)
		}
		s = rest
	}
	return b.String()
}

// expression cuts what stands up to }}, which does not end it inside quotes.
func expression(s string) (inner, rest string, ok bool) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case !quoted && strings.HasPrefix(s[i:], "}}"):
			return strings.TrimSpace(s[:i]), s[i+2:], true
		}
	}
	return "", "", false
}

func TestEscapeAndHide(t *testing.T) {
	for text, want := range map[string][2]string{
		"a { b } }} {}": {"a { b } }} {}", "a { b } }} {}"},
		"{{ x }}":       {"{{ '{{' }} x }}", `\u007b{ x }}`},
		"{{{%":          {"{{ '{{' }}{{ '{%' }}", `\u007b\u007b\u007b%`},
		"{#{":           {"{{ '{#' }}{", `\u007b#{`},
		`\\{{`:          {`\\{{ '{{' }}`, `\\\u007b{`},
	} {
		if got := [2]string{escape(text), hide(text)}; got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
		if got := evaluate(t, escape(text), nil); got != text {
			t.Errorf("escape: %q became %q", text, got)
		}
		if got := evaluate(t, hide(text), nil); got != hide(text) {
			t.Errorf("hide: %q became %q", hide(text), got)
		}
	}
}

// The uses of declared parameters stay live, whatever stands around them.
func TestParametersStayLive(t *testing.T) {
	values := map[string]string{"key": "VALUE", "k2": "{{ not again"}
	parts := []string{"{{ key }}", "{{key}}", "{{ other }}", "{", "}", "{{", "}}", "{%", "{#", "'", " ", "-", "x", "{{ '", "{{  key  }}"}
	count := 0
	var walk func(text string, depth int)
	walk = func(text string, depth int) {
		if depth > 0 {
			for _, p := range parts {
				walk(text+p, depth-1)
			}
			return
		}
		count++
		want := use.ReplaceAllStringFunc(text, func(m string) string {
			if v, ok := values[strings.Trim(m, "{} ")]; ok {
				return v
			}
			return m
		})
		for _, again := range []bool{false, true} {
			keys := parameters{"key": false}
			got := strings.ReplaceAll(evaluate(t, keys.write(text, again), values), hidden, "{")
			if again {
				got = evaluate(t, got, nil)
			}
			if got != want {
				t.Fatalf("%q (%v): want %q, got %q", text, again, want, got)
			}
			if keys["key"] != strings.Contains(want, "VALUE") {
				t.Fatalf("%q: used %v", text, keys["key"])
			}
		}
	}
	walk("", 4)
	if count < 50_000 {
		t.Errorf("only %d texts", count)
	}
}
