package web_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browserNames are what a browser is called where there is one.
var browserNames = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// browser is one for all tests of the package; it starts with the first that
// needs it and ends with the last test.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// launch starts the browser.
func launch(path string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.WSURLReadTimeout(90*time.Second))
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(alloc)
	browser.ctx, browser.stop = ctx, func() { stop(); stopAlloc() }
	browser.err = chromedp.Run(ctx)
}

// tab is a page of the browser in which only keys are pressed.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string
	mu   sync.Mutex
	sent []string // addresses asked for, with what was posted
}

// browse opens a tab on a town. Where there is no browser the test is
// skipped, unless everything must be there.
func browse(t *testing.T, w *town) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are long")
	}
	var path string
	for _, name := range browserNames {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("NETKIT_REQUIRE_ALL") != "" {
			t.Fatal("no browser: install Debian's chromium")
		}
		t.Skip("no browser: install Debian's chromium to run " + t.Name())
	}
	browser.once.Do(func() { launch(path) })
	if browser.err != nil {
		t.Fatalf("the browser does not start: %v", browser.err)
	}
	ctx, stop := chromedp.NewContext(browser.ctx)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(func() { cancel(); stop() })
	b := &tab{t: t, ctx: ctx, base: w.url}
	chromedp.ListenTarget(ctx, func(e any) {
		if r, ok := e.(*network.EventRequestWillBeSent); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.sent = append(b.sent, r.Request.Method+" "+r.Request.URL)
			for _, part := range r.Request.PostDataEntries {
				b.sent = append(b.sent, "body "+part.Bytes)
			}
		}
	})
	b.run(network.Enable(), network.ClearBrowserCookies(), chromedp.EmulateViewport(1000, 900))
	return b
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page says: %s", err, b.text())
	}
}

// text is what the page shows, for messages.
func (b *tab) text() string {
	var s string
	_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText`, &s)) // only for a message
	return s
}

func (b *tab) open(path string) { b.t.Helper(); b.run(chromedp.Navigate(b.base + path)) }

// holds waits until an expression is true on the page, over navigations.
func (b *tab) holds(expression string) {
	b.t.Helper()
	var last error
	for range 2400 {
		var yes bool
		if last = chromedp.Run(b.ctx, chromedp.Evaluate("Boolean("+expression+")", &yes)); yes {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("waited in vain for %s (%v); the page says: %s", expression, last, b.text())
}

// says waits until the page shows a text.
func (b *tab) says(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

func (b *tab) eval(expression string, out any) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expression, out))
}

func (b *tab) press(keys string) { b.t.Helper(); b.run(chromedp.KeyEvent(keys)) }

// reach presses Tab until the focus is where it should be, and checks that a
// person would see it there.
func (b *tab) reach(selector string) {
	b.t.Helper()
	for range 80 {
		var there bool
		b.eval(fmt.Sprintf("document.activeElement.matches(%q)", selector), &there)
		if there {
			var seen bool
			b.eval(`getComputedStyle(document.activeElement).outlineStyle !== "none"`, &seen)
			if !seen {
				b.t.Errorf("%s has the focus and does not show it", selector)
			}
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("the keyboard does not reach %s; the page says: %s", selector, b.text())
}

// follow reaches something and presses Enter on it.
func (b *tab) follow(selector string) { b.t.Helper(); b.reach(selector); b.press(kb.Enter) }

// fill reaches a field and types.
func (b *tab) fill(selector, text string) { b.t.Helper(); b.reach(selector); b.press(text) }

// scheme sets light or dark.
func (b *tab) scheme(name string) {
	b.t.Helper()
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}))
}

// strangers lists what was asked of anybody else.
func (b *tab) strangers() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.sent {
		_, address, _ := strings.Cut(s, " ")
		if !strings.HasPrefix(s, "body ") && !strings.HasPrefix(address, b.base+"/") && !strings.HasPrefix(address, "blob:") && !strings.HasPrefix(address, "data:") {
			all = append(all, s)
		}
	}
	return all
}
