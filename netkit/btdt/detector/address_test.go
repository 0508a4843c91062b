package detector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

var _ btdt.Detector = (*Address)(nil)

// analyzer is a fake of Presidio's analyzer: it knows one name, and counts code points.
func analyzer(t *testing.T, asked *int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Text, Language string }
		if r.Method != http.MethodPost || r.URL.Path != "/analyze" || json.NewDecoder(r.Body).Decode(&in) != nil || in.Language != "en" {
			t.Errorf("got %s %s in %q, want a text for POST /analyze", r.Method, r.URL.Path, in.Language)
		}
		*asked++
		type found struct {
			EntityType  string         `json:"entity_type"`
			Start       int            `json:"start"`
			End         int            `json:"end"`
			Score       float64        `json:"score"`
			Explanation any            `json:"analysis_explanation"`
			Metadata    map[string]any `json:"recognition_metadata"`
		}
		all := []found{{EntityType: "ORGANIZATION", Start: 0, End: 1, Score: 1}}
		const name = "wobblefern"
		if at := strings.Index(in.Text, name); at >= 0 {
			start := len([]rune(in.Text[:at]))
			all = append(all, found{EntityType: "PERSON", Start: start, End: start + len(name), Score: 0.85, Metadata: map[string]any{"recognizer_name": "x"}})
		}
		if err := json.NewEncoder(w).Encode(all); err != nil {
			t.Error(err)
		}
	})
}

var book = btdt.Playbook{Title: "A refund", Category: "other", SubCategory: "refund", Jurisdiction: "US", Status: btdt.StatusResolved,
	Outcome: "It was paid.", Steps: []string{"𝒜 note 🙂 from wobblefern, they said it was paid."}}

func TestAddressSpeaksPresidio(t *testing.T) {
	asked := 0
	server := httptest.NewServer(analyzer(t, &asked))
	defer server.Close()
	d, err := NewAddress(server.URL, AddressConfig{})
	if err != nil {
		t.Fatal(err)
	}
	s := btdt.Scrubber{Detectors: []btdt.Detector{d}}
	for range 2 {
		r, err := s.Scrub(t.Context(), book)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Playbook.Steps[0], "𝒜 note 🙂 from [NAME_1], they said it was paid."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if f := r.Findings; len(f) != 1 || !f[0].Sure || !strings.HasPrefix(f[0].Rule, "detector:127.0.0.1:") {
			t.Errorf("got %+v, want one sure finding of the detector", f)
		}
	}
	if asked != 4 {
		t.Errorf("got %d requests, want one for each of four texts", asked)
	}
}

func TestAddressOnSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	server := httptest.NewUnstartedServer(analyzer(t, &asked))
	server.Listener.Close()
	server.Listener = l
	server.Start()
	defer server.Close()
	d, err := NewAddress("unix://"+path, AddressConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := d.Detect(t.Context(), "title", "wobblefern", "en"); err != nil || len(found) != 1 || found[0].End != 10 {
		t.Errorf("got %+v, %v, want one name", found, err)
	}
}

