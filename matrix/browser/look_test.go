//go:build browser

package browser

import (
	"fmt"
	"testing"
)

var looks = []look{
	{"light-1280", 1280, 900, false},
	{"dark-1280", 1280, 900, true},
	{"light-375", 375, 812, false},
	{"dark-375", 375, 812, true},
}

// TestLooks holds every look against the rules that a person would mind, and
// keeps pictures.
func TestLooks(t *testing.T) {
	for _, as := range looks {
		t.Run(as.name, func(t *testing.T) {
			p := open(t, pageOf(t, three), as)
			p.until(`document.querySelectorAll('#matrix tr:not(.subagent) .cell').length > 0`)
			p.scheme(as)
			p.rules()
			p.shoot("page-" + as.name)
			p.click(`#matrix tr:not(.subagent) .cell`)
			p.until(`document.getElementById('detail').open`)
			p.rules()
			p.shoot("detail-" + as.name)
			p.run(`document.getElementById('detail').close()`)
			p.click(`#matrix .files`)
			p.until(`document.querySelectorAll('#files pre').length > 0`)
			p.rules()
			p.shoot("files-" + as.name)
		})
	}
}

// TestLegendAndCatalogue looks at what is folded away, and at the built-in
// subagents.
func TestLegendAndCatalogue(t *testing.T) {
	for _, as := range looks {
		p := open(t, pageOf(t, catalogue), as)
		p.run(`document.querySelector('.legend summary').click()`)
		p.rules()
		p.shoot("legend-" + as.name)
		p.run(`document.querySelector('.legend').open = false; document.getElementById('collapse').click()`)
		p.until(`document.querySelectorAll('#matrix tr:not(.subagent)').length === 1`) // the head
		p.rules()
		p.shoot("catalogue-" + as.name)
	}
}

func TestManySubagentsLook(t *testing.T) {
	for _, as := range looks {
		p := open(t, pageOf(t, many(500)), as)
		p.until(`document.querySelectorAll('#matrix .cell').length > 0`)
		p.rules()
		p.shoot("many-" + as.name)
	}
}

// scheme makes sure that the browser shows the scheme that was asked for.
func (p *tab) scheme(as look) {
	p.Helper()
	light := eval[float64](p, `(c => (c[0] + c[1] + c[2]) / 3)(getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number))`)
	if (light < 128) != as.dark {
		p.Errorf("the ground has brightness %v", light)
	}
}

// rules holds the page against what makes it usable with a keyboard, a screen
// reader, weak eyes or a small screen.
func (p *tab) rules() {
	p.Helper()
	for _, problem := range eval[[]string](p, "("+audit+")()") {
		p.Error(problem)
	}
	if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		p.Errorf("the page scrolls sideways by %d px", wide)
	}
	for _, c := range eval[[]contrast](p, "("+contrasts+")()") {
		if c.Ratio < 4.5 {
			p.Errorf("contrast %.2f: %s", c.Ratio, c.What)
		}
	}
}

type contrast struct {
	What  string  `json:"what"`
	Ratio float64 `json:"ratio"`
}

func (c contrast) String() string { return fmt.Sprintf("%s %.2f", c.What, c.Ratio) }
