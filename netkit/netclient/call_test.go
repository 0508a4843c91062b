package netclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// scripted is a transport that answers from a list, without a network, so that
// time can be virtual.
type scripted struct {
	answers []func(*http.Request) (*http.Response, error)
	seen    []*http.Request
	bodies  []string
	at      []time.Time
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	s.seen, s.at = append(s.seen, r), append(s.at, time.Now())
	body := ""
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	s.bodies = append(s.bodies, body)
	if len(s.seen) > len(s.answers) {
		return nil, errors.New("nothing more is scripted")
	}
	return s.answers[len(s.seen)-1](r)
}

// answer answers with a status, a body and headers.
func answer(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		if status >= 400 {
			h.Set("Content-Type", "application/problem+json")
		}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

func broken(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset") }

// hangs waits for the caller to give up.
func hangs(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

const busy = `{"type":"about:blank","title":"t","status":503,"code":"busy","detail":"d","retry_after":7}`

func clientOf(t *testing.T, s http.RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: "http://net.example", Token: "nk_t", HTTPClient: &http.Client{Transport: s}}
	for _, c := range change {
		c(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRetriesKeepKeyAndBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){broken, answer(503, busy), answer(200, `{"seq":9}`)}}
		got, err := clientOf(t, s).Deposit(t.Context(), netkit.Deposit{Sponsor: "acme", Amount: 100, Reference: "r"})
		if err != nil || got.Seq != 9 {
			t.Fatalf("got %+v, %v, want entry 9", got, err)
		}
		key := s.seen[0].Header.Get("Idempotency-Key")
		if len(key) != 32 {
			t.Errorf("got key %q, want 128 bits", key)
		}
		for i, r := range s.seen {
			if r.Header.Get("Idempotency-Key") != key || s.bodies[i] != s.bodies[0] || r.URL.Path != "/api/sponsors/acme/deposits" {
				t.Errorf("attempt %d differs: %s %s %s", i, r.Header.Get("Idempotency-Key"), r.URL, s.bodies[i])
			}
		}
		if wait := s.at[1].Sub(s.at[0]); wait < 200*time.Millisecond || wait > 300*time.Millisecond {
			t.Errorf("got a wait of %s after a broken connection, want 200 to 300 ms", wait)
		}
		if wait := s.at[2].Sub(s.at[1]); wait != 7*time.Second {
			t.Errorf("got a wait of %s, want the 7 s that were asked for", wait)
		}
	})
}

func TestKeys(t *testing.T) {
	s := &scripted{}
	for range 4 {
		s.answers = append(s.answers, answer(200, `{}`))
	}
	c := clientOf(t, s)
	for _, err := range []error{
		second(c.Deposit(t.Context(), netkit.Deposit{})), second(c.Deposit(t.Context(), netkit.Deposit{})),
		second(c.Deposit(netkit.WithKey(t.Context(), "mine"), netkit.Deposit{})), second(c.Health(t.Context())),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	keys := make([]string, len(s.seen))
	for i, r := range s.seen {
		keys[i] = r.Header.Get("Idempotency-Key")
	}
	if keys[0] == keys[1] || keys[2] != "mine" || keys[3] != "" {
		t.Errorf("got keys %q, want two that differ, the caller's own, and none for a question", keys)
	}
}

func second[T any](_ T, err error) error { return err }

func TestWhatIsNotRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		code   string
		want   error
	}{
		"invalid":         {422, "x", netkit.ErrInvalid},
		"unauthenticated": {401, "x", netkit.ErrUnauthenticated},
		"credits":         {402, "x", netkit.ErrInsufficientCredits},
		"forbidden":       {403, "x", netkit.ErrForbidden},
		"not found":       {404, "x", netkit.ErrNotFound},
		"conflict":        {409, "x", netkit.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := json.Marshal(netkit.Problem{Status: c.status, Code: c.code, Detail: "d", Law: "L3", Next: "n"})
			if err != nil {
				t.Fatal(err)
			}
			s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(c.status, string(b))}}
			_, err = clientOf(t, s).Execute(t.Context(), netkit.Execute{})
			var r *netkit.Refusal
			if !errors.Is(err, c.want) || !errors.As(err, &r) || r.Code != c.code || r.Law != "L3" || r.Next != "n" {
				t.Errorf("got %#v, want a refusal of kind %v", err, c.want)
			}
			if len(s.seen) != 1 {
				t.Errorf("got %d attempts, want 1", len(s.seen))
			}
		})
	}
}

func TestRetriesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){broken, broken, broken, broken, broken}}
		_, err := clientOf(t, s).Health(t.Context())
		if !errors.Is(err, ErrUnreachable) || len(s.seen) != 4 {
			t.Errorf("got %v after %d attempts, want ErrUnreachable after 4", err, len(s.seen))
		}
		s.seen = nil
		if _, err := clientOf(t, s, func(c *Config) { c.Retries = -1 }).Health(t.Context()); !errors.Is(err, ErrUnreachable) || len(s.seen) != 1 {
			t.Errorf("got %v after %d attempts, want ErrUnreachable after 1", err, len(s.seen))
		}
	})
}

// A wait that would outlast the caller, or a minute, is left to the caller.
func TestLongWaitsAreTheCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, header := range []string{"3", "61"} {
			s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(429, `{"status":429,"code":"too_many","detail":"d"}`, "Retry-After", header)}}
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			_, err := clientOf(t, s).Health(ctx)
			stop()
			var r *netkit.Refusal
			if !errors.As(err, &r) || !errors.Is(err, netkit.ErrLimit) || r.After.String() != (map[string]string{"3": "3s", "61": "1m1s"})[header] {
				t.Errorf("got %#v, want a refusal that says to wait %s s", err, header)
			}
		}
	})
}

func TestContextEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){hangs, hangs}}
		if _, err := clientOf(t, s).Health(ctx); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrUnreachable) {
			t.Errorf("got %v, want the context's own error", err)
		}
	})
}

// One limit holds for all attempts and the waits between them.
func TestTotalTimeoutEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){hangs, hangs, hangs, hangs}}
		began := time.Now()
		_, err := clientOf(t, s, func(c *Config) { c.Timeout, c.TotalTimeout = 30*time.Second, 45*time.Second }).Health(t.Context())
		if took := time.Since(began); !errors.Is(err, ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) || took != 45*time.Second || len(s.seen) != 2 {
			t.Errorf("got %v after %s and %d attempts, want ErrUnreachable after 45s and 2", err, took, len(s.seen))
		}
		if err == nil || !strings.Contains(err.Error(), " did not answer within 45s") {
			t.Errorf("got %v, want plain words", err)
		}
	})
}

func TestAttemptsTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){hangs, answer(200, `{"entries":3}`)}}
		got, err := clientOf(t, s, func(c *Config) { c.Timeout = time.Second }).Health(t.Context())
		if err != nil || got.Entries != 3 {
			t.Errorf("got %+v, %v, want 3 entries at the second attempt", got, err)
		}
	})
}

func TestAnswersThatAreTooLarge(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, `{"entries":`+strings.Repeat(" ", 2000)+`1}`)}}
	_, err := clientOf(t, s, func(c *Config) { c.MaxResponse = 1000 }).Health(t.Context())
	if !errors.Is(err, ErrTooLarge) || len(s.seen) != 1 {
		t.Errorf("got %v after %d attempts, want ErrTooLarge after 1", err, len(s.seen))
	}
}

func TestAnswersOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		body, kind string
		want       error
	}{
		"a proxy's page":        {502, "<html>", "text/html", netkit.ErrUnknownOutcome},
		"no network":            {404, "<html>", "text/html", netkit.ErrNotFound},
		"a plant that exists":   {400, `{"error":1005,"message":"m"}`, "application/json", netkit.ErrConflict},
		"a bad plant":           {400, `{"error":1002,"message":"m"}`, "application/json", netkit.ErrInvalid},
		"another status inside": {403, `{"status":404,"detail":"d"}`, "application/problem+json", netkit.ErrForbidden},
	} {
		err := refusal(c.status, http.Header{"Content-Type": {c.kind}}, []byte(c.body))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// A redirect could carry the token anywhere, so none is followed, not even on
// the same host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int32
	follow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { followed.Add(1) })
	other := httptest.NewServer(follow)
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL, "/moved"} {
			home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/moved" {
					follow(w, r)
					return
				}
				http.Redirect(w, r, to, status)
			}))
			c := clientOf(t, http.DefaultTransport, func(c *Config) { c.BaseURL = home.URL })
			for what, err := range map[string]error{
				"question": second(c.Health(t.Context())),
				"command":  second(c.Deposit(t.Context(), netkit.Deposit{Sponsor: "a"})),
				"download": second(c.Download(t.Context(), "/audio/x", io.Discard)),
			} {
				if !errors.Is(err, errRedirect) || followed.Load() != 0 {
					t.Errorf("%s, %d to %s: got %v and %d requests there, want a refusal and none", what, status, to, err, followed.Load())
				}
			}
			home.Close()
		}
	}
}

func TestNewRefusesAddresses(t *testing.T) {
	for _, s := range []string{"", "net.example", "ftp://net.example", "http://", "http://u:p@net.example", "http://net.example?x=1", "://"} {
		if _, err := New(Config{BaseURL: s}); err == nil {
			t.Errorf("BaseURL %q: got nil, want an error", s)
		}
	}
	if _, err := New(Config{BaseURL: "https://net.example/", IntentURL: "x"}); err == nil {
		t.Error("IntentURL x: got nil, want an error")
	}
}

