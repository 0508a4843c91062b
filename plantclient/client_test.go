package plantclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// script answers one attempt after the other and keeps what it was asked.
type script struct {
	steps []func(*http.Request) (*http.Response, error)
	keys  []string
	sent  []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	s.sent = append(s.sent, string(body))
	step := s.steps[min(len(s.keys), len(s.steps))-1]
	return step(r)
}

func answer(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
	}
}

func lost(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }

// cut answers with a body that breaks off, as a dying connection does.
func cut(r *http.Request) (*http.Response, error) {
	resp, err := answer(200, "")(r)
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"na`), failing{}))
	resp.ContentLength = -1
	return resp, err
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func client(t *testing.T, s *script) *Client {
	t.Helper()
	c, err := New(Config{BaseURL: "https://plants.example/v1/", Token: "secret", HTTPClient: &http.Client{Transport: s}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const good = `{"name":"Fern","tag":"indoor"}`

var fern = NewPlant{ID: 1, Name: "Fern"}

func TestCreatePlantSends(t *testing.T) {
	var got *http.Request
	s := &script{steps: []func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
		got = r
		return answer(200, good)(r)
	}}}
	plant, err := client(t, s).CreatePlant(t.Context(), NewPlant{ID: -1 << 63, Name: "Fern", Tag: "indoor"})
	if err != nil || plant != (Plant{"Fern", "indoor"}) {
		t.Fatalf("got %+v, %v", plant, err)
	}
	want := []string{"POST", "https://plants.example/v1/plants", "Bearer secret", "application/json",
		`{"id":-9223372036854775808,"name":"Fern","tag":"indoor"}`}
	sent := []string{got.Method, got.URL.String(), got.Header.Get("Authorization"), got.Header.Get("Content-Type"),
		strings.TrimSpace(s.sent[0])}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("request differs (-want +got):\n%s", diff)
	}
	if len(s.keys[0]) != 32 {
		t.Errorf("got idempotency key %q, want 32 digits", s.keys[0])
	}
}

// Each row is one call: what comes, how often it was tried and how long it waited.
func TestRetries(t *testing.T) {
	type steps = []func(*http.Request) (*http.Response, error)
	busy := func(header ...string) func(*http.Request) (*http.Response, error) {
		return answer(503, `{"error":9,"message":"later"}`, header...)
	}
	date := "Fri, 02 Jan 2026 10:00:00 GMT"
	for name, c := range map[string]struct {
		steps    steps
		attempts int
		waited   time.Duration
		want     error
	}{
		"good at once":         {steps{answer(200, good)}, 1, 0, nil},
		"connection lost once": {steps{lost, answer(200, good)}, 2, 250 * time.Millisecond, nil},
		"answer cut off once":  {steps{cut, answer(200, good)}, 2, 250 * time.Millisecond, nil},
		"lost for good":        {steps{lost}, 3, 750 * time.Millisecond, ErrUnreachable},
		"busy, seconds":        {steps{busy("Retry-After", "7"), answer(200, good)}, 2, 7 * time.Second, nil},
		"busy, date":           {steps{busy("Retry-After", "Fri, 02 Jan 2026 10:00:09 GMT", "Date", date), answer(200, good)}, 2, 9 * time.Second, nil},
		"busy, date gone by":   {steps{busy("Retry-After", "Fri, 02 Jan 2026 09:00:09 GMT", "Date", date), answer(200, good)}, 2, 250 * time.Millisecond, nil},
		"busy, date alone":     {steps{busy("Retry-After", date), answer(200, good)}, 2, 250 * time.Millisecond, nil},
		"busy, nonsense":       {steps{busy("Retry-After", "soon"), answer(200, good)}, 2, 250 * time.Millisecond, nil},
		"busy for good":        {steps{busy()}, 3, 750 * time.Millisecond, ErrBusy},
		"busy for an hour":     {steps{busy("Retry-After", "3600")}, 1, 0, ErrBusy},
		"too many":             {steps{answer(429, "", "Retry-After", "1"), answer(200, good)}, 2, time.Second, nil},
		"bad gateway":          {steps{answer(502, "<html>"), answer(504, "<html>"), answer(200, good)}, 3, 750 * time.Millisecond, nil},
		"invalid":              {steps{answer(400, `{"error":1,"message":"no"}`)}, 1, 0, ErrInvalid},
		"unauthorized":         {steps{answer(401, `{"error":1,"message":"no"}`)}, 1, 0, ErrUnauthorized},
		"forbidden":            {steps{answer(403, `{"error":1,"message":"no"}`, "Retry-After", "1")}, 1, 0, ErrForbidden},
		"broken plant":         {steps{answer(200, `{"name":`)}, 1, 0, ErrAnswer},
		"plant of other type":  {steps{answer(200, `{"name":7}`)}, 1, 0, ErrAnswer},
		"nameless plant":       {steps{answer(200, `null`)}, 1, 0, ErrAnswer},
		"page for a plant":     {steps{answer(200, "<html>hello</html>")}, 1, 0, ErrAnswer},
		"created":              {steps{answer(201, good)}, 1, 0, ErrAnswer},
		"huge":                 {steps{answer(200, `{"name":"`+strings.Repeat("x", maxAnswer)+`"}`)}, 1, 0, ErrAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: c.steps}
				start := time.Now()
				plant, err := client(t, s).CreatePlant(t.Context(), fern)
				if !errors.Is(err, c.want) || (err == nil) != (plant.Name == "Fern") {
					t.Errorf("got %+v, %v, want %v", plant, err, c.want)
				}
				if got := time.Since(start); len(s.keys) != c.attempts || got != c.waited {
					t.Errorf("got %d attempts in %v, want %d in %v", len(s.keys), got, c.attempts, c.waited)
				}
				for i := range s.keys {
					if s.keys[i] != s.keys[0] || s.sent[i] != s.sent[0] {
						t.Errorf("attempt %d differs from the first", i)
					}
				}
			})
		})
	}
}

