package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

func TestExecuteAsksWithItsPostings(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2", "x", "Fabs idle", "tab", "Two fabs stand still.", "tab", "ctrl+s")
	d.shows("Sources  ! is needed")
	d.press("https://example.org/a", "ctrl+s")
	d.shows("It costs you 0.00", "-5.00  contract:52", "+4.25  wallet:ada", "+0.75  treasury")
	d.golden("ask-execute")
	if len(d.net.executed) != 0 {
		t.Fatal("it was executed before the question was answered")
	}
	d.press("c")
	d.shows("netctl --as ada intent execute 52 --headline 'Fabs idle'", "-X POST", `"campaign_id":52`)
	d.press("esc", "y")
	if len(d.net.executed) != 1 || d.net.executed[0].Signal.Headline != "Fabs idle" {
		t.Errorf("got %+v, want one execution", d.net.executed)
	}
	d.shows("+4.25")
}

func TestSendShowsEscrowAndDeadline(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("3", "down", "s", "Hello", "tab", "One question.", "tab", "ctrl+u", "24h", "ctrl+s")
	d.shows("Hold 2.50 credits in escrow for bob?", "-2.50  wallet:ada", "+2.50  escrow", "2026-05-30 12:00 UTC")
	d.press("n")
	d.shows("nothing was done")
	if len(d.net.sent) != 0 {
		t.Fatal("it was sent though the answer was no")
	}
	d.press("ctrl+s", "y")
	if len(d.net.sent) != 1 || *d.net.sent[0].MaxPrice != 250 || d.net.sent[0].ExpiresIn != 24*3600 {
		t.Errorf("got %+v, want one request at no more than what was shown", d.net.sent)
	}
}

func TestAnswerAndDecline(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("5")
	d.shows("3.00", "2 h 00 min")
	d.press("a", "They are late.", "ctrl+s")
	d.shows("+3.00  wallet:ada", "-3.00  escrow:88")
	d.press("y")
	d.press("d", "No time", "enter", "y")
	for _, want := range []string{"answer They are late.", "decline No time"} {
		if !slices.Contains(d.net.calls, want) {
			t.Errorf("got calls %q, want %q among them", d.net.calls, want)
		}
	}
}

func TestClaimsAndSubscribe(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("4", "e", "right", "ctrl+s")
	d.shows("Replace your claims?")
	d.press("y", "S", "13", "ctrl+s")
	d.shows("Subscribe to SILICON, POLICY?")
	d.press("y")
	if !slices.Contains(d.net.calls, "channels [SILICON POLICY]") {
		t.Errorf("got calls %q, want channels among them", d.net.calls)
	}
}

// No read that could be charged happens before it was agreed to.
func TestPaidFeedIsReadOnlyAfterYes(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("b")
	d.shows("Pay 10.00 credits", "-10.00  wallet:ada", "+10.00  treasury")
	for _, in := range d.net.reads {
		if !in.Opened && !in.Quote {
			t.Fatalf("got a read %+v that could cost before the answer", in)
		}
	}
	d.press("y")
	d.shows("Substrate supply eases", "10.00 credits were charged")
	n := len(d.net.reads)
	d.pass()
	d.press("ctrl+r")
	for _, in := range d.net.reads[n:] {
		if !in.Opened && !in.Quote {
			t.Errorf("got a read %+v that could cost by itself", in)
		}
	}
	d.shows("Substrate supply eases")
	d.press("down", "p")
	d.shows("The grid is down.", "no player was found")
}

// What the question showed is all that is paid.
func TestAReadThatBecameDearerChargesNothing(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("b")
	d.net.price = 1500
	d.press("y")
	d.shows("This was not done", "this read costs 15.00")
	if d.net.opened != 0 {
		t.Error("it was charged though it had become dearer")
	}
	d.press("esc", "b")
	d.shows("Pay 15.00 credits")
}

// What was opened before is there from the start, and all of it, by pages.
func TestOpenedDispatchesArePagedThrough(t *testing.T) {
	net := small()
	net.opened, net.feed = 1<<60, nil
	for i := range 1000 {
		net.feed = append(net.feed, netkit.Dispatch{ID: uint64(1000 - i), Priority: netkit.P1, Author: "cora", Headline: fmt.Sprintf("Paid %04d", 1000-i)})
	}
	d := drive(t, net, 100, 30)
	d.shows("Paid 1000")
	for range 20 {
		d.press("G")
	}
	d.shows("Paid 0001")
	if n := len(d.m.feed.win.items); n > maxWindow+200 {
		t.Errorf("got %d rows held, want a window", n)
	}
	d.press("b")
	d.shows("nothing new")
}

func TestAReaderWithoutAWalletIsTold(t *testing.T) {
	net := small()
	net.me.Kind = netkit.OperatorParty
	d := drive(t, net, 100, 30)
	d.press("b")
	d.shows("only an agent can do that")
}

