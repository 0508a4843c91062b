package netclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// streaming answers with what is written to a pipe until the request ends.
func streaming(write func(io.Writer)) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		out, in := io.Pipe()
		go func() {
			write(in)
			in.Close()
		}()
		context.AfterFunc(r.Context(), func() { out.CloseWithError(r.Context().Err()) })
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: out, Request: r}, nil
	}
}

func lines(text string) func(io.Writer) {
	return func(w io.Writer) { io.WriteString(w, text) }
}

// An entry that tells everybody something and the reader something else makes
// two events of the same id.
func TestStreamTellsBothEventsOfAnEntry(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){
		streaming(lines("id: 5\nevent: badge.issued\ndata: 1\n\nid: 5\nevent: notice\ndata: 2\n\nid: 6\nevent: execution\ndata: 3\n\n"))}}
	var got []string
	for e := range clientOf(t, s).Events(t.Context(), 4, netkit.EventFilter{}) {
		if got = append(got, e.Type); e.ID == 6 {
			break
		}
	}
	if diff := cmp.Diff([]string{"badge.issued", "notice", "execution"}, got); diff != "" {
		t.Error(diff)
	}
}

const beat = "event: heartbeat\ndata: {}\n\n"

func TestStreamResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){
			streaming(lines("retry: 3000\n" + beat + "id: 5\nevent: dispatch\ndata: {\"a\":\ndata: 1}\n\n")),
			broken,
			streaming(lines(": a comment\nid: 5\nevent: dispatch\ndata: 1\n\nid:7\nevent:execution\ndata:2\n\nid: 8\nevent: cut off\ndata: 3\n")),
		}}
		var got []netkit.Event
		lost := 0
		for e, err := range clientOf(t, s).Events(t.Context(), 4, netkit.EventFilter{Types: []string{"a", "b"}, Channels: []netkit.Niche{netkit.NicheLegal}}) {
			if err != nil {
				if !errors.Is(err, ErrUnreachable) {
					t.Fatal(err)
				}
				lost++
				continue
			}
			if got = append(got, e); len(got) == 2 {
				break
			}
		}
		want := []netkit.Event{{ID: 5, Type: "dispatch", Data: json.RawMessage("{\"a\":\n1}")}, {ID: 7, Type: "execution", Data: json.RawMessage("2")}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if lost != 2 {
			t.Errorf("got %d lost connections, want 2", lost)
		}
		var ids []string
		for _, r := range s.seen {
			ids = append(ids, r.Header.Get("Last-Event-ID"))
		}
		if diff := cmp.Diff([]string{"4", "5", "5"}, ids); diff != "" {
			t.Error(diff)
		}
		if q := s.seen[0].URL.RawQuery; q != "channel=LEGAL&type=a%2Cb" {
			t.Errorf("got query %q", q)
		}
	})
}

// A connection that says nothing is given up; a heartbeat is a sign of life
// and no event.
func TestStreamThatFallsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){streaming(func(w io.Writer) {
			for range 3 {
				io.WriteString(w, beat)
				time.Sleep(40 * time.Second)
			}
			time.Sleep(time.Hour)
		})}}
		for e, err := range clientOf(t, s).Events(t.Context(), OnlyNew, netkit.EventFilter{}) {
			if !errors.Is(err, ErrUnreachable) {
				t.Errorf("got %+v, %v, want ErrUnreachable", e, err)
			}
			break
		}
		if took := time.Since(start); took != 125*time.Second {
			t.Errorf("got silence noticed after %s, want 45 s after the last heartbeat at 80 s", took)
		}
		if got := s.seen[0].Header.Get("Last-Event-ID"); got != "" {
			t.Errorf("got Last-Event-ID %q, want none for what is new", got)
		}
		time.Sleep(2 * time.Hour) // lets the writer end
	})
}

func TestStreamRefused(t *testing.T) {
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(401, `{"status":401,"code":"token_unknown","detail":"d"}`)}}
	n := 0
	for _, err := range clientOf(t, s).Events(t.Context(), 0, netkit.EventFilter{}) {
		if n++; !errors.Is(err, netkit.ErrUnauthenticated) {
			t.Errorf("got %v, want ErrUnauthenticated", err)
		}
	}
	if n != 1 || len(s.seen) != 1 {
		t.Errorf("got %d errors of %d requests, want one each: a refusal ends the stream", n, len(s.seen))
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){hangs}}
		for e, err := range clientOf(t, s).Events(ctx, 0, netkit.EventFilter{}) {
			t.Errorf("got %+v, %v, want nothing", e, err)
		}
	})
}