// A hostile server makes the scrub fail: it can neither move a mask, nor fill the
// memory, nor hold the command, nor get the text sent elsewhere.
func TestHostileServer(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   error
		text   string
	}{
		"offsets beyond the text": {body(`[{"entity_type":"PERSON","start":0,"end":99,"score":1}]`), errBadOffsets, ""},
		"offsets in UTF-16":       {body(`[{"entity_type":"PERSON","start":1,"end":4,"score":1}]`), errBadOffsets, ""},
		"offsets that overflow":   {body(`[{"entity_type":"PERSON","start":-9223372036854775808,"end":9223372036854775807}]`), errBadOffsets, ""},
		"turned offsets":          {body(`[{"entity_type":"PERSON","start":2,"end":1,"score":1}]`), errBadOffsets, ""},
		"half of the offsets":     {body(`[{"entity_type":"PERSON","start":1,"score":1}]`), errBadAnswer, ""},
		"no type":                 {body(`[{"start":0,"end":1,"score":1}]`), errBadAnswer, ""},
		"a score of 7":            {body(`[{"entity_type":"PERSON","start":0,"end":1,"score":7}]`), errBadAnswer, ""},
		"many findings":           {body("[" + strings.Repeat(`{"entity_type":"PERSON","text":"x"},`, maxFindings) + `{"entity_type":"PERSON","text":"x"}]`), errManyFindings, ""},
		"an object":               {body(`{"error":"none"}`), errBadAnswer, ""},
		"null":                    {body(`null`), errBadAnswer, ""},
		"nothing":                 {body(``), errBadAnswer, ""},
		"an endless body":         {endless, errLongAnswer, ""},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, errRedirect, ""},
		"delay":       {func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() }, nil, "did not answer within"},
		"a slow body": {dripping, nil, "did not answer within"},
		"an error":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret", 500) }, nil, "answered 500"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.answer)
			defer server.Close()
			d, err := NewAddress(server.URL, AddressConfig{})
			if err != nil {
				t.Fatal(err)
			}
			if c.text == "did not answer within" {
				d.answerTime = 50 * time.Millisecond
			}
			const text = "🙂🙂" // four units of UTF-16
			found, err := d.Detect(t.Context(), "steps[0]", text, "en")
			if err == nil || len(found) > 0 || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Fatalf("got %+v, %v, want %v%s", found, err, c.want, c.text)
			}
			if strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want neither the text nor the answer", err)
			}
		})
	}
	if elsewhere > 0 {
		t.Errorf("got %d requests behind a redirect, want none", elsewhere)
	}
}

func body(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
}

func endless(w http.ResponseWriter, r *http.Request) {
	page := bytes.Repeat([]byte(" "), 64<<10)
	for r.Context().Err() == nil {
		if _, err := w.Write(page); err != nil {
			return
		}
	}
}

func dripping(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = io.WriteString(w, "[")
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestAddressesAreRefused(t *testing.T) {
	for address, cfg := range map[string]AddressConfig{
		"http://192.0.2.1:5002": {}, "https://example.org": {}, "http://example.org": {Remote: true}, "http://127.0.0.1.example.org": {},
		"http://user:word@127.0.0.1": {}, "ftp://127.0.0.1": {}, "unix://host/path": {}, "127.0.0.1:5002": {}, "": {}, "http://": {}, "http://127.0.0.1/?q=1": {},
	} {
		if _, err := NewAddress(address, cfg); err == nil || strings.Contains(address, "example") && strings.Contains(err.Error(), address) {
			t.Errorf("%s: got %v, want a refusal", address, err)
		}
	}
	for address, want := range map[string]bool{"http://localhost:1": false, "http://[::1]:1": false, "unix:///a": false, "https://10.0.0.1": true, "http://localhost.example.org": true} {
		if got := Remote(address); got != want {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
	if err := refuseElsewhere("tcp", "192.0.2.1:80", nil); !errors.Is(err, errElsewhere) {
		t.Errorf("got %v, want a name that points elsewhere refused", err)
	}
}

// A proxy of the environment would see the text. Those of this machine are never used
// for loopback, so the transport of another host is looked at.
func TestNoProxyOfEnvironment(t *testing.T) {
	d, err := NewAddress("https://detector.invalid", AddressConfig{Remote: true})
	if err != nil {
		t.Fatal(err)
	}
	if transport, ok := d.client.Transport.(*http.Transport); !ok || transport.Proxy != nil {
		t.Errorf("got %+v, want a transport that knows no proxy", d.client.Transport)
	}
}

func TestDetectStopsWithContext(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(dripping))
	defer server.Close()
	d, err := NewAddress(server.URL, AddressConfig{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Detect(ctx, "title", "a", "en"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestTypes(t *testing.T) {
	for entity, want := range map[string]string{"PERSON": btdt.TypeName, "B-PER": btdt.TypeName, "person name": btdt.TypeName, "EMAIL_ADDRESS": btdt.TypeEmail,
		"US_SSN": btdt.TypeNationalID, "MEDICAL": btdt.TypeMedical, "SOMETHING_NEW": btdt.TypeOtherID, "LOCATION": "", "I-ORG": "", "DATE_TIME": ""} {
		if got, wanted := typeOf(entity); got != want || wanted != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", entity, got, wanted, want)
		}
	}
}