func TestPages(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){
		answer(200, `{"items":[{"slug":"ada"},{"slug":"bob"}],"next_cursor":"c1"}`), answer(200, `{"items":[{"slug":"eve"}]}`)}}
	var got []string
	for p, err := range clientOf(t, s).AllDirectory(t.Context(), netkit.DirectoryQuery{Niche: netkit.NicheLegal, Page: netkit.Page{Limit: 2}}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Slug)
	}
	if diff := cmp.Diff([]string{"ada", "bob", "eve"}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{"limit=2&niche=LEGAL", "cursor=c1&limit=2&niche=LEGAL"}
	if diff := cmp.Diff(want, []string{s.seen[0].URL.RawQuery, s.seen[1].URL.RawQuery}); diff != "" {
		t.Error(diff)
	}
}

// Whoever has seen enough asks for no more.
func TestPagesStop(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, `{"items":[{"slug":"ada"}],"next_cursor":"c1"}`)}}
	for range clientOf(t, s).AllDirectory(t.Context(), netkit.DirectoryQuery{}) {
		break
	}
	if len(s.seen) != 1 {
		t.Errorf("got %d requests, want 1", len(s.seen))
	}
}

func TestSpawnMakesItsOwnToken(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){broken, answer(200, `{"slug":"ada","balance":50.00}`)}}
	var got netkit.Spawned
	synctest.Test(t, func(t *testing.T) {
		var err error
		if got, err = clientOf(t, s).Spawn(WithInvitation(t.Context(), "/api/agent/spawn?exp=1&sig=s&x=y"), netkit.Spawn{Slug: "ada"}); err != nil {
			t.Fatal(err)
		}
	})
	token, err := netkit.ParseToken(got.Token)
	if err != nil {
		t.Fatal(err)
	}
	want := `"token_sha256":"` + token.SHA256().String() + `"`
	for i, body := range s.bodies {
		if !strings.Contains(body, want) || strings.Contains(body, got.Token) {
			t.Errorf("attempt %d sent %s, want the hash of the token that came back and not the token", i, body)
		}
	}
	if q := s.seen[0].URL.RawQuery; q != "exp=1&sig=s" {
		t.Errorf("got query %q, want the invitation's", q)
	}
}

func TestUploadsBeginAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){broken, answer(200, `{"type":"audio/mpeg","bytes":5,"duration_s":1.5}`)}}
		got, err := clientOf(t, s).UploadAudio(t.Context(), strings.NewReader("sound"))
		if err != nil || got.Bytes != 5 || got.Duration != 1500 {
			t.Errorf("got %+v, %v", got, err)
		}
		if diff := cmp.Diff([]string{"sound", "sound"}, s.bodies); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDownloadSendsNoToken(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, "sound"), answer(403, `{"status":403,"code":"expired","detail":"d"}`)}}
	c := clientOf(t, s)
	var b strings.Builder
	n, err := c.Download(t.Context(), "/audio/ab?exp=1&sig=x", &b)
	if err != nil || n != 5 || b.String() != "sound" {
		t.Errorf("got %d bytes %q, %v, want sound", n, b.String(), err)
	}
	if r := s.seen[0]; r.Header.Get("Authorization") != "" || r.URL.String() != "http://net.example/audio/ab?exp=1&sig=x" {
		t.Errorf("got %s with %q, want the signed address without a token", r.URL, r.Header.Get("Authorization"))
	}
	if _, err := c.Download(t.Context(), "/audio/ab", &b); !errors.Is(err, netkit.ErrForbidden) {
		t.Errorf("got %v, want ErrForbidden", err)
	}
	if _, err := c.Download(t.Context(), "file:///etc/passwd", &b); err == nil {
		t.Error("a file address: got nil, want an error")
	}
}

// The intent listener gets what is its own, and only that.
func TestIntentPathsGoToTheirListener(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, `{}`), answer(200, `{}`), answer(200, `{}`)}}
	c := clientOf(t, s, func(c *Config) { c.IntentURL = "http://intent.example" })
	for _, err := range []error{second(c.Execute(t.Context(), netkit.Execute{})), second(c.Inbox(t.Context(), netkit.AttentionQuery{})), second(c.OwnProfile(t.Context()))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := []string{s.seen[0].URL.Host, s.seen[1].URL.Host, s.seen[2].URL.Host}
	if diff := cmp.Diff([]string{"intent.example", "intent.example", "net.example"}, got); diff != "" {
		t.Error(diff)
	}
}
