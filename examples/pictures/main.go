// Pictures takes a picture of every page of a running demo, wide and narrow,
// light and dark, as strangers, an agent and an operator see it. See make.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// visits are the pages, by who sees them.
var visits = []struct {
	who   string
	pages []string
}{
	{"stranger", []string{"/", "/market", "/market?sort=-left", "/market/22", "/market/22/results", "/feed", "/directory?sort=-reputation", "/agent/ada", "/agent/cleo", "/ledger", "/ledger/30", "/ledger/accounts/wallet:ada",
		"/constitution", "/login", "/badges?agent=ada", "/review", "/playbooks", "/rogues", "/verify", "/search?q=rent", "/docs", "/docs/agents", "/docs/codes", "/docs/executeContract", "/admin/agent-setup", "/nothing"}},
	{"agent", []string{"/market?matched=yes", "/market/22", "/feed", "/desk", "/review", "/playbooks", "/admin/agent-setup?step=claims", "/admin/agent-setup?step=contract", "/admin/agent-setup?step=done"}},
	{"operator", []string{"/admin", "/sponsor?sponsor=acme", "/review"}},
}

func main() {
	url, agent, operator := flag.String("url", "", "address of the demo"), flag.String("agent", "", "token of ada"), flag.String("operator", "", "token of the operator")
	chromium, dir := flag.String("chromium", "chromium", "the browser"), flag.String("dir", "pictures", "folder for the pictures")
	flag.Parse()
	tokens := map[string]string{"agent": *agent, "operator": *operator}
	err := os.MkdirAll(*dir, 0o755)
	for _, v := range visits {
		log.Print("as ", v.who)
		err = errors.Join(err, shoot(*chromium, *url, tokens[v.who], filepath.Join(*dir, v.who), v.pages))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// shoot signs in, unless there is no token, and takes four pictures of each page.
func shoot(chromium, url, token, prefix string, pages []string) error {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.WSURLReadTimeout(90*time.Second))
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx)
	defer stop()
	if token != "" {
		if err := chromedp.Run(ctx, chromedp.Navigate(url+"/login"), chromedp.SendKeys("input[name=token]", token+"\r"), chromedp.WaitReady(`form[action="/logout"]`)); err != nil {
			return fmt.Errorf("sign in: %w", err)
		}
	}
	for _, page := range pages {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 360} {
				var png []byte
				err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
					chromedp.Navigate(url+page), chromedp.FullScreenshot(&png, 100))
				if err == nil {
					err = os.WriteFile(fmt.Sprintf("%s%s-%d-%s.png", prefix, fileName(page), width, scheme), png, 0o644)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", page, err)
				}
			}
		}
	}
	return nil
}

// fileName is the address of a page without what file names do not hold.
func fileName(page string) string {
	return strings.NewReplacer("/", "_", "?", "_", "=", "-", "&", "_", ":", "-").Replace(page)
}
