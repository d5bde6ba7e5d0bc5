package matrix

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A document is a page taken apart the way a browser does: the contents of a
// script or style element are raw text, up to the first end tag of its name.
type document struct {
	text         string
	markup       string // all but the contents of script and style elements
	style        string
	data, script string
}

func pageOf(t testing.TB, m *Matrix) document {
	t.Helper()
	var b strings.Builder
	if err := m.HTML(&b, Page{Manifest: "team & <co>.yml"}); err != nil {
		t.Fatal(err)
	}
	d := document{text: b.String()}
	rest := d.text
	for _, raw := range []struct {
		start, end string
		into       *string
	}{
		{"<style>", "</style", &d.style},
		{`<script type="application/json" id="data">`, "</script", &d.data},
		{"<script>", "</script", &d.script},
	} {
		before, after, ok := strings.Cut(rest, raw.start)
		if !ok {
			t.Fatalf("no %s", raw.start)
		}
		d.markup += before
		end := strings.Index(strings.ToLower(after), raw.end)
		*raw.into, rest = after[:end], after[end:]
	}
	d.markup += rest
	return d
}

// read reads the embedded matrix back.
func (d document) read(t testing.TB) pageData {
	t.Helper()
	var data pageData
	if err := json.Unmarshal([]byte(d.data), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPageNeedsNothingElse(t *testing.T) {
	d := pageOf(t, catalogue(t))
	foreign := regexp.MustCompile(`(?i)\s(src|srcset|style|on[a-z]+|action)\s*=|\shref="[^#]|<(link|iframe|img|object|embed|base|script)\b`)
	if found := foreign.FindString(d.markup); found != "" {
		t.Errorf("the page has %q", found)
	}
	if found := regexp.MustCompile(`(?i)url\(|@import`).FindString(d.style); found != "" {
		t.Errorf("the style sheet has %q", found)
	}
}

// TestPolicyAllowsThePageItself: the hashes are those of what stands there.
func TestPolicyAllowsThePageItself(t *testing.T) {
	d := pageOf(t, catalogue(t))
	policy := html.UnescapeString(d.markup)
	if !strings.Contains(policy, `http-equiv="Content-Security-Policy" content="default-src 'none'; `) {
		t.Fatalf("no policy in %.300s", policy)
	}
	for what, text := range map[string]string{"style-src": d.style, "script-src": d.script} {
		sum := sha256.Sum256([]byte(text))
		if want := what + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy, want) {
			t.Errorf("the policy has no %q", want)
		}
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	hostile := `</script><script>alert(1)</script><!-- <script> & " ' \u2028 ` + "\u2028 \u202e {{ x }}"
	d := pageOf(t, &Matrix{
		Hosts: []Host{{ID: "one", Title: hostile, Client: hostile, Proof: hostile}},
		Subagents: []Subagent{{
			Name: "a", Title: hostile, Description: hostile, Tags: []string{hostile},
			On: []OnHost{{Host: "one", Cells: []Cell{{Setting: "x", Value: hostile, Native: hostile, Level: "advisory", Why: hostile, Source: hostile}}}},
		}},
	})
	if strings.Contains(d.data, "<") || strings.Contains(d.markup, "<script") || strings.Contains(d.markup, "<!--") {
		t.Errorf("a text got out of its place:\n%s", d.markup)
	}
	data := d.read(t)
	if data.Agents[0].Description != hostile || data.Agents[0].Tags[0] != hostile || data.Reasons[0].Why != hostile || data.Texts[2] != hostile {
		t.Errorf("texts are changed: %+v", data)
	}
	if strings.Count(html.UnescapeString(d.markup), hostile) < 3 {
		t.Errorf("texts are missing from the markup:\n%s", d.markup)
	}
}

// TestPageHoldsTheMatrix reads cells and files back and compares them.
func TestPageHoldsTheMatrix(t *testing.T) {
	m := catalogue(t)
	data := pageOf(t, m).read(t)
	if len(data.Agents) != len(m.Subagents) {
		t.Fatalf("%d subagents on the page", len(data.Agents))
	}
	for i, s := range m.Subagents {
		var want []string
		for h, on := range s.On {
			for j, c := range on.Cells {
				cell := data.Agents[i].On[h].Cells[j]
				r := data.Reasons[cell[3]]
				got := Cell{
					Setting: data.Texts[cell[0]], Value: data.Texts[cell[1]], Native: data.Texts[cell[2]], Finer: cell[4] == 1, About: c.About,
					Level: data.Levels[r.Level].Level, Code: r.Code, From: r.From, When: r.When, Why: r.Why, Source: r.Source, Others: r.Others,
				}
				if diff := cmp.Diff(c, got); diff != "" {
					t.Errorf("%s on %s: %s", s.Name, on.Host, diff)
				}
			}
			for _, f := range on.Files {
				want = append(want, string(f.Data))
			}
		}
		var got []string
		if err := json.NewDecoder(flate.NewReader(bytes.NewReader(data.Agents[i].Files))).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("files of %s: %s", s.Name, diff)
		}
	}
}

// TestPageWithoutScripts: the numbers stand there all the same.
func TestPageWithoutScripts(t *testing.T) {
	_, rest, _ := strings.Cut(pageOf(t, rendered(t, reviewer)).markup, "<noscript>")
	fallback, _, ok := strings.Cut(rest, "</noscript>")
	for _, level := range []string{"enforced", "advisory", "inherited"} {
		if n := strings.Count(fallback, `<th scope="row">access</th><td>`+level+`</td>`); n != 1 || !ok {
			t.Errorf("%d rows for access %s in\n%s", n, level, fallback)
		}
	}
}

func TestPageIsTheSameEachTime(t *testing.T) {
	first, second := pageOf(t, catalogue(t)), pageOf(t, catalogue(t))
	if first.text != second.text {
		t.Error("two pages of the same manifest differ")
	}
}

// TestPageStaysSmall: 500 subagents in little more than their files take when
// packed.
func TestPageStaysSmall(t *testing.T) {
	if size := len(pageOf(t, rendered(t, many(500))).text); size > 1<<20 {
		t.Errorf("the page has %d bytes", size)
	}
}

func BenchmarkHTML(b *testing.B) {
	m := rendered(b, many(500))
	for b.Loop() {
		pageOf(b, m)
	}
}
