package s3

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/archive/s3/s3test"
)

// served returns a bucket and the server behind it.
func served(t *testing.T, faults s3test.Faults) (*Bucket, *s3test.Bucket) {
	t.Helper()
	s3test.Credentials(t)
	behind := s3test.New(faults)
	return openServed(t, behind), behind
}

// openServed opens a bucket behind a handler.
func openServed(t *testing.T, behind http.Handler) *Bucket {
	t.Helper()
	srv := httptest.NewServer(behind)
	t.Cleanup(srv.Close)
	b, err := Open("s3://bucket/net?region=us-east-1&endpoint=" + srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Two servers keep the promises: the one of the tests, whose faults can be chosen, and
// one by other authors.
func TestBucketKeepsThePromises(t *testing.T) {
	s3test.Credentials(t)
	for name, behind := range map[string]http.Handler{
		"s3test":   s3test.New(s3test.Faults{}),
		"gofakes3": gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server(),
	} {
		t.Run(name, func(t *testing.T) { keepsPromises(t, openServed(t, behind)) })
	}
}

func keepsPromises(t *testing.T, b *Bucket) {
	ctx := t.Context()
	if err := archive.Probe(ctx, b); err != nil {
		t.Fatal(err)
	}
	for i := range 250 { // more than one page
		if err := b.Create(ctx, fmt.Sprintf("private/keys/journal/%03d", i), []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Create(ctx, "private/keys/journal/007", []byte{1}); !errors.Is(err, archive.ErrExists) {
		t.Errorf("got %v, want ErrExists", err)
	}
	if got, err := b.Read(ctx, "private/keys/journal/007"); err != nil || string(got) != "\x07" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := b.Read(ctx, "private/keys/journal/none"); !errors.Is(err, archive.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	var names []string
	for name, err := range b.List(ctx, "private/keys/journal/", "private/keys/journal/100") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if len(names) != 149 || names[0] != "private/keys/journal/101" || !slices.IsSorted(names) {
		t.Errorf("got %d names from %q on, want 149", len(names), names[0])
	}
	if err := errors.Join(b.Remove(ctx, names[0]), b.Remove(ctx, names[0])); err != nil {
		t.Errorf("removing twice: %v", err)
	}
	if err := b.Remove(ctx, "public/journal/0"); err == nil {
		t.Error("an object of the journal was removed")
	}
	if got := b.String(); got != "s3://bucket/net" {
		t.Errorf("got the name %q", got)
	}
	for name, err := range b.List(ctx, "", "") {
		if err != nil || !strings.HasPrefix(name, "private/keys/journal/") {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// uploads stores a file of several parts and reads it back.
func uploads(t *testing.T, b *Bucket) {
	want := strings.Repeat("backup ", 3<<20)
	if err := b.Upload(t.Context(), "a.netctl.tar", strings.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := b.Download(t.Context(), "a.netctl.tar", &got); err != nil || got.String() != want {
		t.Errorf("got %d bytes, %v, want %d", got.Len(), err, len(want))
	}
	if err := b.Download(t.Context(), "none", &got); !errors.Is(err, archive.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// The probe names the promise that a server breaks.
func TestProbeNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		faults s3test.Faults
		want   string
	}{
		{s3test.Faults{IgnoresCondition: true}, "ignores If-None-Match"},
		{s3test.Faults{ListsLate: true}, "lists an object late"},
		{s3test.Faults{KeepsVersions: true}, "keeps versions"},
		{s3test.Faults{Flipped: func(_ int, method, _ string) bool { return method == "GET" }}, "does not return the bytes that were written"},
	} {
		b, _ := served(t, c.faults)
		if err := archive.Probe(t.Context(), b); !errors.Is(err, archive.ErrUnfit) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "s3://bucket/net") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestOpenRefusesAddresses(t *testing.T) {
	for _, address := range []string{"", "s3://", "file:///x", "s3://user:secret@bucket/x", "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=host"} {
		if _, err := Open(address); err == nil {
			t.Errorf("%q was accepted", address)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a key: %v", err)
		}
	}
}

// A file of several parts comes back whole; one that could not be read to its end leaves
// nothing.
func TestUploadAndDownload(t *testing.T) {
	b, behind := served(t, s3test.Faults{})
	uploads(t, b)
	broken := io.MultiReader(strings.NewReader(strings.Repeat("backup ", 3<<20)), iotest.ErrReader(io.ErrUnexpectedEOF))
	if err := b.Upload(t.Context(), "b.netctl.tar", broken); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if names, left := behind.Names(), behind.Unfinished(); len(names) != 1 || left != 0 {
		t.Errorf("got %v and %d unfinished, want one file", names, left)
	}
	if err := errors.Join(b.Delete(t.Context(), "a.netctl.tar"), b.Delete(t.Context(), "a.netctl.tar")); err != nil || len(behind.Names()) != 0 {
		t.Errorf("got %v and %v, want no file", err, behind.Names())
	}
}
