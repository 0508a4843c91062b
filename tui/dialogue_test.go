package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

func talkConfig(net Network) Config {
	return Config{Network: net, NoColor: true, Accessible: true, Where: "testnet", Address: func() (string, string) { return "http://net.test", "http://intent.test" }, Now: func() time.Time { return noon.Time() },
		Unreachable: func(err error) bool { return errors.Is(err, errDown) }}
}

// talk runs the dialogue on lines that are all there at once.
func talk(t *testing.T, net Network, lines ...string) string {
	t.Helper()
	var out strings.Builder
	cfg := talkConfig(net)
	cfg.In, cfg.Out = strings.NewReader(strings.Join(lines, "\n")+"\n"), &out
	if err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\r") {
		t.Error("got a control character, want plain lines")
	}
	return out.String()
}

func wants(t *testing.T, out string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("the dialogue lacks %q:\n%s", w, out)
		}
	}
}

func TestAccessibleSaysAndDoesTheSame(t *testing.T) {
	net := small()
	out := talk(t, net, "Market", "row 1", "execute", "Fabs idle", "Two fabs stand still.\\", "A third may.", "https://example.org/a", "yes", "filter grid", "nonsense", "quit")
	wants(t, out, "Row 1, id 52, title Weekly reading", "It costs you 0.00", "+4.25 wallet:ada", "executed as VERIFIED", "Row 1, id 29", `No command is called "nonsense"`)
	if len(net.executed) != 1 || net.executed[0].Signal.Body != "Two fabs stand still.\nA third may." {
		t.Errorf("got %+v, want one execution with both lines", net.executed)
	}
}

// All that a screen does is said by help, and every screen can be told.
func TestAccessibleReachesEverything(t *testing.T) {
	m, err := newModel(t.Context(), talkConfig(small()))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"help"}
	for i, s := range m.screens {
		m.cur = i
		lines = append(lines, s.name(), "help", "share", "list")
	}
	out := talk(t, small(), append(lines, "quit")...)
	for i := range m.screens {
		m.cur = i
		wants(t, out, m.here().name()+".", "netctl "+strings.Join(m.here().action().netctl[:2], " "))
		if a, ok := m.here().(actor); ok {
			for _, c := range a.acts() {
				wants(t, out, c.name+": "+c.help)
			}
		}
	}
	for _, shape := range []string{"▲", "█", "★", "│", "[x]"} {
		if strings.Contains(out, shape) {
			t.Errorf("got %s in what is said", shape)
		}
	}
}

func TestAccessiblePagesOn(t *testing.T) {
	net := many(1000)
	lines := []string{"Market", "p"}
	for range 60 {
		lines = append(lines, "n")
	}
	out := talk(t, net, append(lines, "p", "row 3", "row 1000", "row 1001", "quit")...)
	wants(t, out, "Row 1, id 1000", "Row 21, id 980", "Row 1000, id 1", "There are no more rows.", "There is no row 1001.", "contract 998", "contract 1")
	if strings.Count(out, "Row 500, ") != 1 {
		t.Errorf("got row 500 %d times, want once", strings.Count(out, "Row 500, "))
	}
	if net.widest > 200 {
		t.Errorf("got a page of %d rows, want windows", net.widest)
	}
}

func TestAccessibleAsksBeforeItSpends(t *testing.T) {
	for _, answer := range []string{"no", "", "maybe"} {
		net := small()
		out := talk(t, net, "Directory", "row 2", "send", "Hi", "Question", "", answer, "1", "buy", answer, "quit")
		if len(net.sent) != 0 || net.opened != 0 || strings.Count(out, "nothing was done") != 2 {
			t.Errorf("%q: got %d sent, opened up to %d, want nothing:\n%s", answer, len(net.sent), net.opened, out)
		}
		wants(t, out, "Hold 2.50 credits in escrow for bob?", "Pay 10.00 credits", "they return to you")
	}
	net := small()
	out := talk(t, net, "Directory", "row 2", "send", "Hi", "Question", "", "c", "yes", "quit")
	wants(t, out, "netctl attention send bob --subject Hi --body Question --max-price 2.50 --expires-in 72h --key=", "curl -sS -X POST", "sent as request 901")
	if len(net.sent) != 1 {
		t.Errorf("got %d sent, want one", len(net.sent))
	}
	// The end of the input is not a yes.
	net = small()
	talk(t, net, "buy")
	if net.opened != 0 {
		t.Error("it was paid though nobody said yes")
	}
}

