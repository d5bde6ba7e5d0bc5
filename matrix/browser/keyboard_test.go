//go:build browser

package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const focus = `(e => [e.id, e.name, e.value, e.className, e.getAttribute('aria-label')].filter(Boolean).join(' ') || e.tagName)(document.activeElement)`

// tabTo presses Tab until the element that a selector names has the focus.
func (p *tab) tabTo(selector string) {
	p.Helper()
	for range 40 {
		p.press(kb.Tab)
		if eval[bool](p, `document.activeElement.matches('`+selector+`')`) {
			return
		}
	}
	p.Fatalf("Tab never reaches %s; it stands at %s", selector, eval[string](p, focus))
}

// shown gives the names of the subagents in view.
func (p *tab) shown() []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('#matrix tbody:not([hidden])')].map(b => b.agent.name)`)
}

func TestFilterByKeyboard(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	p.tabTo("#query")
	p.press("b", "u", "i", "l", "d", "e", "r")
	p.until(`document.getElementById('count').textContent.startsWith('1 of 3')`)
	if got := p.shown(); len(got) != 1 || got[0] != "builder" {
		t.Errorf("searching shows %v", got)
	}
	for range len("builder") {
		p.press(kb.Backspace)
	}
	p.until(`document.getElementById('count').textContent.startsWith('3 of 3')`)

	p.tabTo("#tag")
	p.press(kb.ArrowDown) // review
	p.until(`document.getElementById('count').textContent.startsWith('1 of 3')`)
	p.press(kb.ArrowUp) // all
	p.until(`document.getElementById('count').textContent.startsWith('3 of 3')`)

	p.tabTo(`[name=host][value="0"]`)
	p.press(" ")
	p.until(`document.querySelectorAll('#matrix thead th:not([hidden])').length === 5`)
	p.press(" ")
	p.until(`document.querySelectorAll('#matrix thead th:not([hidden])').length === 6`)

	p.tabTo(`[name=level][value="0"]`)
	p.press(" ")
	p.until(`document.querySelectorAll('#matrix .cell .enforced').length === 0`)
	if n := eval[int](p, `document.querySelectorAll('#matrix .cell .advisory').length`); n == 0 {
		t.Error("without enforced, nothing advisory is left")
	}
	p.tabTo("[type=reset]")
	p.press(kb.Enter)
	p.until(`document.querySelectorAll('#matrix .cell .enforced').length > 0`)
	p.clean()
}

func TestNothingMatches(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	p.tabTo("#query")
	p.press("z", "z", "z")
	p.until(`!document.getElementById('none').hidden && document.getElementById('matrix').hidden`)
}

func TestCellOpensWithEnterAndGivesFocusBack(t *testing.T) {
	p := open(t, pageOf(t, three), desktop)
	p.until(`document.querySelectorAll('#matrix tr:not(.subagent) .cell').length > 0`)
	p.tabTo("#matrix [data-col]")
	p.press(kb.ArrowDown, kb.ArrowRight, kb.ArrowRight)
	cell := eval[string](p, `document.activeElement.textContent`)
	if !eval[bool](p, `document.activeElement.matches('tr:not(.subagent) .cell')`) {
		t.Fatalf("the arrow keys lead to %s", eval[string](p, focus))
	}
	p.press(kb.Enter)
	p.until(`document.getElementById('detail').open`)
	for _, want := range []string{"Level", "Why", "Source"} {
		if !eval[bool](p, `[...document.querySelectorAll('#detail dt')].some(e => e.textContent === '`+want+`')`) {
			t.Errorf("the detail has no %q", want)
		}
	}
	if !eval[bool](p, `document.getElementById('detail').contains(document.activeElement)`) {
		t.Errorf("the focus stays outside: %s", eval[string](p, focus))
	}
	p.press(kb.Escape)
	p.until(`!document.getElementById('detail').open`)
	if got := eval[string](p, `document.activeElement.textContent`); got != cell {
		t.Errorf("the focus goes back to %q, not to %q", got, cell)
	}

	// From the detail on to the files, and back to the cell.
	p.press(kb.Enter)
	p.tabTo("#detail .body button")
	p.press(kb.Enter)
	p.until(`document.getElementById('files').open && !document.getElementById('detail').open`)
	p.press(kb.Escape)
	p.until(`!document.getElementById('files').open`)
	if got := eval[string](p, `document.activeElement.textContent`); got != cell {
		t.Errorf("after the files the focus goes to %q, not to %q", got, cell)
	}
	p.clean()
}

func TestArrowKeysReachEverySubagent(t *testing.T) {
	p := open(t, pageOf(t, many(500)), desktop)
	p.until(`document.querySelectorAll('#matrix .cell').length > 0`)
	p.tabTo("#matrix [data-col]")
	if n := eval[int](p, `document.querySelectorAll('#matrix [data-col][tabindex="0"]').length`); n != 1 {
		t.Errorf("the table has %d stops of the Tab key", n)
	}
	for range 60 {
		p.press(kb.PageDown)
	}
	if got := eval[string](p, `document.activeElement.textContent`); got != "agent-0060" {
		t.Errorf("sixty times Page Down leads to %q", got)
	}
	p.press(kb.Enter) // opens it
	p.until(`document.activeElement.getAttribute('aria-expanded') === 'true'`)
	p.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowDown)
	at := `(e => [e.closest('tbody').agent.name, e.closest('tr').querySelector('.setting').textContent, e.dataset.col].join(' '))(document.activeElement)`
	if got := eval[string](p, at); got != "agent-0060 description 2" {
		t.Errorf("down from the summary leads to %q", got)
	}
	p.press(kb.End)
	if got := eval[string](p, `document.activeElement.dataset.col`); got != "6" {
		t.Errorf("End leads to column %s", got)
	}
	p.press(kb.ArrowUp, kb.ArrowUp)
	if got := eval[string](p, `document.activeElement.closest('tbody').agent.name`); got != "agent-0059" {
		t.Errorf("up twice leads to %q", got)
	}
}
