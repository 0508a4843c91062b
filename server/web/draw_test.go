package web

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// drawn reads a picture as XML and returns the attributes of its elements of
// a name.
func drawn(t *testing.T, picture, name string) (all []map[string]string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<x>" + picture + "</x>"))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
		if e, is := tok.(xml.StartElement); is && e.Name.Local == name {
			m := map[string]string{}
			for _, a := range e.Attr {
				m[a.Name.Local] = a.Value
			}
			all = append(all, m)
		}
	}
}

func length(t *testing.T, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMeter draws what is left of a budget.
func TestMeter(t *testing.T) {
	for _, c := range []struct {
		left, whole netkit.Credits
		width       float64
	}{{0, 100, 0}, {25, 100, 25}, {100, 100, 100}, {1, 3, 33.33}, {0, 0, 0}} {
		got := drawn(t, string(drawMeter(c.left, c.whole)), "rect")
		if len(got) != 2 || length(t, got[1]["width"]) != c.width {
			t.Errorf("%s of %s: got %v, want a width of %v", c.left, c.whole, got, c.width)
		}
	}
	if got := drawn(t, string(drawMeter(2500, 10000)), "svg")[0]["aria-label"]; got != "25.00 of 100.00 credits are left" {
		t.Errorf("got %q", got)
	}
}

// TestBooksBar draws all holders side by side: none covers another, and they
// fill what was issued.
func TestBooksBar(t *testing.T) {
	k := netkit.Books{Issued: -1000, Wallets: 300, Contracts: 200, Sponsors: 400, Treasury: 60, Escrow: 40}
	picture := string(drawBooks(k))
	at := 0.0
	bars := 0
	for _, r := range drawn(t, picture, "rect") {
		if r["height"] != "28" {
			continue // of the key
		}
		bars++
		x := 0.0
		if r["x"] != "" {
			x = length(t, r["x"])
		}
		if x < at {
			t.Errorf("%v begins before %v", r, at)
		}
		at = x + length(t, r["width"])
	}
	if bars != 5 || at < 997 || at > 1000 {
		t.Errorf("got %d bars to %v, want 5 to the end", bars, at)
	}
	for _, want := range []string{"Wallets 3.00", "Contracts 2.00", "Sponsors 4.00", "Treasury 0.60", "Escrow 0.40"} {
		if !strings.Contains(picture, want) {
			t.Errorf("does not say %q", want)
		}
	}
	if got := drawn(t, string(drawBooks(netkit.Books{})), "rect"); len(got) != 5 { // the key alone
		t.Errorf("nothing issued: got %v", got)
	}
}

// TestSplit draws the shares of a payout.
func TestSplit(t *testing.T) {
	e := netkit.Economy{AgentShare: 8500, TreasuryShare: 1500}
	picture := string(drawSplit(e))
	r := drawn(t, picture, "rect")
	if len(r) != 2 || r[1]["x"] != "850.0" || r[1]["width"] != "150.0" || !strings.Contains(picture, "85 per cent go to the agent, 15 to the treasury") {
		t.Errorf("got %s", picture)
	}
}

var vertical = regexp.MustCompile(`V([0-9.]+)`)

// TestBalanceSteps draws a balance that rises and falls: a step a posting, the
// highest at the top.
func TestBalanceSteps(t *testing.T) {
	lines := []netkit.StatementLine{{At: 4000, After: 500}, {At: 3000, After: 900}, {At: 2000, After: 100}, {At: 1000, After: 500}} // newest first
	picture := string(drawBalance("Balance", lines))
	path := drawn(t, picture, "path")[1]["d"]
	var steps []string
	for _, m := range vertical.FindAllStringSubmatch(path, -1) {
		steps = append(steps, m[1])
	}
	if got := fmt.Sprint(steps); got != "[152.0 8.0 80.0]" || !strings.HasPrefix(path, "M0 80.0H333.3") || !strings.Contains(path, "H1000.0") {
		t.Errorf("got %s, want it to fall, rise to the top and come back", path)
	}
	if want := "Balance from 5.00 to 5.00 credits over 4 postings, lowest 1.00, highest 9.00"; !strings.Contains(picture, want) {
		t.Errorf("does not say %q", want)
	}
}

// TestDial draws scores as arcs that never leave their half circle.
func TestDial(t *testing.T) {
	for share, end := range map[float64]string{0: "", .5: "60.00 12.00", 1: "108.00 60.00", 1.7: "108.00 60.00"} {
		var fill string
		for _, p := range drawn(t, string(drawDial(share, nil)), "path") {
			if p["class"] == "fill" {
				fill = p["d"]
			}
		}
		if !strings.HasSuffix(fill, end) || (fill == "") != (end == "") {
			t.Errorf("%v: got %q, want an end at %q", share, fill, end)
		}
	}
	if got := drawn(t, string(drawDial(.2, []float64{.3, .8})), "path"); len(got) != 4 {
		t.Errorf("got %d paths, want bed, fill and two marks", len(got))
	}
}

// TestMedals draws each badge differently, and strikes one that was revoked.
func TestMedals(t *testing.T) {
	seen := map[string]netkit.Badge{}
	for _, b := range []netkit.Badge{netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster} {
		picture := string(drawMedal(netkit.BadgeView{Badge: b, Active: true}))
		paths := drawn(t, picture, "path")
		if len(paths) != 2 || paths[1]["class"] != "sign" {
			t.Errorf("%s: got %v, want a ground and a sign", b, paths)
		}
		if other, is := seen[picture]; is {
			t.Errorf("%s looks like %s", b, other)
		}
		if corners := strings.Count(paths[0]["d"], "L") + 1; corners != sides[b] {
			t.Errorf("%s: got %d corners, want %d", b, corners, sides[b])
		}
		seen[picture] = b
		struck := drawn(t, string(drawMedal(netkit.BadgeView{Badge: b})), "path")
		if len(struck) != 3 || struck[2]["class"] != "strike" {
			t.Errorf("%s revoked: got %v, want it struck through", b, struck)
		}
	}
}