func TestAccessibleFieldsTakeOnlyWhatTheyOffer(t *testing.T) {
	net := small()
	out := talk(t, net, "Agent", "claims", "copper", "legal", "-", "opne", "No", "", "-", "yes", "subscribe", "silicon mars", "legal Media", "yes", "quit")
	wants(t, out, `"copper" is not a choice.`, `"opne" is not a choice.`, `"mars" is not a choice.`, "Subscribe to LEGAL, MEDIA?")
	want := netkit.Claims{Niche: netkit.NicheLegal, AttentionFloorPrice: 100}
	if diff := cmp.Diff([]netkit.Claims{want}, net.claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

// conversation is a dialogue that a test listens to while it goes on.
type conversation struct {
	t    *testing.T
	in   *io.PipeWriter
	said *bufio.Reader
}

func converse(t *testing.T, net Network) *conversation {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	cfg := talkConfig(net)
	cfg.In, cfg.Out = inR, outW
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, cfg) }()
	t.Cleanup(func() {
		stop()
		outR.Close()
		inW.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &conversation{t: t, in: inW, said: bufio.NewReader(outR)}
}

func (c *conversation) say(s string) { fmt.Fprintln(c.in, s) }

// until reads on until a text was said.
func (c *conversation) until(text string) {
	c.t.Helper()
	var heard strings.Builder
	for !strings.Contains(heard.String(), text) {
		r, _, err := c.said.ReadRune()
		if err != nil {
			c.t.Fatalf("it ended without %q: %s", text, heard.String())
		}
		heard.WriteRune(r)
	}
}

func event(id uint64, kind string, data any) netkit.Event {
	return netkit.Event{ID: id, Type: kind, Data: data}
}

func TestAccessibleTellsWhatHappens(t *testing.T) {
	net := &talking{small(), make(chan netkit.Event, 10)}
	c := converse(t, net)
	c.until("> ")
	net.events <- event(950, "execution", nil)
	net.events <- event(951, "dispatch", netkit.DispatchNotice{ID: 951, Priority: netkit.P1, Channel: netkit.NicheLegal})
	net.events <- event(952, "dispatch", netkit.Dispatch{ID: 952, Priority: netkit.P0, Channel: netkit.NicheMedia, Headline: "Lines are down"})
	c.until("P0 CRISIS on MEDIA: Lines are down. Commercial contracts are suspended.\n> ")
	c.say("list")
	c.until("2 new events: type news to read.\n> ")
	c.say("news")
	c.until("A P1 dispatch on LEGAL was published; buy on Feed opens it.\nexecution: 1.\n")
	c.say("news")
	c.until("Nothing new.")
	c.say("live")
	c.until("Live:")
	net.events <- event(953, "execution", nil)
	c.until("execution: 1.\n> ")
	net.events <- event(954, "notice", netkit.Notice{Text: "bob answered\x1b[2J"})
	c.until("Notice: bob answered\n> ")
	net.events <- event(955, "crisis.resolved", netkit.CrisisEnd{DispatchID: 952})
	c.until("The crisis of dispatch 952 is over; 0 crises go on.")
}

// flaky is a network that can be away while a dialogue runs.
type flaky struct {
	*fake
	away atomic.Bool
}

func (n *flaky) Crisis(ctx context.Context) (netkit.CrisisView, error) {
	if n.away.Load() {
		return netkit.CrisisView{}, errDown
	}
	return n.fake.Crisis(ctx)
}

func TestAccessibleSaysOfflineAndReconnects(t *testing.T) {
	net := &flaky{fake: small()}
	c := converse(t, net)
	c.until("> ")
	net.away.Store(true)
	c.say("reload")
	c.until("Offline: the network cannot be reached. It retries by itself.")
	net.away.Store(false)
	c.until("Connected again.")
}
