package tui

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

var update = flag.Bool("update", false, "write the golden files again")

const noon = netkit.Millis(1_780_056_000_000) // 2026-05-29 12:00 UTC

// driver presses keys and drains what follows, all in one goroutine.
type driver struct {
	t     *testing.T
	m     *model
	net   *fake
	now   time.Time
	later []tea.Msg       // what waits for time to pass
	after []uint64        // where streams were opened
	beats []time.Duration // after which the screen is drawn again
	held  []tea.Cmd       // what would take as long as a recording
}

func drive(t *testing.T, net *fake, w, h int) *driver {
	t.Helper()
	d := &driver{t: t, net: net, now: noon.Time()}
	m, err := newModel(context.Background(), Config{Network: net, Out: &strings.Builder{}, NoColor: true, Where: "testnet", Address: func() (string, string) { return "http://net.test", "http://intent.test" },
		Args: []string{"--as", "ada"}, Now: func() time.Time { return d.now }, Unreachable: func(err error) bool { return errors.Is(err, errDown) },
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.close)
	d.m = m
	m.tick = func(after time.Duration, msg tea.Msg) tea.Cmd {
		if _, is := msg.(beat); is {
			d.beats = append(d.beats, after)
		} else {
			d.later = append(d.later, msg)
		}
		return nil
	}
	m.follow = func(after uint64) tea.Cmd {
		d.after = append(d.after, after)
		m.link.stream = func() {}
		return nil
	}
	m.wait = func(cmd tea.Cmd) tea.Cmd {
		d.held = append(d.held, cmd)
		return nil
	}
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.drain(m.Init())
	d.press("1")
	return d
}

func (d *driver) send(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.drain(cmd)
}

func (d *driver) drain(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.drain(c)
		}
	default:
		d.send(msg)
	}
}

// pass lets all that waits for time to pass happen.
func (d *driver) pass() {
	due := d.later
	d.later = nil
	for _, msg := range due {
		d.send(msg)
	}
}

var named = map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "down": tea.KeyDown, "up": tea.KeyUp,
	"ctrl+s": tea.KeyCtrlS, "ctrl+r": tea.KeyCtrlR, "ctrl+u": tea.KeyCtrlU, "end": tea.KeyEnd, "right": tea.KeyRight}

