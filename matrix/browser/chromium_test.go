//go:build browser

package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// flags start Chromium without a network of its own: it would look hosts up at
// every start.
var flags = []chromedp.ExecAllocatorOption{
	chromedp.ExecPath("chromium"), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
	chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
	chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	chromedp.Flag("force-device-scale-factor", "1"), chromedp.Flag("hide-scrollbars", false),
}

var chromium context.Context

func TestMain(m *testing.M) {
	allocator, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	browser, end := chromedp.NewContext(allocator)
	chromium = browser
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "starting chromium:", err)
		os.Exit(3)
	}
	code := m.Run()
	end()
	stop()
	pages.Range(func(_, made any) bool {
		if file, err := made.(func() (string, error))(); err == nil {
			os.RemoveAll(filepath.Dir(file))
		}
		return true
	})
	os.Exit(code)
}

// A tab is an open page, with what the browser said and asked for meanwhile.
type tab struct {
	*testing.T
	ctx context.Context

	mu    sync.Mutex
	said  []string // console messages, exceptions, log entries, dialogs
	asked []string // addresses of requests
}

// A look is how the page is looked at.
type look struct {
	name          string
	width, height int64
	dark          bool
}

var desktop = look{name: "desktop", width: 1280, height: 900}

// open loads a page of HTML as a person does who clicks on the file.
func open(t *testing.T, file string, as look) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(chromium)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(func() { stop(); end() })
	p := &tab{T: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if as.dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	p.do(
		chromedp.EmulateViewport(as.width, as.height),
		chromedp.Navigate("file://"+file),
		chromedp.WaitVisible("#filter"),
	)
	return p
}

func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.said = append(p.said, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		p.said = append(p.said, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		p.said = append(p.said, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, e.Request.URL)
	case *page.EventJavascriptDialogOpening:
		p.said = append(p.said, "dialog: "+e.Message)
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// eval gives the value of an expression, that of a promise once it is there.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// run runs statements.
func (p *tab) run(statements string) {
	p.Helper()
	eval[bool](p, "(() => {"+statements+"; return true})()")
}

// click clicks the first element that a selector names.
func (p *tab) click(selector string) {
	p.Helper()
	p.do(chromedp.Click(selector))
}

// press presses keys one after the other.
func (p *tab) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// until waits for an expression to become true.
func (p *tab) until(expression string) {
	p.Helper()
	for range 200 {
		if eval[bool](p, expression) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.Fatalf("never true: %s", expression)
}

// shoot keeps a picture of the page for people to look at.
func (p *tab) shoot(name string) {
	p.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("SHOTS"), name+".png"), png, 0o644); err != nil {
		p.Fatal(err)
	}
}

// pages holds the pages made so far, by manifest: they take a moment to make.
var pages sync.Map

// pageOf renders a manifest to a page and gives its path.
func pageOf(t *testing.T, manifest string) string {
	t.Helper()
	once, _ := pages.LoadOrStore(manifest, sync.OnceValues(func() (string, error) {
		return makePage(manifest)
	}))
	file, err := once.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func makePage(manifest string) (string, error) {
	dir, err := os.MkdirTemp("", "page")
	if err != nil {
		return "", err
	}
	source := filepath.Join(dir, "subagents.yml")
	if manifest == catalogue {
		source = catalogue
	} else if err := os.WriteFile(source, []byte(manifest), 0o644); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "page.html")
	_, err = subagents("matrix", "-f", source, "--html", file)
	return file, err
}

// catalogue names the built-in manifest.
const catalogue = "builtin:"

// subagents runs the program and gives what it prints.
func subagents(args ...string) (string, error) {
	var problems strings.Builder
	cmd := exec.Command(os.Getenv("SUBAGENTS"), args...)
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("subagents %s: %w\n%s", strings.Join(args, " "), err, &problems)
	}
	return string(out), err
}
