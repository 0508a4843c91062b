package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// What is wrong with a text stands beside its field, while it is written.
func TestFieldsAreCheckedInTheForm(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2", "x")
	d.lacks("is needed")
	d.press("tab")
	d.shows("Headline  ! is needed")
	d.press("up")
	d.paste(strings.Repeat("x", 201))
	d.shows("Headline 201/200  ! has 201 characters")
	d.press("tab", "tab", "not-an-address")
	d.shows("Sources  ! does not have the form")
	d.press("ctrl+s")
	if d.m.asked() {
		t.Errorf("it was asked with a text that the network refuses:\n%s", d.view())
	}
}

// The brief and the payload stand beside what one writes, at 80×24 too.
func TestBriefStandsBesideTheForm(t *testing.T) {
	net := small()
	net.market[0].Brief = strings.Repeat("What moved? 東京 🌊 ", 40)
	for _, w := range []int{60, 80, 120} {
		d := drive(t, net, w, 24)
		d.press("2", "x", "Fabs idle")
		d.shows("Brief (by the sponsor)", "What moved?", "Fabs idle▏")
		d.fits()
	}
}

// The cursor stays in sight in a text that is longer than the screen.
func TestTheCursorStaysInSight(t *testing.T) {
	d := drive(t, small(), 80, 24)
	d.press("2", "x", "tab")
	d.paste(strings.Repeat("A line of the body.\n", 60))
	d.press("here")
	d.shows("here▏")
	d.fits()
}

// Up and down go through the lines of a long text, and at its ends to the fields
// beside it.
func TestUpAndDownInALongText(t *testing.T) {
	d := drive(t, small(), 80, 24)
	d.press("2", "x", "tab")
	d.paste("one\ntwo\n\nfour")
	d.press("up", "up", "X", "up", "Y", "up", "Z")
	f := d.m.over[0].(*form)
	if got, want := f.value("Body"), "oYne\nXtwo\n\nfour"; f.value("Headline") != "Z" || got != want {
		t.Errorf("got %q and %q, want Z and %q", f.value("Headline"), got, want)
	}
	d.press("down", "down", "down", "down", "down")
	if f.fields[f.sel].Label != "Sources" {
		t.Errorf("got at %s, want at Sources", f.fields[f.sel].Label)
	}
}

// refusing answers with a refusal that names a field.
type refusing struct{ *fake }

func (refusing) OpenContract(context.Context, netkit.OpenContract) (netkit.ContractReceipt, error) {
	return netkit.ContractReceipt{}, &netkit.Refusal{Kind: netkit.ErrInvalid, Field: "budget", What: "must be at least one payout"}
}

// A refusal stands beside the field that it names, until that is changed.
func TestARefusalStandsBesideItsField(t *testing.T) {
	net := small()
	net.me.Slug, net.me.Kind = "acme", netkit.SponsorParty
	d := drive(t, net, 120, 50)
	d.m.cfg.Network = refusing{net}
	d.drain(d.m.do(catalog.OpenContract, "", nil))
	d.lacks("Sponsor  whose")
	d.paste("Fab watch")
	d.press("tab")
	d.paste("What moved?")
	d.press("tab", "tab", "right", "tab", "tab", "tab")
	d.press("1", "ctrl+s")
	d.shows("It takes 1.00 from sponsor:acme", "-1.00  sponsor:acme")
	d.press("y")
	d.shows("> Budget  ! budget must be at least one payout")
	d.press("0")
	d.lacks("! budget")
}

// A hint that is longer than its line stands below its label while the field is
// filled in.
func TestHintsAreShownInFull(t *testing.T) {
	d := drive(t, small(), 60, 24)
	d.press("4", "e", "tab")
	d.shows("which model provider powers the agent", "in any case")
	f := d.m.over[0].(*form)
	for _, word := range strings.Fields(f.fields[1].Hint) {
		d.shows(word)
	}
	d.fits()
}

// A moment is asked for in one sentence.
func TestHintOfAMoment(t *testing.T) {
	for _, x := range fields.Of(&netkit.OpenContract{}, nil) {
		if want := "a date, a time, or a span from now such as 30d; default: never"; x.Name == "ends_at" && x.Hint != want {
			t.Errorf("got %q, want %q", x.Hint, want)
		}
		if strings.Contains(x.Hint, "_") {
			t.Errorf("%s: got the hint %q, want no name of a field in it", x.Name, x.Hint)
		}
	}
}
