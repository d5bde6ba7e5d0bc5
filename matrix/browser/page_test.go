//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"
)

// clean fails if the page said anything or asked for anything but itself.
func (p *tab) clean() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, what := range p.said {
		p.Errorf("the browser said: %s", what)
	}
	for _, address := range p.asked {
		if !strings.HasPrefix(address, "file://") || !strings.HasSuffix(address, "/page.html") {
			p.Errorf("the page asked for %s", address)
		}
	}
	if len(p.asked) != 1 {
		p.Errorf("%d requests, want the page alone: %q", len(p.asked), p.asked)
	}
}

func TestPageLoadsQuietlyAndAlone(t *testing.T) {
	for _, manifest := range []string{catalogue, three} {
		p := open(t, pageOf(t, manifest), desktop)
		p.until(`document.querySelectorAll('#matrix .cell').length > 0`)
		p.click(`#matrix .files`)
		p.until(`document.querySelectorAll('#files pre').length > 0`)
		p.clean()
	}
}

// TestPageIsSealed tries from inside what a hostile text would.
func TestPageIsSealed(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	if eval[bool](p, `(() => { const s = document.createElement('script'); s.textContent = 'window.broken = true'; document.body.append(s); return !!window.broken })()`) {
		t.Error("the policy let a foreign script run")
	}
	if failed := eval[string](p, `fetch('file:///etc/hostname').then(() => 'loaded', e => e.name)`); failed != "TypeError" {
		t.Errorf("a request: %s", failed)
	}
}

func TestHostileTextsShowAsText(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	p.click(`#matrix .files`)
	p.until(`document.querySelectorAll('#files pre').length === 5`)
	for _, want := range []string{"<script>alert(3)</script>", "<!-- --> ]]> {{ x }} ${y}"} {
		if !strings.Contains(eval[string](p, `document.querySelector('#files pre').textContent`), want) {
			t.Errorf("the file does not show %q", want)
		}
	}
	if n := eval[int](p, `document.querySelectorAll('script, img').length`); n != 2 {
		t.Errorf("%d scripts and images on the page, want its own two", n)
	}
	p.clean()
}

// TestFilesStandSideBySide compares what the page shows with the rendered bytes.
func TestFilesStandSideBySide(t *testing.T) {
	p := open(t, pageOf(t, catalogue), desktop)
	p.click(`#matrix .files`)
	p.until(`document.querySelectorAll('#files section').length === 5`)
	tops := eval[[]float64](p, `[...document.querySelectorAll('#files section')].map(s => s.getBoundingClientRect().top)`)
	for _, top := range tops {
		if top != tops[0] {
			t.Errorf("the files stand at heights %v", tops)
		}
	}
	name := eval[string](p, `document.querySelector('#matrix .toggle').textContent`)
	for i, host := range []string{"claude", "codex", "goose", "kiro", "opencode"} {
		want, err := subagents("render", "-f", catalogue, "-a", name, "-p", host)
		if err != nil {
			t.Fatal(err)
		}
		if got := eval[string](p, fmt.Sprintf(`document.querySelectorAll('#files pre')[%d].textContent`, i)); got != want {
			t.Errorf("the file for %s is shown with other text than it has", host)
		}
	}
	for _, kind := range []string{"key", "string", "comment"} {
		if eval[int](p, `document.querySelectorAll('#files pre .h-`+kind+`').length`) == 0 {
			t.Errorf("nothing is marked as a %s", kind)
		}
	}
}

func TestFiveHundredSubagents(t *testing.T) {
	file := pageOf(t, many(500))
	p := open(t, file, desktop)
	p.until(`document.querySelectorAll('#matrix .cell').length > 0`)
	if n := eval[int](p, `document.querySelectorAll('#matrix tbody').length`); n != 500 {
		t.Errorf("%d subagents in the table", n)
	}
	if n := eval[int](p, `document.querySelectorAll('#matrix .cell').length`); n > 1500 {
		t.Errorf("%d cells were made for one window", n)
	}
	p.click("#expand")
	if ms := eval[float64](p, `(() => { const t = performance.now(); const q = document.getElementById('query'); q.value = 'agent-04'; q.dispatchEvent(new Event('input', {bubbles: true})); return performance.now() - t })()`); ms > 500 {
		t.Errorf("typing took %v ms", ms)
	}
	p.until(`document.getElementById('count').textContent.startsWith('100 of 500')`)
	p.run(`window.scrollTo(0, document.body.scrollHeight)`)
	p.until(`[...document.querySelectorAll('#matrix tbody:not([hidden])')].at(-1).querySelectorAll('.cell').length > 5`)
	p.clean()
}

// TestDetailTellsOtherVersions: a setting that older clients applied says so,
// with the issue to follow.
func TestDetailTellsOtherVersions(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	p.until(`document.querySelectorAll('#matrix tr:not(.subagent) .cell').length > 0`)
	p.run(`[...document.querySelectorAll('.setting')].find(e => e.textContent === 'codex.mcp_servers').closest('tr').querySelector('.cell').click()`)
	p.until(`document.getElementById('detail').open`)
	got := eval[string](p, `document.getElementById('detail').textContent`)
	for _, want := range []string{"codex.mcp_servers on Codex", "builder", "advisory", "0.149.0", "Otherwise", "enforced up to 0.148.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("the detail does not say %q: %s", want, got)
		}
	}
	if links := eval[[]string](p, `[...document.querySelectorAll('#detail a')].map(a => a.href)`); len(links) == 0 || !strings.HasPrefix(links[0], "https://github.com/openai/codex/issues/") {
		t.Errorf("links: %q", links)
	}
	p.shoot("versions")
	p.clean()
}
