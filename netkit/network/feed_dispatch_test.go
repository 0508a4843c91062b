package network

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

var recording = netkit.AudioRef{SHA256: netkit.Hash{1}, Type: "audio/mpeg", Bytes: 1200, Duration: 12_040}

func TestPublishTellsItsRecording(t *testing.T) {
	f := memory(t)
	first := f.publishes(netkit.P0, netkit.NicheLegal, "first")
	got := must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Channel: netkit.NicheLegal, Headline: "h", Audio: &recording,
		Transcript: &netkit.TextRef{SHA256: netkit.Hash{2}, Type: "text/vtt"}, CorrectionOf: first}))
	want := netkit.Dispatch{ID: got.DispatchID, Channel: netkit.NicheLegal, Headline: "h", Audio: &netkit.Audio{AudioRef: recording},
		Transcript: &netkit.Transcript{TextRef: netkit.TextRef{SHA256: netkit.Hash{2}, Type: "text/vtt"}}, PublishedAt: netkit.At(f.now), CorrectionOf: first, Author: "operator", Untrusted: true}
	if diff := cmp.Diff(want, must[netkit.Dispatch](t)(f.As("").Dispatch(t.Context(), got.DispatchID))); diff != "" {
		t.Error(diff)
	}
}

func TestWhoMayPublish(t *testing.T) {
	f := memory(t)
	f.agents("ada", "cora")
	f.admit("acme", netkit.Credit)
	if _, err := f.op().SetRole(t.Context(), netkit.SetRole{Agent: "cora", Role: "correspondent", Grant: true, Reason: "writes well"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who  string
		p    netkit.Priority
		code string
	}{
		{"", netkit.P1, "unauthenticated"}, {"ada", netkit.P1, "correspondents_only"}, {"ada", netkit.P0, "p0_needs_operator"}, {"acme", netkit.P2, "correspondents_only"},
		{"cora", netkit.P0, "p0_needs_operator"}, {"cora", netkit.P1, ""}, {"cora", netkit.P2, ""}, {"operator", netkit.P0, ""}, {"operator", netkit.P1, ""},
	} {
		_, err := f.As(c.who).Publish(t.Context(), netkit.Publish{Priority: c.p, Channel: netkit.NicheLegal, Headline: "h"})
		switch kind := netkit.ErrForbidden; {
		case c.code == "unauthenticated":
			refused(t, err, netkit.ErrUnauthenticated, c.code)
		case c.code != "":
			refused(t, err, kind, c.code)
		case err != nil:
			t.Errorf("%s publishing %s: got %v, want no refusal", c.who, c.p, err)
		}
	}
}

func TestPublishBadInput(t *testing.T) {
	f := memory(t)
	ok := netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: "h"}
	for code, change := range map[string]func(*netkit.Publish){
		"priority_unknown": func(p *netkit.Publish) { p.Priority = 3 },
		"niche_unknown":    func(p *netkit.Publish) { p.Channel = 7 },
		"channel_missing":  func(p *netkit.Publish) { p.Channel = netkit.NoNiche },
		"text_missing":     func(p *netkit.Publish) { p.Headline = "" },
		"text_too_long":    func(p *netkit.Publish) { p.Summary = strings.Repeat("x", 4001) },
		"audio_missing":    func(p *netkit.Publish) { p.Audio = &netkit.AudioRef{Type: "audio/mpeg", Bytes: 1} },
		"audio_type": func(p *netkit.Publish) {
			p.Audio = &netkit.AudioRef{SHA256: netkit.Hash{1}, Type: "text/html", Bytes: 1}
		},
		"audio_size":         func(p *netkit.Publish) { p.Audio = &netkit.AudioRef{SHA256: netkit.Hash{1}, Type: "audio/ogg"} },
		"transcript_missing": func(p *netkit.Publish) { p.Transcript = &netkit.TextRef{Type: "text/vtt"} },
		"transcript_type":    func(p *netkit.Publish) { p.Transcript = &netkit.TextRef{SHA256: netkit.Hash{1}, Type: "vtt\n"} },
	} {
		in := ok
		change(&in)
		_, err := f.op().Publish(t.Context(), in)
		refused(t, err, netkit.ErrInvalid, code)
	}
	in := ok
	in.CorrectionOf = 77
	_, err := f.op().Publish(t.Context(), in)
	refused(t, err, netkit.ErrNotFound, "dispatch_unknown")
}