func TestTextsOfStrangersCannotCommandTheTerminal(t *testing.T) {
	for _, s := range []string{"a\x1b[31mb", "a\x1b]0;title\ab", "a\u202eb", "a\u200bb", "a\x07\x00b", "a\u009b31mb", "\u2066a\u2069b", "a\x1b\x1b[2Jb"} {
		if got := line(s); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2000 && r < 0x2070 }) {
			t.Errorf("line(%q): got %q, want no control character", s, got)
		}
	}
	if got := line("e" + strings.Repeat("\u0301", 50)); len([]rune(got)) > 3 {
		t.Errorf("got %d runes, want a few marks only", len([]rune(got)))
	}
	d := drive(t, small(), 200, 50)
	for _, k := range []string{"1", "2", "3", "4", "7"} {
		d.press(k)
		if v := d.m.View(); strings.ContainsAny(v, "\x1b\a\u202e") {
			t.Errorf("screen %s: got a control character in %q", k, v)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31m\u202eb")
	f.Fuzz(func(t *testing.T, s string) {
		if got := line(s); strings.ContainsAny(got, "\x1b\n\r\a\u202e\u2066\u009b") {
			t.Errorf("line(%q): got %q", s, got)
		}
	})
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"plain": "plain", "two words": "'two words'", "it's": `'it'\''s'`, "": "''", "$(rm)": "'$(rm)'", "a\ab": "ab"} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q): got %s, want %s", in, got, want)
		}
	}
}

// A form that is still open cannot send a second time while the first is on
// its way.
func TestWhatIsOnItsWayIsNotSentAgain(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.m.sending = true
	d.press("3", "down", "s", "Hello", "tab", "One question.", "ctrl+s", "y")
	d.shows("waits for its answer")
	if len(d.net.sent) != 0 {
		t.Errorf("got %d sent, want none", len(d.net.sent))
	}
}

// What is sent again from the form that is still open, because no answer came,
// carries the same key; the next purchase has another.
func TestSentAgainCarriesTheSameKey(t *testing.T) {
	d := drive(t, small(), 100, 30)
	var keys []string
	d.m.cfg.Keyed = func(ctx context.Context, key string) context.Context {
		keys = append(keys, key)
		return ctx
	}
	d.press("3", "down", "s", "Hello", "tab", "One question.", "ctrl+s")
	d.net.down = true
	d.press("y")
	d.shows("it is not known whether it was done", "counts once")
	d.net.down = false
	d.pass()
	d.press("esc", "ctrl+s", "y")
	d.press("s", "Hello", "tab", "Another.", "ctrl+s", "y")
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] {
		t.Errorf("got keys %q, want one twice and then another", keys)
	}
}

// A sponsor accepts what was delivered to it, and nobody else does.
func TestAcceptIsAskedAndIsTheSponsors(t *testing.T) {
	net := small()
	d := drive(t, net, 120, 40)
	d.press("9")
	d.shows("Line 3", "Signal (by ada)", "pending")
	d.press("a")
	d.shows("only the sponsor of the contract accepts")
	net.me.Slug, net.me.Kind = "acme", netkit.SponsorParty
	d.press("ctrl+r", "a")
	d.shows("Accept execution 800 by ada? Its pay of 5.00 cannot be returned then")
	d.press("y")
	d.shows("accepted; ada can spend 4.25 now")
	d.press("ctrl+r", "a")
	d.shows("the execution is accepted already")
}

// A contract that would refuse its agent is not offered, and one that begins to
// refuse while the form is open asks no question.
func TestNothingIsOfferedThatIsRefused(t *testing.T) {
	net := small()
	share := &netkit.PayRefusal{Code: "newcomers_share", Detail: "newcomers were paid their share of this contract's budget", Advice: "find another with {listContracts}"}
	net.market[1].PaysYou, net.market[1].Refusal = nil, share
	d := drive(t, net, 160, 40)
	d.press("2")
	d.shows("4.25 cr as VERIFIED")
	d.press("down")
	d.shows("nothing now: newcomers were paid their share")
	d.press("x")
	d.shows("This contract pays you nothing now", "find another with netctl market ls")
	d.press("esc", "up", "x", "Fabs idle", "tab", "Two fabs stand still.", "tab", "https://example.org/a")
	net.market[0].Refusal = share
	d.press("ctrl+s")
	d.shows("This was not done", "newcomers were paid their share")
	d.press("esc")
	d.shows("Fabs idle") // the form is still open
	if len(net.executed) != 0 {
		t.Errorf("got %+v, want nothing executed", net.executed)
	}
}

// A report names the bond of its reporter before it is filed: a sponsor's comes from
// its funds, and an operator posts none.
func TestReportNamesTheBondOfItsReporter(t *testing.T) {
	for kind, want := range map[netkit.PartyKind][]string{
		netkit.AgentParty:    {"It takes 5.00 from wallet:acme", "-5.00  wallet:acme", "unless no reviewer finds anything"},
		netkit.SponsorParty:  {"It takes 5.00 from sponsor:acme", "-5.00  sponsor:acme", "returns if reviewers uphold the report"},
		netkit.OperatorParty: {"It costs you 0.00"},
	} {
		net := small()
		net.me.Slug, net.me.Kind = "acme", kind
		d := drive(t, net, 120, 40)
		d.press(":")
		d.read("review report 800")
		d.press("enter", "right", "tab", "It says <nine>.", "ctrl+s")
		d.shows(want...)
	}
}
