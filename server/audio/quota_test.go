package audio

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// What a party may store counts from disk, so that a restart forgives nothing.
func TestQuotas(t *testing.T) {
	const one, two, three = "p0-grid-resolved.wav", "p0-grid-failure.mp3", "p1-silicon-supply.mp3"
	sizes := func(names ...string) (n int64) {
		for _, name := range names {
			n += int64(len(example(t, name)))
		}
		return n
	}
	published := map[string]bool{}
	is := func(sha string) bool { return published[sha] }
	dir := t.TempDir()
	s, c := store(t, dir)
	put := func(by, name string, q Quota) (string, error) {
		q.Published = is
		b, err := s.Put(t.Context(), Upload{By: by, Quota: q}, bytes.NewReader(example(t, name)))
		return b.SHA256, err
	}
	must := func(by, name string, q Quota) string {
		t.Helper()
		sha, err := put(by, name, q)
		if err != nil {
			t.Fatalf("%s stores %s: %v", by, name, err)
		}
		return sha
	}
	refused := func(by, name string, q Quota, want error) {
		t.Helper()
		if _, err := put(by, name, q); !errors.Is(err, want) {
			t.Errorf("%s stores %s: got %v, want %v", by, name, err, want)
		}
	}
	pending, daily := Quota{Unpublished: sizes(one, two)}, Quota{Day: sizes(one, two)}
	for name, begin := range map[string]func(){"running": func() {}, "restarted": func() {
		next, clock := store(t, dir)
		clock.t = c.t
		s, c = next, clock
	}} {
		t.Run(name, func(t *testing.T) {
			clear(published)
			c.t = c.t.Add(24 * time.Hour).UTC().Truncate(24 * time.Hour)
			if _, err := s.Sweep(t.Context(), is, 0); err != nil {
				t.Fatal(err)
			}
			a := must("cora", one, pending)
			must("cora", two, pending)
			begin()
			refused("cora", three, pending, ErrUnpublished)
			refused("cora", three, daily, ErrDay)
			must("dora", three, pending) // a quota is of one party
			published[a] = true
			refused("cora", three, daily, ErrDay) // published or not
			begin()
			must("cora", one, Quota{Unpublished: sizes(one, two)}) // again, and published: counts while it is written
			c.t = c.t.Add(24 * time.Hour)
			begin()
			must("cora", two, daily) // a new day
			refused("cora", three, Quota{Unpublished: sizes(two)}, ErrUnpublished)
			c.t = c.t.Add(24*time.Hour + time.Second)
			if n, err := s.Sweep(t.Context(), is, 24*time.Hour); n != 2 || err != nil {
				t.Fatalf("sweep: got %d, %v, want two files", n, err)
			}
			begin()
			must("cora", three, Quota{Unpublished: sizes(three)}) // what was swept is forgotten
		})
	}
}

// An upload that is too long for the quota is refused before a byte is read,
// and several at once have the quota of one.
func TestQuotaOfUploadsUnderWay(t *testing.T) {
	s, _ := store(t, t.TempDir())
	content := example(t, "p0-grid-resolved.wav")
	q := Quota{Unpublished: int64(len(content))}
	unread := iotest.ErrReader(errors.New("read"))
	if _, err := s.Put(t.Context(), Upload{By: "cora", Bytes: q.Unpublished + 1, Quota: q}, unread); !errors.Is(err, ErrUnpublished) {
		t.Errorf("announced: got %v, want ErrUnpublished", err)
	}
	// The last byte of the first upload comes when the second was refused.
	half, more := io.Pipe()
	var first sync.WaitGroup
	first.Go(func() {
		if _, err := s.Put(t.Context(), Upload{By: "cora", Quota: q}, half); err != nil {
			t.Errorf("first: %v", err)
		}
	})
	if _, err := more.Write(content[:len(content)-1]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), Upload{By: "cora", Bytes: q.Unpublished, Quota: q}, bytes.NewReader(content)); !errors.Is(err, ErrUnpublished) {
		t.Errorf("second: got %v, want ErrUnpublished", err)
	}
	if _, err := more.Write(content[len(content)-1:]); err != nil {
		t.Fatal(err)
	}
	more.Close()
	first.Wait()
	// A failed upload counts for nothing.
	if _, err := s.Put(t.Context(), Upload{By: "dora", Quota: q}, bytes.NewReader(content[:500])); !errors.Is(err, ErrDamaged) {
		t.Fatalf("got %v, want ErrDamaged", err)
	}
	if _, err := s.Put(t.Context(), Upload{By: "dora", Quota: q}, bytes.NewReader(content)); err != nil {
		t.Errorf("after a failed upload: %v", err)
	}
}
