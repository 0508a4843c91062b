package sandbox

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// An author tests earning, clearing and expiry in a moment, by the clock of the
// sandbox.
func TestSandbox(t *testing.T) {
	s, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	ada, err := netclient.New(netclient.Config{BaseURL: web.URL, Token: Token("ada").String()})
	if err != nil {
		t.Fatal(err)
	}
	open, err := ada.Market(t.Context(), netkit.MarketQuery{})
	if err != nil || len(open.Items) != len(netkit.Niches()) {
		t.Fatalf("got %d contracts, %v, want one a channel", len(open.Items), err)
	}
	done, err := ada.Execute(t.Context(), netkit.Execute{CampaignID: open.Items[0].ID, Signal: netkit.Signal{Headline: "h", Body: "b", Sources: []string{"https://example.org/a"}}})
	if err != nil || done.ClearsAt == 0 {
		t.Fatalf("got %+v, %v, want pay that clears later", done, err)
	}
	for _, c := range []struct {
		by   string
		want int
	}{{"192h", 200}, {"0h", 422}, {"never", 422}, {"99999h", 422}} {
		resp, err := http.Post(web.URL+ForwardPath+"?by="+c.by, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("by %s: got %d, want %d", c.by, resp.StatusCode, c.want)
		}
	}
	if passed := time.Until(s.Now()); passed < 191*time.Hour {
		t.Errorf("got a clock %s ahead, want eight days", passed)
	}
	head, err := http.Head(web.URL + "/api/health")
	if err != nil {
		t.Fatal(err)
	}
	head.Body.Close()
	if at, err := http.ParseTime(head.Header.Get("Date")); err != nil || time.Until(at) < 191*time.Hour {
		t.Errorf("got the date %s, %v, want that of the moved clock", at, err)
	}
	me, err := ada.OwnProfile(t.Context())
	if err != nil || me.Pending != 0 || me.Balance != 50*netkit.Credit+done.AgentShare {
		t.Errorf("got %+v, %v, want pay that has cleared", me, err)
	}
	again, err := ada.Market(t.Context(), netkit.MarketQuery{})
	if err != nil || len(again.Items) != len(netkit.Niches()) || again.Items[0].ID == open.Items[0].ID {
		t.Errorf("got %d contracts, %v, want new ones in place of those that ended", len(again.Items), err)
	}
	night, err := ada.LastNight(t.Context())
	if err != nil || len(night.Open) != 0 {
		t.Errorf("got nights %v open, %v, want all closed", night.Open, err)
	}
	if err := s.Serve(t.Context(), "0.0.0.0:0", func(string) {}); err == nil {
		t.Error("got a sandbox that others can reach, want a refusal")
	}
}

// An audit passes after the clock was moved, also of the next sandbox at the same
// address: the network announces that it is a sandbox.
func TestAuditOfASandboxWithAMovedClock(t *testing.T) {
	seen := audit.Seen(t.TempDir())
	for range 2 {
		s, err := New(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		web := httptest.NewServer(s.Handler())
		if err := s.Forward(t.Context(), 72*time.Hour); err != nil {
			t.Fatal(err)
		}
		cfg := audit.Config{From: "http://127.0.0.1:8790", Seen: seen, Now: time.Now}
		if cfg.Shown, err = netclient.New(netclient.Config{BaseURL: web.URL}); err != nil {
			t.Fatal(err)
		}
		if cfg.Log, err = audit.Fetcher(web.URL, "test", http.DefaultTransport); err != nil {
			t.Fatal(err)
		}
		if r, err := audit.Run(t.Context(), cfg); err != nil || r.Compared.Profiles != len(Agents) {
			t.Errorf("got %d profiles compared, %v, want all agents and no fault", r.Compared.Profiles, err)
		}
		web.Close()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A webhook is delivered to a receiver on this machine, under its own
// certificate and in real time, whatever the clock says.
func TestSandboxDeliversWebhooks(t *testing.T) {
	s, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	got := make(chan http.Header, 1000)
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	t.Cleanup(receiver.Close)
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	ada, err := netclient.New(netclient.Config{BaseURL: web.URL, Token: Token("ada").String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Forward(t.Context(), 48*time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := ada.SetWebhook(t.Context(), netkit.SetWebhook{URL: receiver.URL}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "dora"}); err != nil {
		t.Fatal(err)
	}
	select {
	case header := <-got:
		at, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
		if ahead := time.Until(time.Unix(at, 0)); err != nil || ahead > time.Hour {
			t.Errorf("got a time %s ahead, %v, want that of this machine", ahead, err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("got no delivery")
	}
}

// A page whose name was rebound to this machine cannot act, although the
// tokens are known: its browser sends that name as Host and Origin alike.
func TestSandboxRefusesForeignHosts(t *testing.T) {
	s, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	_, port, _ := net.SplitHostPort(web.Listener.Addr().String())
	for host, want := range map[string]int{"evil.example:" + port: 421, "localhost:" + port: 200, "127.0.0.1:" + port: 200} {
		for path, method := range map[string]string{ForwardPath + "?by=1s": "POST", "/api/agent/me": "GET"} {
			r, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			r.Header.Set("Origin", "http://"+host)
			r.Header.Set("Authorization", "Bearer "+Token("ada").String())
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s %s as %s: got %d, want %d", method, path, host, resp.StatusCode, want)
			}
		}
	}
}
