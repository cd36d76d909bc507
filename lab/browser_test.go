package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// built is the lab as lab/build makes it.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lastmile-lab-test-")
	if err != nil {
		return "", err
	}
	cleaning = func() { os.RemoveAll(dir) }
	if out, err := exec.Command("go", "run", "./build", "-q", "-o", dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("lab/build: %w\n%s", err, out)
	}
	return dir, nil
})

// chromium finds the browser, in which tests are skipped when there is none:
// make test installs it where it may.
func chromium() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

var (
	browser context.Context
	closing = func() {}
	opening sync.Once

	cleaning = func() {} // removes what was built
)

func TestMain(m *testing.M) {
	code := m.Run()
	closing()
	cleaning()
	os.Exit(code)
}

// A page is a tab, and what has gone wrong in it.
type page struct {
	testing.TB
	ctx    context.Context
	origin string // with a slash at its end
	mu     sync.Mutex
	faults []string
}

// look says how a tab looks at pages.
type look struct {
	width, height int64
	scheme        string // light or dark
	language      string
}

var desktop = look{1280, 900, "light", "en"}

// open opens a tab on a server of the lab. At the end of the test the page must
// have had no fault.
func open(t testing.TB, origin string, l look) *page {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a browser")
	}
	path := chromium()
	if path == "" {
		t.Skip("no Chromium: on Debian, apt-get install chromium; elsewhere set CHROMIUM to its path")
	}
	opening.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
			chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		var endBrowser context.CancelFunc
		browser, endBrowser = chromedp.NewContext(allocator)
		closing = func() { endBrowser(); end() }
		if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
			t.Fatal(err)
		}
	})
	p := &page{TB: t, origin: strings.TrimSuffix(origin, "/") + "/"}
	var end context.CancelFunc
	p.ctx, end = chromedp.NewContext(browser, chromedp.WithListener(p.listen))
	t.Cleanup(func() {
		end()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, f := range p.faults {
			t.Errorf("in the page: %s", f)
		}
	})
	p.do(chromedp.EmulateViewport(l.width, l.height), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}}
		if _, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: l.language})
		return err
	}))
	p.visit("")
	p.eval(fmt.Sprintf(`localStorage.setItem("lastmile-language", %q)`, l.language))
	return p
}

func (p *page) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type != "error" && e.Type != "warning" {
			return
		}
		for _, a := range e.Args {
			fault += string(a.Value) + a.Description + " "
		}
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			fault += " " + x.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != "error" {
			return
		}
		fault = e.Entry.Text + " " + e.Entry.URL
	case *network.EventLoadingFailed:
		if e.Canceled {
			return
		}
		fault = e.ErrorText
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fault)
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(p.ctx); err != nil { // a tab is made by the first call, which must not have a limit
		p.Fatal(err)
	}
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// visit goes to a place of the lab, such as #/desk, anew.
func (p *page) visit(place string) {
	p.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.origin+place))
}

// room goes to a room and waits until it is ready.
func (p *page) room(place string) {
	p.Helper()
	p.visit("#/" + place)
	p.until(`document.querySelector(".room")?.dataset.ready === "true"`)
}

// eval runs an expression and returns its value as JSON.
func (p *page) eval(expression string) string {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return string(v)
}

// number is the value of an expression.
func (p *page) number(expression string) (n float64) {
	p.Helper()
	p.read(expression, &n)
	return n
}

func (p *page) text(expression string) (s string) {
	p.Helper()
	p.read(expression, &s)
	return s
}

func (p *page) read(expression string, to any) {
	p.Helper()
	if v := p.eval(expression); json.Unmarshal([]byte(v), to) != nil {
		p.Fatalf("%s is %s", expression, v)
	}
}

// until waits until an expression holds.
func (p *page) until(expression string) {
	p.Helper()
	// A page that is on its way has no context for a moment: that is to wait, too.
	var last string
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
		v, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte]("!!("+expression+")"))
		cancel()
		if string(v) == "true" {
			return
		}
		last = fmt.Sprint(string(v), err)
	}
	p.Fatalf("waiting for %s: %s; the page says %s", expression, last, p.eval(`document.querySelector(".alert")?.textContent ?? ""`))
}

// click clicks what a selector finds, in view or not.
func (p *page) click(selector string) {
	p.Helper()
	if p.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e || e.disabled) return false; e.click(); return true; })()`, selector)) != "true" {
		p.Fatalf("%s cannot be clicked", selector)
	}
}

// set gives a control a value, as a visitor would.
func (p *page) set(selector, value string) {
	p.Helper()
	if p.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e) return false; e.value = %q; for (const n of ["input", "change"]) e.dispatchEvent(new Event(n, {bubbles: true})); return true; })()`, selector, value)) != "true" {
		p.Fatalf("%s is not there", selector)
	}
}

// prefer sets what the visitor of a tab prefers, beside the colours of its look.
func (p *page) prefer(feature, value string) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
		return err
	}))
}