// The book shows neither headline nor summary of any dispatch.
func TestDispatchTextsArePrivate(t *testing.T) {
	f := memory(t)
	for _, p := range allPriorities {
		f.publishes(p, netkit.NicheLegal, "SECRET")
	}
	for r, err := range f.store.Read(t.Context(), 0, f.state.Size()) {
		if err != nil || strings.Contains(string(r.Public), "SECRET") {
			t.Errorf("entry %d: %v: %s", r.Seq, err, r.Public)
		}
	}
	if strings.Contains(string(f.state.Canonical()), "SECRET") {
		t.Error("the state holds a text")
	}
}

func TestWhoMayHear(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	free, paid, later := netkit.Hash{1}, netkit.Hash{2}, netkit.Hash{3}
	publish := func(p netkit.Priority, file netkit.Hash) {
		t.Helper()
		ref := recording
		ref.SHA256 = file
		if _, err := f.op().Publish(t.Context(), netkit.Publish{Priority: p, Channel: netkit.NicheLegal, Headline: "h", Audio: &ref}); err != nil {
			t.Fatal(err)
		}
	}
	publish(netkit.P0, free)
	publish(netkit.P1, paid)
	f.reads("ada", netkit.ReadManifest{Priorities: allPriorities})
	publish(netkit.P2, later)
	publish(netkit.P1, paid)
	publish(netkit.P2, paid) // both name it again: still open to whoever opened the first
	for who, want := range map[string][4]bool{"": {true}, "operator": {true}, "bea": {true}, "ada": {true, true}} {
		for i, file := range []netkit.Hash{free, paid, later, {9}} {
			if got := f.fetches(who, file); got != want[i] {
				t.Errorf("%q, file %d: got %v, want %v", who, i, got, want[i])
			}
		}
	}
	if !f.AudioKeep(later) || f.AudioKeep(netkit.Hash{9}) {
		t.Error("the sweep must keep what a dispatch names, and nothing else")
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.open()
	if !f.AudioKeep(later) || !f.fetches("ada", paid) {
		t.Error("after a start from the snapshot the files are forgotten")
	}
}

// An erased dispatch names its files no more; one that stands keeps them.
func TestErasedDispatchGivesUpItsFiles(t *testing.T) {
	f := memory(t)
	publish := func(file, text netkit.Hash) uint64 {
		t.Helper()
		audio := recording
		audio.SHA256 = file
		return must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Priority: netkit.P0, Channel: netkit.NicheLegal, Headline: "h", Audio: &audio,
			Transcript: &netkit.TextRef{SHA256: text, Type: "text/plain"}})).DispatchID
	}
	first := publish(netkit.Hash{1}, netkit.Hash{2})
	second := publish(netkit.Hash{1}, netkit.Hash{3})
	check := func(when string, keep [3]bool) {
		t.Helper()
		all := must[map[netkit.Hash]bool](t)(f.NamedFiles(t.Context()))
		for i, want := range keep {
			file := netkit.Hash{byte(i + 1)}
			heard := f.fetches("", file)
			if standing, named := all[file]; !named || f.AudioKeep(file) != want || standing != want || heard != want {
				t.Errorf("%s, file %d: got named %v, kept %v, standing %v, heard %v, want kept %v", when, i+1, named, f.AudioKeep(file), standing, heard, want)
			}
		}
	}
	check("before", [3]bool{true, true, true})
	f.erases(first)
	check("one erased", [3]bool{true, false, true})
	if got := must[[]netkit.Hash](t)(f.ErasedFiles(t.Context(), first)); len(got) != 1 || got[0] != (netkit.Hash{2}) {
		t.Errorf("got %v, want the transcript of the first alone", got)
	}
	f.erases(second)
	check("both erased", [3]bool{})
	f.restarts(t)
	check("after a restart", [3]bool{})
	if got := must[[]netkit.Hash](t)(f.ErasedFiles(t.Context(), second)); len(got) != 2 {
		t.Errorf("got %v, want both files of the second", got)
	}
	publish(netkit.Hash{1}, netkit.Hash{3})
	check("published again", [3]bool{true, false, true})
}

// fetches reports whether somebody may fetch a file whose dispatch it does not name.
func (f *fixture) fetches(slug string, file netkit.Hash) bool {
	f.t.Helper()
	_, may, err := f.As(slug).CanFetch(f.t.Context(), file, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	return may
}