func TestRefusalIsTyped(t *testing.T) {
	for name, c := range map[string]struct {
		step func(*http.Request) (*http.Response, error)
		want Error
	}{
		"error object": {answer(400, `{"error":-5,"message":"name\u001b[31m is missing"}`),
			Error{Status: 400, Code: -5, Message: "name[31m is missing"}},
		"page of HTML": {answer(404, "<html>", "Content-Type", "text/html"),
			Error{Status: 404, Message: `no error object but 6 bytes of "text/html"; is the base URL that of a plant store?`}},
		"beyond int32": {answer(500, `{"error":2147483648,"message":"x"}`),
			Error{Status: 500, Message: `no error object but 34 bytes of "application/json"; is the base URL that of a plant store?`}},
		"half an object": {answer(500, `{"error":1}`),
			Error{Status: 500, Message: `no error object but 11 bytes of "application/json"; is the base URL that of a plant store?`}},
	} {
		_, err := client(t, &script{steps: []func(*http.Request) (*http.Response, error){c.step}}).CreatePlant(t.Context(), fern)
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("%s: got %v, want an *Error", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	e := &Error{Status: 400, Code: 3, Message: "no"}
	if got, want := e.Error(), "plantclient: the store refuses with status 400, error 3: no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A context that ends while we wait ends the call at once, and the last refusal
// is told too.
func TestContextEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []func(*http.Request) (*http.Response, error){answer(503, "", "Retry-After", "50")}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := client(t, s).CreatePlant(ctx, fern)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrBusy) {
			t.Errorf("got %v, want the deadline and the refusal", err)
		}
		if got := time.Since(start); got != 2*time.Second || len(s.keys) != 1 {
			t.Errorf("got %d attempts in %v, want 1 in 2s", len(s.keys), got)
		}
	})
}

func TestContextEndsAnAttempt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &script{steps: []func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
		cancel()
		return nil, r.Context().Err()
	}}}
	if _, err := client(t, s).CreatePlant(ctx, fern); !errors.Is(err, context.Canceled) || len(s.keys) != 1 {
		t.Errorf("got %v after %d attempts, want context.Canceled after 1", err, len(s.keys))
	}
}

// The timeout bounds an attempt, not the call.
func TestTimeoutOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		s := &script{steps: []func(*http.Request) (*http.Response, error){hang, answer(200, good)}}
		c, err := New(Config{BaseURL: "http://plants.example", Token: "t", HTTPClient: &http.Client{Transport: s}, Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.CreatePlant(t.Context(), fern); err != nil || len(s.keys) != 2 {
			t.Errorf("got %v after %d attempts, want none after 2", err, len(s.keys))
		}
	})
}

// A redirect must carry the token nowhere, not even within the host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed with %q", r.Header.Get("Authorization"))
	}))
	defer thief.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		store := httptest.NewServer(http.RedirectHandler(thief.URL, status))
		given := &http.Client{}
		c, err := New(Config{BaseURL: store.URL, Token: "secret", HTTPClient: given})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.CreatePlant(t.Context(), fern)
		store.Close()
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.Status != status || !strings.Contains(refusal.Message, "redirect") {
			t.Errorf("status %d: got %v, want a refusal that names the redirect", status, err)
		}
		if given.CheckRedirect != nil || given.Timeout != 0 {
			t.Error("the caller's http.Client was changed")
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"no address":       {Config{Token: "t"}, "base URL"},
		"other scheme":     {Config{BaseURL: "ftp://plants.example", Token: "t"}, "http or https"},
		"no host":          {Config{BaseURL: "https:///x", Token: "t"}, "http or https"},
		"not an address":   {Config{BaseURL: "http://[::1", Token: "t"}, "http or https"},
		"credentials":      {Config{BaseURL: "https://me:hidden@plants.example", Token: "t"}, "remove them"},
		"query":            {Config{BaseURL: "https://plants.example?a=b", Token: "t"}, "remove them"},
		"no token":         {Config{BaseURL: "https://plants.example"}, "token is empty"},
		"token with line":  {Config{BaseURL: "https://plants.example", Token: "hidden\nX: y"}, "token"},
		"negative timeout": {Config{BaseURL: "https://plants.example", Token: "t", Timeout: -1}, "timeout"},
	} {
		_, err := New(c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: got %v, want an error that says %q and shows no secret", name, err, c.want)
		}
	}
}

func TestLocalRefusals(t *testing.T) {
	s := &script{}
	if _, err := client(t, s).CreatePlant(t.Context(), NewPlant{ID: 1}); err == nil || len(s.keys) != 0 {
		t.Errorf("no name: got %v and %d requests, want an error and none", err, len(s.keys))
	}
	c := client(t, s)
	c.rand = bytes.NewReader(nil)
	if _, err := c.CreatePlant(t.Context(), fern); !errors.Is(err, io.EOF) || len(s.keys) != 0 {
		t.Errorf("no randomness: got %v and %d requests, want io.EOF and none", err, len(s.keys))
	}
}

func TestNoRetries(t *testing.T) {
	s := &script{steps: []func(*http.Request) (*http.Response, error){lost}}
	c, err := New(Config{BaseURL: "http://plants.example", Token: "t", HTTPClient: &http.Client{Transport: s}, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreatePlant(t.Context(), fern); !errors.Is(err, ErrUnreachable) || len(s.keys) != 1 {
		t.Errorf("got %v after %d attempts, want ErrUnreachable after 1", err, len(s.keys))
	}
}