func (d *driver) press(keys ...string) {
	for _, k := range keys {
		if t, ok := named[k]; ok {
			d.send(tea.KeyMsg{Type: t})
			continue
		}
		for _, r := range k {
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
}

func (d *driver) view() string {
	lines := strings.Split(d.m.render(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (d *driver) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.view(), w) {
			d.t.Errorf("the view lacks %q:\n%s", w, d.view())
		}
	}
}

func (d *driver) lacks(bad string) {
	d.t.Helper()
	if strings.Contains(d.view(), bad) {
		d.t.Errorf("the view has %q:\n%s", bad, d.view())
	}
}

func (d *driver) golden(name string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(d.view()), 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), d.view()); diff != "" {
		d.t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// verified is the pay of an execution at VERIFIED.
var verified = &netkit.Pay{Rate: netkit.Rate{Tier: netkit.Verified, Payout: 500, AgentShare: 425, TreasuryShare: 75}}

// small is a network with a little of everything.
func small() *fake {
	payload := "Watch\x1b]0;owned\a list"
	ada := netkit.Profile{Slug: "ada", AsOf: asOf, BioVerified: netkit.BioVerified{Tier: netkit.Verified, ReputationScore: 8123, CounterpartyDiversityScore: 2100, Transactions: 17,
		WalletConfirmed: true, Since: noon, Badges: []netkit.BadgeView{{Badge: netkit.FieldAgent, IssuedOn: 20_500, Revoked: &netkit.RevocationView{Reason: "copied", Revoker: "op", Witness: "bob"}}}},
		BioClaims: netkit.BioClaims{Niche: netkit.NicheSilicon, AcceptsAttentionRequests: true, AttentionFloorPrice: 100, CapabilityStatement: "Wafers\u202e, read daily."}}
	bob := netkit.Profile{Slug: "bob", AsOf: asOf, BioVerified: netkit.BioVerified{Since: noon}, BioClaims: netkit.BioClaims{AcceptsAttentionRequests: true, AttentionFloorPrice: 250}}
	f := &fake{rogues: []netkit.RogueEntry{{Slug: "mallory", Since: noon, Case: 77, Reason: "copied\x1b[31m signals\u202e"}}, agents: []netkit.Profile{ada, bob}, me: netkit.OwnProfile{Profile: ada, Balance: 5000, Pending: 425, Available: 4575, PendingIn: 1}, price: 1000,
		market: []netkit.Campaign{{ID: 52, Sponsor: "acme", Title: "Weekly reading", Brief: "What moved.", Channel: netkit.NicheSilicon, Payload: &payload, Budget: 300_000, Remaining: 276_100, OpenedAt: noon, ExecutionsPerAgent: 5, PaysYou: verified},
			{ID: 29, Sponsor: "grid", Title: "Grid status", Channel: netkit.NichePolicy, Budget: 10_000, Remaining: 9800, OpenedAt: noon, ExecutionsPerAgent: 1, EndsAt: noon + 3_600_000, PaysYou: verified}},
		feed: []netkit.Dispatch{{ID: 45, Priority: netkit.P0, Channel: netkit.NichePolicy, Headline: "Regional grid failure", Summary: "Northern region without power.", Author: "op", PublishedAt: noon},
			{ID: 40, Priority: netkit.P1, Channel: netkit.NicheSilicon, Headline: "Substrate supply eases", Author: "cora", PublishedAt: noon,
				Audio: &netkit.Audio{AudioRef: netkit.AudioRef{Type: "audio/mpeg", Duration: 15_000}}, Transcript: &netkit.Transcript{URL: "/transcripts/1"}}},
		results: []netkit.ExecutionView{{ExecutionID: 800, CampaignID: 52, Agent: "ada", Sponsor: "acme", Tier: netkit.Verified, Payout: 500, AgentShare: 425, TreasuryShare: 75, State: netkit.ExecutionPending, ClearsAt: noon + 259_200_000, At: noon,
			Signal: &netkit.Signal{Headline: "Line 3\x1b[31m is down", Body: "Since noon\u202e.", Sources: []string{"https://example.org/line-3"}}, Untrusted: true}},
		inbox: []netkit.Attention{{ID: 88, From: "bob", To: "ada", Price: 300, Subject: "A question", Body: "Are the wafers late?", SentAt: noon, ExpiresAt: noon + 7_200_000}},
	}
	f.notices = []netkit.Notice{{Seq: 880, At: noon, Kind: "execution.cleared", Text: "Execution 700 cleared\x1b[31m."}}
	f.sponsors = []netkit.SponsorView{{Slug: "acme", Name: "Acme\u202e", Admitted: true, Funds: 40_000}}
	f.cases = []netkit.CaseView{{ID: 77, Law: "L1", Subject: 70, SubjectKind: "execution", Reporter: "bob", Reported: "mallory", Evidence: "Copied\x1b[2J.", FiledAt: noon, VerdictsBy: noon + 3_600_000*72, Untrusted: true}}
	f.flags = []netkit.AgentFlag{{Agent: "mallory", With: []string{"trudy"}, Detections: []netkit.Condition{{Name: "cheap_answers", Need: "at most 19", Have: "25"}}, Date: 20_599, Seq: 850}}
	f.duties = []netkit.WitnessRequest{{ID: 91, Kind: "revocation", Subject: "mallory", Badge: netkit.FieldAgent, By: "op", At: noon}}
	for i := range 12 {
		f.journal = append(f.journal, json.RawMessage(fmt.Sprintf(`{"seq":%d,"at":%d,"kind":"execution","actor":"ada","fact":{"contract":52},"postings":[{"account":"contract:52","amount":-5.00},{"account":"wallet:ada","amount":4.25},{"account":"treasury","amount":0.75}]}`, i, int64(noon)-int64(12-i)*60_000)))
	}
	for i := range 30 {
		f.lines = append(f.lines, netkit.StatementLine{Seq: uint64(800 - i), At: noon - netkit.Millis(i)*3_600_000, Kind: "execution", Amount: 425, After: netkit.Credits(5000 - 100*i), Actor: "ada"})
	}
	return f
}

// many is a network of so many contracts that no one holds them all.
func many(n int) *fake {
	f := small()
	f.market = nil
	for i := range n {
		f.market = append(f.market, netkit.Campaign{ID: uint64(n - i), Title: fmt.Sprintf("Contract %06d", n-i), Sponsor: "acme", Remaining: netkit.Credits(i), Budget: 1_000_000})
	}
	return f
}

// fits fails when a line is wider than the screen or there are too many.
func (d *driver) fits() {
	d.t.Helper()
	lines := strings.Split(d.m.render(), "\n")
	if len(lines) != d.m.h {
		d.t.Errorf("got %d lines, want %d", len(lines), d.m.h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > d.m.w {
			d.t.Errorf("line %d is %d cells wide, want at most %d: %q", i, n, d.m.w, l)
		}
	}
}
